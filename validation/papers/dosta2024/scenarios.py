#!/usr/bin/env python3
"""Scenarios of the benchmarks of Dosta et al. (Computer Physics Communications 296 (2024) 109066): silo, drum and impact.

    scenarios.py impact CENTRES FOLDER      # writes FOLDER/impact.toml and FOLDER/bed.csv
    scenarios.py bed FOLDER                 # writes FOLDER/bed.toml and FOLDER/loose.csv: spheres that fall into the box of the impact
    scenarios.py drum CENTRES FOLDER        # writes FOLDER/drum.toml, FOLDER/m1.csv and FOLDER/m2.csv
    scenarios.py fill FOLDER                # writes FOLDER/fill.toml and FOLDER/loose.csv: spheres that fall into the shut silo
    scenarios.py silo FILL.h5 FOLDER        # writes FOLDER/silo.toml and FOLDER/filled.csv, from the end of that run
    scenarios.py ... --step S --flight S --soften N --spheres N    # docs/BULK.md

CENTRES is the list of the centres at the start, CSV or CSV.gz, with the columns x, y, z and (drum) radius, whose names end in
_m or _nm; for the impact also a history, that of `bed`. The lists are part of the record 10.5281/zenodo.8252892 of the authors. Materials, pairs and walls are the constants of the
MercuryDPM drivers of the paper (by one of its authors) and of the wall triangles beside them. How the authors filled silo and box is
not known; `fill` and `bed` are our own.
"""

import argparse
import csv
import gzip
import math
import random
from pathlib import Path

BED_RADIUS = 1e-3  # m
UNITS = {"_m": 1.0, "_nm": 1e-9}

# The silo with the large orifice.
ORIFICE, ORIFICE_HEIGHT = 0.03, -0.0554222  # radius and z, m
SILO, SILO_BOTTOM, SILO_LENGTH = 0.1, 0.0145778, 0.3  # inner radius, z of the bottom of the cylinder, its length, m
EXIT_DEPTH = 0.02  # below the orifice, m

YOUNGS_MODULUS = {"m1": 1e9, "m2": 0.5e9, "steel": 210e9}  # Pa
DENSITY = {"m1": 2500, "m2": 2000, "steel": 7200}  # kg/m^3

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
    if path.suffix == ".h5":
        import h5py

        with h5py.File(path, "r") as run:
            return [dict(zip("xyz", map(float, place))) for place in run["particles/all/position/value"][-1]]
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return [{name.rsplit("_", 1)[0]: float(cell) * UNITS["_" + name.rsplit("_", 1)[1]] for name, cell in row.items()} for row in rows]


def write_particles(path, rows, radius):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write("x_m,y_m,z_m,radius_m\n")
        out.writelines(f"{row['x']:.9f},{row['y']:.9f},{row['z']:.9f},{row.get('radius', radius):.6g}\n" for row in rows)


def materials(names, soften):
    """[material.NAME]; the moduli of M1 and M2 are divided by `soften`."""
    return "\n".join(
        f"[material.{name}]\nyoungs_modulus = {YOUNGS_MODULUS[name] / (1 if name == 'steel' else soften):<9g} # Pa\n"
        f"poisson_ratio  = 0.2\ndensity        = {DENSITY[name]:<9} # kg/m^3\n"
        for name in names
    )


def law(first, second, names):
    """[law], [friction] and [[pair]]: Hertz and Tsuji with constant restitution, Mindlin with Coulomb's limit."""
    default = PAIRS[first, second]
    text = f'[law]\nname        = "tsuji"\nrestitution = {default[0]}\n\n[friction]\nlaw         = "mindlin"\ncoefficient = {default[1]}\n'
    for pair, (restitution, friction) in PAIRS.items():
        if pair != (first, second) and set(pair) <= set(names):
            text += f"\n[[pair]]\nmaterials = {list(pair)}\nlaw       = {{ restitution = {restitution} }}\n".replace("'", '"')
            text += f"friction  = {{ coefficient = {friction} }}\n"
    return text


def plane(point, normal):
    return f'[[wall]]\npoint    = {point}\nnormal   = {normal}\nmaterial = "steel"\n'


# The centres reach |x| = 0.048 m: the walls that hold the bed are at 0.049 m.
BOX, BOX_FLOOR = (0.049, 0.03), -0.090243  # half of its width and depth, z of its floor, m


def box_walls():
    x, y = BOX
    sides = [([-x, 0.0, 0.0], [1.0, 0.0, 0.0]), ([x, 0.0, 0.0], [-1.0, 0.0, 0.0]), ([0.0, -y, 0.0], [0.0, 1.0, 0.0]), ([0.0, y, 0.0], [0.0, -1.0, 0.0])]
    return "\n".join(plane(*side) for side in [*sides, ([0.0, 0.0, BOX_FLOOR], [0.0, 0.0, 1.0])])


