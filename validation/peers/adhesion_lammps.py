#!/usr/bin/python3
"""JKR and DMT beside LAMMPS's (pair_style granular): two equal spheres collide without a dashpot in both programs.

    adhesion_lammps.py BEADWAVE [LMP]

Exits with 77, which is "skipped", if there is no LAMMPS. LAMMPS names half the work of adhesion as cohesion: w = 2 gamma. What is
the same to rounding and time step, and is checked:

- dmt: the whole curve, and that the spheres part as fast as they came;
- jkr: the curve from the first contact, there and back, down to the pull-off force (3/2) pi w R.

What differs: LAMMPS breaks the neck where the tension is largest, as if a dead load pulled. This program breaks it where the two
equations have their smallest overlap, as bodies do whose distance is what moves, at (5/9) of that tension. So LAMMPS's loop loses
3.1186/6.3149 of this program's, and spheres part down to 0.703 of the speed. Each program is held to its own loop, in closed form.
"""
import json
import math
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

RADIUS, DENSITY, MODULUS, RATIO, ADHESION = 1e-4, 1100.0, 1e7, 0.45, 0.1
MASS = 4.0 / 3.0 * math.pi * RADIUS**3 * DENSITY
R, E, M = RADIUS / 2.0, MODULUS / (2.0 * (1.0 - RATIO**2)), MASS / 2.0
PULL_OFF = {"jkr": 1.5 * math.pi * ADHESION * R, "dmt": 2.0 * math.pi * ADHESION * R}
STEP = 5e-9  # of LAMMPS [s]; a contact has 4,000 steps

# Johnson, Kendall and Roberts in s = sqrt(a / a_s), see include/beadwave/laws/adhesion/jkr.hpp.
A_S = (math.pi * ADHESION * R**2 / (8.0 * E)) ** (1.0 / 3.0)
AT_TOUCH, AT_PULL_OFF, AT_BREAK = 4.0 ** (1.0 / 3.0), 3.0 ** (1.0 / 3.0), 1.0


def stored(s):
    """[J]"""
    return 4.0 * PULL_OFF["jkr"] / 9.0 * A_S**2 / R * (s**10 / 10.0 - s**7 + 1.5 * s**4)


def rebound(speed, neck):
    """[m/s]; 0: the bodies stick. `neck`: s where it breaks."""
    left = speed**2 - 2.0 * (stored(neck) - stored(AT_TOUCH)) / M
    return math.sqrt(left) if left > 0.0 else 0.0


CASE = f"""
speed = SPEED
[body.a]
radius = {RADIUS}
mass = {MASS}
youngs_modulus = {MODULUS}
poisson_ratio = {RATIO}
[body.b]
radius = {RADIUS}
mass = {MASS}
youngs_modulus = {MODULUS}
poisson_ratio = {RATIO}
[law]
name = "LAW"
adhesion_energy = {ADHESION}
"""

# The tangential spring without friction does nothing; without it the jkr of 2021 ends with "Neighbor history overflow".
LAMMPS = f"""
units si
atom_style sphere
atom_modify map array
newton off
comm_modify vel yes
region box block -1e-3 1e-3 -1e-3 1e-3 -1e-3 1e-3
create_box 1 box
create_atoms 1 single -{RADIUS + 1e-8} 0 0
create_atoms 1 single {RADIUS + 1e-8} 0 0
set group all diameter {2.0 * RADIUS}
set group all mass {MASS}
pair_style granular
pair_coeff * * LAW {MODULUS} 0.0 {RATIO} {ADHESION / 2.0} tangential linear_history 1.0 0.0 0.0 damping velocity
set atom 1 vx HALF
set atom 2 vx -HALF
neighbor 2e-5 bin
timestep {STEP}
fix move all nve/sphere
variable overlap equal {2.0 * RADIUS}-(x[2]-x[1])
variable apart equal v_overlap<-6e-7
variable force equal fx[2]
variable speed equal vx[2]-vx[1]
fix halt all halt 1 v_apart > 0.5 error soft
fix curve all print 1 "$(v_overlap:%.15g) $(v_force:%.15g) $(v_speed:%.15g)" file curve.txt screen no
run 20000
"""


