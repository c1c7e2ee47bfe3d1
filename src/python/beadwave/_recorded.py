"""What a run recorded, in memory (Run) or in a file (History), under the same names."""
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _beadwave, _convert, _figures
from ._settings import Name, file_name
from ._stored import StoredRun, stored_run

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
        """Of the entries [J], and of the relative energy error [1]; not of what [dissipation] has for each contact, body and wall."""
        names = [name for name in self._recorded if "/" not in name and self._recorded.unit(name) == "J"
                 and not name.startswith(("contact_", "particle_", "wall_", "impact_"))]
        return names + [name for name in ("relative_energy_error",) if name in self._recorded]

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        return self._recorded[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # of pickle and notebooks, before there is a ledger to ask
            raise AttributeError(name)
        for full in (name, f"{name}_energy"):
            if full in self.names:
                return self._recorded[full]
        raise AttributeError(f"the ledger has no {name}; it has {', '.join(self.names)}")

    def __dir__(self) -> list[str]:
        return ["time", "names", *self.names]

    def _ipython_key_completions_(self) -> list[str]:
        return self.names

    def __repr__(self) -> str:
        return f"<energy ledger: {', '.join(self.names)} at {len(self.time)} times>"


class Snapshots:
    """The state of all bodies, once per interval; empty unless the scenario has [snapshots]."""

    def __init__(self, recorded: Recorded) -> None:
        self._recorded = recorded

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<{len(self)} snapshots>"

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

    @property
    def temperature(self) -> Any:
        """In packings with [heat] [K]: snapshots x particles."""
        return self._recorded["temperature"]

    @property
    def orientation(self) -> Any:
        """In packings with ellipsoids: unit quaternions, scalar first, body to space, snapshots x particles x 4."""
        return self._recorded["orientation"]


class Recorded(Mapping[str, Any]):
    """A mapping from names, such as "sensor_force", to read-only arrays. The most common arrays are also attributes."""

    __eq__, __hash__ = object.__eq__, object.__hash__  # two arrays have no one truth

    def names(self) -> list[str]:
        """The names of all quantities."""
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
    def impacts(self) -> dict[str, Any]:
        """Mechanisms: for each contact its quantities (start [s], impact_speed [m/s], peak_force [N] ...), one number per impact.
        Packings with `[dissipation] impacts = true`: the quantities of all impacts, first and second (the two bodies) among them."""
        found: dict[str, Any] = {}
        for name in self.names():
            contact, _, quantity = name.removeprefix("impacts/").rpartition("/")
            if not name.startswith("impacts/") or quantity == "row_splits":
                continue
            of_contact = found.setdefault(contact, {}) if contact else found
            of_contact[quantity] = self[name]
        return found

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()

    def to_xarray(self) -> Any:
        """An xarray.Dataset of all quantities with their axes (sensor_time, snapshot_time, measure_time, energy_time, sensor, body,
        contact, wall, axis; row and column of a tensor; cell_x, cell_y, cell_z of fields) and units; without the tables of impacts, and of contacts of packings, which have lengths of their own. Raises RunError if
        xarray is not installed."""
        return _convert.dataset(self)

    def to_pandas(self, name: str | None = None) -> Any:
        """A pandas.DataFrame of one quantity over time, one column per sensor, body, contact or component; "energy": the whole ledger;
        "impacts/NAME": the impacts of a contact, "impacts": those of a packing. Default: the forces of the sensors, or the ledger if there are none. Raises RunError
        if pandas is not installed, KeyError for an unknown name."""
        return _convert.frame(self, name)

    def plot(self, contacts: Sequence[int] | None = None, **drawing: Any) -> Any:
        """The report's panels as a matplotlib figure. `contacts` (chains only): those whose force-overlap loops are drawn. `drawing`: panels,
        at, size, camera, colour, colour_range, walls, as report() takes them. Raises InputError."""
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

    def __init__(self, run: _beadwave.Run | StoredRun, history: Path | None) -> None:
        self._run = run
        self._history = history
        self._file: History | None = None
        self._names = dict.fromkeys(run.names)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the arrays of a run in memory, and only the name of the file of any other run."""
        return Run, (stored_run(self._run, self._history is None), self._history)

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

    def plot(self, contacts: Sequence[int] | None = None, **drawing: Any) -> Any:
        if self._history is not None:
            return _figures.figure_of([self._history], contacts, **drawing)
        return _figures.figure_from_memory(self.save, "run.h5", contacts, **drawing)

    def __str__(self) -> str:
        return self._run.text

    def __repr__(self) -> str:
        where = "in memory" if self._history is None else str(self._history)
        return f"<beadwave.Run {where}: {self.result['steps']} steps in {self.wall_seconds:.3g} s>"


class StepRecording(Recorded):
    """What run(n) of a chain or packing has recorded up to now. Its arrays are copies; each access has what was recorded by then.

    >>> import beadwave as bw
    >>> chain = bw.load({"segment": [{"beads": 1, "radius": 0.01, "material": "steel", "velocity": 1.0},
    ...                              {"beads": 9, "radius": 0.01, "material": "steel"}],
    ...                  "material": {"steel": {"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800}},
    ...                  "law": {"name": "hertz"}, "time": {"end": 2e-4}, "sensors": {"beads": [3, 6]}})
    >>> chain.run(1000)
    >>> bool((chain.recorded.sensor_force == chain.run().sensor_force[:len(chain.recorded.time)]).all())
    True
    """

    def __init__(self, stepper: Any) -> None:
        self._stepper = stepper
        self.names()

    def names(self) -> list[str]:
        found: list[str] = self._stepper.recorded_names
        return found

    def __getitem__(self, name: str) -> Any:
        if name not in self.names():
            raise KeyError(f"run(n) did not record {name}; it has {', '.join(self.names())}")
        return self._stepper.recorded(name)[0]

    def unit(self, name: str) -> str:
        self[name]
        return str(self._stepper.recorded(name)[1])

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the result that are known before a run, and what is missing in the recording, one sentence each."""
        found: list[str] = self._stepper.recorded_warnings
        return found

    def save(self, path: Name, overwrite: bool = False) -> None:
        """Writes a history of what was recorded up to now. `overwrite`: also replaces a file that is not a history of beadwave.
        Raises InputError, RunError."""
        self._stepper.save_recorded(file_name("path", path), overwrite)

    def plot(self, contacts: Sequence[int] | None = None, **drawing: Any) -> Any:
        return _figures.figure_from_memory(self.save, "run.h5", contacts, **drawing)

    def __repr__(self) -> str:
        return f"<beadwave.StepRecording: {len(self.energy.time)} samples of the energy, up to step {self._stepper.timestep}>"


class History(Recorded):
    """A history that `beadwave run` wrote. Its arrays behave as those of a Run, but are read on demand: `history.sensor_force[100:200]`
    reads only these rows, and np.asarray(history.sensor_force) reads all. The file has more names than a run in memory: "position",
    and all else that is a table of numbers with a unit. `with History(...) as history:` closes the file at the end. `file` is the whole
    file as h5py opens it.

    Raises InputError if the file is not a history, or one of another version of the format. Reading an array of a damaged file raises it too."""

    def __init__(self, path: Name) -> None:
        self.path = Path(file_name("path", path))
        self._read = _figures.report_module("history").History(self.path)
        self.file = self._read.file
        self.system: str = self._read.system

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the name of the file only."""
        return History, (self.path.resolve(),)

    @property
    def scenario(self) -> str:
        """The text of the scenario that was run; empty for a chain from arrays."""
        return str(self._read.scenario)

    @property
    def law(self) -> str:
        """The name of the law of the scenario; empty if there is none."""
        return str(self._read.law)

    @property
    def time_step(self) -> float:
        """[s]; 0 for a mechanism, whose time step is not fixed."""
        return float(self._read.time_step)

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the result, one sentence each."""
        return list(self._read.warnings)

    def names(self) -> list[str]:
        return list(self._read)

    def __getitem__(self, name: str) -> Any:
        return self._read[name]

    def unit(self, name: str) -> str:
        return str(self[name].unit)

    def plot(self, contacts: Sequence[int] | None = None, **drawing: Any) -> Any:
        return _figures.figure_of([self.path], contacts, **drawing)

    def close(self) -> None:
        """Closes the file."""
        self._read.close()

    def __enter__(self) -> History:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<beadwave.History {self.path}: {self.system}>"

