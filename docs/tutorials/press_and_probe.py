# %% [markdown]
# # Press and probe
#
# A squeezed granular crystal carries sound. How fast is it under which pressure, and do the linear modes and a pulse through the full,
# nonlinear system agree?
#
# Two systems: a chain under a force ([configs/precompressed.toml](../../configs/precompressed.toml)), and an fcc crystal in a periodic box, whose contacts are
# all compressed ([configs/fcc_crystal.toml](../../configs/fcc_crystal.toml)).

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import jv

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())

# %% [markdown]
# ## A chain
#
# Press: the chain starts in static equilibrium under the force. Probe, linear: the group velocity of the longest waves. Both in closed form: with the
# overlap $\delta_0 = (F/K)^{2/3}$ each contact is a spring $k = \frac{3}{2} K \delta_0^{1/2}$, and $c = (2R - \delta_0)\sqrt{k/m}$, so $c \sim F^{1/6}$.

# %%
# Speed of sound over the force
RADIUS, MODULUS = 5e-3, 193e9 / (1 - 0.3**2)
mass = 7850 * 4 / 3 * np.pi * RADIUS**3
hertz = 4 / 3 * (MODULUS / 2) * np.sqrt(RADIUS / 2)
forces = np.geomspace(1, 1000, 7)
overlap = (forces / hertz) ** (2 / 3)
spring = 1.5 * hertz * np.sqrt(overlap)
closed = (2 * RADIUS - overlap) * np.sqrt(spring / mass)
linear = []
for force in forces:
    dispersion = bw.modes(CONFIGS / "precompressed.toml", {"precompression.force": float(force)}).dispersion
    assert dispersion is not None
    linear.append(float(np.ravel(dispersion["group_velocity"]).max()))
fig, ax = plt.subplots(figsize=(5, 3))
ax.loglog(forces, closed, label="closed form")
ax.loglog(forces, linear, "o", label="modes")
ax.set(xlabel="force [N]", ylabel="speed of sound [m/s]")
ax.legend()
print("force [N]      ", forces.round(1).tolist())
print("modes [m/s]    ", np.round(linear, 2).tolist())
print("closed [m/s]   ", closed.round(2).tolist())
assert np.allclose(linear, closed, rtol=1e-4)

# %% [markdown]
# Probe, nonlinear: bead 0 is tapped so weakly that it moves a few thousandths of the overlap. In the lattice of springs bead n then moves as
# $v_n(t) = 2 v_0 (2n+1) J_{2n+1}(w)/w$ with $w = 2\sqrt{k/m}\,t$ (Schroedinger 1914): a front and a train of ripples.

# %%
# Velocity of three beads, of the run (colour) and of the lattice (dashes)
run = bw.Chain.load(CONFIGS / "precompressed.toml").run()
k = 1.5 * hertz * np.sqrt((100.0 / hertz) ** (2 / 3))
w = 2 * np.sqrt(k / mass) * np.maximum(run.time, 1e-12)
fig, ax = plt.subplots(figsize=(8, 3))
for column, bead in enumerate(run.sensors):
    theory = 2 * 1e-3 * (2 * bead + 1) * jv(2 * bead + 1, w) / w
    off = np.abs(run.sensor_velocity[:, column] - theory).max() / np.abs(theory).max()
    if bead in (10, 60, 160):
        line, = ax.plot(1e6 * run.time, 1e3 * run.sensor_velocity[:, column], label=f"bead {bead}, off by {off:.1%}")
        ax.plot(1e6 * run.time, 1e3 * theory, "--", color="black", lw=0.7)
    assert off < 0.03  # of second order in tap over overlap, and it adds up on the way
ax.set(xlabel="time [µs]", ylabel="velocity [mm/s]")
ax.legend()

# %% [markdown]
# ## A crystal
#
# In fcc each sphere of a layer across [100] touches four of the next at 45 degrees, so the layers are a chain of springs 2 k, and long waves
# run at $2R\sqrt{k/m}$. The bands come from `bw.modes`, for any direction; along [100] their slope at long waves is the speed of sound.

