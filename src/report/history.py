"""Reads the history of one run, as `beadwave run` writes it (HDF5, H5MD 1.1). SI units throughout."""
import ctypes
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import h5py
import numpy as np

try:
    import tomllib  # Python 3.11
except ImportError:
    tomllib = None


class InputError(Exception):
    """The input is wrong. The message is one sentence for the user."""


def printable(path):
    """A file name, or part of one, that any text can hold: bytes that are not UTF-8 become question marks."""
    return os.fsencode(path).decode("utf-8", "replace").replace("\ufffd", "?")


def damaged(path, error):
    """The InputError for an `error` while reading a history that is damaged or has the wrong structure."""
    reason = " ".join(str(error.args[0] if isinstance(error, KeyError) and error.args else error).split())
    return InputError(f"{printable(path)}: is damaged, or is not a history that beadwave wrote "
                      f"({reason or type(error).__name__})")


@dataclass
class Traces:
    """What the sensors recorded: force [N] and velocity [m/s], one row per time [s], one column per sensor."""
    beads: np.ndarray
    time: np.ndarray
    force: np.ndarray
    velocity: np.ndarray


@dataclass
class Energy:
    """The energy ledger [J] over time [s]."""
    time: np.ndarray
    kinetic: np.ndarray
    stored: np.ndarray
    dissipated: np.ndarray
    external_work: np.ndarray  # of gravity, loads and driven walls
    sleep_loss: np.ndarray | None = None  # removed by time.sleep_speed
    rotational: np.ndarray | None = None  # packings only: a part of the kinetic energy
    friction: np.ndarray | None = None  # packings only: a part of the dissipated energy
    rolling: np.ndarray | None = None  # the same


@dataclass(eq=False)  # the same history may be given twice
class Run:
    path: Path
    file: h5py.File
    law: str
    version: str
    scenario: str
    settings: dict  # the scenario parsed; empty where it cannot be
    time_step: float
    radius: np.ndarray
    position: np.ndarray  # of each bead at the start [m]; chains only
    traces: Traces | None
    energy: Energy | None
    snapshot_time: np.ndarray  # empty without snapshots
    system: str = "chain"  # or "packing"
    label: str = ""  # distinguishes the run from the other runs on the page
    warnings: list[str] = field(default_factory=list)

    @property
    def beads(self):
        return len(self.radius)

    @property
    def title(self):
        return str(self.settings.get("title", "")) or printable(self.path.stem)

    @property
    def name(self):
        return printable(self.path.name)

    @property
    def body(self):
        """The kind of body that has a sensor."""
        return "bead" if self.system == "chain" else "particle"

    @property
    def planar(self):
        """Packings only: whether the packing lies in the plane z = 0."""
        return int(self.file["parameters/dimension"][()]) == 2

    def contacts(self, row):
        """Packings only: the contacts of one snapshot: pairs, normal and tangential force [N], and the points where the forces
        act [m]. None if the history has no contacts."""
        if "connectivity/contacts" not in self.file:
            return None
        table = self.file["connectivity/contacts"]
        begin, end = table["row_splits"][row:row + 2]
        return tuple(table[name][begin:end] for name in ("pair", "normal_force", "tangential_force", "point"))

    @cached_property
    def largest_force(self):
        """Packings only: the largest contact force in all snapshots [N]."""
        if "connectivity/contacts" not in self.file or not len(self.file["connectivity/contacts/pair"]):
            return 0.0
        table = self.file["connectivity/contacts"]
        return float(np.linalg.norm(table["normal_force"][:] + table["tangential_force"][:], axis=1).max())

    @property
    def has_contact_force(self):
        return len(self.snapshot_time) > 0 and "observables/contact_force/value" in self.file

    @property
    def last_time(self):
        """Time of the last sample of any kind [s]."""
        times = [part.time for part in (self.traces, self.energy) if part is not None]
        return max([t[-1] for t in times + [self.snapshot_time] if len(t)], default=0.0)

    @cached_property
    def reach(self):
        """Number of beads that the wave reaches in a long chain, plus a margin. The others would only compress the picture."""
        if self.beads <= 100 or len(self.snapshot_time) == 0:
            return self.beads
        strongest = np.zeros(self.beads)
        for row in range(len(self.snapshot_time)):
            strongest = np.fmax(strongest, np.abs(self.snapshot("velocity", row)))
        moved = np.flatnonzero(strongest > 1e-3 * strongest.max())
        return min(self.beads, int(1.1 * moved[-1]) + 10) if len(moved) else self.beads

    def snapshot(self, quantity, row):
        """Chains only: one snapshot of the velocity [m/s] of every bead, or of the force [N] that a sensor in it would feel."""
        if quantity == "velocity":
            return self.file["particles/beads/velocity/value"][row, :, 0]
        force = self.file["observables/contact_force/value"][row]
        return 0.5 * (force[:-1] + force[1:])


