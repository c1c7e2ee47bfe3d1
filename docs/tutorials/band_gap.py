# %% [markdown]
# # The band gap of a dimer
#
# Steel and aluminium spheres in turn, squeezed by 20 N, stop vibrations between two frequencies. Which, how well, and from which
# amplitude on does a linear answer no longer hold?
#
# The scenario is [configs/band_gap.toml](../../configs/band_gap.toml); Boechler and others measured such crystals in 2010.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())
SCENARIO = CONFIGS / "band_gap.toml"

# %% [markdown]
# ## The bands
#
# `bw.modes` makes a spring of each contact at its static load and finds all modes of the chain, and the bands of the endless crystal that
# repeats its cell of two beads.

# %%
modes = bw.modes(SCENARIO)
print(modes)
assert modes.bands is not None and modes.shape is not None
mass, stiffness, _ = modes.matrices()
print("bands [Hz]", modes.bands.round(1).tolist())

# %% [markdown]
# Two masses M and m on equal springs k have the edges $\sqrt{2k/M}$, $\sqrt{2k/m}$ and $\sqrt{2k(1/M+1/m)}$ (Brillouin 1946). The
# stiffness of a contact that carries the force F is $k = \frac{3}{2} A^{2/3} F^{1/3}$ with Hertz's constant A.

# %%
heavy, light = (chosen(mass.diagonal()) for chosen in (max, min))
k = -min(stiffness.tocoo().data)
edges = np.sqrt([2 * k / heavy, 2 * k / light, 2 * k * (1 / heavy + 1 / light)]) / (2 * np.pi)
print("closed form [Hz]", edges.round(1).tolist())
assert np.allclose([modes.bands[0][1], *modes.bands[1]], edges, rtol=1e-9)

# %%
# Modes over their number, and the share of the beads that move in them
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
left.plot(1e-3 * modes.frequency, ".")
left.set(xlabel="mode", ylabel="frequency [kHz]")
right.plot(1e-3 * modes.frequency, modes.participation_ratio, ".")
right.set(xlabel="frequency [kHz]", ylabel="participation ratio")
for lower, upper in modes.bands:
    left.axhspan(1e-3 * lower, 1e-3 * upper, color="0.9", zorder=0)
    right.axvspan(1e-3 * lower, 1e-3 * upper, color="0.9", zorder=0)

# %% [markdown]
# Two modes lie within the gap: each stays among a few beads at one end of the chain, where the wall is stiffer than a bead.

# %%
inside = [n for n, f in enumerate(modes.frequency) if edges[0] * 1.001 < f < edges[1] * 0.999]
for n in inside:
    share = np.abs(modes.shape[n, :, 0]) ** 2 * mass.diagonal()
    ends = (share[:6].sum() + share[-6:].sum()) / share.sum()
    print(f"mode {n} at {modes.frequency[n]:.1f} Hz: {ends:.2%} of the energy in the six beads at the ends")
    assert ends > 0.95

# %% [markdown]
# ## Shaken
#
# Now the nonlinear run: one wall shakes with an amplitude of 1 nm, less than a thousandth of the static overlap. In the gap each cell moves
# opposite to the one before, by the factor $e^{-\kappa}$ with $\sinh^2(\kappa/2) = (M\omega^2 - 2k)(2k - m\omega^2) / (4k^2)$.
#
# The sudden start leaves ripples of other frequencies behind. A lock-in, the Fourier component at the frequency of the wall over the last
# 4 ms under Hann's window, leaves them out.

# %%
# What is left of the wall's motion along the chain, in the gap and in the band
def shaken(frequency, amplitude):
    """Amplitude of each sensor's bead at the frequency of the wall, over that of the wall."""
    run = bw.Chain.load(SCENARIO, overrides={"boundary.left.frequency": frequency, "boundary.left.amplitude": amplitude,
                                             "sensors.beads": list(range(0, 41, 2))}).run()
    late = run.time >= 4e-3
    window = np.hanning(late.sum())[:, None]
    phase = np.exp(-2j * np.pi * frequency * run.time[late])[:, None]
    velocity = 2 * np.abs((window * phase * run.sensor_velocity[late]).sum(axis=0)) / window.sum()
    return velocity / (2 * np.pi * frequency * amplitude)


fig, ax = plt.subplots(figsize=(7, 3))
for frequency in (3500.0, 6500.0):
    ax.semilogy(range(0, 41, 2), shaken(frequency, 1e-9), "o-", label=f"{1e-3 * frequency} kHz")
ax.set(xlabel="bead", ylabel="amplitude / that of the wall")
ax.legend()

omega = 2 * np.pi * 6500.0
kappa = 2 * np.arcsinh(np.sqrt((heavy * omega**2 - 2 * k) * (2 * k - light * omega**2) / (4 * k**2)))
cells = shaken(6500.0, 1e-9)[:5]
print("factors from cell to cell", (cells[1:] / cells[:-1]).round(4).tolist(), "closed form", round(float(np.exp(-kappa)), 4))
assert np.allclose(cells[1:] / cells[:-1], np.exp(-kappa), rtol=5e-3)

# %% [markdown]
# ## Harder
#
# The gap is that of small motions. Where the amplitude is no longer small against the static overlap $\delta_0$, what reaches a bead is no
# longer proportional to it.

# %%
# What reaches bead 4 over the amplitude of the wall
overlap = 20.0 / (k / 1.5)  # F = A delta^(3/2) and k = (3/2) A delta^(1/2)
parts = np.array([0.001, 0.01, 0.05, 0.1, 0.2, 0.4])
reached = np.array([shaken(6500.0, part * overlap)[2] for part in parts])
fig, ax = plt.subplots(figsize=(6, 3))
ax.loglog(parts, np.abs(reached / reached[0] - 1), "o-")
ax.set(xlabel="amplitude of the wall / static overlap", ylabel="relative change at bead 4")
for part, ratio in zip(parts, reached / reached[0]):
    print(f"amplitude {part:5.3f} of {1e9 * overlap:.0f} nm: {ratio - 1:+.4f}")
assert abs(reached[1] / reached[0] - 1) < 0.01 < abs(reached[-1] / reached[0] - 1)