def times(end, step, snapshots, energy, minutes):
    """[time], [snapshots], [energy] and [checkpoint]; intervals in s, that of checkpoints in minutes."""
    return f"""\
[time]
end  = {end:.9g}  # s
step = {step}

[snapshots]
interval = {snapshots}

[energy]
interval = {energy}

[checkpoint]
wall_interval = "{minutes} min"
"""


def impact(rows, folder, step, soften, flight):
    write_particles(folder / "bed.csv", rows, BED_RADIUS)
    height, speed = 0.06 - 5.0 * flight - 0.5 * 9.8 * flight**2, -5.0 - 9.8 * flight
    return f"""\
# Dosta et al. 2024, case 3: a steel ball of 20 mm falls at 5 m/s on {len(rows)} spheres of 2 mm in a box of steel.
title = "Impact on a bed, Dosta et al. 2024"

{materials(["m1", "steel"], soften)}
[[particles]]            # 0: the ball, particle 0
position = [0.0, 0.0, {height:.9g}]  # m
radius   = 10e-3
material = "steel"
velocity = [0.0, 0.0, {speed:.9g}]  # m/s

[[particles]]            # 1: the bed
file     = "bed.csv"
material = "m1"

{box_walls()}
[gravity]
acceleration = [0.0, 0.0, -9.8]  # m/s^2

{law("m1", "m1", ["m1", "steel"])}
[sensors]
particles = [0]
interval  = 20e-6

{times(0.1 - flight, step, 5e-3, 1e-3, 5)}"""


