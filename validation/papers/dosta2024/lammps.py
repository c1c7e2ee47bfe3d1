#!/usr/bin/env python3
"""Input of LAMMPS for the scenarios that scenarios.py wrote: the same spheres, walls, contact law and step.

    lammps.py impact FOLDER STEPS           # writes FOLDER/impact.data and FOLDER/impact.lmp
    lammps.py drum FOLDER STEPS             # the same for the drum
    lammps.py ... --step S --skin M

`lmp -in impact.lmp` then prints the z of the ball, `lmp -in drum.lmp` the kinetic energy and the centre of mass of M1; both write the
places at the end to CASE.dump. Contacts: granular hertz/material with the damping of Tsuji and mindlin_rescale/force, whose
tangential force follows the overlap as that of `mindlin` does. LAMMPS takes one material per pair: its modulus is chosen so that the
effective one is that of the two materials; all have one Poisson's ratio, so that the tangential one is right, too. LAMMPS's
restitution is the one whose damping is that of `tsuji`.
"""

import argparse
import csv
import math
import tomllib
from pathlib import Path

STEEL = "steel"


def modulus_of_pair(first, second):
    """Young's modulus of a material that has with itself the effective modulus of these two."""
    return 2.0 / (1.0 / first["youngs_modulus"] + 1.0 / second["youngs_modulus"])


def restitution_for_lammps(restitution):
    """The number with which LAMMPS has the dashpot that returns `restitution`: its polynomial alpha(e) of 1992 belongs to another mass."""
    log = math.log(restitution)
    alpha = -math.sqrt(5.0) * log / math.sqrt(math.pi**2 + log**2)
    low, high = 0.0, 1.0
    for _ in range(60):
        e = 0.5 * (low + high)
        polynomial = 1.2728 - 4.2783 * e + 11.087 * e**2 - 22.348 * e**3 + 27.467 * e**4 - 18.022 * e**5 + 4.8218 * e**6
        low, high = (e, high) if polynomial > alpha else (low, e)
    return low


class Contacts:
    def __init__(self, scenario):
        self.scenario = scenario
        self.default = (scenario["law"]["restitution"], scenario["friction"]["coefficient"])
        self.pairs = {frozenset(p["materials"]): (p["law"]["restitution"], p["friction"]["coefficient"]) for p in scenario.get("pair", [])}

    def text(self, first, second):
        restitution, friction = self.pairs.get(frozenset((first, second)), self.default)
        materials = self.scenario["material"]
        modulus = modulus_of_pair(materials[first], materials[second])
        ratio = materials[first]["poisson_ratio"]
        return f"hertz/material {modulus:.10g} {restitution_for_lammps(restitution):.8g} {ratio} tangential mindlin_rescale/force NULL 0.0 {friction} damping tsuji"


def spheres(group, folder):
    if "position" in group:
        return [(*group["position"], group["radius"], *group["velocity"])]
    with open(folder / group["file"], encoding="utf-8", newline="") as lines:
        return [(*(float(row[name]) for name in ("x_m", "y_m", "z_m", "radius_m")), 0.0, 0.0, 0.0) for row in csv.DictReader(lines)]


def write_data(path, scenario, folder, types, box):
    rows = [(types[group["material"]], scenario["material"][group["material"]]["density"], each) for group in scenario["particles"] for each in spheres(group, folder)]
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write(f"spheres\n\n{len(rows)} atoms\n{len(types)} atom types\n\n")
        out.writelines(f"{low} {high} {axis}lo {axis}hi\n" for (low, high), axis in zip(box, "xyz"))
        out.write("\nAtoms # sphere\n\n")
        out.writelines(f"{n} {kind} {2 * r:.12g} {density} {x:.12g} {y:.12g} {z:.12g}\n" for n, (kind, density, (x, y, z, r, *_)) in enumerate(rows, 1))
        out.write("\nVelocities\n\n")
        out.writelines(f"{n} {vx:.12g} {vy:.12g} {vz:.12g} 0 0 0\n" for n, (_, _, (*_, vx, vy, vz)) in enumerate(rows, 1))


def planes(contacts, name, box):
    """The planes of the box that act on the material `name`."""
    (xlow, xhigh), (ylow, yhigh), (zlow, _) = box
    text = ""
    for axis, low, high in (("x", xlow, xhigh), ("y", ylow, yhigh), ("z", zlow, "NULL")):
        text += f"fix {name}_{axis} {name} wall/gran granular {contacts.text(name, STEEL)} {axis}plane {low} {high}\n"
    return text


def drum_walls(contacts, name):
    return f"fix {name}_drum {name} wall/gran/region granular {contacts.text(name, STEEL)} region drum\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", choices=["impact", "drum"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("steps", type=int)
    parser.add_argument("--step", type=float, help="time step in s (default: that of the scenario)")
    parser.add_argument("--skin", type=float, default=3e-4, help="of the neighbour list in m")
    arguments = parser.parse_args()
    folder, case = arguments.folder, arguments.case
    with open(folder / f"{case}.toml", "rb") as file:
        scenario = tomllib.load(file)
    names = list(dict.fromkeys(group["material"] for group in scenario["particles"]))
    types = {name: number for number, name in enumerate(names, 1)}
    contacts = Contacts(scenario)
    if case == "impact":
        wall = scenario["wall"]
        inner = [(wall[0]["point"][0], wall[1]["point"][0]), (wall[2]["point"][1], wall[3]["point"][1]), (wall[4]["point"][2], 0.2)]
        walls = "".join(planes(contacts, name, inner) for name in names)
        output = "variable ball equal xcm(steel,z)\nvariable speed equal vcm(steel,z)\nthermo_style custom step time ke v_ball v_speed\n"
    else:
        inner = [(-0.1, 0.1), (-0.03, 0.03), (-0.1, 0.1)]
        turn = scenario["wall"][0]["angular_velocity"]
        walls = f"variable turn equal {turn}*time\nregion drum cylinder y 0.0 0.0 0.1 -0.03 0.03 rotate v_turn 0.0 0.0 0.0 0.0 1.0 0.0\n"
        walls += "".join(drum_walls(contacts, name) for name in names)
        output = "variable x equal xcm(m1,x)\nvariable z equal xcm(m1,z)\nthermo_style custom step time ke v_x v_z\n"
    margin = 0.002  # m, of the simulation box around the walls
    write_data(folder / f"{case}.data", scenario, folder, types, [(low - margin, high + margin) for low, high in inner])
    pairs = "".join(f"pair_coeff {types[a]} {types[b]} {contacts.text(a, b)}\n" for i, a in enumerate(names) for b in names[i:])
    gravity = -scenario["gravity"]["acceleration"][2]
    text = f"""\
units si
atom_style sphere
boundary f f f
newton off
neighbor {arguments.skin} multi
comm_modify vel yes mode multi
neigh_modify delay 0 every 5 check yes
read_data {case}.data
{"".join(f"group {name} type {number}{chr(10)}" for name, number in types.items())}
pair_style granular
{pairs}
fix move all nve/sphere
fix gravity all gravity {gravity} vector 0 0 -1
{walls}
timestep {arguments.step or scenario["time"]["step"]}
{output}thermo_modify lost ignore format float %.10g
thermo {max(arguments.steps // 5, 1)}
run {arguments.steps}
write_dump all custom {case}.dump id type x y z modify sort id format float %.10g
"""
    (folder / f"{case}.lmp").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
