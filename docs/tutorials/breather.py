# %% [markdown]
# # From a band gap to a breather
#
# A chain of steel and aluminium spheres carries no wave between two frequencies. With enough amplitude it vibrates there all the same: a
# few beads move, the others hardly, and none of the motion leaves. How does such a breather come about, and does it last?
#
# The chain is that of Theocharis, Boechler, Kevrekidis and others (2010), with a light bead at both ends, squeezed by 20 N.

# %%
import os
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which take a shorter chain
BEADS = 25 if SHORT else 41
FOLDER = tempfile.TemporaryDirectory()
LIGHT, HEAVY = 9.75e-3, 28.84e-3  # kg

chain = {
    "material": {"steel": {"youngs_modulus": 193e9, "poisson_ratio": 0.30}, "aluminium": {"youngs_modulus": 73.5e9, "poisson_ratio": 0.33}},
    "segment": [{"beads": BEADS, "radius": 9.53e-3, "material": "aluminium", "mass": LIGHT,
                 "pattern": [{"material": "aluminium", "mass": LIGHT}, {"material": "steel", "mass": HEAVY}]}],
    "law": {"name": "hertz"}, "precompression": {"force": 20.0}, "time": {"end": 1e-3},
}

# %% [markdown]
# ## The gap
#
# For small motions each contact is a spring. Two masses M and m on equal springs k pass waves up to $\sqrt{2k/M}$ and again from
# $\sqrt{2k/m}$ to $\sqrt{2k(1/M+1/m)}$.

# %%
modes = bw.modes(chain)
assert modes.bands is not None and modes.shape is not None
stiffness = -min(modes.matrices()[1].tocoo().data)
edges = np.sqrt([2 * stiffness / HEAVY, 2 * stiffness / LIGHT, 2 * stiffness * (1 / HEAVY + 1 / LIGHT)]) / (2 * np.pi)
print("bands [Hz]", modes.bands.round(1).tolist(), "closed form", edges.round(1).tolist())
assert np.allclose([modes.bands[0][1], *modes.bands[1]], edges, rtol=1e-9)

# %% [markdown]
# ## A breather
#
# `bw.orbit` follows the lowest mode above the gap to larger amplitudes. Contacts are softer on average the more they move, so that the
# frequency falls, below the band: the motion can no longer spread. At 0.985 of the edge it has gathered about the bead in the middle.

# %%
frequency = 0.985 * edges[1]
breather = bw.orbit(chain, frequency=frequency)
print(breather)
mode = modes.shape[np.flatnonzero(modes.frequency > edges[1])[0], :, 0].real

fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained", sharey=True)
left.plot(mode / np.abs(mode).max(), ".-", lw=0.7)
left.set(title="linear mode at the edge", xlabel="bead", ylabel="displacement / largest")
right.plot(breather.displacement / np.abs(breather.displacement).max(), ".-", lw=0.7)
right.set(title="breather in the gap", xlabel="bead")

middle = BEADS // 2
assert np.abs(breather.displacement).argmax() == middle
assert breather.periodicity_error < 1e-10
# The numbers of 81 beads, from the head of docs/examples/orbit_breather.toml: they hardly depend on the length.
assert abs(breather.energy / 1.28301e-4 - 1) < (0.05 if SHORT else 0.005)
assert abs(breather.multipliers[0] - 1.12662) < (0.02 if SHORT else 0.002)

# %% [markdown]
# ## Into the gap
#
# `bw.continuation` follows the family further. The lower its frequency, the larger and narrower the breather: the participation ratio of
# the beads' peak-to-peak displacements counts those that share the motion. The file can be looked at with `beadwave report`, where each orbit can be clicked; a
# continuation that was stopped goes on from it.

# %%
branch = bw.continuation(chain, "frequency", (frequency, 0.90 * edges[1]), guess=breather, steps=256, output=Path(FOLDER.name) / "breather.h5")
print(branch.bifurcations[0]["kind"], "first, then", len(branch.bifurcations) - 1, "more changes of stability")
branch = bw.Branch.load(Path(FOLDER.name) / "breather.h5")
swing = np.ptp(branch.motion, axis=1)
part = (swing**2).sum(axis=1) ** 2 / (swing**4).sum(axis=1)
print("participating beads", part[[0, -1]].round(2).tolist())

fig, axes = plt.subplots(1, 3, figsize=(9, 3), layout="constrained")
for ax, values, label in zip(axes, (1e6 * branch.amplitude, 1e6 * branch.energy, part), ("amplitude [µm]", "energy [µJ]", "participating beads")):
    ax.plot(branch.frequency / edges[1], values, "k-", lw=0.7)
    ax.plot((branch.frequency / edges[1])[branch.stable], values[branch.stable], "o", ms=4)
    ax.plot((branch.frequency / edges[1])[~branch.stable], values[~branch.stable], "x", ms=4)
    ax.set(xlabel="frequency / edge", ylabel=label)

assert np.all(np.diff(branch.amplitude) > 0)
assert part[0] > part[-1]

# %%
# One period of the last orbit: the halves are pushed apart, because contacts that vibrate carry the load at a smaller mean overlap
fig, ax = plt.subplots(figsize=(6, 3), layout="constrained")
motion = 1e6 * branch.motion[-1]
image = ax.imshow(motion.T, aspect="auto", cmap="RdBu_r", extent=(0, 1, BEADS - 0.5, -0.5), vmin=-np.abs(motion).max(), vmax=np.abs(motion).max())
ax.grid(False)
ax.set(xlabel="time [periods]", ylabel="bead")
fig.colorbar(image, label="displacement [µm]")

# %% [markdown]
# ## Does it last?
#
# A Floquet multiplier outside of the unit circle is what a small disturbance grows by in one period. Just below the edge there is a real
# one, which moves the breather off its place; deeper in the gap it is gone, and weak oscillatory instabilities remain, which depend on the
# length of the chain.

# %%
fig, axes = plt.subplots(1, 2, figsize=(7, 3.4), layout="constrained", sharey=True)
angle = np.linspace(0, 2 * np.pi, 200)
for ax, k in zip(axes, (0, -1)):
    ax.plot(np.cos(angle), np.sin(angle), color="0.7", lw=0.8)
    ax.plot(branch.multipliers[k].real, branch.multipliers[k].imag, ".", ms=4)
    ax.set(title=f"{branch.frequency[k] / edges[1]:.3f} of the edge", xlabel="real part", aspect="equal")
axes[0].set(ylabel="imaginary part")
assert abs(branch.multipliers[0, 0].imag) < 1e-9 and branch.multipliers[0, 0].real > 1.05

# %% [markdown]
# The rate at which neighbouring motions separate from it, measured along the motion itself, is that of the multiplier. (The start is the
# orbit of the same steps: another one would be left within a few dozen periods.)

# %%
same = bw.orbit(chain, frequency=frequency, guess=breather, steps=1024)
rate = bw.lyapunov(chain, frequency=frequency, guess=same, exponents=1, transient=80, periods=30, steps=1024).exponents[0]
predicted = np.log(np.abs(same.multipliers[0])) * frequency
print(f"grows by e in {1e3 / rate:.4f} ms; the multiplier says {1e3 / predicted:.4f} ms")
assert abs(rate / predicted - 1) < 0.002
FOLDER.cleanup()
