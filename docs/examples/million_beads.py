# %% [markdown]
# # A million beads
# A disordered chain from arrays. It runs a number of steps at a time, and its state is read and changed in between,
# without files or copies.

# %%
import os
import time

import numpy as np

import beadwave as bw

SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which run a smaller version
BEADS = 20_000 if SHORT else 1_000_000
STEPS = 200 if SHORT else 2_000

# %% The radii vary by one percent. The first thousand beads move.
rng = np.random.default_rng(7)
radius = 2.38e-3 * (1.0 + 0.01 * rng.standard_normal(BEADS))
velocity = np.zeros(BEADS)
velocity[:1000] = 0.5
chain = bw.Chain(radius, 4 / 3 * np.pi * radius**3 * 7970, velocity=velocity, law="hertz",
                 material={"youngs_modulus": 193e9, "poisson_ratio": 0.3}, time={"end": 1e-3})

# %% Run some steps at a time. `velocity` is a view of the engine's memory.
began = time.perf_counter()
for _ in range(10):
    chain.run(STEPS // 10)
    moving = np.flatnonzero(np.abs(chain.velocity) > 1e-6)
    print(f"t = {1e6 * chain.time:7.2f} us: the wave is at bead {moving[-1]}")
seconds = time.perf_counter() - began
print(f"{BEADS * STEPS / seconds:.2e} bead-steps/s")

# %% Stop some beads. The ledger counts the energy that this removes as external work.
with chain.state() as state:
    state.velocity[400:600] = 0.0
chain.run(STEPS // 10)
energy = chain.energy()
print(f"removed: {-energy['external_work']:.3g} J of {energy['initial']:.3g} J; "
      f"relative energy error {energy['relative_energy_error']:.1e}")
