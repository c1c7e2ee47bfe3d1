"""Which twenty beads of one total mass protect a wall best? Uniform, tapered, decorated and random chains beside a design.

A striker hits twenty beads, behind which are forty steel beads and a wall (design_protection_chain.toml). Radii and Young's moduli of the twenty may vary, their
total mass may not. The script prints the largest force on the wall for the best chain of each family, and draws protection.png.

    python3 protection_study.py                 10,000 random chains and 12 starts of the search
    BEADWAVE_SHORT=1 python3 protection_study.py    a few of each, without the picture
"""
import importlib.util
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import beadwave as bw

HERE = Path(__file__).resolve().parent
SHORT = "BEADWAVE_SHORT" in os.environ  # for the tests
RANDOM, STARTS, EVALUATIONS, GRID = (20, 2, 10, 3) if SHORT else (10_000, 12, 600, 21)
COUNT, BEHIND, RADIUS, DENSITY, STEEL = 20, 40, 5e-3, 7800.0, 193e9  # m, kg/m^3, Pa
LOW, HIGH, SOFT = 3e-3, 8e-3, 10e9  # m, Pa
MODULI = np.geomspace(SOFT, STEEL, 3 if SHORT else 7)


def chain(radius: Any, modulus: Any, end: float = 6e-3) -> bw.Chain:
    """The chain with these twenty beads [m, Pa], up to `end` [s]."""
    radii = np.concatenate([[RADIUS], radius, np.full(BEHIND, RADIUS)])
    moduli = np.concatenate([[STEEL], modulus, np.full(BEHIND, STEEL)])
    beads = len(radii)
    return bw.Chain(radius=radii, mass=DENSITY * 4 / 3 * np.pi * radii**3, velocity=[1.0] + (beads - 1) * [0.0], gap=[np.inf] + beads * [0.0],
                    material={"youngs_modulus": moduli, "poisson_ratio": 0.3}, law="hertz", time={"end": end, "step": 0.25e-6},
                    snapshots={"interval": 2e-6})


def wall_force(radius: Any, modulus: Any, end: float = 6e-3) -> tuple[Any, Any]:
    """Time [s] and force on the wall [N], every 2 us."""
    run = chain(radius, modulus, end).run(threads=1)
    return run["snapshot_time"], run["contact_force"][:, -1]


def largest(design: tuple[Any, Any], end: float = 6e-3) -> float:
    return float(wall_force(*design, end)[1].max())


def of_mass(radius: Any) -> Any:
    """The same proportions with the total mass of twenty beads of 5 mm; None if a radius is out of range."""
    scaled = radius * np.cbrt(COUNT * RADIUS**3 / np.sum(radius**3))
    return scaled if scaled.min() >= LOW * (1 - 1e-12) and scaled.max() <= HIGH * (1 + 1e-12) else None


def with_moduli(shapes: list[Any]) -> list[tuple[Any, Any]]:
    """Each of the shapes that are allowed, from each modulus."""
    allowed = [scaled for scaled in map(of_mass, shapes) if scaled is not None]
    return [(radius, np.full(COUNT, modulus)) for radius in allowed for modulus in MODULI]


def random_chains(count: int) -> list[tuple[Any, Any]]:
    generator = np.random.default_rng(1)
    found: list[tuple[Any, Any]] = []
    while len(found) < count:
        radius = of_mass(generator.uniform(LOW, HIGH, COUNT))
        if radius is not None:
            found.append((radius, np.exp(generator.uniform(np.log(SOFT), np.log(STEEL), COUNT))))
    return found


bead = np.arange(COUNT)
FAMILIES: dict[str, list[tuple[Any, Any]]] = {
    "uniform, steel": [(np.full(COUNT, RADIUS), np.full(COUNT, STEEL))],
    "uniform, best modulus": with_moduli([np.ones(COUNT)]),
    "tapered, best": with_moduli([(1 - q) ** bead for q in np.linspace(-0.05, 0.05, GRID)]),
    "decorated, best": with_moduli([np.where(bead % 2 == phase, 1.0, ratio) for ratio in np.linspace(0.375, 1, GRID) for phase in (0, 1)]),
    "tapered and decorated, best": with_moduli([np.where(bead % 2 == phase, 1.0, ratio) * (1 - q) ** bead for ratio in np.linspace(0.375, 1, GRID)
                                                for phase in (0, 1) for q in np.linspace(-0.05, 0.05, 3 if SHORT else 11)]),
    f"random, best of {RANDOM}": random_chains(RANDOM),
}
best: dict[str, tuple[float, tuple[Any, Any]]] = {}
print(f"{'twenty beads':<30}{'chains':>8}{'largest force [N]':>20}{'minutes':>9}")


def row(name: str, count: int, force: float, design: tuple[Any, Any], began: float) -> None:
    best[name] = (force, design)
    print(f"{name:<30}{count:>8}{force:>20.1f}{(time.perf_counter() - began) / 60:>9.2f}", flush=True)


for family, designs in FAMILIES.items():
    start = time.perf_counter()
    with ThreadPoolExecutor() as pool:
        forces = list(pool.map(largest, designs))
    row(family, len(designs), min(forces), designs[int(np.argmin(forces))], start)

start = time.perf_counter()
found = bw.design(HERE / "design_protection.toml", {"design.starts": STARTS, "design.evaluations": EVALUATIONS})
radii, moduli = (variable["values"] for variable in found.variables)
row(f"design, {STARTS} starts", len(found.history["value"]), largest((radii, moduli)), (radii, moduli), start)
print("smooth peak that each start of the search ends with:", " ".join(f"{one['value']:.1f}" for one in found.json["starts"]))

# Nothing larger arrives later, and the mass is that of the others.
later = largest((radii, moduli), 4 * 6e-3)
print(f"largest force of the design in four times the time: {later:.1f} N; mass {DENSITY * 4 / 3 * np.pi * np.sum(radii**3) * 1e3:.4f} g of "
      f"{DENSITY * 4 / 3 * np.pi * COUNT * RADIUS**3 * 1e3:.4f} g")

if not SHORT and importlib.util.find_spec("matplotlib"):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, 2, figsize=(11, 4), constrained_layout=True)
    for name, (force, design) in best.items():
        if name.startswith(("uniform, best", "tapered, ", "decorated")):
            continue  # as in the table; the picture shows what is before and after them
        times, forces = wall_force(*design)
        axes[0].plot(1e3 * times, np.maximum(forces, 1e-3), lw=1.2, label=f"{name}: {force:.0f} N")
    axes[0].set(xlabel="time [ms]", ylabel="force on the wall [N]", xlim=(0.7, 3.6), yscale="log", ylim=(1, 3000))
    axes[0].legend(fontsize=8, loc="upper right")
    axes[1].bar(bead + 1, 1e3 * radii, color="0.78")
    axes[1].set(xlabel="bead of the design", ylabel="radius [mm] (bars)", xticks=bead + 1)
    axes[1].tick_params(axis="x", labelsize=8)
    right = axes[1].twinx()
    right.plot(bead + 1, 1e-9 * moduli, "o-", color="C3", lw=1)
    right.set(ylabel="Young's modulus [GPa] (line)", yscale="log", ylim=(5, 300))
    figure.savefig("protection.png", dpi=100)
