"""Trains the radii of a chain with PyTorch until its force at a sensor is that of another chain, for three impact speeds at once.

    python3 docs/examples/torch_training.py

The radii are a tensor, the masses follow from them, and each step of the training is three runs on threads with exact derivatives.
"""
import math

import torch

import beadwave as bw

BEADS = 12
DENSITY = 7800.0  # kg/m^3
SPEEDS = (0.5, 1.0, 2.0)  # of the striker, m/s

chain = bw.Chain(radius=BEADS * [5e-3], mass=BEADS * [4e-3], velocity=[1.0] + (BEADS - 1) * [0.0], law="hertz",
                 material={"youngs_modulus": 193e9, "poisson_ratio": 0.3},
                 time={"end": 2e-4, "step": 5e-7}, sensors={"beads": [6, 9]})
velocity = torch.zeros(len(SPEEDS), BEADS, dtype=torch.float64)
velocity[:, 0] = torch.tensor(SPEEDS)


def force(radius: torch.Tensor) -> torch.Tensor:
    """Force of the sensors [N]: speeds x steps x sensors."""
    mass = DENSITY * 4.0 / 3.0 * math.pi * radius**3
    return bw.torch.run(chain, inputs={"radius": radius, "mass": mass, "velocity": velocity}).force


steps = torch.arange(BEADS, dtype=torch.float64)
hidden = 5e-3 * (1.0 + 0.15 * torch.sin(0.6 * steps))
target = force(hidden)

logarithm = torch.full((BEADS,), math.log(5e-3), dtype=torch.float64, requires_grad=True)
optimiser = torch.optim.LBFGS([logarithm], max_iter=200, tolerance_change=1e-14, line_search_fn="strong_wolfe")


def misfit():
    optimiser.zero_grad()
    loss = ((force(logarithm.exp()) - target)**2).mean() / (target**2).mean()
    loss.backward()
    return loss


start = float(misfit())
optimiser.step(misfit)
end, error = float(misfit()), float(((logarithm.exp() - hidden) / hidden).abs().max().detach())
print(f"misfit {start:.3g} at the start, {end:.3g} after training; radii within {error:.2g}")
assert end < 1e-4 * start
