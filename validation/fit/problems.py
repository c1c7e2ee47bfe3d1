"""The problems of coverage.py: scenarios with known numbers, and what a laboratory does to their forces."""
from dataclasses import dataclass

import numpy as np

STEEL = """
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
density = 7970
"""
TAIL = """
[time]
end = {end}
step = {step}
[sensors]
{bodies} = {sensors}
interval = 2e-7
"""


def chain(law, segments, sensors=(4, 8, 12, 16), end=1.6e-4, more="", step=2e-8):
    """A chain of steel beads; `segments`: lines of each."""
    text = STEEL + "".join(f"[[segment]]\nradius = 2.38e-3\nmaterial = \"steel\"\n{lines}\n" for lines in segments)
    return text + f"[law]\n{law}\n{more}" + TAIL.format(end=end, bodies="beads", sensors=list(sensors), step=step)


MA_LIU = 'name = "ma-liu"\npsi = 2.7\nxi = 13'
STRUCK = ("beads = 1\nmass = 0.45e-3\nvelocity = 1.77", "beads = 20\nmass = 0.45e-3")
PSI, SPEED = ("law.psi", 2.7, 2, 4), ("segment.0.velocity", 1.77, 1.2, 2.5)


@dataclass
class Problem:
    name: str
    scenario: str
    free: tuple                        # (key, true value, low, high) of each
    spoil: object = None               # (time, force, random) -> (time, force): what was measured
    options: tuple = ()
    noise: float = 0.01                # relative to the largest force


def white(time, force, random, noise):
    return time, force + noise * random.standard_normal(force.shape)


def correlated(rho):
    def spoil(time, force, random, noise):
        rows = random.standard_normal(force.shape)
        for row in range(1, len(rows)):
            rows[row] = rho * rows[row - 1] + np.sqrt(1 - rho ** 2) * rows[row]
        return time, force + noise * rows
    return spoil


def proportional(time, force, random, noise):
    return time, force + (0.2 * noise + 0.05 * np.abs(force)) * random.standard_normal(force.shape)


def quantised(time, force, random, noise):
    level = np.abs(force).max() / 2 ** 5
    return time, np.round((force + 0.2 * noise * random.standard_normal(force.shape)) / level) * level


def outliers(time, force, random, noise):
    far = random.random(force.shape) < 0.01
    return time, force + noise * random.standard_normal(force.shape) * np.where(far, 30.0, 1.0)


def missing(time, force, random, noise):
    kept = random.random(len(time)) < 0.7
    return time[kept], white(time, force, random, noise)[1][kept]


def decimated(time, force, random, noise):
    return time[::10], white(time, force, random, noise)[1][::10]


def late_clock(time, force, random, noise):
    gains = np.array([1.1, 0.9, 1.05, 0.95])
    return time + 2e-6, white(time, gains * force, random, noise)[1]


PRESSED = """
[boundary]
left = { kind = "driven", frequency = 1e4, amplitude = 2e-7, cycles = 2 }
[precompression]
force = 20.0
"""
RESONATOR = """
[[resonator]]
mass = 0.3e-3
stiffness = 3e6
damping = 2.0
"""
BASE = chain(MA_LIU, STRUCK)
ROBUST, HUBER = ("--errors", "robust"), ("--loss", "huber")


def peaks(sensors):
    """Peaks and arrivals at evenly spaced beads."""
    beads = np.linspace(3, 27, sensors).round().astype(int).tolist()
    text = chain(MA_LIU, (STRUCK[0], STRUCK[1].replace("20", "30")), beads, 2.4e-4)
    return Problem(f"peaks and arrivals, {sensors} sensors", text, (PSI,) if sensors < 3 else (PSI, SPEED),
                   options=("--target", "peaks,arrivals"))


