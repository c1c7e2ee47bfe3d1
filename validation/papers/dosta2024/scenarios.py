#!/usr/bin/env python3
"""Scenarios of two benchmarks of Dosta et al. (Computer Physics Communications 296 (2024) 109066): impact and drum.

    scenarios.py impact CENTRES FOLDER      # writes FOLDER/impact.toml and FOLDER/bed.csv
    scenarios.py drum CENTRES FOLDER        # writes FOLDER/drum.toml, FOLDER/m1.csv and FOLDER/m2.csv
    scenarios.py ... --step S --flight S    # docs/BULK.md

CENTRES is the list of the centres at the start, CSV or CSV.gz, with the columns x, y, z and (drum) radius, whose names end in
_m or _nm. The lists are part of the record 10.5281/zenodo.8252892 of the authors. Materials, pairs and walls are the constants of the
MercuryDPM drivers of the paper (by one of its authors) and of the wall triangles beside them.
"""

import argparse
import csv
import gzip
from pathlib import Path

BED_RADIUS = 1e-3  # m
UNITS = {"_m": 1.0, "_nm": 1e-9}

MATERIALS = """\
[material.m1]
youngs_modulus = 1e9     # Pa
poisson_ratio  = 0.2
density        = 2500    # kg/m^3

[material.m2]
youngs_modulus = 0.5e9
poisson_ratio  = 0.2
density        = 2000

[material.steel]
youngs_modulus = 210e9
poisson_ratio  = 0.2
density        = 7200
"""

# materials: restitution, friction
PAIRS = {
    ("m1", "m1"): (0.50, 0.3),
    ("m1", "m2"): (0.45, 0.2),
    ("m1", "steel"): (0.40, 0.2),
    ("m2", "m2"): (0.40, 0.4),
    ("m2", "steel"): (0.40, 0.2),
    ("steel", "steel"): (0.60, 0.5),
}


def read_centres(path):
    """Rows {"x": m, "y": m, "z": m, perhaps "radius": m}, in the order of the file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return [{name.rsplit("_", 1)[0]: float(cell) * UNITS["_" + name.rsplit("_", 1)[1]] for name, cell in row.items()} for row in rows]


def write_particles(path, rows, radius):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write("x_m,y_m,z_m,radius_m\n")
        out.writelines(f"{row['x']:.9f},{row['y']:.9f},{row['z']:.9f},{row.get('radius', radius):.6g}\n" for row in rows)


def law(first, second, materials):
    """[law], [friction] and [[pair]]: Hertz and Tsuji with constant restitution, Mindlin with Coulomb's limit."""
    default = PAIRS[first, second]
    text = f'[law]\nname        = "tsuji"\nrestitution = {default[0]}\n\n[friction]\nlaw         = "mindlin"\ncoefficient = {default[1]}\n'
    for pair, (restitution, friction) in PAIRS.items():
        if pair != (first, second) and set(pair) <= set(materials):
            text += f"\n[[pair]]\nmaterials = {list(pair)}\nlaw       = {{ restitution = {restitution} }}\n".replace("'", '"')
            text += f"friction  = {{ coefficient = {friction} }}\n"
    return text


def plane(point, normal):
    return f'[[wall]]\npoint    = {point}\nnormal   = {normal}\nmaterial = "steel"\n'


def impact(rows, folder, step, flight):
    write_particles(folder / "bed.csv", rows, BED_RADIUS)
    height, speed = 0.06 - 5.0 * flight - 0.5 * 9.8 * flight**2, -5.0 - 9.8 * flight
    # The centres reach |x| = 0.048 m: the walls that hold the bed are at 0.049 m.
    walls = [
        plane([-0.049, 0.0, 0.0], [1.0, 0.0, 0.0]),
        plane([0.049, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        plane([0.0, -0.03, 0.0], [0.0, 1.0, 0.0]),
        plane([0.0, 0.03, 0.0], [0.0, -1.0, 0.0]),
        plane([0.0, 0.0, -0.090243], [0.0, 0.0, 1.0]),
    ]
    return f"""\
# Dosta et al. 2024, case 3: a steel ball of 20 mm falls at 5 m/s on {len(rows)} spheres of 2 mm in a box of steel.
title = "Impact on a bed, Dosta et al. 2024"

{MATERIALS}
[[particles]]            # 0: the ball, particle 0
position = [0.0, 0.0, {height:.9g}]  # m
radius   = 10e-3
material = "steel"
velocity = [0.0, 0.0, {speed:.9g}]  # m/s

[[particles]]            # 1: the bed
file     = "bed.csv"
material = "m1"

{chr(10).join(walls)}
[gravity]
acceleration = [0.0, 0.0, -9.8]  # m/s^2

{law("m1", "m1", ["m1", "steel"])}
[time]
end  = {0.1 - flight:.9g}  # s
step = {step}

[sensors]
particles = [0]
interval  = 20e-6

[snapshots]
interval = 5e-3

[energy]
interval = 1e-3

[checkpoint]
wall_interval = "5 min"
"""


def drum(rows, folder, step, _):
    small = [row for row in rows if row["radius"] < 1.5e-3]
    large = [row for row in rows if row["radius"] >= 1.5e-3]
    write_particles(folder / "m1.csv", small, BED_RADIUS)
    write_particles(folder / "m2.csv", large, 2 * BED_RADIUS)
    ends = "\n".join(
        f'[[wall]]                 # {name}\npoint    = [0.0, {y}, 0.0]\nnormal   = [0.0, {normal}, 0.0]\nmaterial = "steel"\nangular_velocity = {turn}\n'
        for name, y, normal, turn in (("1: an end, about its normal", -0.03, 1.0, -2.0), ("2: the other", 0.03, -1.0, 2.0))
    )
    return f"""\
# Dosta et al. 2024, case 2: {len(small)} spheres of 2 mm on {len(large)} of 4 mm in a drum of steel that turns at 2 rad/s about -y.
title = "Rotating drum, Dosta et al. 2024"

{MATERIALS}
[[particles]]            # 0: M2, 4 mm
file     = "m2.csv"
material = "m2"

[[particles]]            # 1: M1, 2 mm
file     = "m1.csv"
material = "m1"

[[wall]]                 # 0: the drum
shape    = "cylinder"
point    = [0.0, -0.03, 0.0]
axis     = [0.0, 1.0, 0.0]
radius   = 0.1
material = "steel"
angular_velocity = -2.0  # rad/s

{ends}
[gravity]
acceleration = [0.0, 0.0, -9.8]  # m/s^2

{law("m1", "m1", ["m1", "m2", "steel"])}
[time]
end  = 5.0               # s
step = {step}

[snapshots]
interval = 0.1

[energy]
interval = 0.01

[checkpoint]
wall_interval = "5 min"
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", choices=["impact", "drum"])
    parser.add_argument("centres", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--step", type=float, help="time step in s (default: that of the paper, 5e-7 for the impact, 8e-7 for the drum)")
    parser.add_argument("--flight", type=float, default=0.0, help="impact: start after so many seconds of free flight; the ball arrives after 0.0206 s")
    arguments = parser.parse_args()
    rows = read_centres(arguments.centres)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    make, step = (impact, 5e-7) if arguments.case == "impact" else (drum, 8e-7)
    text = make(rows, arguments.folder, arguments.step or step, arguments.flight)
    (arguments.folder / f"{arguments.case}.toml").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
