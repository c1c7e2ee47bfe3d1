"""The names of the points of high symmetry of a Brillouin zone, by the lattice: those of Bradley and Cracknell for the square, rectangular and
hexagonal lattices of the plane and the simple, body-centred and face-centred cubic lattices of space."""
import itertools

import numpy as np

TOLERANCE = 1e-4
# (name, least length of q + G over all G in units of 2 pi / a, the least multiple of q that is a G), by the kind of lattice.
_POINTS = {
    "line": (("X", 0.5, 2),),
    "square": (("X", 0.5, 2), ("M", np.sqrt(0.5), 2)),
    "hexagonal": (("M", np.sqrt(1.0 / 3.0), 2), ("K", 2.0 / 3.0, 3)),
    "cubic": (("X", 0.5, 2), ("M", np.sqrt(0.5), 2), ("R", np.sqrt(0.75), 2)),
    "fcc": (("X", 1.0, 2), ("L", np.sqrt(0.75), 2), ("W", np.sqrt(1.25), 4), ("K", np.sqrt(1.125), 8)),
    "bcc": (("H", 1.0, 2), ("N", np.sqrt(0.5), 2), ("P", np.sqrt(0.75), 4)),
}
# Number of shortest lattice vectors, volume of the cell over their length to the power of the dimension, side a over their length.
_SHORTEST = {1: {"line": (2, 1.0, 1.0)}, 2: {"square": (4, 1.0, 1.0), "hexagonal": (6, np.sqrt(0.75), 1.0)},
             3: {"cubic": (6, 1.0, 1.0), "fcc": (12, np.sqrt(0.5), np.sqrt(2.0)), "bcc": (8, 4.0 / np.sqrt(27.0), 2.0 / np.sqrt(3.0))}}


def _combinations(vectors):
    """All sums of up to two times each vector."""
    return np.array(list(itertools.product(range(-2, 3), repeat=len(vectors)))) @ vectors


def kind_of(lattice):
    """"line", "square", "hexagonal", "rectangular", "cubic", "fcc", "bcc" or "" of primitive vectors [vector, 3] in any choice, and a [m]."""
    lengths = np.sort(np.linalg.norm(_combinations(lattice), axis=1))[1:]  # without 0
    shortest, dimension = float(lengths[0]), len(lattice)
    count = int(np.sum(lengths < shortest * (1.0 + TOLERANCE)))
    volume = np.sqrt(np.linalg.det(lattice @ lattice.T)) / shortest**dimension
    for kind, (number, size, side) in _SHORTEST.get(dimension, {}).items():
        if count == number and abs(volume - size) < TOLERANCE:
            return kind, side * shortest
    upright = dimension == 2 and abs(lattice[0] @ lattice[1]) < TOLERANCE * shortest**2
    return "rectangular" if upright else "", shortest


def point_name(lattice, wave):
    """"Γ", "X", "M", ... of a wave vector [rad/m]; empty if it has no name here."""
    parts = lattice @ wave / (2.0 * np.pi)
    parts = parts - np.round(parts)

    def whole(numbers):
        return bool(np.all(np.abs(numbers - np.round(numbers)) < TOLERANCE))
    if whole(parts):
        return "Γ"
    kind, side = kind_of(lattice)
    if kind == "rectangular" and whole(2.0 * parts):
        return "S" if np.all(np.abs(parts) > TOLERANCE) else "X" if abs(parts[0]) > TOLERANCE else "Y"
    reciprocal = np.linalg.pinv(lattice).T
    least = side * float(np.min(np.linalg.norm(parts @ reciprocal + _combinations(reciprocal), axis=1)))
    for name, length, multiple in _POINTS.get(kind, ()):
        if abs(least - length) < TOLERANCE and whole(multiple * parts):
            return name
    return ""
