#!/usr/bin/python3
"""Checks a beadwave history file against H5MD 1.1 and the layout that users' scripts rely on.

    check_history.py FILE BEADS SENSORS SNAPSHOTS [--balance SHARE] [--moves ENTRY]...

--balance: the energy error may be at most this share of the ledger's largest entry (1e-6 unless given). --moves: a ledger
entry that must not be zero throughout. Prints every fault and exits with 1, or with 0 if there is none. Needs h5py.
"""
import argparse
import sys

import h5py
import numpy as np


class Fault(Exception):
    """What is wrong with the file, in one sentence."""


def require(condition, fault):
    if not condition:
        raise Fault(fault)


def member(parent, name, kind):
    path = f"{parent.name.rstrip('/')}/{name}"
    require(name in parent, f"{path} is missing")
    require(isinstance(parent[name], kind), f"{path} is not a {kind.__name__.lower()}")
    return parent[name]


def group(parent, name):
    return member(parent, name, h5py.Group)


def dataset(parent, name, shape, kind):
    """A dataset of that shape (None: any length) whose numpy type is of a kind in `kind`."""
    data = member(parent, name, h5py.Dataset)
    fits = len(data.shape) == len(shape) and all(
        want in (None, have) for want, have in zip(shape, data.shape))
    require(fits, f"{data.name} has shape {data.shape}, expected {shape}")
    require(data.dtype.kind in kind, f"{data.name} has type {data.dtype}, expected a kind of {kind}")
    return data


def text(item, name, characters=None):
    """A fixed-length scalar string attribute."""
    require(name in item.attrs, f"{item.name} has no attribute {name}")
    attribute = h5py.h5a.open(item.id, name.encode())
    kind = attribute.get_type()
    label = f"attribute {name} of {item.name}"
    require(isinstance(kind, h5py.h5t.TypeStringID), f"{label} is not a string")
    require(not kind.is_variable_str(), f"{label} is not of fixed length")
    require(attribute.shape == (), f"{label} is not scalar")
    require(characters is None or kind.get_cset() == characters, f"{label} is not ASCII")
    value = item.attrs[name]
    return value.decode() if isinstance(value, bytes) else str(value)


def integers(item, name):
    require(name in item.attrs, f"{item.name} has no attribute {name}")
    value = np.asarray(item.attrs[name])
    require(value.dtype.kind in "iu", f"attribute {name} of {item.name} is not an integer")
    return value


def unit(data, expected):
    """Checks a unit: a scalar variable-length UTF-8 string, as MDAnalysis and pyh5md need it."""
    require("unit" in data.attrs, f"{data.name} has no unit")
    attribute = h5py.h5a.open(data.id, b"unit")
    kind = attribute.get_type()
    label = f"the unit of {data.name}"
    require(isinstance(kind, h5py.h5t.TypeStringID) and kind.is_variable_str(), f"{label} is not of variable length")
    require(kind.get_cset() == h5py.h5t.CSET_UTF8, f"{label} is not UTF-8")
    require(attribute.shape == (), f"{label} is not scalar")
    found = data.attrs["unit"]
    require(found == expected, f"{data.name} is in {found!r}, expected {expected!r}")


def element(parent, name, expected_unit, shape, samples=None):
    """Checks a time-dependent element with explicit step and time, and returns its group."""
    item = group(parent, name)
    value = dataset(item, "value", (samples,) + shape, "f")
    step = dataset(item, "step", (value.shape[0],), "iu")
    time = dataset(item, "time", (value.shape[0],), "f")
    unit(value, expected_unit)
    unit(time, "s")
    for data in (step, time, value):
        require(data.maxshape[0] is None, f"{data.name} cannot grow")
        require(data.chunks is not None, f"{data.name} is not chunked")
        chunk_bytes = data.dtype.itemsize * int(np.prod(data.chunks))
        require(chunk_bytes <= 1 << 20, f"{data.name} has chunks of {chunk_bytes} bytes")
        require(np.all(np.isfinite(data[:])), f"{data.name} holds numbers that are not finite")
    require(np.all(np.diff(step[:]) > 0), f"{step.name} does not increase")
    require(np.all(np.diff(time[:]) > 0), f"{time.name} does not increase")
    return item


def shares_axis(first, second):
    for name in ("step", "time"):
        require(first[name] == second[name],
                f"{second.name}/{name} is not a hard link to {first.name}/{name}")


