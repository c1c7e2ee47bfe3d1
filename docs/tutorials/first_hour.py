# %% [markdown]
# # The first hour
#
# 70 stainless-steel beads at rest are struck by one more at 1.77 m/s. When does the wave arrive at each sensor, and where does
# the energy go?
#
# The scenario is [configs/chain70.toml](../../configs/chain70.toml). Contacts yield: the law is that of Ma and Liu.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())

# %% [markdown]
# Read the scenario and run it. `overrides` changes any of its values. The history stays in memory; its arrays are read-only views
# of that memory.

# %%
chain = bw.Chain.load(CONFIGS / "chain70.toml", overrides={"segment.0.velocity": 1.77})
run = chain.run()
print(run.sensor_force.shape, run.unit("sensor_force"), "from 0 to", run.time[-1], run.unit("sensor_time"))

# %% [markdown]
# ## When does it arrive?
#
# A sensor feels the mean of the contact forces on the two sides of its bead, as a piezo disc inside the bead does.

# %%
# Force at the eight sensors over time
fig, ax = plt.subplots(figsize=(7, 3))
ax.plot(1e6 * run.time, run.sensor_force, label=[f"bead {bead}" for bead in run.sensors])
ax.set(xlabel="time [µs]", ylabel="force [N]")
ax.legend(ncols=2)

# %%
for column, bead in enumerate(run.sensors):
    at = int(np.argmax(run.sensor_force[:, column]))
    print(f"bead {bead:3}: {run.sensor_force[at, column]:7.3f} N at {1e6 * run.time[at]:6.1f} us")

# %% [markdown]
# ## Where does the energy go?

# %%
# Kinetic, stored and dissipated energy over time
energy = run.energy
fig, ax = plt.subplots(figsize=(7, 3))
for name in ("kinetic", "stored", "dissipated"):
    ax.plot(1e6 * energy.time, 1e6 * energy[f"{name}_energy"], label=name)
ax.set(xlabel="time [µs]", ylabel="energy [µJ]")
ax.legend()
print(f"{energy.dissipated[-1] / energy.kinetic[0]:.1%} of the energy is dissipated")

# %% [markdown]
# ## Is it right?
#
# Three checks that need no second program. The momentum is that of the striker, since nothing holds the chain. The ledger
# balances. And without losses, under Hertz's law, the wave becomes the solitary wave of Nesterenko, whose speed follows from the
# largest bead velocity $v_m$ (Coste, Falcon and Fauve 1997):
#
# $V = (6 / (5 \pi \rho \theta))^{2/5} v_m^{1/5}$, with $\theta = 3 (1 - \nu^2) / (4 E)$ and the density $\rho$ of the beads.

# %%
momentum = 0.45e-3 * run["velocity"][-1].sum()
print(f"momentum {momentum:.6e} kg m/s; the striker had {0.45e-3 * 1.77:.6e} kg m/s")
assert abs(momentum / (0.45e-3 * 1.77) - 1) < 1e-9
assert abs(energy.relative_energy_error).max() < 1e-5

elastic = bw.Chain.load(CONFIGS / "chain70.toml", overrides={"law.name": "hertz"}).run()
sensors = {sensor["bead"]: sensor for sensor in elastic.result["sensors"]}
speed = 2 * 2.38e-3 * (63 - 31) / (sensors[63]["arrival_time"] - sensors[31]["arrival_time"])
density = 0.45e-3 / (4 / 3 * np.pi * 2.38e-3**3)
theta = 3 * (1 - 0.3**2) / (4 * 193e9)
nesterenko = (6 / (5 * np.pi * density * theta)) ** 0.4 * sensors[50]["peak_velocity"] ** 0.2
print(f"wave speed {speed:.1f} m/s; Nesterenko's continuum {nesterenko:.1f} m/s")
assert abs(speed / nesterenko - 1) < 0.01  # the discrete chain is 0.8 % from the continuum

# %% [markdown]
# ## Keep it
#
# The file is the one that `beadwave run` writes; h5py, ParaView and MDAnalysis open it ([the files](../HISTORY.md)). Its arrays have
# the same names, and only the parts that are indexed are read.

# %%
folder = tempfile.TemporaryDirectory()
run.save(Path(folder.name) / "first_hour.h5")
with bw.History(Path(folder.name) / "first_hour.h5") as history:
    print(history, "with", len(history.names()), "arrays")
    assert np.array_equal(np.asarray(history.sensor_force), run.sensor_force)
folder.cleanup()
