#!/usr/bin/env python3
"""Flows beside LAMMPS: flows.py BEADWAVE [--flows NAME ...] [--spheres N] [--rounds N] [--threads N] [--processor-time]

Flows of spheres from one initial state: a chute over a rough base, a drum that turns, a silo that empties, a
sheared periodic box, a ball that strikes a bed; and sheared boxes of many sizes: of radii from 1 to 10 with as much volume from any radius to its
double (sizes10), and of 1 to 30 with as many spheres there (sizes30). beadwave makes the state and exports it; then both programs take the same steps in turn, with
`tsuji` and Mindlin's friction (LAMMPS: `granular`, hertz/material, tsuji, mindlin_rescale/force) or without friction.
A time is that of all steps minus that of a tenth of them, so reading and the start do not count. LAMMPS gets the
fastest of four skins, of six with and without cells of their own for each size where there are many, and its ranks are side by side, not above each other, where spheres lie on the ground. `--processor-time` is for machines that other programs share. A row has the largest difference of the mean kinetic energy.

`--instructions` counts the instructions of both programs' steps in place of their times, with valgrind on AVX2: these do not depend on what
else the machine does. Then LAMMPS gets the skin with the fewest, and `--rounds` has no effect. `--against-ranks` compares threads with ranks.
"""
import argparse
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from spread import spread

RADIUS, DENSITY, MODULUS, POISSON, RESTITUTION, FRICTION = 1e-3, 2500.0, 1e7, 0.3, 0.6, 0.5
STEP, GRAVITY = 4e-6, 9.81
SKINS = (0.1, 0.2, 0.4, 0.7)  # in radii, per pair
WIDER_SKINS = (1.0, 1.5)  # in the smallest of many radii


@dataclasses.dataclass
class Flow:
    bed: str  # the particles of the preparation, as tables of a scenario
    walls: str  # tables of both scenarios
    lammps: str  # its walls, box and motions; WALL stands for the contact with a wall
    settle: float  # s, of the preparation
    box: str = ""  # of LAMMPS
    boundary: str = "f f f"
    tables: str = ""  # of the flow alone
    gravity: tuple = (0.0, 0.0, -GRAVITY)  # m/s^2, of the flow
    settling: tuple = (0.0, 0.0, -GRAVITY)  # m/s^2, of the preparation
    shear: float = 0.0  # 1/s, of the box: its affine motion has no part in the energy
    modulus: float = MODULUS
    step: float = STEP
    sizes: list = dataclasses.field(default_factory=list)  # rows of sizes.csv


def plane(point, normal):
    return f'[[wall]]\npoint = {list(point)}\nnormal = {list(normal)}\nmaterial = "grain"\n'


def grains(spheres, lower, upper):
    return f'[[particles]]\nrandom = {spheres}\nlower = {list(lower)}\nupper = {list(upper)}\nradius = {RADIUS}\ndisorder = 0.05\nseed = 1\nmaterial = "grain"\n'


def sizes_of(ratio, slope):
    """Rows of radius and fraction from RADIUS to `ratio` times that, with numbers as the power `slope` of the radius; volume over that of spheres of RADIUS."""
    rising = slope + 1.0
    steps = [ratio ** (k / 100) for k in range(101)]
    fractions = [math.log(step) / math.log(ratio) if rising == 0.0 else (1.0 - step**rising) / (1.0 - ratio**rising) for step in steps]
    volume = sum((below - above) * (a + b) * (a * a + b * b) / 4 for a, b, above, below in zip(steps, steps[1:], fractions, fractions[1:]))
    return [(RADIUS * step, fraction) for step, fraction in zip(steps, fractions)], volume


def sized_grains(spheres, lower, upper):
    return (f'[[particles]]\nrandom = {spheres}\nlower = {list(lower)}\nupper = {list(upper)}\nradii = {{ law = "table", file = "sizes.csv" }}\n'
            'seed = 1\nmaterial = "grain"\n')


