"""The bodies of a history, snapshot by snapshot, as every format needs them. SI units throughout."""
from functools import cached_property

import numpy as np

from ..history import History, InputError, printable

BODIES = {"chain": "particles/beads", "packing": "particles/all", "mechanism": "particles/all"}


class Frames:
    """A history with snapshots. Bodies count from 0 here; the formats have their own numbers.

    count: number of bodies; mass [kg]; radius [m], None for bodies of a mechanism; species: 0, 1, ... into the names of the materials,
    in a mechanism into the names of the bodies; ending: of the file to write; copy: it holds what it could refer to; step, time [s]: one number per snapshot; periodic: of the three axes."""

    def __init__(self, path, ending="", copy=False):
        self.history, self.ending, self.copy = History(path), ending, copy
        self.file, self.system, self.name = self.history.file, self.history.system, printable(self.history.path.name)
        self.group = BODIES.get(self.system)
        if self.group is None or "snapshot_time" not in self.history or f"{self.group}/position" not in self.file:
            raise InputError(f"{printable(path)}: holds no snapshots, so there is nothing to export; add to the scenario, for "
                             "example: [snapshots] interval = 1e-6 (in s)")
        self.time, self.step = self.history["snapshot_time"][:], self.history["snapshot_step"][:]
        if not len(self.time):
            raise InputError(f"{printable(path)}: its run wrote no snapshot yet, so there is nothing to export")
        bodies = self.file[self.group]
        self.count = len(bodies["mass"])
        if "species" in bodies:
            numbers = bodies["species"].dtype.metadata["enum"]
            self.names = sorted(numbers, key=numbers.get)
        else:
            self.names = self.history.texts["name"]
        self.periodic = np.array([_text(word) == "periodic" for word in bodies["box"].attrs["boundary"]])
        # Rotation of a mechanism's bodies is about z; beads do not rotate.
        self.has_spin = "angular_velocity" in bodies

    @cached_property
    def mass(self):
        return self._constant("mass")

    @cached_property
    def radius(self):
        return self._constant("radius")

    @cached_property
    def exponents(self):
        """Of superellipsoids, n2 and n1; None: there are none."""
        return self._constant("exponents")

    @cached_property
    def semi_axes(self):
        """Of ellipsoids [m]; None: spheres."""
        return self._constant("semi_axes")

    @cached_property
    def species(self):
        numbers = self._constant("species")
        return np.arange(self.count) if numbers is None else numbers.astype(np.int64)

    def _constant(self, name):
        """What does not change of all bodies, read when it is first used; None: the history has no such number."""
        bodies = self.file[self.group]
        return bodies[name][:] if name in bodies else None

    def vectors(self, name, row):
        """`name` of all bodies in one snapshot, [count][3]."""
        values = self.file[f"{self.group}/{name}/value"][row]
        if values.ndim == 2:
            return values
        along = {"displacement": 0, "angular_velocity": 2}[name]  # one number: of a chain along x, of a mechanism about z
        vectors = np.zeros((self.count, 3))
        vectors[:, along] = values
        return vectors

    def orientation(self, row):
        """Of ellipsoids in one snapshot, [count][4]: unit quaternions, scalar first, body to space."""
        return self.file[f"{self.group}/orientation/value"][row]

    def present(self, row):
        """The numbers of the bodies that are there in one snapshot: of a packing not those that wait to be poured, or have left."""
        if f"{self.group}/presence" not in self.file:
            return np.arange(self.count)
        return np.flatnonzero(self.file[f"{self.group}/presence/value"][row] == 1)

    def tilt(self, row):
        """xy, xz and yz [m]: the shift of the edge y along x, and of the edge z along x and y. 0 in an upright box."""
        if not self.periodic.any():
            return np.zeros(3)
        edges = self.file[f"{self.group}/box/edges/value"][row]
        return np.array([edges[1, 0], edges[2, 0], edges[2, 1]])

    def box(self, row):
        """Lower and upper corner [m] in one snapshot, without its tilt. Along an axis that is not periodic: as large as the bodies are."""
        present = self.present(row)
        if not len(present):
            present = np.arange(self.count)
        position = self.vectors("position", row)[present]
        radius = np.zeros(len(present)) if self.radius is None else self.radius[present]
        lower, upper = (position - radius[:, None]).min(axis=0), (position + radius[:, None]).max(axis=0)
        if self.periodic.any():
            begin, edges = self.file[f"{self.group}/box/lower"][:], self.file[f"{self.group}/box/edges/value"][row]
            size = np.diagonal(edges)
            if np.any(np.triu(edges, 1)):
                raise InputError(f"{self.name}: the first edge of its box is not along x, or the second not in the plane x-y; no format "
                                 "here can hold it")
            lower[self.periodic], upper[self.periodic] = begin[self.periodic], (begin + size)[self.periodic]
        flat = upper <= lower  # for example the bodies of a mechanism, in z
        reach = 0.5 * max((upper - lower).max(), np.finfo(float).tiny)
        lower[flat], upper[flat] = lower[flat] - reach, upper[flat] + reach
        return lower, upper

    def columns(self, row):
        """Name and numbers [count] or [count][k] of everything that a body has in one snapshot."""
        yield "pos", self.vectors("position", row)
        yield "velo", self.vectors("velocity", row)
        if self.has_spin:
            yield "angular_velocity", self.vectors("angular_velocity", row)
        yield "mass", self.mass
        if self.radius is not None:
            yield "radius", self.radius
        if self.semi_axes is not None:
            yield "semi_axes", self.semi_axes
            yield "orientation", self.orientation(row)  # scalar first
        if self.exponents is not None:
            yield "exponents", self.exponents
        for name in ("temperature", "angle"):
            if name in self.file[self.group]:
                yield name, self.file[f"{self.group}/{name}/value"][row]

    def row_of(self, snapshot):
        """The row of a snapshot that is counted from 0, or backwards from -1; None: the last."""
        if snapshot is None:
            snapshot = -1
        rows = len(self.time)
        if not -rows <= snapshot < rows:
            raise InputError(f"--snapshot {snapshot}: {self.name} has the snapshots 0 to {rows - 1}, or -{rows} to -1 from the end")
        return snapshot % rows

    def need_radius(self, what):
        if self.radius is None:
            raise InputError(f"{self.name}: {what} holds spheres; the bodies of a mechanism have no radius. Expected a chain or a "
                             "packing, or an output that ends in .dump, .gsd, .xyz, .csv, .vtp or .vtkhdf")


def _text(word):
    return word.decode() if isinstance(word, bytes) else str(word)


def rows_of_text(columns):
    """One line per row. A number is written with the digits that give it back exactly."""
    return "\n".join(" ".join(map(repr, row)) for row in zip(*(column.tolist() for column in columns))) + "\n"
