"""The overhead of Python: PYTHONPATH=build/release/python bench/python.py build/release/beadwave [RUNS]

All times are CPU seconds, which other programs on the machine hardly change. One thread.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import beadwave as bw

CHAIN = Path(__file__).resolve().parents[1] / "configs" / "chain70.toml"
STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3}


def cpu(work):
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def program(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(list(map(str, words)), capture_output=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def overhead(path, beads):
    """The best of five of each; the two alternate."""
    settings = {"law.name": "hertz", "segment.1.beads": beads - 1, "time.end": 1e-3 if beads < 1000 else 1e-5,
                "segment.1.velocity": 0.1,  # no bead at rest
                "sensors.beads": [9, 16], "snapshots.interval": 1e-4}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    mine, theirs, loops = [], [], []
    for _ in range(5):
        seconds, run = cpu(lambda: bw.Chain.load(CHAIN, overrides=settings).run(threads=1))
        mine.append(seconds)
        loops.append(run.wall_seconds)
        theirs.append(program(path, "run", CHAIN, "-o", "x.h5", "--quiet", "--overwrite", "--threads", 1, *words)[0])
    print(f"{beads} beads: load and run from Python {min(mine):.4f} s, of which {min(loops):.4f} s (wall) stepping; "
          f"beadwave run {min(theirs):.4f} s, with its history and start; Python takes {1e3 * (min(mine) - min(theirs)):+.2f} ms")


def steps():
    count, beads = 20_000, 71
    chain = bw.Chain(np.full(beads, 2.38e-3), 0.45e-3, velocity=[1.77] + (beads - 1) * [0.0], law="hertz", material=STEEL,
                     time={"end": 7e-4, "step": 1e-8})
    chain.run(1)

    def ours():
        for _ in range(count - 1):
            chain.run(1)
    seconds, _ = cpu(ours)
    stiffness = 4 / 3 * 193e9 / (2 * 0.91) * (2.38e-3 / 2) ** 0.5
    u, v = np.zeros(beads), np.zeros(beads)
    v[0] = 1.77

    def numpy():
        nonlocal u, v
        force = np.zeros(beads + 1)
        a = np.zeros(beads)
        for _ in range(count):
            v += 5e-9 * a
            u += 1e-8 * v
            force[1:-1] = stiffness * np.maximum(u[:-1] - u[1:], 0.0) ** 1.5
            a = (force[:-1] - force[1:]) / 0.45e-3
            v += 5e-9 * a
    theirs, _ = cpu(numpy)
    off = abs(chain.velocity - v).max()
    print(f"run(1), {beads} beads: {count / seconds:.0f} calls/s; NumPy's velocity Verlet {count / theirs:.0f} steps/s; "
          f"velocities differ by {off:.1e} m/s")


def many(path, runs):
    settings = {"time.end": 5e-5}
    values = np.linspace(2.0, 4.0, runs)

    def ours():
        for psi in values:
            bw.Chain.load(CHAIN, overrides={**settings, "law.psi": float(psi)}).run(threads=1)
    seconds, _ = cpu(ours)
    python_sweep, _ = cpu(lambda: bw.sweep(CHAIN, {"law.psi": values}, overrides=settings, threads=1))
    theirs, _ = program(path, "sweep", CHAIN, "--vary", f"law.psi=2:4:{runs}", "--set", "time.end=5e-5", "--threads", 1, "--quiet",
                        "--overwrite", "-o", "s.h5")
    print(f"{runs} runs of 71 beads: a loop in Python {seconds:.2f} s, bw.sweep {python_sweep:.2f} s, beadwave sweep {theirs:.2f} s")


def leak(runs):
    chain = bw.Chain.load(CHAIN, overrides={"time.end": 2e-6})
    marks = []
    for number in range(runs):
        chain.run(threads=1).sensor_force.sum()
        if number in (runs // 10, runs - 1):
            marks.append(peak())
    print(f"{runs} runs: peak memory {marks[0]:.1f} MiB after a tenth, {marks[1]:.1f} MiB at the end")


def main():
    path = Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        overhead(path, 71)
        overhead(path, 100_000)
        steps()
        many(path, 1000)
        leak(runs)


if __name__ == "__main__":
    main()