def fixed_layer(columns, rows, origin):
    return f'[[particles]]\nlattice = "simple-cubic"\ncells = [{columns}, {rows}, 1]\norigin = {list(origin)}\nradius = {RADIUS}\nmaterial = "base"\nfixed = true\n'


def side_of(spheres, layers):
    """Edge in m of a square on which so many spheres lie `layers` deep, an even number of diameters."""
    return 4 * RADIUS * round(math.sqrt(spheres / layers) / 2)


def height_of(spheres, area, fraction):
    return spheres * 4 / 3 * math.pi * RADIUS**3 / (fraction * area)


def chute(spheres):
    edge = side_of(spheres, 20)
    cells = round(edge / (2 * RADIUS))
    low = 4 * RADIUS
    top = low + height_of(spheres, edge * edge, 0.3)
    tilt = math.radians(26)
    periodic = f"[box]\nlower = [0, 0, -0.01]\nupper = [{edge}, {edge}, {top + 0.1}]\nperiodic = [true, true, false]\n"
    return Flow(bed=grains(spheres, (0, 0, low), (edge, edge, top)) + fixed_layer(cells, cells, (RADIUS, RADIUS, RADIUS)), walls=periodic, lammps="",
                settle=0.12, box=f"0 {edge} 0 {edge} -0.01 {top + 0.1}", boundary="p p f",
                gravity=(GRAVITY * math.sin(tilt), 0.0, -GRAVITY * math.cos(tilt)))


def drum(spheres):
    width = 20 * RADIUS
    radius = math.sqrt(height_of(spheres, width, 0.34))
    turn = 3.0
    half = radius / math.sqrt(2) * 0.98
    walls = (f'[[wall]]\nshape = "cylinder"\npoint = [0, 0, 0]\naxis = [0, 1, 0]\nradius = {radius}\nmaterial = "grain"\nangular_velocity = {turn}\n'
             + plane((0, 0, 0), (0, 1, 0)) + plane((0, width, 0), (0, -1, 0)))
    lammps = (f"variable turn equal {turn}*time\nregion drum cylinder y 0 0 {radius} INF INF rotate v_turn 0 0 0 0 1 0\n"
              f"fix drum all wall/gran/region granular WALL region drum\nfix ends all wall/gran granular WALL yplane 0 {width}\n")
    return Flow(bed=grains(spheres, (-half, 0, -half), (half, width, half)), walls=walls, lammps=lammps, settle=0.4,
                box=f"{-radius - RADIUS} {radius + RADIUS} {-RADIUS} {width + RADIUS} {-radius - RADIUS} {radius + RADIUS}")


def closed_box(edge):
    walls = plane((0, 0, 0), (1, 0, 0)) + plane((edge, 0, 0), (-1, 0, 0)) + plane((0, 0, 0), (0, 1, 0)) + plane((0, edge, 0), (0, -1, 0))
    return walls, f"fix x all wall/gran granular WALL xplane 0 {edge}\nfix y all wall/gran granular WALL yplane 0 {edge}\n"


def silo(spheres):
    edge = side_of(spheres, 40)
    cells = round(edge / (2 * RADIUS))
    opening = 8  # diameters
    left = (cells - opening) // 2
    right = cells - opening - left
    floor = "".join(fixed_layer(columns, rows, ((2 * i + 1) * RADIUS, (2 * j + 1) * RADIUS, -RADIUS)) for columns, rows, i, j in (
        (cells, left, 0, 0), (cells, right, 0, cells - right), (left, opening, 0, left), (right, opening, cells - right, left)))
    top = 2 * RADIUS + height_of(spheres, edge * edge, 0.3)
    walls, lammps = closed_box(edge)
    lid = plane((0, 0, 0), (0, 0, 1))
    low = -0.02
    return Flow(bed=grains(spheres, (0, 0, 2 * RADIUS), (edge, edge, top)) + floor + lid, walls=walls, lammps=lammps, settle=0.2,
                tables=f"[[exit]]\npoint = [0, 0, {low}]\nnormal = [0, 0, 1]\n", box=f"{-RADIUS} {edge + RADIUS} {-RADIUS} {edge + RADIUS} {low} {top}")


