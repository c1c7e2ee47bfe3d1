# %% [markdown]
# # A sweep to a phase diagram
# Steel beads under Ma-Liu's law: how much of a blow reaches bead 24, over the law's psi and the speed of the blow.

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt

import beadwave as bw

HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (HERE.parents[1] / "configs", Path("/usr/share/beadwave/configs")) if folder.is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # the tests' wish: the same, smaller
POINTS = 3 if SHORT else 25

# %% Every combination, a run a thread, into one table.
table = bw.sweep(CONFIGS / "chain70.toml", {"law.psi": f"2.6:3:{POINTS}", "segment.0.velocity": f"0.5:3:{POINTS}"},
                 set={"sensors.beads": [9, 24], "time.end": 3e-4 if SHORT else 7e-4})
print(table)

# %% Columns are arrays; a grid has an axis for each varied key.
first, last = table.grid("peak_force")[:, :, 0], table.grid("peak_force")[:, :, 1]
figure, axes = plt.subplots()
psi, speed = sorted(set(table["law.psi"])), sorted(set(table["segment.0.velocity"]))
picture = axes.pcolormesh(speed, psi, last / first, shading="nearest")
figure.colorbar(picture, label="peak at bead 24 over that at bead 9")
axes.set_xlabel("speed of the blow [m/s]")
axes.set_ylabel("psi")
figure.savefig("phase_diagram.png", dpi=120)
print(f"from {(last / first).min():.3f} to {(last / first).max():.3f}")
