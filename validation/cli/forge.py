#!/usr/bin/python3
"""Alters a history or checkpoint as a mistake or a crafted file would; the checksum header of a checkpoint is rewritten.

    forge.py FILE HOW [TEXT]
    forge.py FILE byte SIGNATURE NUMBER

`byte` flips a bit behind the signature of HDF5's metadata, such as EAHD, that comes NUMBER-th in the file; it fails if there is
none. Needs h5py.
"""
import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "attack"))
import damage  # noqa: E402  (after its folder)

SCENARIO, FORCE = "parameters/scenario", "observables/sensor_force/value"


def replace(file, name, **how):
    del file[name]
    file.create_dataset(name, **how)


def virtual(file):
    layout = h5py.VirtualLayout(shape=(4,), dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "x", shape=(4,))
    file.create_virtual_dataset("observables/more", layout)


def set_texts(file, name, text):
    replace(file, name, data=np.bytes_(text.encode()))


def set_number(file, name, value):
    del file[name]
    file[name] = value


HOW = {
    "history": lambda file, text: set_texts(file, "checkpoint/history/name", text),
    "external-storage": lambda file, text: replace(file, SCENARIO, shape=(32,), dtype="S1", external=[(text, 0, 32)]),
    "external-link": lambda file, text: file.__setitem__("observables/more", h5py.ExternalLink("other.h5", "/x")),
    "soft-link": lambda file, text: file.__setitem__("observables/more", h5py.SoftLink("/parameters")),
    "virtual": lambda file, text: virtual(file),
    "packed": lambda file, text: file.create_dataset("observables/more", data=np.zeros(9000), compression="gzip"),
    "sparse": lambda file, text: file.create_dataset("observables/more", shape=(1 << 40,), dtype="f8", chunks=(1 << 16,)),
    "no-columns": lambda file, text: replace(file, FORCE, shape=(5, 0), dtype="f8"),
    "no-rows": lambda file, text: replace(file, FORCE, data=1.0),
    "no-version": lambda file, text: file.__delitem__("parameters/version"),
    "no-energy": lambda file, text: file.__delitem__("observables/stored_energy"),
    "no-format": lambda file, text: file.__delitem__("parameters/format_version"),
    "format": lambda file, text: set_number(file, "parameters/format_version", int(text)),
    "steps": lambda file, text: set_number(file, "parameters/steps", float("nan")),
    "no-observers": lambda file, text: replace(file, "checkpoint/observers", data=np.zeros(0)),
    "radius": lambda file, text: set_number(file, "particles/beads/radius", "text"),
    "law": lambda file, text: set_number(file, "parameters/law", np.array([b"\xff\xfe"])),
}


def flip_behind(path, signature, number):
    data, at = bytearray(path.read_bytes()), 0
    for _ in range(number + 1):
        at = data.index(signature.encode(), at) + len(signature)
    data[at + 4] ^= 1
    path.write_bytes(data)


def main():
    path = pathlib.Path(sys.argv[1])
    has_header = path.read_bytes().startswith(b"beadwave checkpoint")
    if sys.argv[2] == "byte":
        flip_behind(path, sys.argv[3], int(sys.argv[4]))
    else:
        with h5py.File(path, "r+") as file:
            HOW[sys.argv[2]](file, sys.argv[3] if len(sys.argv) > 3 else "")
    if has_header:
        damage.write_checksum_header(path)


if __name__ == "__main__":
    main()
