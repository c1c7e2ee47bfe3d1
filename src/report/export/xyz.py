"""Extended XYZ files: text, all snapshots. https://github.com/libAtoms/extxyz

OVITO, ASE and many scripts read them. The second line of a snapshot names the columns (Properties), the time [s], the edges of the box
one after the other (Lattice), their corner (Origin), and which sides are periodic (pbc). The species is the material, of a mechanism the
body. SI units. Positions are not wrapped into a periodic box."""
import re

import numpy as np

from .frames import rows_of_text


def write(frames, path, _snapshot):
    names = [re.sub(r"\W", "_", name) for name in frames.names]  # a blank would begin the next column
    with open(path, "w", encoding="utf-8") as out:
        for row in range(len(frames.time)):
            present = frames.present(row)
            properties, columns = ["species:S:1"], []
            for name, values in columns_of(frames, row):
                values = np.asarray(values)[present]
                properties.append(f"{name}:R:{1 if values.ndim == 1 else values.shape[1]}")
                columns += list(values.T) if values.ndim == 2 else [values]
            lines = rows_of_text(columns).splitlines()
            out.write(f"{len(present)}\n{_head(frames, row, ':'.join(properties))}\n")
            out.writelines(f"{names[frames.species[body]]} {line}\n" for body, line in zip(present, lines))


def columns_of(frames, row):
    """Name and numbers [count] or [count][k] of everything that a body has in one snapshot."""
    yield "pos", frames.vectors("position", row)
    yield "velo", frames.vectors("velocity", row)
    if frames.has_spin:
        yield "angular_velocity", frames.vectors("angular_velocity", row)
    yield "mass", frames.mass
    if frames.radius is not None:
        yield "radius", frames.radius
    if frames.semi_axes is not None:
        yield "semi_axes", frames.semi_axes
        yield "orientation", frames.orientation(row)  # scalar first
    if "angle" in frames.file[frames.group]:
        yield "angle", frames.file[f"{frames.group}/angle/value"][row]


def _head(frames, row, properties):
    lower, upper = frames.box(row)
    xy, xz, yz = map(float, frames.tilt(row))
    size = (upper - lower).tolist()
    edges = [size[0], 0.0, 0.0, xy, size[1], 0.0, xz, yz, size[2]]
    sides = " ".join("T" if repeats else "F" for repeats in frames.periodic)
    return (f'Lattice="{" ".join(map(repr, edges))}" Origin="{" ".join(map(repr, lower.tolist()))}" pbc="{sides}" Properties={properties} '
            f'Time={float(frames.time[row])!r} Step={int(frames.step[row])} generator="beadwave export"')
