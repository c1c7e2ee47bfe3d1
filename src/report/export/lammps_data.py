"""A LAMMPS data file of atom style sphere: text, one snapshot. https://docs.lammps.org/read_data.html

Identifiers and types begin with 1. Radius and mass are there as diameter and density. Positions are not wrapped into a periodic box:
read_data does that."""
import math

import numpy as np

from ..history import InputError
from .frames import rows_of_text

AXES = "xyz"


def write(frames, path, snapshot):
    frames.need_radius("a LAMMPS data file")
    if frames.semi_axes is not None:
        raise InputError(f"{frames.name}: a LAMMPS data file of atom style sphere holds spheres; expected a packing without ellipsoids, or "
                         "an output that ends in .dump, .gsd or .vtkhdf")
    row = frames.row_of(snapshot)
    names = "".join(c if c.isprintable() and c.isascii() else "?" for c in ", ".join(frames.names))
    sides = zip(AXES, *frames.box(row))
    present = frames.present(row)
    number, radius = present + 1, frames.radius[present]
    density = frames.mass[present] / (4.0 / 3.0 * math.pi * radius**3)
    spin = frames.vectors("angular_velocity", row)[present] if frames.has_spin else np.zeros((len(present), 3))
    with open(path, "w", encoding="ascii") as out:
        out.write(f"LAMMPS data file via beadwave export, timestep = {int(frames.step[row])}, units = si, "
                  f"time = {float(frames.time[row])!r} s\n\n"
                  f"{len(present)} atoms\n{len(frames.names)} atom types  # {names}\n\n")
        out.write("".join(f"{float(low)!r} {float(high)!r} {axis}lo {axis}hi\n" for axis, low, high in sides))
        if frames.tilt(row).any():
            out.write(" ".join(repr(float(tilt)) for tilt in frames.tilt(row)) + " xy xz yz\n")
        out.write("\nAtoms # sphere\n\n")  # id, type, diameter, density, x, y, z
        out.write(rows_of_text([number, frames.species[present] + 1, 2.0 * radius, density, *frames.vectors("position", row)[present].T]))
        out.write("\nVelocities\n\n")  # id, vx, vy, vz, wx, wy, wz
        out.write(rows_of_text([number, *frames.vectors("velocity", row)[present].T, *spin.T]))