def loose_bed(count):
    """Centres of spheres of 2 mm that touch nothing: a cubic lattice over the whole box, each moved at random."""
    at_random = random.Random(1)
    pitch, shift = 2.3e-3, 0.14e-3
    x, y = (int((2.0 * half - 2.0 * BED_RADIUS - 2.0 * shift) / pitch) + 1 for half in BOX)
    centres = []
    while len(centres) < count:
        layer = len(centres) // (x * y)
        for i in range(x * y):
            place = ((i % x - 0.5 * (x - 1)) * pitch, (i // x - 0.5 * (y - 1)) * pitch, BOX_FLOOR + BED_RADIUS + shift + 1e-4 + layer * pitch)
            centres.append({axis: at + at_random.uniform(-shift, shift) for axis, at in zip("xyz", place)})
    return centres[:count]


def bed(rows, folder, step, soften):
    write_particles(folder / "loose.csv", rows, BED_RADIUS)
    return f"""\
# Dosta et al. 2024, case 3: {len(rows)} spheres of 2 mm fall into the box.
title = "Filling of the box, Dosta et al. 2024"

{materials(["m1", "steel"], soften)}
[[particles]]
file     = "loose.csv"
material = "m1"

{box_walls()}
[gravity]
acceleration = [0.0, 0.0, -9.8]  # m/s^2

{law("m1", "m1", ["m1", "steel"])}
{times(0.35, step, 0.05, 0.01, 2)}"""


def drum(rows, folder, step, soften):
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

{materials(["m1", "m2", "steel"], soften)}
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
{times(5.0, step, 0.1, 0.01, 5)}"""


def loose_spheres(count):
    """Centres of spheres of 4 mm that touch nothing: a cubic lattice, each moved at random, in the hopper and above."""
    at_random = random.Random(1)
    radius, pitch, shift = 2 * BED_RADIUS, 4.6e-3, 0.29e-3
    columns = range(-int(SILO / pitch) - 1, int(SILO / pitch) + 2)
    centres, layer = [], 0
    while len(centres) < count:
        z = ORIFICE_HEIGHT + radius + shift + 1e-4 + layer * pitch
        layer += 1
        # The cone has 45 degrees: tan(22.5 degrees) of the radius further inside it is touched.
        in_cone = ORIFICE + (z - shift - ORIFICE_HEIGHT) - radius * (math.sqrt(2.0) - 1.0)
        widest = min(SILO, in_cone) if z < SILO_BOTTOM + radius else SILO
        for x in columns:
            for y in columns:
                if math.hypot(x * pitch, y * pitch) + radius + 1.5 * shift < widest:
                    moved = [at_random.uniform(-shift, shift) for _ in range(3)]
                    centres.append({"x": x * pitch + moved[0], "y": y * pitch + moved[1], "z": z + moved[2]})
    return centres[:count]


def silo_scenario(file, step, soften, end, outlet):
    return f"""\
{materials(["m1", "steel"], soften)}
[[particles]]
file     = "{file}"
material = "m1"

[[wall]]                 # 0: the cylinder
shape    = "cylinder"
point    = [0.0, 0.0, {SILO_BOTTOM}]
axis     = [0.0, 0.0, 1.0]
radius   = {SILO}
length   = {SILO_LENGTH}
material = "steel"

[[wall]]                 # 1: the hopper
shape      = "cone"
point      = [0.0, 0.0, {ORIFICE_HEIGHT}]
axis       = [0.0, 0.0, 1.0]
radius     = {ORIFICE}
end_radius = {SILO}
length     = {SILO_BOTTOM - ORIFICE_HEIGHT:.9g}
material   = "steel"

{outlet}
[gravity]
acceleration = [0.0, 0.0, -9.8]  # m/s^2

{law("m1", "m1", ["m1", "steel"])}
{times(end, step, 0.1, 0.01, 2)}"""


def fill(rows, folder, step, soften):
    write_particles(folder / "loose.csv", rows, 2 * BED_RADIUS)
    shut = f"""\
[[wall]]                 # 2: the orifice, shut
shape    = "disc"
point    = [0.0, 0.0, {ORIFICE_HEIGHT}]
normal   = [0.0, 0.0, 1.0]
radius   = {ORIFICE}
material = "steel"
"""
    head = f"# Dosta et al. 2024, case 1: {len(rows)} spheres of 4 mm fall into the silo.\ntitle = \"Filling of the silo, Dosta et al. 2024\"\n\n"
    return head + silo_scenario("loose.csv", step, soften, 0.3, shut)


def silo(history, folder, step, soften):
    import h5py

    with h5py.File(history, "r") as run:
        group = run["particles/all"]
        columns = [group["radius"][...][:, None]]
        columns = [group["position/value"][-1], *columns, group["velocity/value"][-1], group["angular_velocity/value"][-1]]
    names = ["x_m", "y_m", "z_m", "radius_m"] + [f"v{axis}_m_per_s" for axis in "xyz"] + [f"w{axis}_rad_per_s" for axis in "xyz"]
    count = len(columns[0])
    with open(folder / "filled.csv", "w", encoding="utf-8", newline="\n") as out:
        out.write(",".join(names) + "\n")
        for row in zip(*columns):
            out.write(",".join(f"{number:.12g}" for part in row for number in part) + "\n")
    way_out = f"""\
[[exit]]                 # below the orifice
point  = [0.0, 0.0, {ORIFICE_HEIGHT - EXIT_DEPTH:.9g}]
normal = [0.0, 0.0, 1.0]
"""
    head = f"# Dosta et al. 2024, case 1: {count} spheres of 4 mm leave a silo by an orifice of 60 mm.\ntitle = \"Silo, Dosta et al. 2024\"\n\n"
    return head + silo_scenario("filled.csv", step, soften, 5.0, way_out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", choices=["impact", "bed", "drum", "fill", "silo"])
    parser.add_argument("start", type=Path, nargs="?", help="impact, drum: the list of centres; silo, perhaps impact: the history of the filling")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--step", type=float, help="time step in s (default: that of the paper for impact and drum, 5e-7 and 8e-7; 4e-5 for the silo, 1e-5 for bed)")
    parser.add_argument("--flight", type=float, default=0.0, help="impact: start after so many seconds of free flight; the ball arrives after 0.0206 s")
    parser.add_argument("--soften", type=float, help="divide the moduli of M1 and M2 by this (default: 1, silo and fill 100, bed 10)")
    parser.add_argument("--spheres", type=int, default=100_000, help="fill, bed: their number")
    arguments = parser.parse_args()
    if (arguments.start is None) != (arguments.case in ("fill", "bed")):
        parser.error("fill and bed take a folder, the other cases a file and a folder")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    folder = arguments.folder
    step = arguments.step or {"impact": 5e-7, "drum": 8e-7, "bed": 1e-5}.get(arguments.case, 4e-5)
    soften = arguments.soften or {"fill": 100.0, "silo": 100.0, "bed": 10.0}.get(arguments.case, 1.0)
    if arguments.case == "impact":
        text = impact(read_centres(arguments.start), folder, step, soften, arguments.flight)
    elif arguments.case == "drum":
        text = drum(read_centres(arguments.start), folder, step, soften)
    elif arguments.case == "bed":
        text = bed(loose_bed(arguments.spheres), folder, step, soften)
    elif arguments.case == "fill":
        text = fill(loose_spheres(arguments.spheres), folder, step, soften)
    else:
        text = silo(arguments.start, folder, step, soften)
    (folder / f"{arguments.case}.toml").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