PROBLEMS = [
    Problem("white noise", BASE, (PSI, SPEED)),
    Problem("white noise, robust errors", BASE, (PSI, SPEED), options=ROBUST),
    Problem("white noise, Huber's loss", BASE, (PSI, SPEED), options=HUBER),
    Problem("per-contact damping", chain('name = "flores"\nrestitution = 0.8\nimpact_speed = "per-contact"\nmin_impact_speed = 0.01',
                                         STRUCK, step=5e-9), (("law.restitution", 0.8, 0.6, 0.95), SPEED)),
    Problem("driven dimer", chain('name = "hertz"', ("beads = 20\npattern = [{ mass = 0.45e-3 }, { mass = 0.2e-3 }]",), end=3e-4,
                                  more=PRESSED),
            (("segment.0.pattern.1.mass", 0.2e-3, 0.15e-3, 0.3e-3), ("boundary.left.amplitude", 2e-7, 1e-7, 4e-7))),
    Problem("masses inside beads", chain('name = "hertz"', ("beads = 20\nmass = 0.45e-3",), end=3e-4, more=PRESSED + RESONATOR),
            (("resonator.0.stiffness", 3e6, 1e6, 6e6), ("resonator.0.damping", 2.0, 0.2, 8.0), ("resonator.0.mass", 0.3e-3, 1e-4, 6e-4))),
    Problem("gaps", chain('name = "hertz"', (STRUCK[0], STRUCK[1] + "\ngap = 1e-6")),
            (("segment.1.gap", 1e-6, 2e-7, 3e-6), SPEED)),
    Problem("single masses", chain('name = "hertz"', (STRUCK[0], "beads = 7\nmass = 0.45e-3", "beads = 1\nmass = 0.9e-3",
                                                      "beads = 12\nmass = 0.45e-3")),
            (("segment.2.mass", 0.9e-3, 0.5e-3, 1.4e-3), ("segment.0.mass", 0.45e-3, 0.3e-3, 0.7e-3))),
    Problem("clock and gains", BASE, (PSI, ("clock.shift", 2e-6, -1e-5, 1e-5), ("sensor.gain.4", 1.1, 0.5, 2),
                                      ("sensor.gain.8", 0.9, 0.5, 2), ("sensor.gain.12", 1.05, 0.5, 2), ("sensor.gain.16", 0.95, 0.5, 2)),
            late_clock),
    Problem("packing", "dimension = 2\n" + STEEL + """
[[particles]]
lattice = "square"
cells = [5, 3]
radius = 2.38e-3
material = "steel"
[[particles]]
position = [-4.76e-3, 4.76e-3]
radius = 2.38e-3
material = "steel"
velocity = [0.5, 0.0]
[law]
name = "hertz"
""" + TAIL.format(end=6e-5, bodies="particles", sensors=[6, 8], step=2e-8),
            (("material.steel.youngs_modulus", 193e9, 150e9, 250e9), ("particles.1.velocity.0", 0.5, 0.3, 0.8))),
    Problem("missing rows", BASE, (PSI, SPEED), missing),
    Problem("decimated", BASE, (PSI, SPEED), decimated),
    Problem("correlated 0.3", BASE, (PSI, SPEED), correlated(0.3)),
    Problem("correlated 0.3, robust errors", BASE, (PSI, SPEED), correlated(0.3), ROBUST),
    Problem("correlated 0.9", BASE, (PSI, SPEED), correlated(0.9)),
    Problem("correlated 0.9, robust errors", BASE, (PSI, SPEED), correlated(0.9), ROBUST),
    Problem("proportional", BASE, (PSI, SPEED), proportional),
    Problem("proportional, robust errors", BASE, (PSI, SPEED), proportional, ROBUST),
    Problem("quantised", BASE, (PSI, SPEED), quantised),
    Problem("outliers", BASE, (PSI, SPEED), outliers),
    Problem("outliers, Huber's loss", BASE, (PSI, SPEED), outliers, HUBER),
    Problem("outliers, Huber's loss, robust errors", BASE, (PSI, SPEED), outliers, HUBER + ROBUST),
    *(peaks(sensors) for sensors in (2, 3, 4, 6, 8, 12)),
]
