# %% [markdown]
# # A million beads
#
# A disordered chain of a million beads, from arrays, a number of steps at a time. How fast is it, how far does the wave come, and can one
# change the state in between?

# %%
import os
import time

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which take fewer beads
BEADS = 20_000 if SHORT else 1_000_000
STEPS = 2_000

# %% [markdown]
# The radii vary by one percent. The first thousand beads move; the others are exactly at rest, and cost nothing until the wave comes.

# %%
rng = np.random.default_rng(7)
radius = 2.38e-3 * (1.0 + 0.01 * rng.standard_normal(BEADS))
mass = 4 / 3 * np.pi * radius**3 * 7970
velocity = np.zeros(BEADS)
velocity[:1000] = 0.5
chain = bw.Chain(radius, mass, velocity=velocity, law="hertz",
                 material={"youngs_modulus": 193e9, "poisson_ratio": 0.3}, time={"end": 1e-3, "step": 8e-8})
print(f"{BEADS} beads, time step {1e9 * chain.time_step:.1f} ns")

# %% [markdown]
# Run some steps at a time. `velocity` is a view of the engine's memory, without a copy.

# %%
# Velocity of the beads near the front, every 400 steps
fig, ax = plt.subplots(figsize=(8, 3))
began = time.perf_counter()
for _ in range(5):
    chain.run(STEPS // 5)
    moving = np.flatnonzero(np.abs(chain.velocity) > 1e-6)
    print(f"t = {1e6 * chain.time:6.2f} us: the wave is at bead {moving[-1]}")
    ax.plot(range(980, 1080), chain.velocity[980:1080], label=f"{1e6 * chain.time:.0f} µs")
seconds = time.perf_counter() - began
ax.set(xlabel="bead", ylabel="velocity [m/s]")
ax.legend()

# %% [markdown]
# ## Is it right?
#
# Nothing holds the chain: its momentum is that of the start. Ahead of the wave every bead is at rest to the bit.

# %%
momentum = (mass * chain.velocity).sum() / (mass * velocity).sum()
energy = chain.energy()
print(f"momentum over its start - 1: {momentum - 1:+.0e}; relative energy error {abs(energy['relative_energy_error']):.0e}")
assert abs(momentum - 1) < 1e-9 and abs(energy["relative_energy_error"]) < 1e-5
assert not chain.velocity[2000:].any()

# %% [markdown]
# ## Every bead moves
#
# The worst case: a chain that is compressed and in motion everywhere. The speed is that of the machine that made this notebook (two shared cores).

# %%
squeezed = bw.Chain(radius, mass, velocity=0.01 * rng.standard_normal(BEADS), gap=np.full(BEADS + 1, -1e-7), law="hertz",
                    material={"youngs_modulus": 193e9, "poisson_ratio": 0.3}, time={"end": 1e-3})
squeezed.run(248)  # so that all memory is there
began = time.perf_counter()
squeezed.run(STEPS // 4)
seconds = time.perf_counter() - began
print(f"{BEADS * (STEPS // 4) / seconds:.1e} bead-steps/s")
assert abs(squeezed.energy()["relative_energy_error"]) < 1e-4

# %% [markdown]
# ## A hand in the chain
#
# Some beads are stopped between two steps. The ledger counts the energy that this removes as external work.

# %%
with chain.state() as state:
    removed = 0.5 * (mass[400:600] * state.velocity[400:600] ** 2).sum()
    state.velocity[400:600] = 0.0
chain.run(STEPS // 5)
energy = chain.energy()
print(f"removed {removed:.4g} J; external work {energy['external_work']:.4g} J of {energy['initial']:.4g} J at the start")
assert abs(energy["external_work"] + removed) < 1e-12 * removed + 1e-18