def check_metadata(file, _):
    h5md = group(file, "h5md")
    version = integers(h5md, "version")
    require(version.shape == (2,) and list(version) == [1, 1], f"/h5md has version {version}")
    require(text(group(h5md, "author"), "name") != "", "the author has no name")
    creator = group(h5md, "creator")
    require(text(creator, "name") == "beadwave", "the creator is not beadwave")
    require(text(creator, "version") != "", "the creator has no version")
    units = group(group(h5md, "modules"), "units")
    version = integers(units, "version")
    require(version.shape == (2,) and list(version) == [1, 0], f"units has version {version}")
    require(text(units, "system") == "SI", "the unit system is not SI")


def check_box(file, _):
    box = group(file["particles/beads"], "box")
    dimension = integers(box, "dimension")
    require(dimension.shape == () and dimension == 3, f"the box has dimension {dimension}")
    require("boundary" in box.attrs, "the box has no boundary")
    kind = h5py.h5a.open(box.id, b"boundary").get_type()
    require(isinstance(kind, h5py.h5t.TypeStringID) and not kind.is_variable_str(),
            "the boundary is not of fixed-length strings")
    require(list(box.attrs["boundary"]) == [b"none"] * 3, "the boundary is not none, none, none")


def check_beads(file, expected):
    beads = group(group(file, "particles"), "beads")
    count = (expected.beads,)
    identity = dataset(beads, "id", count, "iu")
    require(np.array_equal(identity[:], np.arange(expected.beads)), "id is not 0, 1, 2, ...")
    for name, its_unit in (("mass", "kg"), ("radius", "m")):
        data = dataset(beads, name, count, "f")
        unit(data, its_unit)
        require(np.all(data[:] > 0), f"{data.name} is not positive everywhere")
    species = dataset(beads, "species", count, "i")
    materials = h5py.check_enum_dtype(species.dtype)
    require(bool(materials), "species does not name the materials")
    require(set(np.unique(species[:])) <= set(materials.values()), "species has an unnamed value")


def check_snapshots(file, expected):
    beads = file["particles/beads"]
    names = ("position", "velocity", "displacement")
    if expected.snapshots == 0 and not any(name in beads for name in names):
        return
    vectors = (expected.beads, 3)
    position = element(beads, "position", "m", vectors, expected.snapshots)
    velocity = element(beads, "velocity", "m s-1", vectors, expected.snapshots)
    displacement = element(beads, "displacement", "m", (expected.beads,), expected.snapshots)
    shares_axis(position, velocity)
    shares_axis(position, displacement)
    for item in (position, velocity):
        require(not np.any(item["value"][:, :, 1:]), f"{item.name} is not zero across the chain")
    if expected.snapshots == 0:
        return
    along = position["value"][:, :, 0]
    start = along - displacement["value"][:]
    rounding = 4 * np.finfo(float).eps * np.abs(along).max()
    require(np.all(np.abs(start - start[0]) <= rounding),
            "position minus displacement is not the same in every snapshot")


def check_contacts(file, expected):
    observables = group(file, "observables")
    if expected.snapshots == 0 and "contact_force" not in observables:
        return
    element(observables, "contact_force", "N", (expected.beads + 1,), expected.snapshots)
    gap = dataset(group(file, "parameters"), "contact_gap", (expected.beads + 1,), "f")
    unit(gap, "m")
    require(not np.any(np.isnan(gap[:])), f"{gap.name} holds NaN")


def check_sensors(file, expected):
    observables = group(file, "observables")
    if expected.sensors == 0:
        require("sensor_force" not in observables, "there are sensors, but none were expected")
        return
    force = element(observables, "sensor_force", "N", (expected.sensors,))
    velocity = element(observables, "sensor_velocity", "m s-1", (expected.sensors,))
    shares_axis(force, velocity)
    for item in (force, velocity):
        numbers = dataset(item, "beads", (expected.sensors,), "iu")[:]
        if expected.sensors <= 4000:
            require(np.array_equal(integers(item["value"], "beads"), numbers),
                    f"{item.name} has other beads as an attribute")
        require(np.all((0 <= numbers) & (numbers < expected.beads)),
                f"{item.name} names a bead that does not exist")


def check_observed(file, expected):
    """Compares the observables next to the ledger with the snapshots of the same steps."""
    observables, beads = group(file, "observables"), group(file, "particles/beads")
    kinetic = element(observables, "kinetic_energy", "J", ())
    samples = kinetic["value"].shape[0]
    observed = {}
    for name, its_unit in (("momentum", "kg m s-1"), ("sleep_loss_momentum", "kg m s-1"), ("largest_contact_force", "N")):
        item = element(observables, name, its_unit, (), samples)
        shares_axis(kinetic, item)
        observed[name] = dict(zip(item["step"][:], item["value"][:]))
    if "velocity" not in beads:
        return
    mass = beads["mass"][:]
    contacts = observables["contact_force/value"]
    for row, step in enumerate(beads["velocity/step"][:]):
        if step not in observed["momentum"]:
            continue
        parts = mass * beads["velocity/value"][row, :, 0]
        require(abs(parts.sum() - observed["momentum"][step]) <= 1e-12 * np.abs(parts).sum(),
                f"momentum at step {step} is not that of the snapshot")
        require(np.abs(contacts[row]).max() == observed["largest_contact_force"][step],
                f"the largest contact force at step {step} is not that of the snapshot")


