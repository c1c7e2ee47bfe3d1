# %% [markdown]
# # Localisation by disorder
#
# Beads of random size scatter sound. How far does a wave of a given frequency come in a disordered chain, and how does that length
# depend on the disorder?
#
# [configs/localisation.toml](../../configs/localisation.toml) is one sample. A length needs an ensemble: many samples, on all threads.

# %%
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which take a smaller ensemble
SAMPLES = 6 if SHORT else 16

# %% [markdown]
# ## An ensemble
#
# `bw.modes` releases Python's lock, so samples run on threads. The participation ratio of a mode is the part of the beads that share its
# energy: 2/3 for a standing wave.

# %%
def sample(disorder, seed):
    return bw.modes(CONFIGS / "localisation.toml", {"segment.0.disorder": disorder, "segment.0.seed": seed}, threads=1)


def ensemble(disorder, samples=SAMPLES):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda seed: sample(disorder, seed), range(1, samples + 1)))


ordered = sample(0.0, 1)
beads = len(ordered.frequency)
middle = ordered.participation_ratio[5:beads // 2 - 5]
print("without disorder:", middle.min().round(4), "to", middle.max().round(4))
assert np.allclose(middle, 2 / 3, atol=0.01)

levels = (0.025, 0.05, 0.1)
ensembles = {disorder: ensemble(disorder) for disorder in levels}

# %%
# Participation ratio over frequency, mean of the ensemble
fig, ax = plt.subplots(figsize=(7, 3.5))
edges = np.linspace(0, 21e3, 22)
for disorder, members in ensembles.items():
    frequency = np.concatenate([one.frequency for one in members])
    ratio = np.concatenate([one.participation_ratio for one in members])
    place = np.digitize(frequency, edges)
    means = [ratio[place == n].mean() for n in range(1, len(edges)) if (place == n).any()]
    ax.plot(1e-3 * edges[:len(means)] + 0.5, means, "o-", label=f"disorder {disorder:.1%}")
ax.axhline(2 / 3, color="0.7", zorder=0)
ax.set(xlabel="frequency [kHz]", ylabel="participation ratio")
ax.legend()

# %% [markdown]
# Long waves feel the mean of many beads and fill the chain; short ones stay among a few.
#
# ## A length
#
# Where it is short against the chain, a mode decays from its centre as $e^{-|n - n_0|/\xi}$. Its localisation length $\xi$ follows without fitting
# a shape from Thouless' formula for nearest-neighbour chains: $1/\xi$ is the mean of $\ln|u_{n+1}/u_n|$ of the solution that grows
# from one end. The matrices of the same scenario give it, mode by mode, with a recursion of one line.

# %%
def inverse_length(one, low, high):
    """Mean growth rate per bead of the solution that starts at the first bead, over frequencies between low and high."""
    mass, stiffness, _ = one.matrices()
    m, diagonal, side = mass.diagonal(), stiffness.diagonal(), stiffness.diagonal(1)
    omega2 = (2 * np.pi * np.linspace(low, high, 200)) ** 2
    before, here, grown = np.zeros_like(omega2), np.ones_like(omega2), np.zeros_like(omega2)
    for n in range(len(m) - 1):
        after = -((diagonal[n] - omega2 * m[n]) * here + (side[n - 1] if n else 0.0) * before) / side[n]
        size = np.hypot(after, here)
        grown += np.log(size)
        before, here = here / size, after / size
    return grown.mean() / (len(m) - 1)


LOW, HIGH = 11e3, 12e3
start = inverse_length(ordered, LOW, HIGH)  # of the first beads: no growth without disorder
lengths = {disorder: 1 / (np.mean([inverse_length(one, LOW, HIGH) for one in members]) - start) for disorder, members in ensembles.items()}
for disorder, length in lengths.items():
    print(f"disorder {disorder:5.1%}: {length:6.1f} beads")

# %% [markdown]
# Scattering is of second order in the disorder, so half of it makes the length four times as long. The exponent of a straight line through
# the logarithms:

# %%
# Localisation length over disorder
exponent = np.polyfit(np.log(levels), np.log([lengths[one] for one in levels]), 1)[0]
fig, ax = plt.subplots(figsize=(5, 3))
ax.loglog(levels, [lengths[one] for one in levels], "o-")
ax.loglog(levels, lengths[0.05] * (np.array(levels) / 0.05) ** -2.0, "--", color="0.6")
ax.set(xlabel="disorder", ylabel="localisation length [beads]")
print(f"exponent {exponent:.2f}; theory -2")
assert abs(exponent + 2) < (0.35 if SHORT else 0.25)

# %% [markdown]
# ## The same with waves
#
# The nonlinear run agrees: a wall shakes at 5 kHz and at 18 kHz. The low sound fills the chain, the high one stays near its source. The sweep
# runs the samples on all threads.

# %%
sweep = bw.sweep(CONFIGS / "localisation.toml", {"boundary.left.frequency": [5e3, 18e3], "segment.0.seed": list(range(1, SAMPLES + 1))},
                 overrides={"sensors.beads": [5, 200], "snapshots.interval": 1e-3})
peaks = sweep.grid("peak_velocity")
print("5 kHz: at bead 200", f"{np.median(np.abs(peaks[0, :, 1] / peaks[0, :, 0])):.3f}", "of bead 5;",
      "18 kHz:", f"{np.median(np.abs(peaks[1, :, 1] / peaks[1, :, 0])):.3f}")
assert np.median(np.abs(peaks[0, :, 1] / peaks[0, :, 0])) > 3 * np.median(np.abs(peaks[1, :, 1] / peaks[1, :, 0]))
