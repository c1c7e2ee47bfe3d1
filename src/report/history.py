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
    """What a person got wrong, in one sentence."""


def shown(path):
    """A file's name, or one of its parts, as it can stand in any text: what is not UTF-8 becomes a question mark."""
    return os.fsencode(path).decode("utf-8", "replace").replace("\ufffd", "?")


def damaged(path, error):
    """The InputError for whatever reading a history of wrong structure, or a damaged one, ends with."""
    words = " ".join(str(error.args[0] if isinstance(error, KeyError) and error.args else error).split())
    return InputError(f"{shown(path)}: is damaged, or no history that beadwave wrote ({words or type(error).__name__})")


@dataclass
class Traces:
    """What the sensors recorded: force [N] and velocity [m/s], one row a time [s], one column a sensor."""
    beads: np.ndarray
    time: np.ndarray
    force: np.ndarray
    velocity: np.ndarray


@dataclass
class Energy:
    """The ledger [J] against time [s]; without work and discarded where an earlier beadwave wrote it."""
    time: np.ndarray
    kinetic: np.ndarray
    stored: np.ndarray
    dissipated: np.ndarray
    work: np.ndarray | None = None  # by gravity, loads and driven ends
    discarded: np.ndarray | None = None  # of beads put to rest
    rotational: np.ndarray | None = None  # of a packing
    friction: np.ndarray | None = None  # dissipated by it, in a packing


@dataclass(eq=False)  # a history may be given twice
class Run:
    path: Path
    file: h5py.File
    law: str
    version: str
    scenario: str
    settings: dict  # the scenario parsed; empty where it cannot be
    time_step: float
    radius: np.ndarray
    position: np.ndarray  # of each bead at the start [m]
    traces: Traces | None
    energy: Energy | None
    snapshot_time: np.ndarray  # empty without snapshots
    model: str = "chain"  # or "packing"
    label: str = ""  # what tells it from the other runs on the page
    notes: list[str] = field(default_factory=list)

    @property
    def beads(self):
        return len(self.radius)

    @property
    def title(self):
        return str(self.settings.get("title", "")) or shown(self.path.stem)

    @property
    def name(self):
        return shown(self.path.name)

    @property
    def body(self):
        """What a sensor is in."""
        return "bead" if self.model == "chain" else "particle"

    @property
    def planar(self):
        """Of a packing: whether it lies in the plane z = 0."""
        return int(self.file["parameters/dimension"][()]) == 2

    def contacts(self, row):
        """Of a packing's snapshot: pairs, normal and tangential force [N], and where they act [m]; None without any."""
        if "connectivity/contacts" not in self.file:
            return None
        table = self.file["connectivity/contacts"]
        end = table["end"][:]
        begin = end[row - 1] if row > 0 else 0
        return tuple(table[name][begin:end[row]] for name in ("pair", "normal_force", "tangential_force", "point"))

    @cached_property
    def largest_force(self):
        """Of all contacts of a packing's snapshots [N]."""
        if "connectivity/contacts" not in self.file or not len(self.file["connectivity/contacts/pair"]):
            return 0.0
        table = self.file["connectivity/contacts"]
        return float(np.linalg.norm(table["normal_force"][:] + table["tangential_force"][:], axis=1).max())

    @property
    def has_contact_force(self):
        return len(self.snapshot_time) > 0 and "observables/contact_force/value" in self.file

    @property
    def last_time(self):
        """Of the last sample of any kind [s]."""
        times = [part.time for part in (self.traces, self.energy) if part is not None]
        return max([t[-1] for t in times + [self.snapshot_time] if len(t)], default=0.0)

    @cached_property
    def reach(self):
        """Beads of a long chain that the wave reaches, and some more: the others would only squeeze the picture."""
        if self.beads <= 100 or len(self.snapshot_time) == 0:
            return self.beads
        strongest = np.zeros(self.beads)
        for row in range(len(self.snapshot_time)):
            strongest = np.fmax(strongest, np.abs(self.snapshot("velocity", row)))
        moved = np.flatnonzero(strongest > 1e-3 * strongest.max())
        return min(self.beads, int(1.1 * moved[-1]) + 10) if len(moved) else self.beads

    def snapshot(self, quantity, row):
        """One snapshot: velocity [m/s] of every bead, or force [N] inside it, as a sensor would feel it."""
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
    file = opened(path)
    for name in ("parameters/scenario", "parameters/law", "particles/beads/radius"):
        if name not in file:
            raise InputError(f"{shown(path)}: not a history: it has no /{name}; expected a file of beadwave run")
    scenario = file["parameters/scenario"].asstr()[()]
    radius = file["particles/beads/radius"][:]
    packing = "parameters/model" in file and file["parameters/model"].asstr()[()] == "packing"
    if packing:
        return _noted(_packing_run(path, file, scenario, radius))
    run = Run(path=path, file=file, law=file["parameters/law"].asstr()[()],
              version=file["parameters/version"].asstr()[()], scenario=scenario, settings=_parsed(scenario),
              time_step=float(file["parameters/time_step"][()]), radius=radius, position=_start(file, radius),
              traces=_traces(file), energy=_energy(file), snapshot_time=_snapshot_time(file))
    return _noted(run)


def _noted(run):
    if "parameters/notes" in run.file:  # not of an earlier beadwave
        run.notes += [str(note) for note in run.file["parameters/notes"].asstr()[:]]
    end = _number(run.settings, "time", "end")
    if end is not None and run.last_time < 0.98 * end:
        run.notes.append(f"stopped early: the history ends at {run.last_time * 1e6:.6g} µs of {end * 1e6:.6g} µs")
    return run


