# %% [markdown]
# # Which law?
#
# Dozens of contact laws claim to describe the same impact. What does each make of it: of one collision, and of a wave through
# seventy beads?
#
# [The catalogue](../LAWS.md) has every law with its equation, its curve and its source.

# %%
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

PLACES = (Path.cwd(), *Path.cwd().parents, Path("/usr/share/beadwave"))
CONFIGS = next(place / "configs" for place in PLACES if (place / "configs").is_dir())

# %%
families: dict[str, list[str]] = {}
for law in bw.laws():
    families.setdefault(law["family"], []).append(law["name"])
for family, names in families.items():
    print(f"{family:22} {len(names):3}: {', '.join(names[:5])}{', ...' if len(names) > 5 else ''}")

# %% [markdown]
# ## One collision
#
# Two beads meet at 1.77 m/s. The area of the loop of force over overlap is the energy that the contact dissipates. It must be what the
# rebound lacks, $(1 - e^2) m v^2 / 2$ with the effective mass m.

# %%
# Force over overlap of one collision under four laws
SPEED, MASS = 1.77, 0.45e-3 / 2
bead = {"radius": 2.38e-3, "mass": 0.45e-3, "youngs_modulus": 193e9, "poisson_ratio": 0.3, "yield_stress": 900e6}
laws: list[dict[str, object]] = [{"name": "hertz"}, {"name": "flores", "restitution": 0.65}, {"name": "tsuji", "restitution": 0.65},
                                 {"name": "ma-liu", "psi": 2.84, "xi": 13}]
fig, ax = plt.subplots(figsize=(6, 3.5))
for chosen in laws:
    hit = bw.collide({"speed": SPEED, "body": {"a": bead, "b": bead}, "law": chosen}, trajectory=True)
    overlap, force = hit.trajectory["overlap"], hit.trajectory["force"]
    ax.plot(1e6 * overlap, force, label=f"{chosen['name']}, e = {hit['restitution']:.3f}")
    loop = np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(overlap))
    lost = 0.5 * MASS * SPEED**2 * (1 - hit["restitution"] ** 2)
    print(f"{chosen['name']:8} returns e = {hit['restitution']:.4f}; loop {1e6 * abs(loop):7.3f} uJ, lost {1e6 * lost:7.3f} uJ")
    assert abs(loop - lost) < 2e-3 * 0.5 * MASS * SPEED**2  # the trapezoids of the loop
ax.set(xlabel="overlap [µm]", ylabel="force [N]")
ax.legend()

# %% [markdown]
# Flores' law was asked for e = 0.65 and returns another number; Tsuji's returns it. `beadwave laws NAME` says for which e a law keeps its
# promise. How large is the difference over the whole range?

# %%
# Restitution that a law returns over the one that it is asked for
asked = np.linspace(0.1, 1.0, 19)
fig, ax = plt.subplots(figsize=(6, 3.5))
for name in ("hunt-crossley", "lankarani-nikravesh", "flores", "gharib-hurmuzlu", "exact"):
    returned = [bw.collide({"speed": SPEED, "body": {"a": bead, "b": bead}, "law": {"name": name, "restitution": float(e)}})["restitution"]
                for e in asked]
    ax.plot(asked, returned, label=name)
    if name == "exact":
        assert max(abs(asked - returned)) < 1e-3
ax.plot([0, 1], [0, 1], color="0.7", zorder=0)
ax.set(xlabel="restitution asked for", ylabel="restitution returned")
ax.legend()

# %% [markdown]
# ## Seventy beads
#
# The first law is the reference of the comparison.

# %%
compared = bw.compare(CONFIGS / "chain70.toml", ["hertz", "flores", "ma-liu", "thornton"], overrides={"law.restitution": 0.65})
for one in compared:
    peaks = [f"{sensor['peak_force']:6.2f}" for sensor in one["sensors"][::3]]
    share = one["dissipated_energy"] / one["initial_energy"]
    print(f"{one['law']:9} {share:6.1%} dissipated; peaks at three sensors {', '.join(peaks)} N")
assert abs(compared[0]["dissipated_energy"]) < 1e-6 * compared[0]["initial_energy"]  # Hertz's law is elastic

# %% [markdown]
# ## A law of your own
#
# As a function a law is slow, and suits small chains. As a table it is fast, and every command takes it. Both of these are Hertz's law
# with its constant written out, so they must give what `hertz` gives.

# %%
STIFFNESS = 4 / 3 * 193e9 / (2 * (1 - 0.3**2)) * np.sqrt(2.38e-3 / 2)
small = {"segment": [{"beads": 1, "radius": 2.38e-3, "mass": 0.45e-3, "material": "steel", "velocity": SPEED},
                     {"beads": 7, "radius": 2.38e-3, "mass": 0.45e-3, "material": "steel"}],
         "material": {"steel": {"youngs_modulus": 193e9, "poisson_ratio": 0.3}}, "law": {"name": "hertz"},
         "time": {"end": 1e-4, "step": 4e-8}, "sensors": {"beads": [3]}}
reference = bw.Chain.load(small).run()
function = bw.Chain.load(small).run_with_law(lambda overlap, speed, memory: STIFFNESS * overlap**1.5)
with tempfile.TemporaryDirectory() as folder:
    table = bw.tabulate_law(Path(folder) / "mine.csv", lambda overlap: float(STIFFNESS * overlap**1.5), 3e-5)
    tabulated = bw.Chain.load(CONFIGS / "chain70.toml", overrides={"law": table, "time.end": 1e-4}).run()
hertz = bw.Chain.load(CONFIGS / "chain70.toml", overrides={"law.name": "hertz", "time.end": 1e-4}).run()
print(f"function: {function.sensor_force.max():.6f} N, hertz: {reference.sensor_force.max():.6f} N")
print(f"table:    {tabulated.sensor_force.max():.6f} N, hertz: {hertz.sensor_force.max():.6f} N")
assert abs(function.sensor_force.max() / reference.sensor_force.max() - 1) < 1e-9
assert abs(tabulated.sensor_force.max() / hertz.sensor_force.max() - 1) < 1e-4  # 400 rows
