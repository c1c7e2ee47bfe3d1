# %% [markdown]
# # A phase diagram from a sweep
# Steel beads under Ma-Liu's law: the part of the peak force that reaches bead 24, over the law's psi and the impact speed.

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt

import beadwave as bw

HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (HERE.parents[1] / "configs", Path("/usr/share/beadwave/configs")) if folder.is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which run a smaller version
POINTS = 3 if SHORT else 25

# %% Run every combination, one run per thread. The result is one table.
table = bw.sweep(CONFIGS / "chain70.toml", {"law.psi": f"2.6:3:{POINTS}", "segment.0.velocity": f"0.5:3:{POINTS}"},
                 overrides={"sensors.beads": [9, 24], "time.end": 3e-4 if SHORT else 7e-4})
print(table)

# %% Columns are arrays. A grid has one axis per varied key.
first, last = table.grid("peak_force")[:, :, 0], table.grid("peak_force")[:, :, 1]
figure, axes = plt.subplots()
psi, speed = sorted(set(table["law.psi"])), sorted(set(table["segment.0.velocity"]))
picture = axes.pcolormesh(speed, psi, last / first, shading="nearest")
figure.colorbar(picture, label="peak force at bead 24 / peak force at bead 9")
axes.set_xlabel("impact speed [m/s]")
axes.set_ylabel("psi")
figure.savefig("phase_diagram.png", dpi=120)
print(f"from {(last / first).min():.3f} to {(last / first).max():.3f}")
