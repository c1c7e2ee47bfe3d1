"""Particles that come and leave, between two calls of run(n)."""
import tempfile
from pathlib import Path

import numpy as np

import beadwave as bw
from support import InFolder, main

STEP = 1e-5
RAIN = {
    "material": {"soft": {"youngs_modulus": 1e6, "poisson_ratio": 0.3, "density": 2500.0}},
    "particles": [{"position": [0.0, 0.0, 0.0], "radius": 5e-3, "material": "soft", "fixed": True},
                  {"random": 40, "lower": [-4e-3, -4e-3, 8e-3], "upper": [4e-3, 4e-3, 16e-3], "radius": 1e-3, "material": "soft",
                   "velocity": [0.0, 0.0, -0.5], "seed": 2, "pour": {"rate": 2000.0}}],
    "exit": [{"point": [0.0, 0.0, -6e-3], "normal": [0.0, 0.0, 1.0]}],
    "gravity": {"acceleration": [0.0, 0.0, -9.81]},
    "law": {"name": "tsuji", "restitution": 0.5},
    "time": {"end": 0.1, "step": STEP},
    "snapshots": {"interval": 5e-3},
}


class Pouring(InFolder):
    def test_presence_follows_the_rate_and_the_exit(self):
        rain = bw.load(RAIN)
        self.assertEqual(rain.presence.tolist(), [1] + 40 * [0])
        rain.run(1005)  # a particle is due every 50 steps, and may come before every 20th
        self.assertEqual(rain.presence.tolist(), [1] + 21 * [1] + 19 * [0])
        waiting = rain.presence == 0
        np.testing.assert_allclose(rain.position[waiting], np.tile([0.0, 0.0, 12e-3], (19, 1)), rtol=0, atol=1e-18)
        self.assertFalse(rain.velocity[waiting].any())
        rain.run(8000)
        left = rain.presence == 2
        self.assertGreater(left.sum(), 20)
        self.assertTrue((rain.position[left, 2] < -6e-3).all())
        self.assertFalse(rain.velocity[left].any())
        self.assertLess(abs(rain.energy()["relative_energy_error"]), 1e-5)

    def test_stress_and_region_are_those_of_the_particles_that_are_there(self):
        rain = bw.load(RAIN)
        rain.run(1005)
        there = rain.presence == 1
        centre, radius = rain.position[there], rain.radius[there][:, None]
        np.testing.assert_allclose(rain.region().upper, (centre + radius).max(axis=0), rtol=1e-12)
        own = rain.velocity[there] - rain.mass[there] @ rain.velocity[there] / rain.mass[there].sum()
        kinetic = -(rain.mass[there, None] * own).T @ own / rain.region().volume
        np.testing.assert_allclose(rain.stress(kinetic=True) - rain.stress(), kinetic, rtol=1e-9, atol=1e-9 * abs(kinetic).max())

    def test_a_saved_state_continues_to_the_bit(self):
        whole, first = bw.load(RAIN), bw.load(RAIN)
        whole.run(3000)
        first.run(1013)
        with tempfile.TemporaryDirectory() as folder:
            first.save(Path(folder) / "rain.h5")
            second = bw.load(Path(folder) / "rain.h5")
        second.run(1987)
        np.testing.assert_array_equal(second.position, whole.position)
        np.testing.assert_array_equal(second.velocity, whole.velocity)
        np.testing.assert_array_equal(second.presence, whole.presence)

    def test_velocities_of_particles_that_are_not_there_and_external_forces_are_refused(self):
        rain = bw.load(RAIN)
        rain.run(105)
        with self.assertRaisesRegex(bw.InputError, "velocity of particle 40 is .* 0 for a particle that is not there"):
            with rain.state() as state:
                state.velocity[40] = [1.0, 0.0, 0.0]
        with self.assertRaisesRegex(bw.InputError, "external forces on particles that come or leave"):
            rain.external_force(particles=[0])(lambda time, displacement, velocity: [0.0, 0.0, 1.0])
            rain.run(1)

    def test_a_run_in_memory_has_the_tables_and_exports(self):
        run = bw.load(RAIN).run()
        self.assertEqual(run["entries/particle"].tolist(), list(range(1, 41)))
        np.testing.assert_allclose(run["entries/entry_time"], STEP * 20 * np.ceil(np.arange(40) * 50 / 20 - 1e-9), rtol=1e-12, atol=1e-15)
        self.assertEqual(run["particles_left"][-1, 0], len(run["exits/particle"]))
        self.assertEqual(run["presence"].shape, (21, 41))
        run.save("rain.h5")
        with bw.History("rain.h5") as history:
            for name in ("entries/particle", "exits/particle", "exits/exit"):
                self.assertEqual(history[name].tolist(), run[name].tolist())
            with self.assertRaisesRegex(KeyError, "did you mean exits/particle"):
                history["exits/particles"]
        drawn = bw.report("rain.h5", output="rain.html", gif="rain.gif", picture="rain.png", size=(200, 150), seconds=1, fps=6, camera=(0.0, 0.0, 1.5),
                          colour="speed", colour_range=(0.0, 1.0), at="end", panels=["packing", "energy"])
        self.assertEqual([str(name) for name in drawn], ["rain.html", "rain.gif", "rain.png"])
        with self.assertRaisesRegex(bw.InputError, "--walls red: expected faint, solid or hidden"):
            bw.report("rain.h5", output="other.html", gif="rain.gif", walls="red")
        figure = run.plot(at=[0.0, "end"], panels=["packing"], size=(400, 300))
        self.assertEqual([round(figure.get_figwidth() * figure.dpi), len(figure.subfigs)], [400, 1])
        try:
            import gsd.hoomd
        except ImportError:
            self.skipTest("gsd is not installed")
        bw.export("rain.h5", "rain.gsd")
        opener = gsd.hoomd.open
        with opener(name="rain.gsd", mode="rb" if gsd.__version__.startswith("2") else "r") as frames:
            for frame, there in zip(frames, run["presence"] == 1):
                self.assertEqual(frame.particles.N, there.sum())
                np.testing.assert_allclose(frame.particles.diameter, 2.0 * run["radius"][there], rtol=1e-6)


if __name__ == "__main__":
    main()
