"""Reads the history of one run, as `beadwave run` writes it (HDF5, H5MD 1.1). SI units throughout.

Names, units and shapes of the arrays come from the file itself. The package beadwave and `beadwave report` use this reader.
"""
import ctypes
import math
import os
import re
from collections.abc import Mapping
from contextlib import ExitStack, contextmanager
from difflib import get_close_matches
from pathlib import Path

import h5py
import numpy as np

if "." in (__package__ or ""):  # as a part of the package beadwave
    from .._beadwave import InputError, check_file
else:
    class InputError(ValueError):
        """The input is wrong. The message is one sentence for the user."""

    def check_file(path):
        """`beadwave report` has checked its files before it starts Python."""

FORMAT_VERSION = 3
# Names of histories of earlier formats, with their present names, and a sign.
RENAMED = {"particles/bodies": "particles/bodies is now particles/all",
           "observables/residual": "residual is now energy_error and relative_energy_error",
           "observables/work": "work is now external_work",
           "particles/beads/spin": "spin is now angular_velocity",
           "observables/discarded_energy": "discarded_energy is now sleep_loss_energy",
           "parameters/notes": "notes is now warnings",
           "observables/stress": "stress in compression, above 0, is now below 0"}
# H5MD wants three numbers per vector of a particle. Along a chain one of them counts, in the plane of a mechanism two.
COMPONENTS = {"chain": 1, "packing": 3, "mechanism": 2}


def printable(path):
    """A file name, or part of one, that any text can hold: bytes that are not UTF-8 become question marks."""
    return os.fsencode(path).decode("utf-8", "replace").replace("\ufffd", "?")


@contextmanager
def reading(path):
    """What fails inside becomes an InputError: the history at `path` is damaged or has the wrong structure."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error.args[0] if isinstance(error, KeyError) and error.args else error).split())
        raise InputError(f"{printable(path)}: is damaged, or is not a history that beadwave wrote "
                         f"({reason or type(error).__name__})") from error


def open_file(path):
    """Raises OSError or RuntimeError. A file of another form or with damaged texts is refused before HDF5 reads it, which could
    end the process."""
    check_file(path)
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


def check_format_version(path, file):
    """Raises InputError unless the history has the version of the format that this program reads."""
    version = int(file["parameters/format_version"][()]) if "parameters/format_version" in file else 1
    if version > FORMAT_VERSION:
        raise InputError(f"{printable(path)}: was written by a newer version of beadwave (format {version}, this version reads "
                         f"format {FORMAT_VERSION})")
    if version < FORMAT_VERSION:
        renamed = [change for name, change in RENAMED.items() if name in file][:3]
        examples = f" ({', '.join(renamed)})" if renamed else ""
        raise InputError(f"{printable(path)}: was written by an earlier version, whose names have changed{examples}; run the "
                         f"scenario again")


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def texts_of(dataset):
    return [text_of(text) for text in dataset[:]]


class Array(np.lib.mixins.NDArrayOperatorsMixin):
    """A dataset of numbers. It behaves as its NumPy array would, but only the part that is indexed is read."""

    def __init__(self, dataset, rows=None, components=None):
        # A damaged file may have a group, a text or other axes here.
        if not isinstance(dataset, h5py.Dataset) or dataset.dtype.kind not in "fiu" or dataset.ndim < 1:
            raise ValueError(f"{dataset.name} is not a table of numbers")
        shape = [len(dataset) if rows is None else rows, *dataset.shape[1:]]
        if components is not None:
            shape[-1:] = [components] if components > 1 else []
        self._dataset, self._end = dataset, (0,) if components == 1 else ()
        self.shape, self.ndim, self.size, self.dtype = tuple(shape), len(shape), math.prod(shape), dataset.dtype

    @property
    def unit(self):
        """As H5MD writes it, for example "m s-1"; empty if there is none."""
        return text_of(self._dataset.attrs.get("unit", ""))

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        if all(isinstance(i, (int, np.integer, slice, type(...))) and not isinstance(i, bool) for i in index):
            return self._part(index)
        if isinstance(index[0], (list, np.ndarray)) and np.ndim(index[0]) == 1:
            rows = np.arange(len(self))[index[0]]
            first = rows.min(initial=len(self))
            return self._part((slice(first, rows.max(initial=-1) + 1),))[(rows - first, *index[1:])]
        return self._part(())[index]

    def _part(self, index):
        np.broadcast_to(np.int8(0), self.shape)[index]  # raises what NumPy raises for a wrong index
        as_array = ... in index  # as NumPy has it: without `...`, one number is no array
        if as_array:
            at = index.index(...)
            index = (*index[:at], *[slice(None)] * (self.ndim - len(index) + 1), *index[at + 1:])
        read, turned = [], []
        for i, length in zip((*index, *[slice(None)] * (self.ndim - len(index))), self.shape):
            wanted = range(length)[i]
            if isinstance(wanted, range):  # HDF5 reads upwards only
                turned.append(slice(None, None, 1 if wanted.step > 0 else -1))
                wanted = wanted if wanted.step > 0 else wanted[::-1]
                wanted = slice(wanted.start, max(wanted.start, wanted.stop), wanted.step)
            read.append(wanted)
        with reading(self._dataset.file.filename):
            part = np.asarray(self._dataset[(*read, *self._end)])[(*turned, ...)]
        return part if as_array or part.ndim else part[()]

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self[...], dtype=dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, **more):
        return getattr(ufunc, method)(*(np.asarray(i) if isinstance(i, Array) else i for i in inputs), **more)

    def __getattr__(self, name):
        """max(), T, tolist() and the like are those of the whole array."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)

    def __repr__(self):
        return f"<{'x'.join(map(str, self.shape))} {self.dtype} in {self._dataset.file.filename}{self._dataset.name}>"


