"""Reads the HDF5 file of the linear modes of a structure, as `beadwave modes` writes it. SI units; every part is optional.

Every dataset of a physical quantity has its unit as the attribute `unit`, as in a history. A missing or another unit is an error.
"""
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

from .brillouin import point_name
from .history import Array, InputError, open_file, printable, reading, text_of
from .run import parse_scenario, title_of

FORMAT = "beadwave modes"
HERTZ, METRE, PER_METRE, NUMBER = ("Hz",), ("m",), ("rad m-1", "rad/m"), ("", "1")


@dataclass
class Bands:
    """The intervals of frequency [Hz] with waves, ascending; they may overlap. Between them are the gaps."""
    lower: np.ndarray
    upper: np.ndarray

    def gaps(self):
        """(from, to) [Hz] of each interval without waves below the highest band; narrower ones than a millionth of it are rounding."""
        found, top = [], 0.0
        for lower, upper in zip(self.lower, self.upper):
            if lower - top > 1e-6 * self.upper.max():
                found.append((float(top), float(lower)))
            top = max(top, upper)
        return found


@dataclass
class Dispersion:
    wave_number: np.ndarray  # [q] or [q, 3] [rad/m]
    frequency: np.ndarray  # [q, branch] [Hz]
    cell_length: float  # of a chain [m]; NaN if unknown
    lattice: np.ndarray | None = None  # [vector, 3] of a crystal [m]; None: unknown, or a chain

    @property
    def path(self):
        """The wave number [rad/m]; in space, the length of the path through the points [rad/m]."""
        if self.wave_number.ndim == 1:
            return self.wave_number
        return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.wave_number, axis=0), axis=1))])

    def corners(self):
        """(place along the path [rad/m], label) where the path in space starts, turns and ends. The label has the wave vector in units of
        the reciprocal vectors, as the option --path has it; empty if the lattice is unknown. Of a chain: none."""
        if self.wave_number.ndim == 1 or len(self.wave_number) < 2:
            return []
        steps = np.diff(self.wave_number, axis=0)
        size = np.linalg.norm(steps, axis=1)
        straight = np.sum(steps[1:] * steps[:-1], axis=1) > (1.0 - 1e-6) * size[1:] * size[:-1]
        places = [0, *(np.flatnonzero(~straight) + 1).tolist(), len(self.wave_number) - 1]
        return [(float(self.path[k]), self._label(self.wave_number[k])) for k in places]

    def _label(self, wave):
        if self.lattice is None:
            return ""
        name = point_name(self.lattice, wave)
        if name:
            return name
        parts = self.lattice @ wave / (2.0 * np.pi)
        return ", ".join(f"{part:.3g}" for part in np.where(np.abs(parts) < 1e-9, 0.0, parts))

    def at(self, wave_number):
        """Frequencies [Hz] [q, branch] at wave numbers of any zone and direction [rad/m]; NaN where the file has none. Chains."""
        q = np.abs(np.asarray(wave_number, float))
        if np.isfinite(self.cell_length):
            zone = 2.0 * np.pi / self.cell_length
            q = np.abs((q + 0.5 * zone) % zone - 0.5 * zone)
        order = np.argsort(self.wave_number)
        known, step = self.wave_number[order], 1.001 * np.max(np.diff(np.sort(self.wave_number)), initial=0.0)
        outside = (q < known[0] - step) | (q > known[-1] + step)
        return np.stack([np.where(outside, np.nan, np.interp(q, known, branch[order])) for branch in self.frequency.T], axis=1)


@dataclass
class Grid:
    """The waves at a grid of wave vectors over the whole zone."""
    points: np.ndarray  # along each reciprocal vector, [3]
    frequency: np.ndarray  # [points, branch] [Hz], the last vector fastest


@dataclass
class Transfer:
    frequency: np.ndarray  # [Hz]
    sensors: np.ndarray
    force: np.ndarray  # complex [frequency, sensor]; the size of vectors
    unit: str


@dataclass(eq=False)
class Modes:
    path: Path
    version: str
    scenario: str
    settings: dict
    frequency: np.ndarray | None  # [n] [Hz], ascending
    damping_ratio: np.ndarray | None  # [n]
    participation_ratio: np.ndarray | None  # [n]
    shape: Array | None  # [n, body, component]
    rotation: Array | None  # [n, body, 1 or 3], rotations times radius in the unit of the shape
    position: np.ndarray | None  # [body, 3] [m]
    bands: Bands | None
    dispersion: Dispersion | None
    transfer: Transfer | None
    grid: Grid | None = None
    label: str = ""
    warnings: list[str] = field(default_factory=list)
    system = "modes"

    @property
    def title(self):
        return "Modes: " + title_of(self.settings, self.path)

    @property
    def name(self):
        return printable(self.path.name)


def is_modes(path):
    """Whether the path is an HDF5 file of modes."""
    try:
        with open_file(path) as file:
            return text_of(file.attrs.get("format", "")) == FORMAT
    except (OSError, RuntimeError):  # Run reports what is wrong
        return False


