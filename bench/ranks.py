#!/usr/bin/python3
"""The gain from several processes: bench/ranks.py BEADWAVE [--only NAME] [--mpirun MPIRUN]

BEADWAVE is built with the preset mpi. Two processes with one thread each are compared with one process
with two threads, and with one process with one thread; also building, messages, a wave into a chain at
rest, snapshots, and LAMMPS if it is installed. All times are wall seconds of commands that alternate;
use a quiet machine with two free processors.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
STEEL = "[material.steel]\nyoungs_modulus = 193e9\npoisson_ratio = 0.3\ndensity = 7850\n"
# Compressed and moving: no bead is at rest, every contact is active.
AWAKE = STEEL + """[[segment]]
beads = {beads}
radius = 2.38e-3
material = "steel"
velocity = 0.1
disorder = {disorder}
[law]
name = "hertz"
[precompression]
force = 10.0
[time]
step = 2e-8
end = {end}
"""
STRUCK = STEEL + """[[segment]]
beads = 1
radius = 5e-3
material = "steel"
velocity = 1.0
[[segment]]
beads = {beads}
radius = 5e-3
material = "steel"
[law]
name = "hertz"
[time]
step = 4e-7
end = {end}
"""


def spread(numbers, digits=2):
    """Median and range."""
    numbers = sorted(numbers)
    return f"{numbers[len(numbers) // 2]:.{digits}f} [{numbers[0]:.{digits}f} to {numbers[-1]:.{digits}f}]"


class Bench:
    def __init__(self, program, mpirun):
        self.program, self.mpirun = program, mpirun

    def run(self, scenario, ranks, threads):
        """Wall seconds of the command, and its JSON object."""
        pathlib.Path("s.toml").write_text(scenario)
        launcher = [self.mpirun, "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
        began = time.monotonic()
        words = [*launcher, self.program, "run", "s.toml", "-o", "h.h5", "--overwrite", "--json", "--threads", str(threads)]
        printed = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout
        return time.monotonic() - began, json.loads(printed)

    def alternate(self, first, second, scenarios, turns=9):
        """The results of both divisions (ranks, threads), alternately."""
        return [tuple(self.run(scenario, *division)[1] for division, scenario in zip((first, second), scenarios)) for _ in range(turns)]

    def speed(self):
        for beads, steps in (1_000_000, 3000), (10_000_000, 300):
            scenario = AWAKE.format(beads=beads, disorder=0, end=2e-8 * steps)
            turns = self.alternate((1, 2), (2, 1), (scenario, scenario))
            threads = [result["bead_steps_per_second"] for result, _ in turns]
            ranks = [result["bead_steps_per_second"] for _, result in turns]
            waited = [100 * result["message_share_of_time"] for _, result in turns]
            print(f"{beads:.0e} beads, {steps} steps, two ranks to two threads: {spread(r / t for r, t in zip(ranks, threads))}; "
                  f"at best {max(ranks):.3g} and {max(threads):.3g} bead-steps/s; "
                  f"messages {turns[0][1]['halo_bytes_per_bead_step']:.2g} B per bead-step, waited for in {spread(waited, 1)} % of the time")

    def weak(self):
        for beads, steps in (500_000, 3000), (5_000_000, 300):
            chains = [AWAKE.format(beads=beads * parts, disorder=0, end=2e-8 * steps) for parts in (1, 2)]

            def ratios(two):
                return spread(one["wall_seconds"] / both["wall_seconds"] for one, both in self.alternate((1, 1), two, chains))
            print(f"{beads:.0e} beads per rank, {steps} steps, time of one rank to that of two: {ratios((2, 1))}; of one thread to two {ratios((1, 2))}")

    def building(self):
        scenario = AWAKE.format(beads=40_000_000, disorder=0.02, end=2e-8)
        best = {}
        for _ in range(2):
            for ranks in 1, 2:
                best[ranks] = min(best.get(ranks, 1e9), self.run(scenario, ranks, 1)[0])
        print(f"4e7 disordered beads, built and stepped once: {best[1]:.1f} s on one rank, {best[2]:.1f} s on two; {best[1] / best[2]:.2f}")

    def wave(self):
        for beads, sleep, end in (50_000, "", 0.75), (1_000_000, "sleep_speed = 1e-6\n", 15.0):
            scenario = STRUCK.format(beads=beads, end=end) + sleep
            seconds = {}
            for ranks in 1, 2:
                _, result = self.run(scenario, ranks, 1)
                seconds[ranks] = result["wall_seconds"]
            print(f"a wave into {beads:.0e} beads at rest, {result['steps']} steps, {sleep.strip() or 'nothing put to sleep'}: "
                  f"{seconds[1]:.1f} s on one rank, {seconds[2]:.1f} s on two; {seconds[1] / seconds[2]:.2f}")

    def snapshots(self):
        beads, steps = 10_000_000, 20
        scenario = AWAKE.format(beads=beads, disorder=0, end=2e-8 * steps)
        with_them = scenario + f"[snapshots]\ninterval = {2e-8 * steps / 2}\n"
        for ranks in 1, 2:
            without = min(self.run(scenario, ranks, 1)[0] for _ in range(3))
            size = -os.path.getsize("h.h5")
            os.sync()
            wall = self.run(with_them, ranks, 1)[0] - without
            size += os.path.getsize("h.h5")
            began = time.monotonic()
            os.sync()
            flushed = wall + time.monotonic() - began
            print(f"snapshots of {beads:.0e} beads, {ranks} ranks: {size / 1e6:.0f} MB in {wall:.1f} s, {size / 1e6 / wall:.0f} MB/s; "
                  f"on the disk after {flushed:.1f} s, {size / 1e6 / flushed:.0f} MB/s")
        os.sync()
        began = time.monotonic()
        with open("plain", "wb") as file:
            block = os.urandom(1 << 20)
            for _ in range(size >> 20):
                file.write(block)
            file.flush()
            written = time.monotonic() - began
            os.fsync(file.fileno())
        print(f"the same as a plain file: {size / 1e6 / written:.0f} MB/s, {size / 1e6 / (time.monotonic() - began):.0f} MB/s on the disk")
        os.remove("plain")

    def lammps(self):
        if not shutil.which("lmp"):
            return
        beads, steps = 1_000_000, 200
        best = {"beadwave": 0.0, "lammps": 0.0}
        for _ in range(3):
            _, result = self.run(AWAKE.format(beads=beads, disorder=0, end=2e-8 * 10 * steps), 2, 1)
            best["beadwave"] = max(best["beadwave"], result["bead_steps_per_second"])
            words = f"-n 2 lmp -in {HERE}/peers/lammps-chain.in -log none -var n {beads} -var pre 10 -var style hist -var steps {steps}"
            out = subprocess.run([self.mpirun, *words.split()], capture_output=True, check=True, text=True).stdout
            loop = next(line for line in out.splitlines() if line.startswith("Loop time"))
            best["lammps"] = max(best["lammps"], beads * steps / float(loop.split()[3]))
        print(f"{beads:.0e} beads compressed by 10 N on two ranks: {best['beadwave']:.3g} bead-steps/s, LAMMPS {best['lammps']:.3g}; "
              f"{best['beadwave'] / best['lammps']:.0f} times")


def main():
    names = ["speed", "weak", "building", "wave", "snapshots", "lammps"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda word: str(pathlib.Path(word).resolve()))
    parser.add_argument("--only", choices=names, action="append")
    parser.add_argument("--mpirun", default="mpirun")
    given = parser.parse_args()
    bench = Bench(given.program, given.mpirun)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        os.chdir(folder)
        for name in given.only or names:
            getattr(bench, name)()
            sys.stdout.flush()


if __name__ == "__main__":
    main()
