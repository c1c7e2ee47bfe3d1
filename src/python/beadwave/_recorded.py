"""What a run recorded: in memory (Run) or in a file (History), under the same names."""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _beadwave, _figures
from ._settings import Name

_LEDGER = ("kinetic_energy", "potential_energy", "rotational_energy", "stored_energy", "dissipated_energy", "friction_energy", "work",
           "discarded_energy", "residual")


class Energy:
    """The energy ledger, sample by sample [J]: kinetic + stored + dissipated (+ rotational, friction, discarded ...) = initial +
    work. Each entry by name, `energy.kinetic`, or as `energy["kinetic_energy"]`; `residual` is what they leave over, relative to
    the largest of them (of a mechanism in J)."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    @property
    def time(self) -> Any:
        """[s], one a sample."""
        return self._recorded["energy_time"]

    @property
    def names(self) -> list[str]:
        return [name for name in _LEDGER if name in self._recorded]

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        return self._recorded[name]

    def __getattr__(self, name: str) -> Any:
        for full in (name, f"{name}_energy"):
            if full in _LEDGER and full in self._recorded:
                return self._recorded[full]
        raise AttributeError(f"the ledger has no {name}; it has {', '.join(self.names)}")

    def __dir__(self) -> list[str]:
        return ["time", "names", *self.names]


class Snapshots:
    """All bodies at times apart; none unless the scenario has [snapshots]."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    def __len__(self) -> int:
        return len(self.time)

    @property
    def time(self) -> Any:
        """[s], one a snapshot."""
        return self._recorded["snapshot_time"]

    @property
    def step(self) -> Any:
        """One a snapshot."""
        return self._recorded["snapshot_step"]

    @property
    def displacement(self) -> Any:
        """From the start [m], snapshots x beads; of a packing x 3."""
        return self._recorded["displacement"]

    @property
    def velocity(self) -> Any:
        """[m/s], snapshots x beads; of a packing x 3, of a mechanism x 2."""
        return self._recorded["velocity"]

    @property
    def contact_force(self) -> Any:
        """Of a chain [N], snapshots x (beads + 1): contact c is between bead c - 1 and bead c."""
        return self._recorded["contact_force"]

    @property
    def spin(self) -> Any:
        """Of a packing [rad/s], snapshots x particles x 3; of a mechanism snapshots x bodies."""
        return self._recorded["spin"]


class Recorded:
    """A mapping from names ("sensor_force") to read-only arrays, and the best known of them as attributes."""

    def names(self) -> list[str]:
        raise NotImplementedError

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError

    def unit(self, name: str) -> str:
        """H5MD's spelling: "m s-1"; empty: none."""
        raise NotImplementedError

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    @property
    def time(self) -> Any:
        """Of the sensors' samples [s]; of a mechanism of all samples."""
        return self["sensor_time"] if "sensor_time" in self else self["snapshot_time"]

    @property
    def sensors(self) -> Any:
        """The beads or particles that have one, in the order of the columns."""
        return self["sensors"]

    @property
    def sensor_force(self) -> Any:
        """[N], samples x sensors: the force inside the bead, the mean of the contact forces on its two sides; of a packing
        samples x sensors x 3: the net contact force on the particle."""
        return self["sensor_force"]

    @property
    def sensor_velocity(self) -> Any:
        """[m/s], samples x sensors; of a packing samples x sensors x 3."""
        return self["sensor_velocity"]

    @property
    def energy(self) -> Energy:
        """The energy ledger."""
        return Energy(self)

    @property
    def snapshots(self) -> Snapshots:
        """All bodies at times apart."""
        return Snapshots(self)

    @property
    def impacts(self) -> dict[str, dict[str, Any]]:
        """Of a mechanism: by contact, and there by quantity (start [s], closing_speed [m/s], peak_force [N] ...), one number an
        impact."""
        found: dict[str, dict[str, Any]] = {}
        for name in self.names():
            if name.startswith("impacts/"):
                contact, quantity = name.removeprefix("impacts/").rsplit("/", 1)
                found.setdefault(contact, {})[quantity] = self[name]
        return found

    def plot(self, contacts: Sequence[int] | None = None) -> Any:
        """The report's panels as a figure of matplotlib; of a chain with the force-overlap loops of these contacts."""
        raise NotImplementedError


