# %% [markdown]
# # A million beads
# A disordered chain from arrays, step by step, with a hand on it: no file, no copy.

# %%
import os
import time

import numpy as np

import beadwave as bw

SHORT = "BEADWAVE_SHORT" in os.environ  # the tests' wish: the same, smaller
BEADS = 20_000 if SHORT else 1_000_000
STEPS = 200 if SHORT else 2_000

# %% Radii scatter by a percent; the first thousand beads move.
rng = np.random.default_rng(7)
radius = 2.38e-3 * (1.0 + 0.01 * rng.standard_normal(BEADS))
velocity = np.zeros(BEADS)
velocity[:1000] = 0.5
chain = bw.Chain(radius, 4 / 3 * np.pi * radius**3 * 7970, velocity=velocity, law="hertz",
                 material={"youngs_modulus": 193e9, "poisson_ratio": 0.3}, time={"end": 1e-3})

# %% Some steps at a time; `velocity` is the engine's own memory.
began = time.perf_counter()
for _ in range(10):
    chain.step(STEPS // 10)
    moving = np.flatnonzero(np.abs(chain.velocity) > 1e-6)
    print(f"t = {1e6 * chain.time:7.2f} us: the wave is at bead {moving[-1]}")
seconds = time.perf_counter() - began
print(f"{BEADS * STEPS / seconds:.2e} bead-steps/s")

# %% Stop a stretch of it by hand: the ledger says what that took.
with chain.state() as state:
    state.velocity[400:600] = 0.0
chain.step(STEPS // 10)
energy = chain.energy()
print(f"taken out by hand {-energy['work']:.3g} J of {energy['initial']:.3g} J; residual {energy['residual']:.1e}")
