#!/usr/bin/python3
"""One meaning per name: checks that each name has one unit and one definition in histories of a chain, a packing and a mechanism.

    check_names.py CHAIN.h5 PACKING.h5 MECHANISM.h5 HISTORY.md

- A name that two of them share has one unit and one number of dimensions, except vectors, which are one number along a chain.
- Every name is in the tables of HISTORY.md, with that unit.
- The numbers agree with the definitions, computed from the snapshots and the other entries of the ledger.

Exits with 1 and a line per fault. Needs h5py.
"""
import pathlib
import re
import sys

import h5py
import numpy as np

# Vectors along a chain are one number; in packings and mechanisms they have three.
VECTORS = {"displacement", "sensor_velocity", "momentum", "wall_displacement"}
# Vectors in packings; one number, about the normal of the plane, in mechanisms.
ROTATIONS = {"angular_velocity"}
ENTRIES = {  # of the ledger: relative errors refer to the largest of them and of the energy at the start
    "chain": ("kinetic_energy", "stored_energy", "external_work"),
    "packing": ("translational_energy", "rotational_energy", "stored_energy", "external_work"),
    "mechanism": ("kinetic_energy", "potential_energy", "stored_energy", "external_work"),
}
faults = []


def require(condition, fault):
    if not condition:
        faults.append(fault)


