#!/usr/bin/python3
"""`beadwave laws NAME --for yade` beside YADE: the restitution that it predicts, and that of YADE.

    laws_yade.py BEADWAVE [YADE]

Exits with 77, which is "skipped", if there is no YADE. Two equal spheres collide at the slowest and the fastest speed of the range,
for five laws, with en and with betan.
"""
import json
import math
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

# Run by YADE: all impacts of one list, a line of output for each.
SCRIPT = """
import json
for case in json.load(open("impacts.json")):
    O.reset()
    O.materials.append(FrictMat(young=case["young"], poisson=case["poisson"], frictionAngle=0.0, density=case["density"]))
    place = case["radius"] + 0.5 * case["speed"] * case["step"]
    for side in (-1, 1):
        O.bodies.append(sphere((side * place, 0, 0), case["radius"]))
        O.bodies[-1].state.vel = (-side * case["speed"] / 2, 0, 0)
    damping = {case["damping"]: MatchMaker(algo="val", val=case["value"])}
    O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=case["radius"] / 10),
                 InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_MindlinPhys(**damping)],
                                 [Law2_ScGeom_MindlinPhys_Mindlin()]), NewtonIntegrator(damping=0.0)]
    O.dt = case["step"]
    O.run(case["steps"], True)
    print("apart", repr(O.bodies[1].state.vel[0] - O.bodies[0].state.vel[0]), flush=True)
import os
os._exit(0)
"""


def main():
    program = str(Path(sys.argv[1]).resolve())
    yade = shutil.which(sys.argv[2] if len(sys.argv) > 2 else "yade")
    if yade is None:
        print("skipped: there is no YADE (yade) here")
        return 77
    impacts, expected = [], []
    for law in LAWS:
        run = subprocess.run([program, "laws", law, "--for", "yade", "--json"], capture_output=True, text=True, check=True)
        found = json.loads(run.stdout)
        for model in [found, *found["other_models"]]:
            keys = {each["key"]: each["value"] for each in model["parameters"]}
            if model["model"].endswith("earlier"):  # the same input, of another version
                continue
            damping = "en" if "en" in keys else "betan"
            rows = [row for row in model["restitution"] if row["mass"] == model["restitution"][len(model["restitution"]) // 2]["mass"]]
            for row in (rows[0], rows[-1]):
                impacts.append({"young": keys["young"], "poisson": keys["poisson"], "damping": damping, "value": keys[damping],
                                "radius": RADIUS, "density": 2.0 * row["mass"] / (4.0 / 3.0 * math.pi * RADIUS**3),
                                "speed": row["speed"], "step": row["duration"] / STEPS, "steps": 3 * STEPS})
                expected.append((law, model["model"], row))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "impacts.json").write_text(json.dumps(impacts))
        (folder / "two.py").write_text(SCRIPT)
        run = subprocess.run([yade, "-n", "-x", "two.py"], cwd=folder, capture_output=True, text=True)
    speeds = [float(each) for each in re.findall(r"^apart (\S+)", run.stdout, re.M)]
    if len(speeds) != len(expected):
        raise SystemExit(f"yade failed:\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}")
    good = True
    for (law, model, row), apart in zip(expected, speeds):
        e = apart / row["speed"]
        fits = abs(e - row["program"]) <= TOLERANCE
        good &= fits
        print(f"{'ok   ' if fits else 'WRONG'} {law}, {model}, {row['speed']:.3g} m/s: {e:.6f}, predicted {row['program']:.6f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
