# %% [markdown]
# # The first hour
# 70 stainless-steel beads struck at 1.77 m/s: what wave arrives where, and what becomes of the energy.

# %%
import os
from pathlib import Path

import numpy as np

import beadwave as bw

HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (HERE.parents[1] / "configs", Path("/usr/share/beadwave/configs")) if folder.is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # the tests' wish: the same, smaller

# %% Read a scenario; any of its values may be changed here.
chain = bw.Chain.load(CONFIGS / "chain70.toml", set={"segment.0.velocity": 1.77})
print(chain, chain.notes)

# %% Run it. What it records stays in memory; arrays are the run's own, read-only.
run = chain.run()
print(run)
print(run.sensor_force.shape, run.unit("sensor_force"), run.time[-1])

# %% The wave at each sensor: its peak, and when.
for column, bead in enumerate(run.sensors):
    at = int(np.argmax(run.sensor_force[:, column]))
    print(f"bead {bead:3}: {run.sensor_force[at, column]:8.3f} N at {1e6 * run.time[at]:8.3f} us")

# %% The energy ledger balances.
energy = run.energy
print(f"dissipated {energy.dissipated[-1] / energy.kinetic[0]:.1%} of what came in; residual {energy.residual[-1]:.1e}")

# %% The report's panels, and the file that `beadwave run` writes.
figure = run.plot()
run.save("first_hour.h5", force=True)

# %% Everything that the file holds is read lazily, by the same names.
with bw.History("first_hour.h5") as history:
    print(history.names())
    print(history.sensor_force[100:103, :2])
