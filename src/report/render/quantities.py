"""What the particles of a packing can be coloured by. Names as the page has them, with hyphens."""
from dataclasses import dataclass

import numpy as np

from ..packing_picture import DISSIPATION, dissipated, of_particles
from .colours import Scale


@dataclass(frozen=True)
class Quantity:
    name: str
    unit: str
    linear: bool  # on the colour bar; otherwise by the square root
    from_zero: bool
    values: object  # (run, row) -> a number per particle
    needs: str  # array of the history; empty: none


def _speed(run, row):
    return np.linalg.norm(run["velocity"][row], axis=1)


def _turning(run, row):
    spin = run["angular_velocity"][row]
    return spin[:, 2] if run.planar else np.linalg.norm(spin, axis=1)


QUANTITIES = (
    Quantity("speed", "m/s", False, True, _speed, "velocity"),
    *[Quantity(f"velocity-{'xyz'[k]}", "m/s", False, True, lambda run, row, k=k: run["velocity"][row][:, k], "velocity") for k in range(3)],
    Quantity("force", "N", False, True, lambda run, row: of_particles(run, row)[0], "contacts/pair"),
    Quantity("contact-number", "", True, True, lambda run, row: of_particles(run, row)[1].astype(float), "contacts/pair"),
    Quantity("angular-velocity", "rad/s", False, True, _turning, "angular_velocity"),
    Quantity("dissipated-energy", "J", False, True, dissipated, DISSIPATION[0]),
    Quantity("radius", "m", True, False, lambda run, _: run.radius, "radius"),
    Quantity("temperature", "K", True, False, lambda run, row: run["temperature"][row], "temperature"))


def available(run):
    """By name: what this history can be coloured by."""
    return {quantity.name: quantity for quantity in QUANTITIES if quantity.needs in run}


def scale_of(run, quantity, rows):
    """The Scale of all these snapshots together."""
    low, high = np.inf, -np.inf
    for row in rows:
        values = quantity.values(run, row)[run.present(row)]
        values = values[np.isfinite(values)]
        if len(values):
            low, high = min(low, float(values.min())), max(high, float(values.max()))
    if not high >= low:
        low, high = 0.0, 0.0
    if quantity.from_zero and low < 0.0:
        return Scale(-max(-low, high), max(-low, high), quantity.linear, signed=True)
    return Scale(0.0 if quantity.from_zero else low, high, quantity.linear)