class _Reader:
    """Datasets of one file by name: None if missing, InputError if they are not what the format has."""

    def __init__(self, path, file):
        self._path, self._file = path, file

    def wrong(self, name, sentence):
        return InputError(f"{printable(self._path)}: /{name} {sentence}")

    def __call__(self, name, units, dimensions, **more):
        """`units`: the allowed ones; None: any text but the empty one. With `lengths`: names and lengths of the first axes."""
        if name not in self._file:
            return None
        dataset = self._file[name]
        if not isinstance(dataset, h5py.Dataset) or dataset.dtype.kind not in "fiu":
            raise self.wrong(name, "is not a dataset of numbers")
        unit = text_of(dataset.attrs.get("unit", ""))
        if (unit not in units) if units is not None else not unit:
            expected = "a unit" if units is None else f'the unit "{units[0] or units[-1]}"'
            found = f'the unit "{unit}"' if unit else "no attribute unit"
            raise self.wrong(name, f"has {found}; expected {expected}")
        if dataset.ndim not in dimensions:
            raise self.wrong(name, f"has {dataset.ndim} dimensions; expected {' or '.join(map(str, dimensions))}")
        for axis, (length, what) in enumerate(more.get("lengths", ())):
            if length is not None and dataset.shape[axis] != length:
                raise self.wrong(name, f"has {dataset.shape[axis]} entries along axis {axis}; /{what} has {length}")
        if more.get("later"):
            return Array(dataset)
        values = dataset[...]
        if not np.all(np.isfinite(values)):
            raise self.wrong(name, "has entries that are not finite")
        return values

    def group(self, name, *members):
        """The members, which are all there if the group is there; None without the group."""
        if name not in self._file:
            return None
        for member in members:
            if f"{name}/{member}" not in self._file:
                raise self.wrong(name, f"has no {member}")
        return self._file[name]


def read(path):
    """The Modes of a file, which stays open for the shapes. Raises InputError."""
    path = Path(path)
    with reading(path), ExitStack() as closed_if_it_fails:
        file = closed_if_it_fails.enter_context(open_file(path))
        modes = _read(path, file)
        closed_if_it_fails.pop_all()
        return modes


def _read(path, file):
    get = _Reader(path, file)
    frequency = get("frequency", HERTZ, (1,))
    if frequency is not None and np.any(np.diff(frequency) < 0.0):
        raise get.wrong("frequency", "does not ascend")
    count = None if frequency is None else len(frequency)
    position = get("position", METRE, (2,))
    bodies = None if position is None else len(position)
    shape = get("shape", NUMBER, (3,), later=True, lengths=((count, "frequency"), (bodies, "position")))
    rotation = get("rotation", NUMBER, (3,), later=True, lengths=((count, "frequency"), (bodies, "position")))
    text = {name: text_of(file.attrs.get(name, "")) or (text_of(file[f"parameters/{name}"][()]) if f"parameters/{name}" in file else "")
            for name in ("version", "scenario", "title")}
    settings = parse_scenario(text["scenario"])
    if text["title"]:
        settings = {**settings, "title": text["title"]}
    return Modes(path=path, version=text["version"], scenario=text["scenario"], settings=settings, frequency=frequency,
                 damping_ratio=get("damping_ratio", NUMBER, (1,), lengths=((count, "frequency"),)),
                 participation_ratio=get("participation_ratio", NUMBER, (1,), lengths=((count, "frequency"),)),
                 shape=shape, rotation=rotation if shape is not None else None, position=position, bands=_bands(get), dispersion=_dispersion(get), transfer=_transfer(get),
                 grid=_grid(get))


def _bands(get):
    if get.group("bands", "lower", "upper") is None:
        return None
    lower = get("bands/lower", HERTZ, (1,))
    upper = get("bands/upper", HERTZ, (1,), lengths=((len(lower), "bands/lower"),))
    if np.any(upper < lower) or np.any(np.diff(lower) < 0.0):
        raise get.wrong("bands", "is not a list of intervals that ascend: lower <= upper, and lower ascends")
    return Bands(lower, upper) if len(lower) else None


def _grid(get):
    if get.group("grid", "points", "frequency") is None:
        return None
    points = get("grid/points", NUMBER, (1,)).astype(int)
    if len(points) != 3 or np.any(points < 1):
        raise get.wrong("grid/points", "are not three whole numbers from 1")
    frequency = get("grid/frequency", HERTZ, (2,), lengths=((int(np.prod(points)), "grid/points in all"),))
    return Grid(points, frequency) if frequency.size else None


def _dispersion(get):
    group = get.group("dispersion", "wave_number", "frequency")
    if group is None:
        return None
    wave_number = get("dispersion/wave_number", PER_METRE, (1, 2))
    frequency = get("dispersion/frequency", HERTZ, (2,), lengths=((len(wave_number), "dispersion/wave_number"),))
    if wave_number.ndim == 2 and wave_number.shape[1] != 3:
        raise get.wrong("dispersion/wave_number", f"has {wave_number.shape[1]} columns; expected 3, or one dimension")
    lattice = get("dispersion/lattice", METRE, (2,))
    cell = float(lattice[0, 0]) if lattice is not None and lattice.shape == (1, 1) else np.nan
    if cell <= 0.0:
        raise get.wrong("dispersion/lattice", f"is {cell:g} m; expected a length above 0")
    in_space = lattice is not None and wave_number.ndim == 2 and lattice.shape[1] == 3
    return Dispersion(wave_number, frequency, cell, lattice if in_space else None) if frequency.size else None


def _transfer(get):
    if get.group("transfer", "frequency", "sensors", "force_real", "force_imaginary") is None:
        return None
    frequency = get("transfer/frequency", HERTZ, (1,))
    sensors = get("transfer/sensors", NUMBER, (1,))
    lengths = ((len(frequency), "transfer/frequency"), (len(sensors), "transfer/sensors"))
    parts = [get(f"transfer/force_{part}", None, (2, 3), lengths=lengths) for part in ("real", "imaginary")]
    units = [text_of(get.group("transfer")[f"force_{part}"].attrs["unit"]) for part in ("real", "imaginary")]
    if units[0] != units[1]:
        raise get.wrong("transfer/force_imaginary", f'has the unit "{units[1]}"; /transfer/force_real has "{units[0]}"')
    force = parts[0] + 1j * parts[1]
    return Transfer(frequency, sensors, np.linalg.norm(force, axis=2) if force.ndim == 3 else force, units[0])