# %%
def crystal(overlap, cells, velocity=0.0, sensors=()):
    """Cells along x in a periodic box; the first cell, two layers, moves. A sensor is so many cells away."""
    edge = np.sqrt(2) * (2 * 2.38e-3 - overlap)
    group = {"lattice": "fcc", "radius": 2.38e-3, "material": "steel", "overlap": overlap}
    return {"material": {"steel": {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 7970}},
            "particles": [group | {"cells": [1, 3, 3], "velocity": [velocity, 0.0, 0.0]},
                          group | {"cells": [cells - 1, 3, 3], "origin": [edge, 0.0, 0.0]}],
            "box": {"lower": [0.0, 0.0, 0.0], "upper": [cells * edge, 3 * edge, 3 * edge], "periodic": [True, True, True]},
            "law": {"name": "hertz"}, "time": {"end": 1.8e-4 * (2e-7 / overlap) ** 0.25},
            "sensors": {"particles": [36 + 4 * (n - 1) for n in sensors], "interval": 5e-7} if sensors else {"particles": [0]}}


# %% [markdown]
# Probe, linear and nonlinear: the slope of the longitudinal branch at long waves, and a pulse. Two layers, 0 and 1, start with a velocity so small that the
# springs stay linear. Layer l then moves as $v_0 (J_{2l}(w) + J_{2l-2}(w))$ with $w = 2\sqrt{2k/m}\,t$.

# %%
# A pulse through the crystal at three compressions: the run (colour) and the lattice (dashes)
SPHERE, SENSORS, EDGE = 7970 * 4 / 3 * np.pi * 2.38e-3**3, (3, 5, 7), np.sqrt(2) * 2 * 2.38e-3
overlaps, speeds = np.array([5e-8, 2e-7, 8e-7]), []
fig, axes = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")
for ax, overlap in zip(axes, overlaps):
    dispersion = bw.modes(crystal(overlap, 3), path=[[0, 0, 0], [0.02, 0.02, 0]]).dispersion
    assert dispersion is not None
    wave_number = np.linalg.norm(np.asarray(dispersion["wave_vector"])[1])
    speeds.append(2 * np.pi * np.asarray(dispersion["frequency"])[1].max() / wave_number)
    speed = 1e-5 * overlap / 2e-7
    run = bw.Packing.load(crystal(overlap, 24, speed, SENSORS)).run()
    k = 2 * (MODULUS / 2) * np.sqrt(2.38e-3 / 2 * overlap)
    w = 2 * np.sqrt(2 * k / SPHERE) * run.time
    for column, cell in enumerate(SENSORS):
        computed = run.sensor_velocity[:, column, 0]
        theory = speed * (jv(4 * cell, w) + jv(4 * cell - 2, w))
        ax.plot(1e6 * run.time, computed / speed, label=f"layer {2 * cell}")
        ax.plot(1e6 * run.time, theory / speed, "--", color="black", lw=0.7)
        assert np.abs(computed - theory).max() < 1e-3 * theory.max()
    ax.set(xlabel="time [µs]", title=f"overlap {1e9 * overlap:.0f} nm")
axes[0].set(ylabel="velocity / that of the struck layers")
axes[0].legend()

# %% [markdown]
# The pressure (Love and Weber) is a third of the sum over contacts of force times distance, per volume: 24 contacts in a cubic cell of four spheres. With
# Hertz contacts $c \sim p^{1/6}$.

# %%
closed = 2 * 2.38e-3 * np.sqrt(2 * (MODULUS / 2) * np.sqrt(2.38e-3 / 2 * overlaps) / SPHERE)
contact_force = 4 / 3 * (MODULUS / 2) * np.sqrt(2.38e-3 / 2) * overlaps**1.5
pressure = 24 * contact_force * 2 * 2.38e-3 / (3 * EDGE**3)
for p, found, exact in zip(pressure, speeds, closed):
    print(f"pressure {1e-3 * p:8.1f} kPa: modes {found:.2f} m/s, closed form {exact:.2f} m/s")
assert np.allclose(speeds, closed, rtol=5e-4)  # the lattice shrinks by overlap / 2 R
exponent = np.polyfit(np.log(pressure), np.log(speeds), 1)[0]
print(f"c ~ p^{exponent:.4f}; 1/6 = {1 / 6:.4f}")
assert abs(exponent - 1 / 6) < 1e-3