def read_run(path):
    path = Path(path)
    try:
        return _read_run(path)
    except InputError:
        raise
    except Exception as error:
        raise damaged(path, error) from error


def _read_run(path):
    file = open_file(path)
    for name in ("parameters/scenario", "parameters/law"):
        _require(path, file, name)
    check_format_version(path, file)
    _require(path, file, "parameters/system")
    scenario = file["parameters/scenario"].asstr()[()]
    if file["parameters/system"].asstr()[()] == "packing":
        _require(path, file, "particles/all/radius")
        return _add_warnings(_packing_run(path, file, scenario, file["particles/all/radius"][:]))
    _require(path, file, "particles/beads/radius")
    radius = file["particles/beads/radius"][:]
    run = Run(path=path, file=file, law=file["parameters/law"].asstr()[()],
              version=file["parameters/version"].asstr()[()], scenario=scenario, settings=parse_scenario(scenario),
              time_step=float(file["parameters/time_step"][()]), radius=radius, position=_initial_positions(file, radius),
              traces=_traces(file), energy=_energy(file), snapshot_time=_snapshot_time(file))
    return _add_warnings(run)


# Names of histories of format 1, with their present names.
RENAMED = (("particles/bodies", "particles/bodies", "particles/all"),
           ("observables/residual", "residual", "energy_error and relative_energy_error"),
           ("observables/work", "work", "external_work"),
           ("particles/beads/spin", "spin", "angular_velocity"),
           ("observables/discarded_energy", "discarded_energy", "sleep_loss_energy"),
           ("parameters/notes", "notes", "warnings"))
FORMAT_VERSION = 2


def check_format_version(path, file):
    """Raises InputError unless the history has the version of the format that this program reads."""
    version = int(file["parameters/format_version"][()]) if "parameters/format_version" in file else 1
    if version > FORMAT_VERSION:
        raise InputError(f"{printable(path)}: was written by a newer version of beadwave (format {version}, this version reads "
                         f"format {FORMAT_VERSION})")
    if version < FORMAT_VERSION:
        renamed = [f"{old} is now {new}" for name, old, new in RENAMED if name in file][:3]
        examples = f" ({', '.join(renamed)})" if renamed else ""
        raise InputError(f"{printable(path)}: was written by an earlier version, whose names have changed{examples}; run the "
                         f"scenario again")


def _require(path, file, name):
    if name not in file:
        raise InputError(f"{printable(path)}: not a history: it has no /{name}; expected a file of beadwave run")


def _add_warnings(run):
    if "parameters/warnings" in run.file:
        run.warnings += [str(warning) for warning in run.file["parameters/warnings"].asstr()[:]]
    end = _number(run.settings, "time", "end")
    if end is not None and run.last_time < 0.98 * end:
        run.warnings.append(f"stopped early: the history ends at {run.last_time * 1e6:.6g} µs of {end * 1e6:.6g} µs")
    return run


def _packing_run(path, file, scenario, radius):
    """Forces and velocities of sensors are magnitudes here, so that the panels of chains can show them too."""
    traces, energy = None, None
    if "observables/net_contact_force/value" in file:
        net = file["observables/net_contact_force"]
        time, force, velocity = _same_length(net["time"][:], net["value"][:], file["observables/sensor_velocity/value"][:])
        if len(time):
            traces = Traces(net["particles"][:], time, np.linalg.norm(force, axis=2), np.linalg.norm(velocity, axis=2))
    names = ("kinetic_energy", "stored_energy", "dissipated_energy", "external_work", "rotational_energy", "friction_dissipation",
             "rolling_dissipation")
    time, *columns = _same_length(file["observables/kinetic_energy/time"][:],
                                  *(file[f"observables/{name}/value"][:] for name in names))
    if len(time):
        energy = Energy(time, *columns[:4], rotational=columns[4], friction=columns[5], rolling=columns[6])
    snapshot_time = np.empty(0)
    if "particles/all/position/value" in file:
        series = [file[f"particles/all/{name}/value"] for name in ("position", "velocity")]
        time = file["particles/all/position/time"][:]
        splits = file["connectivity/contacts/row_splits"]
        snapshot_time = time[:min(len(time), len(splits) - 1, *(item.shape[0] for item in series))]
    return Run(path=path, file=file, law=file["parameters/law"].asstr()[()],
               version=file["parameters/version"].asstr()[()], scenario=scenario, settings=parse_scenario(scenario),
               time_step=float(file["parameters/time_step"][()]), radius=radius, position=np.zeros(len(radius)),
               traces=traces, energy=energy, snapshot_time=snapshot_time, system="packing")


