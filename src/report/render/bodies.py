"""Shapes of the particles of a packing: how they are turned, which are superellipsoids."""
import numpy as np


def turns_of(run, row):
    """The rotation of each particle, from the body to space: 3 x 3 x particles."""
    w, x, y, z = run["orientation"][row].T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def is_superellipsoid(run):
    return (run["exponents"][:] != 2.0).any(axis=1) if "exponents" in run else np.zeros(run.beads, bool)
