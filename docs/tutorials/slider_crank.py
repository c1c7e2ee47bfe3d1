# %% [markdown]
# # A slider-crank with clearance
#
# The pin between rod and slider has half a millimetre of play. What does the slider do, how hard are the blows, and where does their energy go?
#
# The scenario is [configs/slider_crank.toml](../../configs/slider_crank.toml): the standard example of multibody dynamics with clearance joints
# (Ravn 1998; Flores 2010), a crank at 5000 rpm.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())

# %%
run = bw.Mechanism.load(CONFIGS / "slider_crank.toml", overrides={"time.end": 0.012}).run()
impacts = run.impacts["pin"]
print(f"{len(impacts['start'])} impacts in one revolution")
print(f"the first after {1e3 * impacts['start'][0]:.6f} ms at {impacts['impact_speed'][0]:.5f} m/s, {1e-3 * impacts['peak_force'][0]:.2f} kN")

# %% [markdown]
# ## The slider
#
# Without clearance the slider's position is $x = r\cos\theta + \sqrt{l^2 - r^2\sin^2\theta}$. With it, it follows within the clearance: the pin cannot leave its bearing,
# except by the overlap of a contact, some micrometres.

# %%
# Acceleration of the slider (with clearance and ideal), and how far it is from the ideal place
R, L, SPEED, CLEARANCE, SLIDER = 0.05, 0.12, 523.5988, 0.5e-3, 2
time = np.asarray(run["snapshot_time"])
theta = SPEED * time
root = np.sqrt(L**2 - R**2 * np.sin(theta) ** 2)
ideal = R * np.cos(theta) + root
lead = R**2 * np.sin(theta) * np.cos(theta)
ideal_acceleration = -SPEED**2 * (R * np.cos(theta) + (R**2 * np.cos(2 * theta)) / root + lead**2 / root**3)
away = run["position"][:, SLIDER, 0] - ideal
fig, (above, below) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
above.plot(1e3 * time, 1e-3 * run["acceleration"][:, SLIDER, 0], lw=0.7, label="with clearance")
above.plot(1e3 * time, 1e-3 * ideal_acceleration, "--", label="ideal")
above.set(ylabel="acceleration [km/s²]")
above.legend()
below.plot(1e3 * time, 1e3 * away)
below.axhspan(-1e3 * CLEARANCE, 1e3 * CLEARANCE, color="0.92", zorder=0)
below.set(xlabel="time [ms]", ylabel="slider - ideal [mm]")

# The pin is within its bearing: along the guide by the clearance, more where the rod is inclined.
inclination = np.abs(R * np.sin(theta)) / root
allowed = CLEARANCE * np.sqrt(1 + inclination**2) + run["overlap"].max() * 2
print(f"largest distance {1e3 * np.abs(away).max():.4f} mm; largest overlap {1e6 * run['overlap'].max():.1f} um")
assert (np.abs(away) <= allowed).all()
print(f"ideal acceleration up to {np.abs(ideal_acceleration).max():.0f} m/s^2, with clearance up to {np.abs(run['acceleration'][:, SLIDER, 0]).max():.0f} m/s^2")

# %% [markdown]
# ## The pin in its bearing

# %%
# Orbit of the pin: the circle is the clearance
orbit = np.asarray(run["journal_displacement"]).reshape(len(time), -1)[:, :2]
angle = np.linspace(0, 2 * np.pi, 200)
fig, ax = plt.subplots(figsize=(4, 4))
ax.plot(1e3 * orbit[:, 0], 1e3 * orbit[:, 1], lw=0.5)
ax.plot(1e3 * CLEARANCE * np.cos(angle), 1e3 * CLEARANCE * np.sin(angle), color="0.5")
ax.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal")

# %% [markdown]
# ## The blows
#
# The law was asked for e = 0.9. In a mechanism a blow returns what it returns: the crank drives the pin while it touches.

# %%
# Output restitution over the impact speed, and what each blow dissipates
speed, back = np.asarray(impacts["impact_speed"]), np.asarray(impacts["separation_speed"])
fig, (left, right) = plt.subplots(1, 2, figsize=(8, 3), layout="constrained")
left.semilogx(speed, back / speed, "o")
left.axhline(0.9, color="0.7")
left.set(xlabel="impact speed [m/s]", ylabel="separation speed / impact speed")
right.loglog(speed, np.maximum(impacts["dissipated"], 1e-9), "o")
right.set(xlabel="impact speed [m/s]", ylabel="dissipated [J]")

# %% [markdown]
# Each blow's energy is a part of the ledger, and the ledger balances with the work of the motor and gravity.

# %%
energy = run.energy
print(f"blows {np.sum(impacts['dissipated']):.4f} J; ledger {energy.dissipated[-1]:.4f} J; error {energy.relative_energy_error[-1]:.1e}")
assert abs(np.sum(impacts["dissipated"]) - energy.dissipated[-1]) < 0.02 * energy.dissipated[-1]  # a contact may be open at the end
assert abs(energy.relative_energy_error).max() < 1e-5

# %% [markdown]
# ## Does the law matter?
#
# The same revolution under four laws. The first impact has the same speed under all of them; after that they part.

# %%
for law in ("lankarani-nikravesh", "flores", "exact", "impulse"):
    other = bw.Mechanism.load(CONFIGS / "slider_crank.toml", overrides={"time.end": 0.004, "contact.0.law.name": law}).run()
    found = other.impacts["pin"]
    first = found["separation_speed"][0] / found["impact_speed"][0]
    print(f"{law:20} first impact {found['impact_speed'][0]:.4f} m/s, e = {first:.3f}; {len(found['start'])} impacts in 4 ms")
    assert abs(found["impact_speed"][0] - 4.38578) < 1e-3