class Run(Recorded):
    """A run that has ended. Its arrays are the run's own memory, read-only; each keeps the run alive.

    >>> import beadwave as bw
    >>> run = bw.load({"segment": [{"beads": 1, "radius": 0.01, "material": "steel", "velocity": 1.0},
    ...                            {"beads": 9, "radius": 0.01, "material": "steel"}],
    ...                "material": {"steel": {"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800}},
    ...                "law": {"name": "hertz"}, "time": {"end": 2e-4}, "sensors": {"beads": [3, 6]}}).run()
    >>> run.sensor_force.shape
    (1001, 2)
    >>> run.unit("sensor_force")
    'N'
    >>> run.sensor_force.flags.writeable
    False
    """

    def __init__(self, run: _beadwave.Run, history: Path | None) -> None:
        self._run = run
        self._history = history
        self._file: History | None = None
        self._names = dict.fromkeys(run.names)

    @property
    def history(self) -> Path | None:
        """The file that the run wrote; None: it is in memory."""
        return self._history

    @property
    def result(self) -> dict[str, Any]:
        """What `beadwave run --json` says: steps, time_step [s], energy [J], sensors ..."""
        found: dict[str, Any] = json.loads(self._run.json)
        return found

    @property
    def notes(self) -> list[str]:
        """What gives reason to doubt the result, a sentence each."""
        return self._run.notes

    @property
    def wall_seconds(self) -> float:
        """What it took [s]."""
        return self._run.wall_seconds

    def names(self) -> list[str]:
        return list(self._names) if self._history is None else self._opened().names()

    def __getitem__(self, name: str) -> Any:
        if self._history is not None:
            return self._opened()[name]
        if name not in self._names:
            raise KeyError(f"the run has recorded no {name}; it has {', '.join(self._names)}")
        return self._run.array(name)

    def unit(self, name: str) -> str:
        return self._run.unit(name) if self._history is None else self._opened().unit(name)

    def _opened(self) -> History:
        if self._file is None:
            if self._history is None:
                raise _beadwave.RunError("the run has no history")
            self._file = History(self._history)
        return self._file

    def save(self, path: Name, force: bool = False) -> None:
        """Writes the history that `beadwave run` would have written; `force`: whatever stands there. Raises InputError,
        RunError."""
        if self._history is not None:
            raise _beadwave.InputError(f"{self._history} is the run's history already: copy it")
        self._run.save(path, force)

    def plot(self, contacts: Sequence[int] | None = None) -> Any:
        if self._history is not None:
            return _figures.drawn([self._history], contacts)
        return _figures.drawn_from_memory(self.save, "run.h5", contacts)

    def __str__(self) -> str:
        return self._run.text

    def __repr__(self) -> str:
        where = "in memory" if self._history is None else str(self._history)
        return f"<beadwave.Run {where}: {self.result['steps']} steps in {self.wall_seconds:.3g} s>"


class _Lazy:
    """A dataset, or one component of its last axis, read where it is indexed."""

    def __init__(self, dataset: Any, component: int | None = None, components: int | None = None) -> None:
        self._dataset, self._component, self._components = dataset, component, components

    @property
    def shape(self) -> tuple[int, ...]:
        whole = tuple(self._dataset.shape)
        if self._component is not None:
            return whole[:-1]
        return whole if self._components is None else (*whole[:-1], self._components)

    def __len__(self) -> int:
        return int(self._dataset.shape[0])

    def __getitem__(self, index: Any) -> Any:
        index = index if isinstance(index, tuple) else (index,)
        if self._component is not None:
            return self._dataset[(*self._filled(index, len(self.shape)), self._component)]
        if self._components is not None and len(index) < len(self.shape):
            return self._dataset[(*self._filled(index, len(self.shape) - 1), slice(0, self._components))]
        return self._dataset[index]

    @staticmethod
    def _filled(index: tuple[Any, ...], length: int) -> tuple[Any, ...]:
        at = next((k for k, i in enumerate(index) if i is Ellipsis), None)
        if at is not None:
            index = (*index[:at], *[slice(None)] * (length - len(index) + 1), *index[at + 1:])
        return (*index, *[slice(None)] * (length - len(index)))

    def __array__(self, dtype: Any = None) -> Any:
        return np.asarray(self[...], dtype=dtype)

    @property
    def unit(self) -> str:
        unit = self._dataset.attrs.get("unit", "")
        return unit.decode() if isinstance(unit, bytes) else str(unit)


