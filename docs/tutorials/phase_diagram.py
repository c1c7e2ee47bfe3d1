# %% [markdown]
# # A phase diagram from a sweep
#
# How much of a blow reaches bead 24 of a steel chain whose contacts yield, over the speed of the blow and the softness of the beads?
#
# The law is that of Ma and Liu; its psi is the hardness over the yield stress. The sweep runs every combination, on all threads, into one table.

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which take a coarser grid
POINTS = 5 if SHORT else 25
SETTINGS = {"sensors.beads": [9, 24]}

# %%
table = bw.sweep(CONFIGS / "chain70.toml", {"law.psi": f"2.6:3:{POINTS}", "segment.0.velocity": f"0.5:3:{POINTS}"}, overrides=SETTINGS)
print(len(table["law.psi"]), "runs")

# %% [markdown]
# Columns are arrays. `grid` gives them one axis per varied key.

# %%
# Peak force at bead 24 over that at bead 9
first, last = table.grid("peak_force")[:, :, 0], table.grid("peak_force")[:, :, 1]
psi, speed = sorted(set(table["law.psi"])), sorted(set(table["segment.0.velocity"]))
fig, ax = plt.subplots(figsize=(6, 4))
picture = ax.pcolormesh(speed, psi, last / first, shading="nearest")
fig.colorbar(picture, label="peak force at bead 24 / peak force at bead 9")
ax.set(xlabel="impact speed [m/s]", ylabel="psi")
print(f"from {(last / first).min():.3f} to {(last / first).max():.3f}")

# %% [markdown]
# Faster blows flatten more, and softer beads (small psi) most: the ratio falls along each row. Each row of the table has the bits of a single run.

# %%
assert (np.diff(last / first, axis=1) < 0).all()
one = bw.Chain.load(CONFIGS / "chain70.toml", overrides=SETTINGS | {"law.psi": psi[2], "segment.0.velocity": speed[3]}).run()
assert [sensor["peak_force"] for sensor in one.result["sensors"]] == [first[2, 3], last[2, 3]]
