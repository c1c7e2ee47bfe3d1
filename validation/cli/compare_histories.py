#!/usr/bin/python3
"""Compares two history files bit for bit: every group, dataset and attribute.

    compare_histories.py FILE FILE [--but PATH ...]

Prints every difference and exits with 1, or with 0 if there is none. Needs h5py.
"""
import argparse
import sys

import h5py
import numpy as np


def things(file):
    """Datasets, attributes and groups by path. Hard links count under each of their names."""
    found = {}

    def walk(group, path):
        for name, value in group.attrs.items():
            found[f"{path}@{name}"] = np.asarray(value)
        for name in group:
            child, below = group[name], f"{path}/{name}"
            if isinstance(child, h5py.Group):
                found[below] = None
                walk(child, below)
            else:
                found[below] = np.asarray(child[()])
                for attribute, value in child.attrs.items():
                    found[f"{below}@{attribute}"] = np.asarray(value)

    walk(file, "")
    return found


def of_file(path):
    with h5py.File(path) as file:
        return things(file)


def differences(one, other):
    for path in sorted(one.keys() | other.keys()):
        if path not in one or path not in other:
            yield f"{path} is only in one of them"
            continue
        a, b = one[path], other[path]
        if a is None or b is None:
            if a is not b:
                yield f"{path} is a group only in one of them"
        elif a.shape != b.shape or a.dtype != b.dtype:
            yield f"{path} is {a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}"
        elif a.dtype.hasobject:
            if a.tolist() != b.tolist():
                yield f"{path} differs"
        elif a.tobytes() != b.tobytes():
            yield f"{path} differs"


def main():
    parser = argparse.ArgumentParser(description="Compares two history files bit for bit.")
    parser.add_argument("file", nargs=2)
    parser.add_argument("--but", action="append", default=[], help="a dataset that may differ")
    arguments = parser.parse_args()
    ours, theirs = (of_file(path) for path in arguments.file)
    for found in ours, theirs:
        for path in arguments.but:
            found.pop(path, None)
    found = list(differences(ours, theirs))
    for difference in found:
        print(difference)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