class History(Recorded):
    """A history that `beadwave run` wrote, read lazily: `history.sensor_force[100:200]` reads these rows alone, and
    np.asarray(history.sensor_force) all. As a `with` block it closes the file. `file` is h5py's, with all there is.

    Raises InputError for what is no history."""

    def __init__(self, path: Name) -> None:
        import h5py  # type: ignore[import]
        self.path = Path(path)
        try:
            self.file = h5py.File(self.path, "r")
        except OSError as error:
            raise _beadwave.InputError(f"{self.path}: no history that can be read ({error})") from error
        if "parameters/scenario" not in self.file:
            self.file.close()
            raise _beadwave.InputError(f"{self.path}: not a history: it has no /parameters/scenario")
        self.model: str = self._text("model") if "parameters/model" in self.file else "chain"
        self._names = dict(self._found())

    def _text(self, name: str) -> str:
        return str(self.file["parameters"][name].asstr()[()])

    @property
    def scenario(self) -> str:
        """The scenario's text as run; empty for a chain from arrays."""
        return self._text("scenario")

    @property
    def law(self) -> str:
        return self._text("law")

    @property
    def time_step(self) -> float:
        """[s]"""
        return float(self.file["parameters/time_step"][()])

    @property
    def notes(self) -> list[str]:
        """What gives reason to doubt the result, a sentence each."""
        return [str(note) for note in self.file["parameters/notes"].asstr()[:]] if "parameters/notes" in self.file else []

    def _found(self) -> Iterator[tuple[str, _Lazy]]:
        file = self.file
        mechanism = self.model == "mechanism"
        bodies = file["particles/bodies" if mechanism else "particles/beads"]
        for name in ("radius", "mass", "inertia"):
            if name in bodies:
                yield name, _Lazy(bodies[name])
        if "parameters/contact_gap" in file:
            yield "contact_gap", _Lazy(file["parameters/contact_gap"])
        observables = file["observables"] if "observables" in file else {}
        if "sensor_force" in observables:
            sensors = observables["sensor_force"]
            yield "sensors", _Lazy(sensors["beads" if self.model == "chain" else "particles"])
            for part in ("step", "time"):
                yield f"sensor_{part}", _Lazy(sensors[part])
            for name in ("sensor_force", "sensor_velocity"):
                yield name, _Lazy(observables[name]["value"])
        if "velocity" in bodies:
            for part in ("step", "time"):
                yield f"snapshot_{part}", _Lazy(bodies["velocity"][part])
            for name in ("position", "displacement", "velocity", "acceleration", "angle", "spin", "spin_acceleration"):
                if name not in bodies or (name == "position" and not mechanism):
                    continue
                values = bodies[name]["value"]
                if self.model == "chain":
                    yield name, _Lazy(values, 0) if values.ndim == 3 else _Lazy(values)
                else:
                    yield name, _Lazy(values, components=2) if mechanism and values.ndim == 3 else _Lazy(values)
        times = False
        for name in observables:
            element = observables[name]
            if name.startswith("sensor_") or "value" not in element:
                continue
            yield name, _Lazy(element["value"])
            if name in _LEDGER and not times:
                times = True
                for part in ("step", "time"):
                    yield f"energy_{part}", _Lazy(element[part])
        if "connectivity/contacts" in file:
            for name in ("end", "pair", "overlap", "normal_force", "tangential_force", "point"):
                yield f"contacts/{name}", _Lazy(file["connectivity/contacts"][name])
        if "impacts" in file:
            for number in file["impacts"]:
                group = file["impacts"][number]
                contact = group.attrs["contact"]
                contact = contact.decode() if isinstance(contact, bytes) else str(contact)
                for name in group:
                    yield f"impacts/{contact}/{name}", _Lazy(group[name])

    def names(self) -> list[str]:
        return list(self._names)

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(f"{self.path} has no {name}; it has {', '.join(self._names)}")
        return self._names[name]

    def unit(self, name: str) -> str:
        return str(self[name].unit)

    def plot(self, contacts: Sequence[int] | None = None) -> Any:
        return _figures.drawn([self.path], contacts)

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<beadwave.History {self.path}: {self.model}>"

