#!/usr/bin/env python3
"""By how much bounds on chaotic systems hold: their tests over other seeds, on each instruction set.

usage: over_seeds.py BUILD [--seeds N] [--sets avx512,avx2,baseline] [--in-turn]

Each test of the list runs with the seeds of its random particles raised by 0 to N - 1 (10), each on each set, or with
--in-turn each on one of them. The table has, per quantity, its bounds, and the
smallest, mean and largest value with the standard deviation. Status 1 if a test fails.
"""
import argparse
import collections
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

# Kind, and how the name begins.
TESTS = [
    ("physics", "configs/hopper.toml"), ("physics", "configs/silo.toml"), ("physics", "configs/poured_silo.toml"),
    ("physics", "configs/poured_shear.toml"), ("physics", "configs/settling_column.toml"), ("physics", "configs/mesh_funnel.toml"),
    ("physics", "intruder"), ("physics", "a poured bed carries its lid"), ("physics", "random spheres that are pressed slowly jam"),
    ("physics", "a packing that is pressed in the plane has isostatic contacts"), ("cli", "configs/direct_shear.toml"),
    ("cli", "configs/drum.toml"), ("cli", "configs/projectile.toml"), ("cli", "configs/random_packing.toml"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--sets", default="avx512,avx2,baseline")
    parser.add_argument("--in-turn", action="store_true")
    given = parser.parse_args()
    sets = given.sets.split(",")
    runs = [(sets[seed % len(sets)], seed) for seed in range(given.seeds)] if given.in_turn else list(itertools.product(sets, range(given.seeds)))
    failed = 0
    for kind, name in TESTS:
        seen, bounds, ends = collections.defaultdict(list), {}, []
        for instructions, seed in runs:
            with tempfile.NamedTemporaryFile("r", suffix=".tsv") as values:
                more = {"BEADWAVE_TEST_SEED": str(seed), "BEADWAVE_TEST_VALUES": values.name, "BEADWAVE_INSTRUCTION_SET": instructions}
                done = subprocess.run([given.build.resolve() / f"validation/{kind}_tests", f"--test-case={name}*"], env=os.environ | more,
                                      capture_output=True, text=True, check=False)
                lines = [line.split("\t") for line in values.read().splitlines()]
            if done.returncode != 0 or not lines:
                ends.append(f"{instructions}, seed + {seed}")
                print(done.stdout[-1500:], file=sys.stderr)
            for quantity, value, least, most in lines:
                seen[quantity].append(float(value))
                bounds[quantity] = (float(least), float(most))
        failed += len(ends)
        print(f"{name}: {len(runs)} runs, {len(ends)} failed {'; '.join(ends)}", flush=True)
        for quantity, values in seen.items():
            least, most = bounds[quantity]
            print(f"    {quantity}: bounds {least:g} to {most:g}; {min(values):.4g}, {statistics.mean(values):.4g}, {max(values):.4g}, "
                  f"deviation {statistics.pstdev(values):.2g}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