def lammps(program, folder, law, speed):
    """Overlap [m], force [N], speed of separation [m/s] at all steps."""
    (folder / "in.two").write_text(LAMMPS.replace("LAW", law).replace("HALF", repr(speed / 2.0)))
    run = subprocess.run([program, "-in", "in.two", "-log", "none"], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"lmp failed:\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    return np.loadtxt(folder / "curve.txt").T


def beadwave(program, folder, law, speed):
    """The same, and the JSON object of the collision; None if the bodies stick."""
    (folder / "two.toml").write_text(CASE.replace("LAW", law).replace("SPEED", repr(speed)))
    run = subprocess.run([program, "collide", "two.toml", "--json", "--trajectory", "two.csv", "--overwrite"], cwd=folder,
                         capture_output=True, text=True)
    if run.returncode != 0:
        if "stick together" not in run.stderr:
            raise SystemExit(f"beadwave failed:\n{run.stderr}")
        return None
    _, overlap, approach, force = np.loadtxt(folder / "two.csv", delimiter=",", skiprows=1).T
    return overlap, force, -approach, json.loads(run.stdout)


def check(what, found, expected, tolerance):
    good = abs(found - expected) <= tolerance
    print(f"{'ok   ' if good else 'WRONG'} {what}: {found:.7g}, expected {expected:.7g} to {tolerance:.1g}")
    return good


def check_curve(law, speed, theirs, ours):
    """The forces of both programs at the overlaps of this one, on the way in and on the way out."""
    overlap, force, _ = theirs
    touching = np.flatnonzero(force != 0.0)
    overlap, force = overlap[touching], force[touching]
    worst, points, largest = 0.0, 0, force.max()
    deepest = int(np.argmax(overlap))
    of_ours = int(np.argmax(ours[0]))
    for their, our in ((slice(0, deepest + 1), slice(0, of_ours + 1)), (slice(deepest, None), slice(of_ours, -1))):
        order = np.argsort(overlap[their])
        x, y = overlap[their][order], force[their][order]
        inside = (ours[0][our] > x[0]) & (ours[0][our] < x[-1])
        worst = max(worst, np.abs(np.interp(ours[0][our][inside], x, y) - ours[1][our][inside]).max())
        points += int(inside.sum())
    # Lines between samples of both; and the deepest overlap differs by the error of their step.
    return check(f"{law} at {speed} m/s, largest difference of the forces at {points} overlaps over the largest force",
                 worst / largest, 0.0, 1e-5)


def main():
    program = str(Path(sys.argv[1]).resolve())
    lmp = shutil.which(sys.argv[2] if len(sys.argv) > 2 else "lmp")
    if lmp is None:
        print("there is no LAMMPS (lmp) here")
        return 77
    good = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for law in ("dmt", "jkr"):
            speed = 0.2
            theirs, ours = lammps(lmp, folder, law, speed), beadwave(program, folder, law, speed)
            good &= check_curve(law, speed, theirs, ours)
            # Sampled at steps, near a minimum of the curve; dmt's jump is sampled within a step.
            tolerance = {"jkr": 1e-4, "dmt": 2e-3}[law] * PULL_OFF[law]
            good &= check(f"{law}, pull-off force, LAMMPS [N]", -theirs[1].min(), PULL_OFF[law], tolerance)
            good &= check(f"{law}, pull-off force, beadwave [N]", -ours[1].min(), PULL_OFF[law], tolerance)
        good &= check("dmt, speed after, LAMMPS [m/s]", lammps(lmp, folder, "dmt", 0.2)[2][-1], 0.2, 2e-4)
        good &= check("dmt, speed after, beadwave [m/s]", beadwave(program, folder, "dmt", 0.2)[3]["rebound_speed"], 0.2, 1e-9)
        slowest = math.sqrt(2.0 * (stored(AT_BREAK) - stored(AT_TOUCH)) / M)
        for part in (0.6, 0.85, 1.2):
            speed = part * slowest
            theirs, ours = lammps(lmp, folder, "jkr", speed), beadwave(program, folder, "jkr", speed)
            apart = theirs[0][-1] < -5e-7
            # Contact is made and broken within a step: an error of the first order in it.
            good &= check(f"jkr at {part} of the sticking speed, speed after, LAMMPS [m/s]", theirs[2][-1] if apart else 0.0,
                          rebound(speed, AT_PULL_OFF), 2e-3 * speed)
            good &= check(f"jkr at {part} of the sticking speed, speed after, beadwave [m/s]",
                          ours[3]["rebound_speed"] if ours else 0.0, rebound(speed, AT_BREAK), 1e-6 * speed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