def check_energy(file, expected):
    """Checks from the file alone that the energy ledger balances."""
    observables = group(file, "observables")
    kinetic = element(observables, "kinetic_energy", "J", ())
    samples = kinetic["value"].shape[0]
    ledger = {"kinetic_energy": kinetic["value"][:]}
    for name, its_unit in (("stored_energy", "J"), ("dissipated_energy", "J"), ("external_work", "J"),
                           ("sleep_loss_energy", "J"), ("energy_error", "J"), ("relative_energy_error", "1")):
        item = element(observables, name, its_unit, (), samples)
        shares_axis(kinetic, item)
        ledger[name] = item["value"][:]
    require(np.all(ledger["kinetic_energy"] >= 0), "a kinetic energy is negative")
    require(np.all(np.diff(ledger["sleep_loss_energy"]) >= 0), "the sleep loss falls")
    if samples == 0:
        return
    require(kinetic["step"][0] == 0, "the ledger has no sample at step 0")
    for name in ("dissipated_energy", "external_work", "sleep_loss_energy"):
        require(abs(ledger[name][0]) <= 1e-12 * (ledger["kinetic_energy"][0] + ledger["stored_energy"][0]),
                f"{name} is not zero at the start")
    initial = ledger["kinetic_energy"][0] + ledger["stored_energy"][0]
    imbalance = (ledger["kinetic_energy"] + ledger["stored_energy"] + ledger["dissipated_energy"] + ledger["sleep_loss_energy"]
                 - initial - ledger["external_work"])
    amounts = [ledger["kinetic_energy"], ledger["stored_energy"], np.abs(ledger["external_work"]), np.full(samples, initial)]
    largest = np.maximum.accumulate(np.max(amounts, axis=0))
    share = np.divide(imbalance, largest, out=np.zeros(samples), where=largest > 0)
    require(np.all(np.abs(share) <= expected.balance),
            f"the energy error is {np.abs(share).max():.2g} of the ledger's largest entry")
    # The same sum in another order: rounding errors of the largest entry.
    require(np.all(np.abs(share - ledger["relative_energy_error"]) <= 1e-14),
            "relative_energy_error is not the remainder of the other entries")
    require(np.all(np.abs(imbalance - ledger["energy_error"]) <= 1e-14 * largest),
            "energy_error is not the remainder of the other entries")
    for name in expected.moves:
        require(np.abs(ledger[name]).max() > 1e-6 * largest[-1], f"{name} is zero throughout")


def check_parameters(file, _):
    parameters = group(file, "parameters")
    require(dataset(parameters, "format_version", (), "iu")[()] == 3, "the format version is not 3")
    for name in ("scenario", "law", "system", "version"):
        data = dataset(parameters, name, (), "OS")
        info = h5py.check_string_dtype(data.dtype)
        require(info is not None and info.length is not None, f"{data.name} is not of fixed length")
        require(info.encoding == "utf-8", f"{data.name} is not UTF-8")
        require(data.asstr()[()] != "", f"{data.name} is empty")
    require(parameters["system"].asstr()[()] == "chain", "the system is not a chain")
    step = dataset(parameters, "time_step", (), "f")
    unit(step, "s")
    require(step[()] > 0, "the time step is not positive")
    require(dataset(parameters, "steps", (), "i")[()] >= 1, "fewer than one step")
    require(dataset(parameters, "threads", (), "i")[()] >= 1, "fewer than one thread")


CHECKS = (check_metadata, check_beads, check_box, check_snapshots, check_contacts, check_sensors,
          check_energy, check_observed, check_parameters)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    for name in ("beads", "sensors", "snapshots"):
        parser.add_argument(name, type=int)
    parser.add_argument("--balance", type=float, default=1e-6)
    parser.add_argument("--moves", action="append", default=[])
    expected = parser.parse_args()

    faults = []
    try:
        with h5py.File(expected.file, "r") as file:
            for check in CHECKS:
                try:
                    check(file, expected)
                except (Fault, KeyError) as fault:
                    faults.append(f"{check.__name__}: {fault}")
    except OSError as error:
        faults.append(str(error))
    for fault in faults:
        print(f"{expected.file}: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
