# %% [markdown]
# # A crystal struck at a point
#
# One sphere strikes the edge of a hexagonal crystal. Where does the wave go, how fast does it weaken, and what does each direction get?
#
# The scenario is [configs/hexagonal_crystal.toml](../../configs/hexagonal_crystal.toml): 41 columns and 20 rows of steel spheres that just
# touch, with friction. Leonard, Ponson and Daraio (2014) struck such packings.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())

# %%
run = bw.Packing.load(CONFIGS / "hexagonal_crystal.toml").run()
speed = np.linalg.norm(run["velocity"], axis=2)
time = run["snapshot_time"]
print(len(time), "snapshots of", speed.shape[1], "spheres, to", f"{1e6 * time[-1]:.0f} us")

# %% [markdown]
# ## Where does it go?

# %%
# Speed of every sphere at three times
COLUMNS, ROWS, RADIUS = 41, 20, 2.38e-3
row, column = np.divmod(np.arange(COLUMNS * ROWS), COLUMNS)
x = 2 * RADIUS * (column - 20 + 0.5 * (row % 2))
y = np.sqrt(3) * RADIUS * row
fig, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, at in zip(axes, (30e-6, 60e-6, 110e-6)):
    n = int(np.argmin(abs(time - at)))
    dots = ax.scatter(1e3 * x, 1e3 * y, s=14, c=speed[n, :len(x)], vmin=0, vmax=0.08, cmap="viridis")
    ax.set(title=f"{1e6 * time[n]:.0f} µs", xlabel="x [mm]", aspect="equal")
axes[0].set(ylabel="y [mm]")
fig.colorbar(dots, label="speed [m/s]")

# %% [markdown]
# The front is half a hexagon. Its top lies between the two close-packed rows at 60 degrees, which are chains. The picture is its own mirror
# image; so must be the numbers.

# %%
mirror = {}
for number, (r, c) in enumerate(zip(row, column)):
    partner = 40 - c - (r % 2)
    if 0 <= partner < COLUMNS:
        mirror[number] = r * COLUMNS + partner
here, there = np.array(list(mirror)), np.array(list(mirror.values()))
last = run["velocity"][-1]
difference = np.abs(last[here] * [-1, 1, 1] - last[there]).max()
print(f"largest difference of mirrored velocities {difference:.1e} m/s of {np.abs(last).max():.2f} m/s")
assert difference < 1e-9  # the lattice's x coordinates are rounded, and each contact amplifies that

# %% [markdown]
# ## What each direction gets

# %%
# Largest speed over the direction, 31 to 36 mm from the struck sphere, and over the distance along two directions
distance, direction = np.hypot(x, y), np.degrees(np.arctan2(y, x))
peak = speed[:, :len(x)].max(axis=0)
ring = (distance > 31e-3) & (distance < 36e-3)
order = np.argsort(direction[ring])
along = [int(np.argmin(np.hypot(x - RADIUS * n, y - np.sqrt(3) * RADIUS * n))) for n in range(3, 10)]
ahead = [int(np.argmin(np.hypot(x, y - 2 * np.sqrt(3) * RADIUS * n))) for n in range(2, 6)]
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
left.plot(direction[ring][order], peak[ring][order], "o-")
left.set(xlabel="direction [degrees]", ylabel="largest speed [m/s]", xticks=range(0, 181, 30))
right.loglog(1e3 * distance[along], peak[along], "o-", label="row at 60 degrees")
right.loglog(1e3 * distance[ahead], peak[ahead], "s-", label="straight ahead")
right.set(xlabel="distance [mm]", ylabel="largest speed [m/s]")
right.legend()

top = np.median(peak[ring & (abs(direction - 90) < 30)])
sides = np.median(peak[ring & (abs(direction - 90) > 36)])
print(f"top {top:.4f} m/s, sides {sides:.4f} m/s")
for name, spheres in (("row", along), ("ahead", ahead)):
    exponent = np.polyfit(np.log(distance[spheres]), np.log(peak[spheres]), 1)[0]
    print(f"{name}: falls like distance^{exponent:.2f}; a circular wave that keeps its energy and width falls like distance^-0.5")
    assert exponent < -0.5  # the front also leaves motion behind
assert top > 1.5 * sides

# %% [markdown]
# ## Nothing is lost on the way
#
# No wall holds the crystal, so the momentum stays that of the striker. Hertz's contacts are elastic; friction takes what slides. The
# ledger has each part.

# %%
mass = 4 / 3 * np.pi * RADIUS**3 * 7970
momentum = mass * last.sum(axis=0)
print("momentum over that of the striker", (momentum / (mass * 0.5)).round(9).tolist())
assert np.allclose(momentum / (mass * 0.5), [0, 1, 0], atol=1e-9)
energy = run.energy
names = ("translational_energy", "rotational_energy", "stored_energy", "friction_dissipation")
start = energy.kinetic[0]
print({name: f"{energy[name][-1] / start:.4f}" for name in names})
assert abs(energy.relative_energy_error).max() < 1e-5