def sheared_box(bed, loose, edge, rate, settle):
    def box(size):
        return f"[box]\nlower = [0, 0, 0]\nupper = [{size}, {size}, {size}]\nperiodic = [true, true, true]\n"

    lammps = f"change_box all triclinic\nfix shear all deform 1 xy erate {rate} remap v flip yes\n"
    return Flow(bed=bed((0, 0, 0), (loose, loose, loose)) + box(loose) + f"strain_rate = {[(edge / loose - 1) / settle] * 3}\n",
                walls="", tables=box(edge) + f"shear_rate = [{rate}, 0, 0]\n", lammps=lammps, settle=settle, box=f"0 {edge} 0 {edge} 0 {edge}",
                boundary="p p p", gravity=(0, 0, 0), settling=(0, 0, 0), shear=rate)


def shear(spheres):
    loose, edge = (height_of(spheres, 1.0, fraction) ** (1 / 3) for fraction in (0.3, 0.56))
    return sheared_box(lambda lower, upper: grains(spheres, lower, upper), loose, edge, 20.0, 0.05)


def sheared_sizes(spheres, ratio, slope, dense, rate):
    """Spheres of radii from RADIUS to `ratio` times that; with 10 times the modulus and half the step, small ones between large ones are resolved."""
    sizes, volume = sizes_of(ratio, slope)
    loose, edge = (height_of(spheres * volume, 1.0, fraction) ** (1 / 3) for fraction in (0.4, dense))
    flow = sheared_box(lambda lower, upper: sized_grains(spheres, lower, upper), loose, edge, rate, 0.1)
    return dataclasses.replace(flow, sizes=sizes, modulus=10 * MODULUS, step=STEP / 2)


def impact(spheres):
    edge = side_of(spheres, 25)
    top = height_of(spheres, edge * edge, 0.3)
    surface = height_of(spheres, edge * edge, 0.5)
    walls, lammps = closed_box(edge)
    ball = f'[[particles]]\nposition = [{edge / 2}, {edge / 2}, {surface + 12 * RADIUS}]\nradius = {10 * RADIUS}\nvelocity = [0, 0, -3]\nmaterial = "ball"\n'
    return Flow(bed=grains(spheres, (0, 0, 0), (edge, edge, top)), walls=walls + plane((0, 0, 0), (0, 0, 1)), lammps=lammps + "fix z all wall/gran granular WALL zplane 0 NULL\n",
                settle=0.2, tables=ball, box=f"{-RADIUS} {edge + RADIUS} {-RADIUS} {edge + RADIUS} {-RADIUS} {top + 0.1}")


FLOWS = {"chute": chute, "drum": drum, "silo": silo, "shear": shear, "impact": impact, "sizes10": lambda spheres: sheared_sizes(spheres, 10.0, -4.0, 0.62, 10.0),
         "sizes30": lambda spheres: sheared_sizes(spheres, 30.0, -1.0, 0.55, 2.0)}


def scenario(flow, particles, walls, gravity, friction, steps):
    end = steps * flow.step
    text = f"[time]\nend = {end!r}\nstep = {flow.step}\n[energy]\ninterval = {end!r}\n[snapshots]\ninterval = {end!r}\n"
    text += "".join(f"[material.{name}]\nyoungs_modulus = {flow.modulus}\npoisson_ratio = {POISSON}\ndensity = {DENSITY}\n"
                    for name in ("grain", "base", "ball") if f'"{name}"' in particles + walls)
    text += f'[law]\nname = "tsuji"\nrestitution = {RESTITUTION}\n[gravity]\nacceleration = {list(gravity)}\n'
    if friction:
        text += f'[friction]\nlaw = "mindlin"\ncoefficient = {FRICTION}\n'
    return text + particles + walls