def contains(path, name):
    """Whether the path is an HDF5 file with a group or dataset of that name."""
    try:
        with open_file(path) as file:
            return name in file
    except OSError:  # read_run() reports what is wrong
        return False


def is_system(path, system):
    """Whether the path is the history of a system of that kind."""
    try:
        with open_file(path) as file:
            return "parameters/system" in file and text_of(file["parameters/system"][()]) == system
    except OSError:  # read_run() reports what is wrong
        return False


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def texts_of(dataset):
    return [text_of(text) for text in dataset[:]]


def open_file(path):
    try:
        return h5py.File(path, "r")
    except OSError:  # the run still writes the file, or was killed
        return _open_while_written(path)


def _open_while_written(path):
    """HDF5 reads metadata again if its checksum is wrong. The default is a hundred attempts, and each attempt waits twice as
    long as the one before; this limits their number. h5py has no name for this setting."""
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    library = ctypes.CDLL(h5py.h5p.__file__)
    attempts = library.H5Pset_metadata_read_attempts
    attempts.argtypes, attempts.restype = (ctypes.c_int64, ctypes.c_uint), ctypes.c_int
    if attempts(access.id, 24) < 0:
        raise OSError("HDF5 takes no number of attempts")
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    return h5py.File(h5py.h5f.open(os.fsencode(path), h5py.h5f.ACC_RDONLY | h5py.h5f.ACC_SWMR_READ, fapl=access))


def parse_scenario(scenario):
    """The scenario's tables; empty if it is not valid TOML or Python has no tomllib."""
    try:
        return tomllib.loads(scenario) if tomllib else {}
    except tomllib.TOMLDecodeError:
        return {}


def _number(settings, table, key):
    value = settings.get(table, {}).get(key)
    return float(value) if isinstance(value, (int, float)) else None


def _same_length(*columns):
    """Cuts the columns to the shortest: a killed run may leave one more sample in one of them."""
    rows = min(len(column) for column in columns)
    return [column[:rows] for column in columns]


def _traces(file):
    if "observables/sensor_force/value" not in file:
        return None
    force = file["observables/sensor_force"]
    time, newtons, speeds = _same_length(force["time"][:], force["value"][:],
                                         file["observables/sensor_velocity/value"][:])
    return Traces(force["beads"][:], time, newtons, speeds) if len(time) else None


def _energy(file):
    paths = [f"observables/{name}/value" for name in ("kinetic_energy", "stored_energy", "dissipated_energy", "external_work",
                                                      "sleep_loss_energy")]
    if not all(path in file for path in paths):
        return None
    time, *columns = _same_length(file["observables/kinetic_energy/time"][:], *(file[path][:] for path in paths))
    return Energy(time, *columns) if len(time) else None


def _snapshot_time(file):
    if "particles/beads/displacement/value" not in file:
        return np.empty(0)
    series = [file[f"particles/beads/{name}/value"] for name in ("displacement", "velocity")]
    if "observables/contact_force/value" in file:
        series.append(file["observables/contact_force/value"])
    time = file["particles/beads/displacement/time"][:]
    return time[:min(len(time), *(item.shape[0] for item in series))]


def _initial_positions(file, radius):
    spacing = radius[:-1] + radius[1:]
    if "parameters/contact_gap" in file:
        spacing = spacing + file["parameters/contact_gap"][1:-1]
    return np.concatenate([[0.0], np.cumsum(spacing)])


def label_runs(runs):
    """Labels the runs by their law; runs with the same law by law and file name."""
    for run in runs:
        same = [other for other in runs if other.law == run.law]
        run.label = run.law if len(same) == 1 else f"{run.law} ({printable(run.path.stem)})"
    for i, run in enumerate(runs):
        if any(other is not run and other.label == run.label for other in runs):
            run.label += f" [{i + 1}]"