class History(Mapping):
    """The arrays of a history by name: "radius", "sensor_force", "contacts/pair", "impacts/pin/start".

    An element of H5MD (step, time, value) gives an array of its own name, and so does every list of numbers with a unit and every
    column of a table (contacts, impacts). The times of the sensors, of the snapshots and of the energy ledger are "sensor_time",
    "snapshot_time", "energy_time"; an element with other times has them under its own name.

    Raises InputError if the file is no history, or one of another version of the format; also later, if it is damaged.
    """

    __eq__, __hash__ = object.__eq__, object.__hash__  # the same history may be given twice

    def __init__(self, path):
        self.path = Path(path)
        try:
            self.file = open_file(self.path)
        except (OSError, RuntimeError) as error:
            raise InputError(f"{printable(self.path)}: not a history that can be read ({error})") from error
        with reading(self.path), ExitStack() as closed_if_it_fails:
            closed_if_it_fails.callback(self.close)
            self._read()
            closed_if_it_fails.pop_all()

    def _read(self):
        """All that is not an array is read now, so that no property finds the damage later."""
        parameters = self._required("scenario", "law")
        check_format_version(self.path, self.file)
        self._required("system")
        self.system, self.scenario, self.law, self.version = (
            str(parameters[name].asstr()[()]) for name in ("system", "scenario", "law", "version"))
        # The steps of a mechanism have no fixed length.
        self.time_step = 0.0 if self.system == "mechanism" else float(parameters["time_step"][()])
        self.texts, self._arrays, streams = {}, {}, {}
        for place, item in _items(self.file):
            name = re.sub("^(particles/[^/]*|observables|parameters|connectivity)/", "", place)
            if isinstance(item, h5py.Group):
                streams.setdefault(h5py.h5o.get_info(item["time"].id).addr, []).append((place, name, item))
            elif h5py.check_string_dtype(item.dtype) is not None:
                if item.ndim == 1:
                    self.texts[name] = [str(text) for text in item.asstr()[:]]
            elif item.ndim and ("unit" in item.attrs or place.startswith(("connectivity/", "impacts/", "observables/"))):
                self._arrays[name] = Array(item)
        if "mass" not in self._arrays:
            raise ValueError("it has no particles")
        self.warnings = self.texts.get("warnings", [])
        self._add_elements(streams.values())

    def _required(self, *names):
        for name in names:
            if f"parameters/{name}" not in self.file:
                raise InputError(f"{printable(self.path)}: not a history: it has no /parameters/{name}; expected a file of "
                                 f"beadwave run")
        return self.file["parameters"]

    def _add_elements(self, streams):
        """Adds the elements, by streams with the same step and time, and their times."""
        times = []
        for stream in streams:
            # A killed run may leave one more sample in some of the datasets.
            step, time = stream[0][2]["step"], stream[0][2]["time"]
            rows = min(len(step), len(time), *(len(element["value"]) for _, _, element in stream))
            prefixes = set()
            for place, name, element in stream:
                of_particles = re.fullmatch("particles/[^/]*/[^/]*", place) is not None
                vectors = of_particles and element["value"].shape[2:] == (3,)
                self._arrays[name] = Array(element["value"], rows, COMPONENTS[self.system] if vectors else None)
                numbers = [part for part in element if part not in ("step", "time", "value")]  # of the sensors
                for part in numbers:
                    self._arrays["sensors"] = Array(element[part])
                prefixes |= {prefix for prefix, has in (("snapshot", of_particles), ("sensor", numbers),
                                                        ("energy", name == "kinetic_energy"), ("measure", name == "region_edges")) if has}
            times.append((sorted(prefixes), stream[0][1], Array(step, rows), Array(time, rows)))
        known = [step for prefixes, _, step, _ in times if prefixes]
        for prefixes, name, step, time in times:
            if prefixes or not any(np.array_equal(step, other) for other in known):
                for prefix in prefixes or [name]:
                    self._arrays.update({f"{prefix}_step": step, f"{prefix}_time": time})
        self.times = [time for _, _, _, time in times]

    def __getitem__(self, name):
        if name not in self._arrays:
            near = get_close_matches(str(name), self._arrays, 1, 0.7)
            raise KeyError(f"{self.path} has no {name}; " + (f"did you mean {near[0]}?" if near else f"it has {', '.join(self._arrays)}"))
        return self._arrays[name]

    def __iter__(self):
        return iter(self._arrays)

    def __len__(self):
        return len(self._arrays)

    def close(self):
        self.file.close()


def _items(group, prefix=""):
    """The elements and the other datasets below a group, each with its place; a group of impacts has the name of its contact."""
    for name, item in group.items():
        if isinstance(item, h5py.Group) and "value" not in item:
            yield from _items(item, f"{prefix}{text_of(item.attrs.get('contact', name))}/")
        elif name not in ("step", "time"):  # of a table: those of the snapshots
            yield prefix + name, item
