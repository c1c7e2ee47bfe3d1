#!/usr/bin/python3
"""`beadwave laws NAME --for lammps` beside LAMMPS: the restitution that it predicts for its models, and that of LAMMPS.

    laws_lammps.py BEADWAVE [LMP]

Exits with 77, which is "skipped", if there is no LAMMPS. The lines that beadwave prints for an input file are taken as they are. Two
equal spheres collide at the slowest and the fastest speed of the range, for five laws under every model that this LAMMPS has.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LAWS = ["tsuji", "hunt-crossley", "kuwabara-kono", "ma-liu", "kelvin-voigt"]
RADIUS = 2.5e-3  # of the two steel spheres of the program [m]
STEPS = 8000  # in one contact
TOLERANCE = 1e-3

INPUT = """
units si
atom_style sphere
atom_modify map array
boundary f f f
newton off
comm_modify vel yes
region box block -2e-2 2e-2 -2e-2 2e-2 -2e-2 2e-2
create_box 1 box
create_atoms 1 single -{place!r} 0 0
create_atoms 1 single {place!r} 0 0
set group all diameter {diameter!r}
set group all mass {mass!r}
{model}
set atom 1 vx {half!r}
set atom 2 vx -{half!r}
neighbor 1e-3 bin
timestep {step!r}
fix move all nve/sphere
run {steps}
print "apart $(vx[2]-vx[1]:%.15g)"
"""


def collision(model, row):
    step = row["duration"] / STEPS
    return INPUT.format(place=RADIUS + 0.5 * row["speed"] * step, diameter=2.0 * RADIUS, mass=2.0 * row["mass"], model=model,
                        half=row["speed"] / 2.0, step=step, steps=3 * STEPS)


def restitutions(lmp, folder, model, rows):
    """Of each row, from one start of LAMMPS, which takes longer than the collisions; None: it does not have the model."""
    (folder / "in.two").write_text("clear\n".join(collision(model, row) for row in rows))
    run = subprocess.run([lmp, "-in", "in.two", "-log", "none"], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        if re.search(r"unrecognized|unknown|illegal pair_coeff", run.stdout + run.stderr, re.IGNORECASE):
            return None
        raise SystemExit(f"lmp failed:\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    apart = re.findall(r"^apart (\S+)", run.stdout, re.M)
    assert len(apart) == len(rows), run.stdout
    return [float(speed) / row["speed"] for speed, row in zip(apart, rows)]


def main():
    program = str(Path(sys.argv[1]).resolve())
    lmp = shutil.which(sys.argv[2] if len(sys.argv) > 2 else "lmp")
    if lmp is None:
        print("skipped: there is no LAMMPS (lmp) here")
        return 77
    good, compared = True, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for law in LAWS:
            run = subprocess.run([program, "laws", law, "--for", "lammps", "--json"], capture_output=True, text=True, check=True)
            found = json.loads(run.stdout)
            for model in [found, *found["other_models"]]:
                # Both rows of damping tsuji have the same input; LAMMPS is one of the two.
                if model["model"] == "granular hertz, damping tsuji":
                    continue
                rows = [row for row in model["restitution"] if row["mass"] == model["restitution"][len(model["restitution"]) // 2]["mass"]]
                rows = [rows[0], rows[-1]]
                found_by_lammps = restitutions(lmp, folder, model["input"], rows)
                if found_by_lammps is None:
                    print(f"left out: this LAMMPS has no {model['model']}")
                    continue
                for row, e in zip(rows, found_by_lammps):
                    fits = abs(e - row["program"]) <= TOLERANCE
                    good &= fits
                    compared += 1
                    print(f"{'ok   ' if fits else 'WRONG'} {law}, {model['model']}, {row['speed']:.3g} m/s: {e:.6f}, predicted "
                          f"{row['program']:.6f}")
    if compared < 2 * 3 * len(LAWS):
        print(f"WRONG only {compared} impacts compared")
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
