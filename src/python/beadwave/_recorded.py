"""What a run recorded, in memory (Run) or in a file (History), under the same names."""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _beadwave, _figures
from ._settings import Name, file_name

_LEDGER = ("kinetic_energy", "translational_energy", "rotational_energy", "potential_energy", "stored_energy", "dissipated_energy",
           "normal_dissipation", "friction_dissipation", "rolling_dissipation", "external_work", "sleep_loss_energy", "energy_error",
           "relative_energy_error")


class Energy:
    """The energy ledger (the energy balance) [J], one number per sample: kinetic + potential (mechanisms) + stored + dissipated +
    sleep loss - external work = its value at the start + energy error.

    Each entry has a name: `energy.kinetic`, or `energy["kinetic_energy"]`. `energy_error` [J] is the difference that the entries
    leave; `relative_energy_error` is that divided by the largest entry so far. Packings also have translational and rotational,
    the parts of the kinetic energy. `normal_dissipation`, `friction_dissipation` and `rolling_dissipation` (packings only) are the
    parts of the dissipated energy in packings and mechanisms."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    @property
    def time(self) -> Any:
        """[s], one per sample."""
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
    """The state of all bodies, once per interval; empty unless the scenario has [snapshots]."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    def __len__(self) -> int:
        return len(self.time)

    @property
    def time(self) -> Any:
        """[s], one per snapshot."""
        return self._recorded["snapshot_time"]

    @property
    def step(self) -> Any:
        """The number of the time step, one per snapshot."""
        return self._recorded["snapshot_step"]

    @property
    def displacement(self) -> Any:
        """Displacement from the start [m]: snapshots x beads; in packings snapshots x particles x 3."""
        return self._recorded["displacement"]

    @property
    def velocity(self) -> Any:
        """[m/s]: snapshots x beads; in packings snapshots x particles x 3, in mechanisms snapshots x bodies x 2."""
        return self._recorded["velocity"]

    @property
    def contact_force(self) -> Any:
        """Chains only [N]: snapshots x (beads + 1). Contact c is between bead c - 1 and bead c."""
        return self._recorded["contact_force"]

    @property
    def angular_velocity(self) -> Any:
        """[rad/s]: in packings snapshots x particles x 3, in mechanisms snapshots x bodies."""
        return self._recorded["angular_velocity"]


class Recorded:
    """A mapping from names, such as "sensor_force", to read-only arrays. The most common arrays are also attributes."""

    def names(self) -> list[str]:
        raise NotImplementedError

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError

    def unit(self, name: str) -> str:
        """The unit as H5MD writes it, for example "m s-1"; empty if there is none."""
        raise NotImplementedError

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    @property
    def time(self) -> Any:
        """Times of the sensors' samples [s]; in mechanisms times of all samples."""
        return self["sensor_time"] if "sensor_time" in self else self["snapshot_time"]

    @property
    def sensors(self) -> Any:
        """Numbers of the beads or particles that have a sensor, in the order of the columns."""
        return self["sensors"]

    @property
    def sensor_force(self) -> Any:
        """Chains only [N]: samples x sensors. The force inside the bead, which is the mean of the contact forces on its two
        sides."""
        return self["sensor_force"]

    @property
    def net_contact_force(self) -> Any:
        """Packings only [N]: samples x sensors x 3. The net contact force on the particle."""
        return self["net_contact_force"]

    @property
    def sensor_velocity(self) -> Any:
        """[m/s]: samples x sensors; in packings samples x sensors x 3."""
        return self["sensor_velocity"]

    @property
    def energy(self) -> Energy:
        """The energy ledger (the energy balance)."""
        return Energy(self)

    @property
    def snapshots(self) -> Snapshots:
        """The state of all bodies, once per interval."""
        return Snapshots(self)

    @property
    def impacts(self) -> dict[str, dict[str, Any]]:
        """Mechanisms only: for each contact its quantities (start [s], impact_speed [m/s], peak_force [N] ...), one number per
        impact."""
        found: dict[str, dict[str, Any]] = {}
        for name in self.names():
            if name.startswith("impacts/"):
                contact, quantity = name.removeprefix("impacts/").rsplit("/", 1)
                found.setdefault(contact, {})[quantity] = self[name]
        return found

    def plot(self, contacts: Sequence[int] | None = None) -> Any:
        """The report's panels as a matplotlib figure. `contacts` (chains only): those whose force-overlap loops are drawn."""
        raise NotImplementedError


