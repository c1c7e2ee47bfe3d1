# %% [markdown]
# # Which law?
# The same impact under different laws: one collision, a chain, and your own law.

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import beadwave as bw

HERE = Path(__file__).resolve().parent
CONFIGS = next(folder for folder in (HERE.parents[1] / "configs", Path("/usr/share/beadwave/configs")) if folder.is_dir())
SHORT = "BEADWAVE_SHORT" in os.environ  # set by the tests, which run a smaller version
END = 1e-4 if SHORT else 7e-4

# %% The catalogue of laws is data.
for law in bw.laws()[:5]:
    print(f"{law['name']:20} {law['family']:20} {law['equation']}")

# %% One collision of two beads: force over overlap.
beads = {"speed": 1.77, "contact": {"stiffness": 4 / 3 * 1.06e11 * 1.19e-3**0.5, "effective_mass": 2.25e-4,
                                    "effective_radius": 1.19e-3, "effective_modulus": 1.06e11, "yield_stress": 9e8}}
laws = ({"name": "hertz"}, {"name": "flores", "restitution": 0.65}, {"name": "ma-liu", "psi": 2.84, "xi": 13})
for law in laws:
    hit = bw.collide({**beads, "law": law}, trajectory=True)
    plt.plot(1e6 * hit.trajectory["overlap"], hit.trajectory["force"], label=f"{law['name']}, e = {hit['restitution']:.2f}")
plt.xlabel("overlap [um]")
plt.ylabel("force [N]")
plt.legend()
plt.savefig("which_law.png", dpi=120)

# %% The chain under each law. The first law is the reference.
for one in bw.compare(CONFIGS / "chain70.toml", ["hertz", "flores", "ma-liu"], overrides={"time.end": END, "law.restitution": 0.65}):
    peaks = [f"{sensor['peak_force']:.1f}" for sensor in one["sensors"][:3]]
    print(f"{one['law']:10} {one['dissipated_energy'] / one['initial_energy']:7.1%} dissipated; peaks {', '.join(peaks)} N")

# %% Your own law as a function. This is slow: use it for small chains.
STIFFNESS = 4.85e9


def damped(overlap, speed, memory):
    return max(STIFFNESS * overlap**1.5 * (1.0 + 0.2 * speed), 0.0)


small = bw.Chain(radius=np.full(8, 2.38e-3), mass=0.45e-3, velocity=[1.77] + 7 * [0.0], law="hertz",
                 material={"youngs_modulus": 193e9, "poisson_ratio": 0.3}, time={"end": 2e-5 if SHORT else 1e-4, "step": 4e-8},
                 sensors={"beads": [3]})
mine = small.run_with_law(damped)
print(mine.sensor_force.max(), "N with the function")

# %% An elastic law as a table. This is fast, and every command can use it.
table = bw.tabulate_law("mine.csv", lambda overlap: STIFFNESS * overlap**1.5, 2e-5)
fast = bw.Chain.load(CONFIGS / "chain70.toml", overrides={"law": table, "time.end": END}).run()
print(fast.sensor_force.max(), "N at the sensors with the table")
