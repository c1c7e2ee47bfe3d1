#!/usr/bin/env python3
"""A drum of a million spheres: drum.py BEADWAVE [--threads N ...] [--settle STEPS] [--steps N] [--keep FOLDER]

The drum of PhasicFlow's benchmark "rotating drum", case 1M: spheres of 4 mm in a mesh of 24 flat sides, 0.2 m of radius and
0.8 m long, between two plane ends, at 12 turns a minute; step 1e-5 s; Hertz, Mindlin, rolling resistance. That benchmark
gives 146 minutes for 4e5 steps on an NVIDIA RTX A4000: 4.6e7 particle-steps/s.

A slice of the drum, a 32nd, periodic along its axis, settles and turns for `--settle` steps, until the bed flows. 32 copies of
it, 4 mm longer, are the start of the measured steps. Two runs of different length in turn: the difference is the steps alone.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

from spread import spread

RADIUS, DRUM, LENGTH, SIDES, COPIES = 2e-3, 0.2, 0.8, 24, 32
STEP, TURN = 1e-5, 1.256  # s, rad/s
SPARE = RADIUS  # of each end, for spheres across the sides of the slice
THEIRS = 1e6 * 4e5 / (146 * 60)  # particle-steps/s

SCENARIO = """[time]
step = {step}
end = {end!r}
[energy]
interval = {end!r}
[snapshots]
interval = {end!r}
[gravity]
acceleration = [0, -9.81, 0]
[material.glass]
youngs_modulus = 1.875e6
poisson_ratio = 0.25
density = 2500
[law]
name = "tsuji"
restitution = 0.97
[friction]
law = "mindlin"
coefficient = 0.65
[rolling]
coefficient = 0.1
[[wall]]
shape = "mesh"
mesh_file = "drum.stl"
point = [0, 0, 0]
axis = [0, 0, 1]
angular_velocity = {turn}
feature_angle = 0.1
material = "glass"
"""


def drum(low, high, turned=0.0):
    """The sides of the drum, turned by so much [rad], as an STL file."""
    angles = [turned + 2 * math.pi * k / SIDES for k in range(SIDES)]
    rim = [(DRUM * math.cos(angle), DRUM * math.sin(angle)) for angle in angles]
    lines = ["solid drum"]
    for (a, b), (c, d) in zip(rim, rim[1:] + rim[:1]):
        for corners in (((a, b, low), (c, d, low), (c, d, high)), ((a, b, low), (c, d, high), (a, b, high))):
            lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x!r} {y!r} {z!r}" for x, y, z in corners), "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid drum", ""])


def scenario(steps):
    return SCENARIO.format(step=STEP, end=steps * STEP, turn=TURN)


def slice_of_drum(steps):
    spacing = 2 * math.sqrt(2) * RADIUS
    along = math.floor(LENGTH / COPIES / spacing)
    across = round(math.sqrt(1e6 / (4 * COPIES * along)))
    low = -0.5 * across * spacing
    return scenario(steps) + f"""[box]
lower = [{-DRUM}, {-DRUM}, 0]
upper = [{DRUM}, {DRUM}, {LENGTH / COPIES}]
periodic = [false, false, true]
[[particles]]
lattice = "fcc"
cells = [{across}, {across}, {along}]
origin = [{low}, {low}, {RADIUS}]
radius = {RADIUS}
material = "glass"
"""


def whole(steps):
    ends = "".join(f'[[wall]]\npoint = [0, 0, {z!r}]\nnormal = [0, 0, {n}]\nmaterial = "glass"\nangular_velocity = {n * TURN}\n'
                   for z, n in ((-SPARE, 1), (LENGTH + SPARE, -1)))
    return scenario(steps) + ends + '[[particles]]\nfile = "start.data"\nmaterial = "glass"\n'


def copies(text):
    """The particles of a LAMMPS file, next to each other along z."""
    head, _, rest = text.partition("Atoms # sphere\n")
    atoms, _, velocities = rest.partition("Velocities\n")
    atoms = [line.split() for line in atoms.splitlines() if line]
    moving = {words[0]: words[1:] for words in (line.split() for line in velocities.splitlines()) if words}
    length = LENGTH / COPIES
    rows = [(words, k) for k in range(COPIES) for words in atoms]
    kinds = next(line for line in head.splitlines() if "atom types" in line)
    lines = ["LAMMPS data file", "", f"{len(rows)} atoms", kinds, "", f"{-DRUM} {DRUM} xlo xhi", f"{-DRUM} {DRUM} ylo yhi",
             f"{-2 * SPARE} {LENGTH + 2 * SPARE} zlo zhi", "", "Atoms # sphere", ""]
    lines += [" ".join([str(i), *words[1:6], repr(float(words[6]) % length + k * length)]) for i, (words, k) in enumerate(rows, 1)]
    lines += ["", "Velocities", ""]
    lines += [" ".join([str(i), *moving[words[0]]]) for i, (words, _) in enumerate(rows, 1)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwave", help="the program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--settle", type=int, default=60000)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", help="keep the settled slice in this folder, or take it from there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)

        def run(name, text, threads):
            (folder / f"{name}.toml").write_text(text, encoding="utf-8")
            command = [arguments.beadwave, "run", f"{name}.toml", "--overwrite", "--json", "--threads", str(threads)]
            before = time.monotonic()
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)}\n{done.stderr[-2000:]}")
            return time.monotonic() - before, json.loads(done.stdout)

        settled = folder / f"slice_{arguments.settle}.data"
        if not settled.exists():
            (folder / "drum.stl").write_text(drum(0.0, LENGTH / COPIES), encoding="utf-8")
            run("slice", slice_of_drum(arguments.settle), max(arguments.threads))
            subprocess.run([arguments.beadwave, "export", "slice.h5", "-o", settled.name, "--overwrite", "--snapshot", "-1"], cwd=folder, check=True,
                           capture_output=True)
        (folder / "start.data").write_text(copies(settled.read_text(encoding="utf-8")), encoding="utf-8")
        (folder / "drum.stl").write_text(drum(-SPARE, LENGTH + SPARE, TURN * STEP * arguments.settle), encoding="utf-8")
        few = arguments.steps // 4
        print("| particles | threads | 1e6 particle-steps/s | of PhasicFlow's on an A4000 | steps per list | contacts per particle |")
        print("| --- | --- | --- | --- | --- | --- |")
        for threads in arguments.threads:
            speeds = []
            for _ in range(arguments.rounds):
                short = run("drum", whole(few), threads)[0]
                long, summary = run("drum", whole(arguments.steps), threads)
                speeds.append(summary["particles"] * (arguments.steps - few) / (long - short))
            print(f"| {summary['particles']} | {threads} | {spread([each / 1e6 for each in speeds], '{:.2f}')} | {spread([each / THEIRS for each in speeds], '{:.2f}')} "
                  f"| {arguments.steps / max(summary['neighbour_list_builds'], 1):.0f} | {summary['contacts'] / summary['particles']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