def text_of(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def elements(file):
    """By name with its group: unit and number of dimensions of every element's value and every plain dataset."""
    found = {}

    def walk(group, folder):
        for name, item in group.items():
            if isinstance(item, h5py.Group) and "value" in item:
                item, shown = item["value"], name
            elif isinstance(item, h5py.Group):
                walk(item, f"{folder}/{name}")
                continue
            else:
                shown = name
            if item.dtype.kind in "fiu":
                # Particles of all systems count as one group, and so do the contact points of a mechanism.
                place = re.sub(r"^/particles/(beads|all)", "/particles", re.sub(r"^/impacts/\d+", "/impacts", folder))
                found[f"{place}/{shown}"] = (text_of(item.attrs.get("unit", "")), item.ndim)
    walk(file, "")
    return found


def check_shared(histories):
    names = {system: elements(file) for system, file in histories.items()}
    for name in sorted(set().union(*names.values())):
        held = {system: of[name] for system, of in names.items() if name in of}
        require(len({unit for unit, _ in held.values()}) == 1, f"{name} has several units: {held}")
        short = name.rsplit("/", 1)[-1]
        if short not in VECTORS | ROTATIONS | {"edges"}:
            require(len({dimensions for _, dimensions in held.values()}) == 1, f"{name} has several shapes: {held}")
    return names


def documented(page):
    """Units of the names in the page's tables; a cell may name several."""
    units = {}
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        names = [name for cell in cells[:2] for name in re.findall(r"`([a-z_/]+)`", cell)]
        for name in names:
            units.setdefault(name.rsplit("/", 1)[-1], set()).update(cells)
    return units


def check_page(names, page):
    rows = documented(page)
    for system, of in names.items():
        for name, (unit, _) in of.items():
            short = name.rsplit("/", 1)[-1]
            if name.startswith("/h5md") or short in ("step", "time", "files"):
                continue
            if not rows.get(short):
                faults.append(f"{name} of a {system} is in no table of {page.name}")
            elif unit:
                cells = " ".join(rows[short])
                require(re.search(rf"(^|[ ,|]){re.escape(unit)}([ ,|]|$)", cells), f"{name}: {page.name} has no unit {unit}")


def series(file, name):
    return file[f"observables/{name}/value"][()] if f"observables/{name}" in file else 0.0


def check_ledger(system, file):
    balance = (series(file, "kinetic_energy") + series(file, "potential_energy") + series(file, "stored_energy")
               + series(file, "dissipated_energy") + series(file, "sleep_loss_energy") - series(file, "external_work"))
    error, relative = series(file, "energy_error"), series(file, "relative_energy_error")
    entries = [np.abs(series(file, name)) for name in ENTRIES[system]]
    size = max(float(np.max(entry)) for entry in entries)
    # The same sums in another order: rounding.
    require(np.allclose(balance - balance[0], error, rtol=0, atol=1e-13 * size), f"{system}: the ledger does not balance")
    require(np.any(error != 0), f"{system}: the energy error is zero throughout, so nothing is tested")
    largest = np.maximum.accumulate(np.maximum.reduce([*entries, np.full_like(error, abs(balance[0]))]))
    if system == "mechanism":  # its largest entry is that of every step, also between samples
        require(np.all(np.abs(relative) * largest <= np.abs(error) * (1 + 1e-12)), "mechanism: relative to too small an entry")
        require(np.allclose(relative * largest, error, rtol=0.02, atol=1e-15 * size), "mechanism: relative to another entry")
    else:
        require(np.allclose(relative * largest, error, rtol=1e-12, atol=0), f"{system}: relative to another entry")
    for total, parts in (("kinetic_energy", ("translational_energy", "rotational_energy")),
                         ("dissipated_energy", ("normal_dissipation", "friction_dissipation", "rolling_dissipation"))):
        parts = [series(file, part) for part in parts if f"observables/{part}" in file]
        if parts:
            require(np.allclose(sum(parts), series(file, total), rtol=1e-12, atol=1e-15 * size),
                    f"{system}: {total} is not the sum of its parts")
            require(all(np.max(part) > 0 for part in parts), f"{system}: a part of {total} is zero throughout, so it is not tested")


def at_shared_steps(file, group, name):
    """A ledger entry at the steps of the snapshots, and which snapshots these are."""
    steps, ledger = file[f"{group}/velocity/step"][()], file["observables/kinetic_energy/step"][()]
    _, snapshots, samples = np.intersect1d(steps, ledger, return_indices=True)
    require(len(snapshots) > 2, "too few snapshots are at samples of the ledger")
    return snapshots, series(file, name)[samples]


def check_motion(system, file):
    group = "particles/beads" if system == "chain" else "particles/all"
    mass, velocity = file[f"{group}/mass"][()], file[f"{group}/velocity/value"][()]
    snapshots, kinetic = at_shared_steps(file, group, "kinetic_energy")
    energy = 0.5 * np.einsum("n,tni,tni->t", mass, velocity, velocity)[snapshots]
    if system != "chain":
        turns = file[f"{group}/angular_velocity/value"][()]
        turns = turns.reshape(*turns.shape[:2], -1)
        rotational = 0.5 * np.einsum("n,tni,tni->t", file[f"{group}/inertia"][()], turns, turns)[snapshots]
        require(np.max(rotational) > 0, f"{system}: nothing turns")
        if system == "packing":
            require(np.allclose(at_shared_steps(file, group, "rotational_energy")[1], rotational, rtol=1e-12, atol=0),
                    "packing: another rotational energy")
        energy = energy + rotational
    require(np.allclose(kinetic, energy, rtol=1e-10, atol=0), f"{system}: kinetic_energy is not that of the velocities")
    if "observables/momentum" in file:
        momentum = at_shared_steps(file, group, "momentum")[1]
        expected = np.einsum("n,tni->ti", mass, velocity)[snapshots]
        expected = expected[:, 0] if momentum.ndim == 1 else expected
        require(np.allclose(momentum, expected, rtol=0, atol=1e-12 * np.max(np.abs(expected))), f"{system}: another momentum")
    position, displacement = file[f"{group}/position/value"][()], file.get(f"{group}/displacement/value")
    if displacement is not None:
        moved = position - position[0]
        moved = moved[:, :, 0] if displacement.ndim == 2 else moved
        size = np.max(np.abs(position))
        require(np.allclose(displacement - displacement[0], moved, rtol=0, atol=4e-16 * 4 * size), f"{system}: another displacement")


def main():
    *paths, page = sys.argv[1:]
    histories = {}
    for system, path in zip(("chain", "packing", "mechanism"), paths, strict=True):
        histories[system] = h5py.File(path)
        require(text_of(histories[system]["parameters/system"][()]) == system, f"{path} is not the history of a {system}")
    check_page(check_shared(histories), pathlib.Path(page))
    for system, file in histories.items():
        check_ledger(system, file)
        check_motion(system, file)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
