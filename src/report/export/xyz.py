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
            for name, values in frames.columns(row):
                values = np.asarray(values)[present]
                properties.append(f"{name}:R:{1 if values.ndim == 1 else values.shape[1]}")
                columns += list(values.T) if values.ndim == 2 else [values]
            lines = rows_of_text(columns).splitlines()
            out.write(f"{len(present)}\n{_head(frames, row, ':'.join(properties))}\n")
            out.writelines(f"{names[frames.species[body]]} {line}\n" for body, line in zip(present, lines))


def _head(frames, row, properties):
    lower, upper = frames.box(row)
    xy, xz, yz = map(float, frames.tilt(row))
    size = (upper - lower).tolist()
    edges = [size[0], 0.0, 0.0, xy, size[1], 0.0, xz, yz, size[2]]
    sides = " ".join("T" if repeats else "F" for repeats in frames.periodic)
    return (f'Lattice="{" ".join(map(repr, edges))}" Origin="{" ".join(map(repr, lower.tolist()))}" pbc="{sides}" Properties={properties} '
            f'Time={float(frames.time[row])!r} Step={int(frames.step[row])} generator="beadwave export"')
