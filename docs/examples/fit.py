# %% [markdown]
# # Fitting numbers to a measurement
# A simulated measurement with noise, and a fit that recovers two numbers of the scenario, with their standard errors.

# %%
import os
from pathlib import Path

import numpy as np

import beadwave as bw

HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (HERE.parents[1] / "configs", Path("/usr/share/beadwave/configs")) if folder.is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which run a smaller version
SCENARIO = CONFIGS / "chain70.toml"
SETTINGS = {"time.end": 1.5e-4 if SHORT else 4e-4, "sensors.beads": [9, 16] if SHORT else [9, 16, 24, 31]}

# %% The simulated measurement: psi = 2.7, impact at 1.75 m/s, noise with a standard deviation of 0.05 N.
truth = bw.Chain.load(SCENARIO, overrides={**SETTINGS, "law.psi": 2.7, "segment.0.velocity": 1.75}).run()
noise = np.random.default_rng(1).normal(0.0, 0.05, truth.sensor_force.shape)
np.savetxt("measured.csv", np.column_stack([truth.time, truth.sensor_force + noise])[::5], delimiter=",", comments="",
           header=",".join(["time_s", *map(str, truth.sensors)]))

# %% Fit two numbers between bounds.
fit = bw.fit(SCENARIO, "measured.csv", bounds={"law.psi": (2, 4), "segment.0.velocity": (1.5, 2.1)}, overrides=SETTINGS,
             output="fit.h5", overwrite=True)
print(fit)
for key, found in fit.best.parameters.items():
    print(f"{key}: {found['value']:.4f} +- {found['standard_error']:.1g}")
print("correlation", fit.best.correlation[0, 1])

# %% The residuals are noise; the figure shows them.
residuals = np.concatenate([c - m for c, m in zip(fit.best.computed, fit.measured)])
print(f"standard deviation of the residuals: {residuals.std():.3f} N; of the noise: 0.05 N")
figure = fit.plot()
figure.savefig("fit.png", dpi=100)