def lammps_restitution(beadwave):
    """The number with which LAMMPS of 2021 has the dashpot that returns RESTITUTION."""
    words = [beadwave, "laws", "tsuji", "--for", "lammps", "--set", f"law.restitution={RESTITUTION}", "--json"]
    models = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)["other_models"]
    model = next(model for model in models if model["model"].endswith("damping tsuji, without the factor sqrt(2)"))
    return next(each["value"] for each in model["parameters"] if each["key"] == "e")


def neighbouring(flow, names):
    """What LAMMPS may do about neighbours, the fastest of which counts: the skin in radii, and lines of its input."""
    if not flow.sizes:
        styles = {"multi": " mode multi"} if "ball" in names else {"bin": ""}
        return [(skin, f"neighbor {2 * skin * RADIUS} {style}\ncomm_modify vel yes{mode}\n") for skin in SKINS for style, mode in styles.items()]
    halves = math.ceil(math.log2(flow.sizes[-1][0] / RADIUS))
    diameters = [2 * RADIUS * 2.0**k for k in range(1, halves)] + [2 * flow.sizes[-1][0] * 1.0001]
    by_size = f"neigh_modify collection/interval {len(diameters)} {' '.join(map(str, diameters))} one 10000 page 1000000\n"
    return [(skin, f"neighbor {2 * skin * RADIUS} {style}\n{lines}") for skin in SKINS + WIDER_SKINS
            for style, lines in (("multi", "comm_modify vel yes mode multi\n" + by_size), ("bin", "comm_modify vel yes\nneigh_modify one 10000 page 1000000\n"))]


def lammps_input(flow, names, friction, neighbours, steps, restitution):
    tangential = f" tangential mindlin_rescale/force NULL 0.0 {FRICTION}" if friction else " tangential linear_nohistory 0.0 0.0"
    contact = f"hertz/material {flow.modulus} {restitution:.8g} {POISSON}{tangential} damping tsuji"
    base = names.index("base") + 1 if "base" in names else 0
    still = f"group base type {base}\ngroup moving subtract all base\nneigh_modify exclude group base base\n" if base else "group moving union all\n"
    return f"""\
units si
atom_style sphere
boundary {flow.boundary}
newton off
{"" if flow.shear else "processors * * 1"}
{neighbours[1]}neigh_modify delay 0 every 1 check yes
read_data flow.data
{still}pair_style granular
pair_coeff * * {contact}
{flow.lammps.replace("WALL", contact)}fix move moving nve/sphere
fix gravity moving gravity {math.hypot(*flow.gravity)} vector {" ".join(str(g) for g in flow.gravity) if any(flow.gravity) else "0 0 -1"}
timestep {flow.step}
variable energy atom 0.5*mass*((vx-{flow.shear}*y)^2+vy^2+vz^2)
compute energy moving reduce sum v_energy
thermo_style custom step c_energy
thermo_modify lost ignore format float %.10g
thermo {steps}
run {steps}
"""


