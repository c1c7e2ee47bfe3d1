#!/usr/bin/python3
"""Files of ParaView that hold the numbers of all snapshots (`beadwave export --copy`), written by several ranks: on any number of them
they have the bits that a file without --copy refers to. A rank that fails ends all, and what had the name before stays.

    exports.py PROGRAM [--mpirun MPIRUN]

Exits with 1 at the first fault. Needs h5py and mpirun.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py

from failures import LAUNCH, Fault, check, end_of, start
from packings import packing, write_files

HERE = pathlib.Path(__file__).resolve().parent
CONFIGS = HERE.parent.parent / "configs"
RANKS = (1, 2, 3, 5)


def run(program, folder, name, *words):
    subprocess.run([program, "run", *words, "--quiet", "--overwrite", "-o", f"{name}.h5"], cwd=folder, check=True)


def histories(program, folder):
    """Rows longer than what a rank copies at once (2^17 numbers), and many short rows; of particles that come and leave; of bodies."""
    chain = str(CONFIGS / "chain70.toml")
    run(program, folder, "long rows", chain, "--set", "segment.1.beads=60000", "--set", "time.step=1e-8", "--set", "time.end=4e-7",
        "--set", "snapshots.interval=1e-7", "--set", "law.name=hertz")
    run(program, folder, "many rows", chain)
    text, _ = packing("silo with rain")
    (folder / "silo.toml").write_text(text)
    run(program, folder, "particles that come and leave", "silo.toml", "--set", "snapshots.interval=1e-4")
    run(program, folder, "bodies", str(CONFIGS / "slider_crank.toml"))
    return "long rows", "many rows", "particles that come and leave", "bodies"


def datasets(path):
    """Type, shape and bytes of each, by name."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: (item.dtype, item.shape, item[()].tobytes())})
                        if isinstance(item, h5py.Dataset) else None)
        virtual = [name for name in found if file[name].is_virtual]
    return found, virtual


def same_bits(program, folder):
    for name in histories(program, folder):
        subprocess.run([program, "export", f"{name}.h5", "-o", "reference.vtkhdf"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        expected, virtual = datasets(folder / "reference.vtkhdf")
        check("VTKHDF/Points" in virtual and len(virtual) > 1, f"{name}: {virtual}")
        for ranks in RANKS:
            process = start(folder, ranks, program, "export", f"{name}.h5", "-o", "copy.vtkhdf", "--copy")
            status, lines = end_of(process)
            check(status == 0 and not lines and process.printed == "copy.vtkhdf\n", f"{name}: {status}, {lines}, {process.printed!r}")
            found, virtual = datasets(folder / "copy.vtkhdf")
            check(not virtual, f"{name}: refers to the history: {virtual}")
            check(found.keys() == expected.keys(), f"{name}: {found.keys() ^ expected.keys()}")
            other = [key for key in expected if found[key] != expected[key]]
            check(not other, f"{name} on {ranks} ranks: {other} differ")
        rows = expected["VTKHDF/Steps/Values"][1][0]
        print(f"  {name}: {rows} snapshots, {len(expected)} datasets, on {', '.join(map(str, RANKS))} ranks", flush=True)


def other_formats(program, folder):
    """They are written once, by the first rank."""
    run(program, folder, "x", str(CONFIGS / "chain70.toml"), "--set", "time.end=2e-6")
    for name, words in (("x.csv", []), ("x.vtkhdf", []), ("y.vtkhdf", ["--snapshot", "1"])):
        process = start(folder, 3, program, "export", "x.h5", "-o", name, *words)
        status, lines = end_of(process)
        check(status == 0 and not lines and process.printed == name + "\n", f"{name}: {status}, {lines}, {process.printed!r}")
        check((folder / name).stat().st_size > 0, f"{name} is empty")


def failures(program, folder):
    first, other = folder / "first", folder / "other"
    for place in (first, other):
        place.mkdir()
        run(program, place, "x", str(CONFIGS / "chain70.toml"), "--set", "segment.1.beads=60000", "--set", "time.step=1e-8",
            "--set", "time.end=4e-7", "--set", "snapshots.interval=1e-7", "--set", "law.name=hertz")
    export = [program, "export", "x.h5", "-o", "x.vtkhdf", "--copy"]
    subprocess.run(export, cwd=first, check=True, stdout=subprocess.DEVNULL)
    before = (first / "x.vtkhdf").read_bytes()

    def refused(process, expected_status, what):
        status, lines = end_of(process)
        check(status == expected_status and len(lines) == 1 and what in lines[0], f"{status}, {lines}; expected {what!r}")
        check((first / "x.vtkhdf").read_bytes() == before, f"{what}: an earlier file has changed")
        check(sorted(os.listdir(first)) == ["x.h5", "x.vtkhdf"], f"{what}: leaves {os.listdir(first)}")

    def limited(rank, kilobytes):
        limit = f'[ "$OMPI_COMM_WORLD_RANK" != {rank} ] || ulimit -f {kilobytes}; exec "$@"'
        return start(first, 3, "bash", "-c", limit, "bash", *export)

    def in_two_folders(*words):
        return start(folder, 1, "-wdir", "first", *words, ":", "-n", "1", "-wdir", "other", *words)

    refused(limited(0, 1000), 1, "x.vtkhdf: cannot be written: File too large")
    refused(limited(2, 1000), 1, "x.vtkhdf: File too large")
    refused(start(first, 3, program, "export", "gone.h5", "-o", "x.vtkhdf", "--copy"), 2, "gone.h5: no such file")
    refused(start(first, 3, program, "export", "x.h5", "-o", "x.csv", "--copy"), 2, "--copy: is for .vtkhdf and .hdf")
    refused(in_two_folders(*export), 2, "x.h5: rank 1 does not see the file of rank 0 there")
    refused(in_two_folders(program, "export", str(first / "x.h5"), "-o", "x.vtkhdf", "--copy"), 1, "rank 1 does not see")
    check(os.listdir(other) == ["x.h5"], f"leaves {os.listdir(other)}")
    print("  6 failures", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Checks the files that several ranks export.")
    parser.add_argument("beadwave", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--mpirun", default="mpirun")
    arguments = parser.parse_args()
    LAUNCH[0] = arguments.mpirun
    os.environ["OMP_WAIT_POLICY"] = "passive"
    for case in (same_bits, other_formats, failures):
        with tempfile.TemporaryDirectory() as folder:
            write_files(pathlib.Path(folder))
            try:
                case(arguments.beadwave, pathlib.Path(folder))
            except Fault as fault:
                print(f"{case.__name__}: {fault}")
                return 1
        print(f"{case.__name__}: right", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