def _packing_run(path, file, scenario, radius):
    """Sensors' forces and velocities by their size: the panels of chains show them too."""
    traces, energy = None, None
    if "observables/sensor_force/value" in file:
        time, force, velocity = _same_length(file["observables/sensor_force/time"][:], file["observables/sensor_force/value"][:],
                                             file["observables/sensor_velocity/value"][:])
        if len(time):
            traces = Traces(file["observables/sensor_force/particles"][:], time, np.linalg.norm(force, axis=2),
                            np.linalg.norm(velocity, axis=2))
    names = ("kinetic_energy", "stored_energy", "dissipated_energy", "work", "rotational_energy", "friction_energy")
    time, *columns = _same_length(file["observables/kinetic_energy/time"][:],
                                  *(file[f"observables/{name}/value"][:] for name in names))
    if len(time):
        energy = Energy(time, *columns[:4], rotational=columns[4], friction=columns[5])
    shown = np.empty(0)
    if "particles/beads/position/value" in file:
        series = [file[f"particles/beads/{name}/value"] for name in ("position", "velocity")]
        time = file["particles/beads/position/time"][:]
        shown = time[:min(len(time), len(file["connectivity/contacts/end"]), *(item.shape[0] for item in series))]
    return Run(path=path, file=file, law=file["parameters/law"].asstr()[()],
               version=file["parameters/version"].asstr()[()], scenario=scenario, settings=_parsed(scenario),
               time_step=float(file["parameters/time_step"][()]), radius=radius, position=np.zeros(len(radius)),
               traces=traces, energy=energy, snapshot_time=shown, model="packing")


def holds(path, name):
    """Whether it is an HDF5 file with a group or dataset of that name."""
    try:
        with opened(path) as file:
            return name in file
    except OSError:  # read_run() says what is wrong
        return False


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def texts_of(dataset):
    return [text_of(text) for text in dataset[:]]


def opened(path):
    try:
        return h5py.File(path, "r")
    except OSError:  # its run goes on, or was killed
        return _opened_while_written(path)


def _opened_while_written(path):
    """With few attempts to read again what has a wrong checksum: each waits twice as long as the one before, and HDF5
    would make a hundred. h5py has no name for this setting."""
    access = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
    library = ctypes.CDLL(h5py.h5p.__file__)
    attempts = library.H5Pset_metadata_read_attempts
    attempts.argtypes, attempts.restype = (ctypes.c_int64, ctypes.c_uint), ctypes.c_int
    if attempts(access.id, 24) < 0:
        raise OSError("HDF5 takes no number of attempts")
    access.set_fclose_degree(h5py.h5f.CLOSE_STRONG)
    return h5py.File(h5py.h5f.open(os.fsencode(path), h5py.h5f.ACC_RDONLY | h5py.h5f.ACC_SWMR_READ, fapl=access))


def _parsed(scenario):
    try:
        return tomllib.loads(scenario) if tomllib else {}
    except tomllib.TOMLDecodeError:
        return {}


def _number(settings, table, key):
    value = settings.get(table, {}).get(key)
    return float(value) if isinstance(value, (int, float)) else None


def _same_length(*columns):
    """A killed run may leave one more sample in one of them."""
    rows = min(len(column) for column in columns)
    return [column[:rows] for column in columns]


def _traces(file):
    if "observables/sensor_force/value" not in file:
        return None
    force = file["observables/sensor_force"]
    time, newtons, speeds = _same_length(force["time"][:], force["value"][:],
                                         file["observables/sensor_velocity/value"][:])
    # A dataset; in histories of an earlier beadwave an attribute alone.
    beads = force["beads"][:] if "beads" in force else np.asarray(force["value"].attrs["beads"])
    return Traces(beads, time, newtons, speeds) if len(time) else None


def _energy(file):
    paths = [f"observables/{name}/value" for name in ("kinetic_energy", "stored_energy", "dissipated_energy", "work",
                                                      "discarded_energy")]
    found = [path for path in paths if path in file]
    if found not in (paths[:3], paths):
        return None
    time, *columns = _same_length(file["observables/kinetic_energy/time"][:], *(file[path][:] for path in found))
    return Energy(time, *columns) if len(time) else None


def _snapshot_time(file):
    if "particles/beads/displacement/value" not in file:
        return np.empty(0)
    series = [file[f"particles/beads/{name}/value"] for name in ("displacement", "velocity")]
    if "observables/contact_force/value" in file:
        series.append(file["observables/contact_force/value"])
    time = file["particles/beads/displacement/time"][:]
    return time[:min(len(time), *(item.shape[0] for item in series))]


def _start(file, radius):
    spacing = radius[:-1] + radius[1:]
    if "parameters/contact_gap" in file:
        spacing = spacing + file["parameters/contact_gap"][1:-1]
    return np.concatenate([[0.0], np.cumsum(spacing)])


def label_runs(runs):
    """By law; files of the same law, by law and file name."""
    for run in runs:
        same = [other for other in runs if other.law == run.law]
        run.label = run.law if len(same) == 1 else f"{run.law} ({shown(run.path.stem)})"
    for i, run in enumerate(runs):
        if any(other is not run and other.label == run.label for other in runs):
            run.label += f" [{i + 1}]"