def launcher(ranks):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.restitution = arguments, folder, lammps_restitution(arguments.beadwave)

    def timed(self, command):
        """Seconds and standard output of a command."""
        start, before = time.monotonic(), os.times()
        done = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        after, wall = os.times(), time.monotonic() - start
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
        processor = after.children_user + after.children_system - before.children_user - before.children_system
        return (processor if self.arguments.processor_time else wall), done.stdout

    def counted(self, function, command):
        """Instructions of a command within a function, in those that it calls too; its standard output."""
        # glibc copies and fills long arrays with one instruction, which valgrind counts once per byte.
        tunables = ":".join(f"glibc.cpu.x86_rep_{each}_threshold=1000000000" for each in ("movsb", "stosb"))
        surroundings = os.environ | {"BEADWAVE_INSTRUCTION_SET": "avx2", "GLIBC_TUNABLES": tunables}
        words = ["valgrind", "--tool=callgrind", f"--toggle-collect={function}", "--callgrind-out-file=/dev/null", *command]
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=surroundings)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or found is None:
            sys.exit(f"{' '.join(words)}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
        return int(found[1]), done.stdout

    def beadwave(self, name, text, threads, ranks=1):
        (self.folder / f"{name}.toml").write_text(text, encoding="utf-8")
        command = [self.arguments.beadwave, "run", f"{name}.toml", "--overwrite", "--json", "--threads", str(threads)]
        if ranks > 1:
            command = [*launcher(ranks), *command]
        if self.arguments.instructions and name == "flow":
            cost, out = self.counted("beadwave::packing::FastPackingEngine::run(*", command)
        else:
            cost, out = self.timed(command)
        return cost, json.loads(out)

    def export(self, name):
        """The particles at the start (flow) or the end (bed) of a run as a file of LAMMPS; the names of its types."""
        self.timed([self.arguments.beadwave, "export", f"{name}.h5", "-o", f"{name}.data", "--overwrite", "--snapshot", "0" if name == "flow" else "-1"])
        return next(line for line in open(self.folder / f"{name}.data", encoding="utf-8") if "atom types" in line).split("#")[1].replace(",", " ").split()

    def wrap_bed(self, flow):
        """Puts all particles of the bed into the box: across a side that moves, LAMMPS would not change their velocities at the start."""
        edge, bed, head = float(flow.box.split()[1]), self.folder / "bed.data", ""
        lines = bed.read_text(encoding="utf-8").splitlines()
        for k, line in enumerate(lines):
            words = line.split()
            head = words[0] if line[:1].isalpha() else head
            if head == "Atoms" and len(words) >= 7 and words[0].isdigit():
                lines[k] = " ".join([*words[:4], *(repr(float(x) % edge) for x in words[4:7])])
        bed.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def lammps(self, flow, names, friction, neighbours, steps):
        (self.folder / "flow.in").write_text(lammps_input(flow, names, friction, neighbours, steps, self.restitution), encoding="utf-8")
        command = ["lmp", "-in", "flow.in", "-log", "none"]
        if self.arguments.instructions:
            cost, out = self.counted("LAMMPS_NS::Verlet::run(int)", command)
        else:
            cost, out = self.timed([*launcher(self.arguments.threads), *command])
        rows = [line.split() for line in out.splitlines() if line.split()[:1] == [str(steps)]]
        return cost, float(rows[-1][1])

    def run(self, name, friction):
        flow = FLOWS[name](self.arguments.spheres)
        threads, steps = self.arguments.threads, self.arguments.steps
        if flow.sizes:
            (self.folder / "sizes.csv").write_text("radius_m,fraction\n" + "".join(f"{radius:.9g},{fraction:.9g}\n" for radius, fraction in flow.sizes), encoding="utf-8")
        self.beadwave("bed", scenario(flow, flow.bed, flow.walls, flow.settling, True, round(flow.settle / flow.step)), os.cpu_count())
        groups = "".join(f'[[particles]]\nfile = "bed.data"\ntype = {kind}\nmaterial = "{material}"\n{"fixed = true" if material == "base" else ""}\n'
                         for kind, material in enumerate(self.export("bed"), 1))

        if flow.shear:
            self.wrap_bed(flow)

        def ours(count, on_ranks=False):
            text = scenario(flow, groups, flow.tables + flow.walls, flow.gravity, friction, count)
            return self.beadwave("flow", text, *((1, threads) if on_ranks else (threads, 1)))

        few = max(steps // 10, 1)
        if self.arguments.against_ranks:
            return self.print_ranks(name, friction, ours, few)
        ours(few)
        names = self.export("flow")
        data = self.folder / "flow.data"
        lines = data.read_text(encoding="utf-8").splitlines()
        edges = flow.box.split()
        bounds = {f"{a}lo": f"{edges[2 * i]} {edges[2 * i + 1]} {a}lo {a}hi" for i, a in enumerate("xyz")}
        lines = [next((bounds[key] for key in bounds if key in line), line) for line in lines]
        data.write_text("\n".join(line for line in lines if "xy xz yz" not in line) + "\n", encoding="utf-8")
        if self.arguments.instructions:
            self.print_counts(name, friction, ours(steps), min(self.lammps(flow, names, friction, each, steps)[0] for each in neighbouring(flow, names)))
            return
        skin = min(neighbouring(flow, names), key=lambda each: self.lammps(flow, names, friction, each, few)[0])
        rows = []
        for _ in range(self.arguments.rounds):
            short, (long, summary) = ours(few)[0], ours(steps)
            their_short, (their_long, energy) = self.lammps(flow, names, friction, skin, few)[0], self.lammps(flow, names, friction, skin, steps)
            rows.append((long - short, their_long - their_short, (their_long - their_short) / (long - short)))
        count = summary["particles"] * (steps - few)
        kinetic = summary["energy"]["translational"]
        print(f"| {name}, {'Mindlin' if friction else 'no friction'} | {summary['particles']} | {spread([count / row[0] / 1e6 for row in rows], '{:.2f}')} "
              f"| {spread([count / row[1] / 1e6 for row in rows], '{:.2f}')} | {spread([row[2] for row in rows], '{:.2f}')} "
              f"| {(steps - few) / max(summary['neighbour_list_builds'], 1):.0f} | {summary['contacts'] / summary['listed_pairs']:.2f} | {energy / kinetic - 1:+.1e} |", flush=True)

    def print_ranks(self, name, friction, ours, few):
        rows = []
        for _ in range(self.arguments.rounds):
            by_threads, by_ranks = (ours(self.arguments.steps, each)[0] - ours(few, each)[0] for each in (False, True))
            rows.append((by_threads, by_ranks))
        count = ours(few)[1]["particles"] * (self.arguments.steps - few)
        speeds = [spread([count / row[k] / 1e6 for row in rows], "{:.2f}") for k in (0, 1)]
        print(f"| {name}, {'Mindlin' if friction else 'no friction'} | {' | '.join(speeds)} | {spread([row[0] / row[1] for row in rows], '{:.2f}')} |", flush=True)

    def print_counts(self, name, friction, ours, theirs):
        count, summary = ours
        particles = summary["particles"]
        by_all = particles * self.arguments.steps
        print(f"| {name}, {'Mindlin' if friction else 'no friction'} | {particles} | {summary['listed_pairs'] / particles:.2f} | {summary['contacts'] / particles:.2f} "
              f"| {count / by_all:.0f} | {theirs / by_all:.0f} | {theirs / count:.2f} | {self.arguments.steps / max(summary['neighbour_list_builds'], 1):.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("beadwave", help="the program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--flows", nargs="+", choices=FLOWS, default=list(FLOWS))
    parser.add_argument("--friction", nargs="+", choices=["mindlin", "none"], default=["mindlin", "none"])
    parser.add_argument("--spheres", type=int, default=16000)
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--against-ranks", action="store_true", help="in place of LAMMPS beadwave itself, built with the preset mpi, on as many ranks as threads")
    parser.add_argument("--processor-time", action="store_true", help="seconds of the processor in place of those of the clock")
    parser.add_argument("--instructions", action="store_true", help="instructions in place of seconds, on one thread")
    arguments = parser.parse_args()
    if arguments.instructions:
        arguments.threads = 1
        print("| flow | particles | listed pairs per particle | touching | instructions per particle-step | LAMMPS | ratio | steps per list |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    elif arguments.against_ranks:
        print("| flow | threads, 1e6 particle-steps/s | as many ranks of one thread | ranks over threads |")
        print("| --- | --- | --- | --- |")
    else:
        print_head_of_times()
    for name in arguments.flows:
        for friction in arguments.friction:
            with tempfile.TemporaryDirectory() as folder:
                Bench(arguments, pathlib.Path(folder)).run(name, friction == "mindlin")


def print_head_of_times():
    print("| flow | particles | beadwave, 1e6 particle-steps/s | LAMMPS | ratio | steps per list | touching of listed pairs | kinetic energy of LAMMPS over beadwave's - 1 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")


if __name__ == "__main__":
    main()
