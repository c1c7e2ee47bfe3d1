# %% [markdown]
# # A fit to a laboratory's CSV
#
# An oscilloscope wrote forces at four beads into a file. Which law do they come from, with which parameters, and how certain are these?
#
# In place of a laboratory, this notebook makes the file: a run with another hardness ratio psi and another striker speed than the scenario
# has, with noise, and a clock that started earlier. So the answer is known.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())
SCENARIO = CONFIGS / "chain70.toml"
SETTINGS = {"time.end": 4e-4, "sensors.beads": [9, 16, 24, 31]}
TRUTH = {"law.psi": 2.7, "segment.0.velocity": 1.75, "clock.shift": 12e-6}
NOISE = 0.3  # N

# %%
folder = tempfile.TemporaryDirectory()
measured = Path(folder.name) / "scope.csv"
run = bw.Chain.load(SCENARIO, overrides=SETTINGS | {key: TRUTH[key] for key in ("law.psi", "segment.0.velocity")}).run()
force = run.sensor_force + np.random.default_rng(1).normal(0.0, NOISE, run.sensor_force.shape)
rows = np.column_stack([run.time + TRUTH["clock.shift"], force])[::5]
lines = ["% scope 3, channels A to D", "time;bead 9;bead 16;bead 24;bead 31"]
lines += [";".join(f"{value:.8g}" for value in row).replace(".", ",") for row in rows]
measured.write_text("\n".join(lines) + "\n")
print("\n".join(lines[:5]))

# %% [markdown]
# Semicolons, decimal commas, a comment of the instrument: the file is read as it is.
#
# ## Which law?
#
# Three laws are fitted, each at its best, and ranked by Akaike's information criterion. `clock.shift` is the reading of the laboratory's clock
# when the run begins.

# %%
fit = bw.fit(SCENARIO, measured, laws=["ma-liu", "flores", "thornton"], overrides=SETTINGS, noise=NOISE,
             bounds={"law.psi": (2, 4), "law.restitution": (0.3, 0.9), "segment.0.velocity": (1.5, 2.1), "clock.shift": (0, 3e-5)})
for law in fit.laws:
    print(f"{law.name:9} rms {law.rms:.3f} N; AIC {law.aic - fit.best.aic:10.0f} above the best")
assert fit.best.name == "ma-liu"

# %% [markdown]
# ## Which numbers?

# %%
for key, found in fit.best.parameters.items():
    if found["value"] is not None:
        off = (found["value"] - TRUTH[key]) / found["standard_error"]
        print(f"{key:20} {found['value']:.6g} +- {found['standard_error']:.2g}; truth {TRUTH[key]:.6g}, {off:+.1f} standard errors off")
        assert abs(off) < 4
print(f"chi2 per degree of freedom {fit.redchi:.3f}")
assert abs(fit.redchi - 1) < 0.1

# %% [markdown]
# `law.restitution` is no parameter of Ma and Liu's law, so it got no number. What the fit says itself, of the laws that do not fit too:

# %%
for sentence in fit.warnings:
    if sentence.startswith("under law"):
        print("-", sentence.replace(": ", ":\n    ", 1))

# %% [markdown]
# ## Is what remains noise?

# %%
# Measured and computed forces, and their difference
fig, (above, below) = plt.subplots(2, 1, figsize=(7, 5), sharex=True, layout="constrained")
for bead, trace, computed in zip(fit.sensors, fit.measured, fit.best.computed):
    above.plot(1e6 * fit.time, trace, ".", ms=1, color="0.6")
    above.plot(1e6 * fit.time, computed, lw=1, label=f"bead {bead}")
    below.plot(1e6 * fit.time, computed - trace, lw=0.5)
above.set(ylabel="force [N]")
above.legend(ncols=2)
below.set(xlabel="time on the laboratory's clock [µs]", ylabel="computed - measured [N]")
residuals = np.concatenate([np.asarray(c - m) for c, m in zip(fit.best.computed, fit.measured)])
residuals = residuals[np.isfinite(residuals)]
print(f"standard deviation of the residuals {residuals.std():.4f} N; of the noise {NOISE} N")
assert abs(residuals.std() / NOISE - 1) < 0.05
folder.cleanup()
