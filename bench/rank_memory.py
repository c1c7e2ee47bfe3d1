#!/usr/bin/python3
"""The memory of ranks that share a packing: bench/rank_memory.py BEADWAVE [--cells N] [--ranks R ...] [--case NAME] [--mpirun MPIRUN]

BEADWAVE is built with the preset mpi. Runs a crystal of 4 N^3 spheres (fcc; "light": N^3, simple cubic) on each number of
ranks with one thread each, and prints the largest and the mean peak of a rank's memory (VmHWM), from the start of the
program to its end, the largest processor time of a rank, and the wall time. Cases:

  sliding   tsuji, Mindlin's friction; the halves slide over each other, with one new list in 42 steps
  snapshots the same, with three snapshots of motion and contacts in the history
  measures  the same without snapshots, with three samples of [measure]
  light     hertz without friction, 20 steps: for many particles
  start     the same, one step
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

RADIUS = 2.38e-3
HEAD = """[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7970
"""
GROUP = """[[particles]]
lattice = "{lattice}"
cells = {cells}
origin = [0, 0, {z}]
radius = {radius}
material = "steel"
velocity = [{speed}, 0, 0]
"""
SLIDING = """[law]
name = "tsuji"
restitution = 0.8
[friction]
law = "mindlin"
coefficient = 0.3
[time]
step = 4e-7
end = 1.68e-5
"""
LIGHT = """[law]
name = "hertz"
[time]
step = 4e-7
end = 8e-6
"""


def scenario(case, cells):
    if case in ("light", "start"):
        text = HEAD + GROUP.format(lattice="simple-cubic", cells=[cells] * 3, z=0, radius=RADIUS, speed=1) + LIGHT
        return text.replace("end = 8e-6", "end = 4e-7") if case == "start" else text
    lower = cells // 2
    edge = 2 * math.sqrt(2) * RADIUS
    halves = ((lower, 0.0, 25), (cells - lower, lower * edge, -25))
    text = HEAD + "".join(GROUP.format(lattice="fcc", cells=[cells, cells, count], z=z, radius=RADIUS, speed=speed)
                          for count, z, speed in halves) + SLIDING
    more = {"snapshots": "[snapshots]\ninterval = 8e-6\n",
            "measures": f"[measure]\ninterval = 8e-6\nlower = [0, 0, 0]\nupper = {[cells * edge] * 3}\n"}
    return text + more.get(case, "")


def measure(folder, words):
    """Runs the program, as one rank, and writes its peak of memory [MB] and its processor time [s] to a file."""
    process = os.posix_spawnp(words[0], words, os.environ)
    status, usage = os.wait4(process, 0)[1:]
    pathlib.Path(folder, f"{os.getpid()}.used").write_text(f"{usage.ru_maxrss * 1.024e-3} {usage.ru_utime + usage.ru_stime}")
    return os.waitstatus_to_exitcode(status)


def run(program, mpirun, case, cells, ranks):
    with tempfile.TemporaryDirectory(dir=".") as folder:
        path = pathlib.Path(folder, "s.toml")
        path.write_text(scenario(case, cells))
        launcher = [*mpirun, "-n", str(ranks)] if ranks > 1 else []
        words = [program, "run", str(path), "-o", f"{folder}/h.h5", "--json", "--threads", "1"]
        began = time.monotonic()
        done = subprocess.run([*launcher, sys.executable, __file__, "--measure", folder, *words],
                              stdout=subprocess.PIPE, text=True, check=True)
        seconds = time.monotonic() - began
        used = [[float(number) for number in file.read_text().split()] for file in pathlib.Path(folder).glob("*.used")]
    result = json.loads(done.stdout[done.stdout.index("{"):])
    return used, seconds, result


def main():
    if sys.argv[1:2] == ["--measure"]:
        sys.exit(measure(sys.argv[2], sys.argv[3:]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cells", type=int, default=40)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    parser.add_argument("--case", choices=["sliding", "snapshots", "measures", "light", "start"], default="sliding")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe --bind-to none")
    given = parser.parse_args()
    print("ranks  largest peak   mean peak  processor    wall   new lists")
    for ranks in given.ranks:
        used, seconds, result = run(os.path.abspath(given.program), given.mpirun.split(), given.case, given.cells, ranks)
        peaks, busy = zip(*used)
        print(f"{ranks:5}  {max(peaks):9.0f} MB  {sum(peaks) / len(peaks):7.0f} MB  {max(busy):7.1f} s  {seconds:6.1f} s  "
              f"{result['neighbour_list_builds']:6}", flush=True)


if __name__ == "__main__":
    main()
