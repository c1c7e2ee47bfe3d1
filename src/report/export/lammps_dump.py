"""LAMMPS dump files, as `dump custom` with the modifiers `units yes` and `time yes` writes them: text, all snapshots.
https://docs.lammps.org/dump.html

OVITO and LAMMPS (read_dump, rerun) read them. A .lammpstrj file has no such modifiers, so that readers which know only the oldest form, MDAnalysis up to 2.4 and
VMD, read it too. Identifiers and types begin with 1: body n of beadwave is atom n + 1. Positions are not
wrapped into a periodic box; the columns xu, yu, zu say so."""
import numpy as np

from .frames import rows_of_text


def write(frames, path, _snapshot):
    plain = frames.ending == ".lammpstrj"
    with open(path, "w", encoding="ascii") as out:
        if not plain:
            out.write("ITEM: UNITS\nsi\n")  # m, s, kg, rad
        for row in range(len(frames.time)):
            names, columns = table(frames, row)
            if not plain:
                out.write(f"ITEM: TIME\n{float(frames.time[row])!r}\n")
            out.write(head(frames, row) + "ITEM: ATOMS " + " ".join(names) + "\n" + rows_of_text(columns))


def head(frames, row):
    sides, (xy, xz, yz) = np.array(frames.box(row)), frames.tilt(row)
    tilted = bool(xy or xz or yz)
    if tilted:  # LAMMPS gives the corners of what encloses the box, and the tilt behind them
        sides[:, 0] += min(0.0, xy, xz, xy + xz), max(0.0, xy, xz, xy + xz)
        sides[:, 1] += min(0.0, yz), max(0.0, yz)
    return (f"ITEM: TIMESTEP\n{int(frames.step[row])}\n"
            f"ITEM: NUMBER OF ATOMS\n{len(frames.present(row))}\n"
            f"ITEM: BOX BOUNDS {'xy xz yz ' * tilted}{' '.join('pp' if repeats else 'ff' for repeats in frames.periodic)}\n"
            + "".join(f"{float(low)!r} {float(high)!r}{f' {float(tilt)!r}' if tilted else ''}\n"
                      for low, high, tilt in zip(*sides, (xy, xz, yz))))


def table(frames, row):
    """The columns of one snapshot, in LAMMPS's names and order of axes."""
    unwrapped = "u" if frames.periodic.any() else ""
    columns = [("id", _from_one(range(frames.count))), ("type", _from_one(frames.species))]
    columns += _vector(frames.vectors("position", row), [axis + unwrapped for axis in "xyz"])
    columns += _vector(frames.vectors("velocity", row), ["vx", "vy", "vz"])
    if frames.has_spin:
        columns += _vector(frames.vectors("angular_velocity", row), ["omegax", "omegay", "omegaz"])
    if frames.radius is not None:
        columns.append(("radius", frames.radius))
    if frames.semi_axes is not None:  # LAMMPS's names, and its order: the scalar part of a quaternion comes first; shapes are diameters
        columns += _vector(frames.orientation(row), ["quatw", "quati", "quatj", "quatk"])
        columns += _vector(2.0 * frames.semi_axes, ["shapex", "shapey", "shapez"])
    if frames.exponents is not None:  # LAMMPS has no name for them in dumps
        columns += _vector(frames.exponents, ["n2", "n1"])
    columns.append(("mass", frames.mass))
    for name in ("angle", "temperature"):
        if name in frames.file[frames.group]:
            columns.append((name, frames.file[f"{frames.group}/{name}/value"][row]))
    present = frames.present(row)
    return zip(*((name, np.asarray(values)[present]) for name, values in columns))


def _from_one(numbers):
    return np.asarray(numbers) + 1


def _vector(values, names):
    return list(zip(names, values.T))