class Run(Recorded):
    """A run that has ended. Its arrays are read-only views of the run's memory; each array keeps the run alive.

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
        """The file that the run wrote; None if the history is in memory."""
        return self._history

    @property
    def result(self) -> dict[str, Any]:
        """The object that `beadwave run --json` prints: steps, time_step [s], energy [J], sensors ..."""
        printed: dict[str, Any] = json.loads(self._run.json)
        return printed

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the result, one sentence each."""
        return self._run.warnings

    @property
    def wall_seconds(self) -> float:
        """The wall-clock time of the run [s]."""
        return self._run.wall_seconds

    def names(self) -> list[str]:
        return list(self._names) if self._history is None else self._open_history().names()

    def __getitem__(self, name: str) -> Any:
        if self._history is not None:
            return self._open_history()[name]
        if name not in self._names:
            raise KeyError(f"the run did not record {name}; it has {', '.join(self._names)}")
        return self._run.array(name)

    def unit(self, name: str) -> str:
        return self._run.unit(name) if self._history is None else self._open_history().unit(name)

    def _open_history(self) -> History:
        if self._file is None:
            if self._history is None:
                raise _beadwave.RunError("the run has no history")
            self._file = History(self._history)
        return self._file

    def save(self, path: Name, overwrite: bool = False) -> None:
        """Writes the history that `beadwave run` would have written. `overwrite`: also replaces a file that is not a history of
        beadwave. Raises InputError, RunError."""
        if self._history is not None:
            raise _beadwave.InputError(f"{self._history} is already the run's history; copy that file")
        self._run.save(file_name("path", path), overwrite)

    def plot(self, contacts: Sequence[int] | None = None) -> Any:
        if self._history is not None:
            return _figures.figure_of([self._history], contacts)
        return _figures.figure_from_memory(self.save, "run.h5", contacts)

    def __str__(self) -> str:
        return self._run.text

    def __repr__(self) -> str:
        where = "in memory" if self._history is None else str(self._history)
        return f"<beadwave.Run {where}: {self.result['steps']} steps in {self.wall_seconds:.3g} s>"


def _damaged(path: str | Path, error: Exception) -> _beadwave.InputError:
    """The InputError for an error of h5py or NumPy while it reads a damaged file."""
    reason = " ".join(str(error.args[0] if isinstance(error, KeyError) and error.args else error).split())
    return _beadwave.InputError(f"{path}: is damaged, or is not a history that beadwave wrote ({reason or type(error).__name__})")


class _Lazy:
    """A dataset, or one component of its last axis. Only the part that is indexed is read."""

    def __init__(self, dataset: Any, component: int | None = None, components: int | None = None) -> None:
        self._dataset, self._component, self._components = dataset, component, components
        # A damaged file may have a group, or other axes, where a history has this dataset.
        rank = len(dataset.shape)
        if dataset.dtype.kind not in "fiu" or rank < (1 if component is None and components is None else 2):
            raise ValueError(f"{dataset.name} is not a table of numbers")

    @property
    def shape(self) -> tuple[int, ...]:
        full = tuple(self._dataset.shape)
        if self._component is not None:
            return full[:-1]
        return full if self._components is None else (*full[:-1], self._components)

    def __len__(self) -> int:
        return int(self._dataset.shape[0])

    def __getitem__(self, index: Any) -> Any:
        try:
            return self._part(index if isinstance(index, tuple) else (index,))
        except (OSError, RuntimeError) as error:  # a wrong index is neither
            raise _damaged(self._dataset.file.filename, error) from error

    def _part(self, index: tuple[Any, ...]) -> Any:
        if self._component is not None:
            return self._dataset[(*self._expanded(index, len(self.shape)), self._component)]
        if self._components is not None and len(index) < len(self.shape):
            return self._dataset[(*self._expanded(index, len(self.shape) - 1), slice(0, self._components))]
        return self._dataset[index]

    @staticmethod
    def _expanded(index: tuple[Any, ...], length: int) -> tuple[Any, ...]:
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


_FORMAT_VERSION = 2
# Names of histories of format 1, with their present names.
_RENAMED = {
    "particles/bodies": "particles/bodies is now particles/all",
    "observables/residual": "residual is now energy_error and relative_energy_error",
    "observables/work": "work is now external_work",
    "particles/beads/spin": "spin is now angular_velocity",
    "observables/discarded_energy": "discarded_energy is now sleep_loss_energy",
    "parameters/notes": "notes is now warnings",
}


