# %% [markdown]
# # The first hour
# 70 stainless-steel beads are struck at 1.77 m/s. When does the wave arrive at each sensor, and where does the energy go?

# %%
import os
from pathlib import Path

import numpy as np

import beadwave as bw

HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (HERE.parents[1] / "configs", Path("/usr/share/beadwave/configs")) if folder.is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which run a smaller version

# %% Read a scenario. `overrides` changes any of its values.
chain = bw.Chain.load(CONFIGS / "chain70.toml", overrides={"segment.0.velocity": 1.77})
print(chain, chain.warnings)

# %% Run it. The history stays in memory; the arrays are read-only views of that memory.
run = chain.run()
print(run)
print(run.sensor_force.shape, run.unit("sensor_force"), run.time[-1])

# %% The peak force at each sensor, and its time.
for column, bead in enumerate(run.sensors):
    at = int(np.argmax(run.sensor_force[:, column]))
    print(f"bead {bead:3}: {run.sensor_force[at, column]:8.3f} N at {1e6 * run.time[at]:8.3f} us")

# %% The energy ledger balances.
energy = run.energy
print(f"dissipated: {energy.dissipated[-1] / energy.kinetic[0]:.1%} of the initial kinetic energy; "
      f"relative energy error {energy.relative_energy_error[-1]:.1e}")

# %% Draw the report's panels, and save the file that `beadwave run` writes.
figure = run.plot()
run.save("first_hour.h5", overwrite=True)

# %% Open the file. Its arrays have the same names; only the parts that are indexed are read.
with bw.History("first_hour.h5") as history:
    print(history.names())
    print(history.sensor_force[100:103, :2])
