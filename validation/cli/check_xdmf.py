#!/usr/bin/python3
"""Reads every part of an HDF5 file that an XDMF file names, and compares it with the history.

    check_xdmf.py FILE.xdmf2 HISTORY.h5

Prints the first fault and exits with 1, or with 0 if there is none. Needs h5py.
"""
import functools
import pathlib
import sys
from xml.etree import ElementTree

import h5py
import numpy as np


class Fault(Exception):
    pass


def require(condition, fault):
    if not condition:
        raise Fault(fault)


def numbers(text):
    return tuple(int(word) for word in text.split())


@functools.cache
def content(file, path):
    with h5py.File(file) as opened:
        require(path in opened, f"{path} is missing from {file.name}")
        return opened[path][()]


def dataset(item, folder):
    """The data of a DataItem of format HDF. Their type and dimensions must be those that it states."""
    require(item.get("Format") == "HDF", f"a DataItem of format {item.get('Format')}")
    name, path = item.text.split(":")
    data = content(folder / name, path)
    kind = {"f": "Float", "i": "Int"}[data.dtype.kind]
    require(item.get("NumberType") == kind and int(item.get("Precision")) == data.dtype.itemsize, f"{path} is {data.dtype}")
    require(numbers(item.get("Dimensions")) == data.shape, f"{path} has shape {data.shape}")
    return data


def values(item, folder):
    """The data of a DataItem, as a reader would fetch them."""
    if item.get("ItemType") != "HyperSlab":
        return dataset(item, folder)
    cut, source = item
    whole = dataset(source, folder)
    start, stride, count = np.reshape(numbers(cut.text), numbers(cut.get("Dimensions")))
    last = start + (count - 1) * stride
    require(np.all(start >= 0) and np.all(last < whole.shape), f"a slab goes beyond {source.text}")
    part = whole[tuple(slice(a, b + 1, s) for a, b, s in zip(start, last, stride))]
    shape = numbers(item.get("Dimensions"))
    require(part.size == np.prod(shape), f"a slab of {source.text} has shape {part.shape}, not {shape}")
    return part.reshape(shape)


def check(xdmf, history):
    root = ElementTree.parse(xdmf).getroot()
    require(root.tag == "Xdmf", "the root is not Xdmf")
    series = root.find("Domain/Grid")
    require(series.get("GridType") == "Collection" and series.get("CollectionType") == "Temporal", "no series in time")
    with h5py.File(history) as file:
        beads, contacts = file["particles/beads"], file["observables/contact_force/value"][:]
        grids = series.findall("Grid")
        require(len(grids) == len(contacts), f"{len(grids)} snapshots of {len(contacts)}")
        for row, grid in enumerate(grids):
            expected = {"velocity": beads["velocity/value"][row], "displacement": beads["displacement/value"][row],
                        "radius": beads["radius"][:], "mass": beads["mass"][:], "id": beads["id"][:],
                        "force_left": contacts[row, :-1], "force_right": contacts[row, 1:]}
            require(float(grid.find("Time").get("Value")) == beads["position/time"][row], f"snapshot {row} has another time")
            count = len(beads["radius"])
            require(int(grid.find("Topology").get("NumberOfElements")) == count, f"snapshot {row} has not {count} beads")
            position = values(grid.find("Geometry")[0], xdmf.parent)
            require(np.array_equal(position, beads["position/value"][row]), f"snapshot {row} has other positions")
            found = {item.get("Name"): item for item in grid.findall("Attribute")}
            require(found.keys() == expected.keys(), f"snapshot {row} has {sorted(found)}")
            for name, item in found.items():
                kind = item.get("AttributeType")
                require(kind == ("Vector" if name == "velocity" else "Scalar"), f"{name} is a {kind}")
                require(np.array_equal(values(item[0], xdmf.parent), expected[name]), f"snapshot {row} has another {name}")


def main():
    try:
        check(pathlib.Path(sys.argv[1]), sys.argv[2])
    except (Fault, ElementTree.ParseError, OSError) as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