def _format_problem(file: Any) -> str:
    """Why a history of this version of the format cannot be read; empty if it can."""
    version = int(file["parameters/format_version"][()]) if "parameters/format_version" in file else 1
    if version > _FORMAT_VERSION:
        return (f"was written by a newer version of beadwave (format {version}, this version reads format {_FORMAT_VERSION})")
    if version == _FORMAT_VERSION:
        return ""
    renamed = [change for name, change in _RENAMED.items() if name in file][:3]
    examples = f" ({', '.join(renamed)})" if renamed else ""
    return f"was written by an earlier version, whose names have changed{examples}; run the scenario again"


class History(Recorded):
    """A history that `beadwave run` wrote. It is read on demand: `history.sensor_force[100:200]` reads only these rows, and
    np.asarray(history.sensor_force) reads all. `with History(...) as history:` closes the file at the end. `file` is the whole file
    as h5py opens it.

    Raises InputError if the file is not a history, or one of another version of the format. Reading an array of a damaged file raises it too."""

    def __init__(self, path: Name) -> None:
        import h5py  # type: ignore[import]
        self.path = Path(file_name("path", path))
        try:
            self.file = h5py.File(self.path, "r")
        except OSError as error:
            raise _beadwave.InputError(f"{self.path}: not a history that can be read ({error})") from error
        try:
            self._read_names()
        except Exception as error:
            self.file.close()
            if isinstance(error, (_beadwave.InputError, MemoryError)):
                raise
            raise _damaged(self.path, error) from error

    def _read_names(self) -> None:
        if "parameters/scenario" not in self.file:
            raise _beadwave.InputError(f"{self.path}: not a history: it has no /parameters/scenario")
        problem = _format_problem(self.file)
        if problem:
            raise _beadwave.InputError(f"{self.path}: {problem}")
        # All that a property returns is read now, so that no property finds the damage later.
        self._texts = {name: str(self.file["parameters"][name].asstr()[()]) for name in ("system", "scenario", "law")}
        self.system: str = self._texts["system"]
        self._time_step = 0.0 if self.system == "mechanism" else float(self.file["parameters/time_step"][()])
        self._warnings: list[str] = []
        if "parameters/warnings" in self.file:
            self._warnings = [str(warning) for warning in self.file["parameters/warnings"].asstr()[:]]
        self._names = dict(self._datasets())

    @property
    def scenario(self) -> str:
        """The text of the scenario that was run; empty for a chain from arrays."""
        return self._texts["scenario"]

    @property
    def law(self) -> str:
        return self._texts["law"]

    @property
    def time_step(self) -> float:
        """[s]; 0 for a mechanism, whose time step is not fixed."""
        return self._time_step

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the result, one sentence each."""
        return list(self._warnings)

    def _datasets(self) -> Iterator[tuple[str, _Lazy]]:
        file = self.file
        mechanism = self.system == "mechanism"
        bodies = file["particles/beads" if self.system == "chain" else "particles/all"]
        for name in ("radius", "mass", "inertia"):
            if name in bodies:
                yield name, _Lazy(bodies[name])
        if "parameters/contact_gap" in file:
            yield "contact_gap", _Lazy(file["parameters/contact_gap"])
        observables = file["observables"] if "observables" in file else {}
        force_name = "sensor_force" if self.system == "chain" else "net_contact_force"
        if force_name in observables:
            sensors = observables[force_name]
            yield "sensors", _Lazy(sensors["beads" if self.system == "chain" else "particles"])
            for part in ("step", "time"):
                yield f"sensor_{part}", _Lazy(sensors[part])
            for name in (force_name, "sensor_velocity"):
                yield name, _Lazy(observables[name]["value"])
        if "velocity" in bodies:
            for part in ("step", "time"):
                yield f"snapshot_{part}", _Lazy(bodies["velocity"][part])
            for name in ("position", "displacement", "velocity", "acceleration", "angle", "angular_velocity",
                         "angular_acceleration"):
                if name not in bodies or (name == "position" and not mechanism):
                    continue
                values = bodies[name]["value"]
                if self.system == "chain":
                    yield name, _Lazy(values, 0) if values.ndim == 3 else _Lazy(values)
                else:
                    yield name, _Lazy(values, components=2) if mechanism and values.ndim == 3 else _Lazy(values)
        has_times = False
        for name in observables:
            element = observables[name]
            if name.startswith("sensor_") or name == force_name or "value" not in element:
                continue
            yield name, _Lazy(element["value"])
            if name in _LEDGER and not has_times:
                has_times = True
                for part in ("step", "time"):
                    yield f"energy_{part}", _Lazy(element[part])
        if "connectivity/contacts" in file:
            for name in ("row_splits", "pair", "overlap", "normal_force", "tangential_force", "point"):
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
        return _figures.figure_of([self.path], contacts)

    def close(self) -> None:
        self.file.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<beadwave.History {self.path}: {self.system}>"

