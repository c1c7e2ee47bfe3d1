"""What beads carry, from Python: arrays and files, steps, resume and sweeps."""
import math

import numpy as np

import beadwave as bw
from support import CONFIGS, InFolder, main, program

STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3}


def chain(**elements):
    return bw.Chain(radius=np.full(12, 2.38e-3), mass=np.full(12, 0.45e-3), velocity=[0.5] + 11 * [0.0], law="hertz", material=STEEL,
                    time={"end": 1e-4, "step": 1e-8}, snapshots={"interval": 1e-6}, **elements)


class Elements(InFolder):
    def test_a_bead_on_a_spring_swings_as_the_oscillator(self):
        alone = bw.Chain(radius=[1e-2], mass=[0.02], velocity=[0.3], law="hertz", material=STEEL, time={"end": 1e-3, "step": 1e-7},
                         snapshots={"interval": 1e-5}, foundation=[{"stiffness": 5e5}])
        run = alone.run()
        omega = math.sqrt(5e5 / 0.02)
        expected = 0.3 / omega * np.sin(omega * np.asarray(run["snapshot_time"]))
        self.assertLess(np.abs(run["displacement"][:, 0] - expected).max(), 1e-6 * 0.3 / omega)
        self.assertLess(np.abs(run.energy.relative_energy_error).max(), 1e-6)

    def test_masses_inside_are_recorded_in_the_order_of_the_scenario(self):
        run = chain(resonator=[{"beads": [2, 5], "mass": 1e-4, "stiffness": 2e5}, {"beads": [4, 11], "every": 7, "mass": 2e-4,
                               "stiffness": 1e5, "damping": 0.2}]).run()
        self.assertEqual(list(run["resonator_bead"]), [2, 3, 4, 5, 4, 11])
        self.assertEqual(list(run["resonator_mass"]), 4 * [1e-4] + 2 * [2e-4])
        run.save("history.h5")
        with bw.History("history.h5") as history:
            for name in ("resonator_bead", "resonator_mass", "resonator_displacement", "resonator_velocity"):
                np.testing.assert_array_equal(history[name], run[name])
        y, v = np.asarray(run["resonator_displacement"]), np.asarray(run["resonator_velocity"])
        self.assertEqual(y.shape, (101, 6))
        # The velocity is the derivative, by Simpson's rule.
        step = 1e-6
        self.assertLess(np.abs((y[2:] - y[:-2]) - step / 3 * (v[2:] + 4 * v[1:-1] + v[:-2])).max(), 1e-4 * np.abs(y).max())
        momentum = 0.45e-3 * np.asarray(run["velocity"]).sum(axis=1) + v @ np.asarray(run["resonator_mass"])
        self.assertLess(np.abs(momentum / (0.45e-3 * 0.5) - 1).max(), 1e-12)

    def test_a_saved_state_continues_to_the_bit(self):
        elements = {"resonator": [{"mass": 1e-4, "stiffness": 2e5, "cubic": 1e12, "damping": 0.1}],
                    "load": [{"bead": 8, "frequency": 3e4, "amplitude": 2.0, "cycles": 2}],
                    "drive": [{"bead": 10, "frequency": 2e4, "amplitude": 1e-7}]}
        steps = chain(**elements)
        steps.run(1234)
        self.assert_continues(steps, 1500, ("displacement", "velocity", "contact_force"))

    def test_a_driven_bead_keeps_its_motion_when_velocities_are_written(self):
        driven = chain(drive=[{"bead": 6, "frequency": 2e4, "amplitude": 1e-7}])
        driven.run(100)
        with driven.state() as state:
            state.velocity[3] += 0.1
        driven.run(100)
        self.assertAlmostEqual(driven.displacement[6], 1e-7 * math.sin(2 * math.pi * 2e4 * 200e-8), delta=1e-20)
        with self.assertRaisesRegex(bw.InputError, "velocity of bead 6 .* expected a number, unchanged for a driven bead"):
            with driven.state() as state:
                state.velocity[6] = 0.0

    def test_written_velocities_stay_in_the_balance_of_dashpots(self):
        damped = chain(foundation=[{"damping": 3.0}])
        damped.run(2000)
        with damped.state() as state:
            state.velocity[1] += 0.2
        damped.run(4000)
        self.assertLess(abs(damped.energy()["relative_energy_error"]), 1e-5)

    def test_a_load_on_a_driven_bead_changes_nothing(self):
        drive = [{"bead": 6, "frequency": 2e4, "amplitude": 1e-7}]
        alone = chain(drive=drive).run()
        for load in ({"force": 100.0}, {"frequency": 3e4, "amplitude": 100.0}):
            with self.subTest(load=load):
                pushed = chain(drive=drive, load=[{"bead": 6, **load}]).run()
                np.testing.assert_array_equal(pushed["velocity"][:, 6], alone["velocity"][:, 6])
                self.assertLess(np.abs(pushed.energy.relative_energy_error).max(), 1e-6)
                np.testing.assert_allclose(pushed["external_work"][-1], alone["external_work"][-1], rtol=1e-9)

    def test_what_a_chain_from_arrays_cannot_have_is_refused(self):
        drive = {"frequency": 2e4, "amplitude": 1e-7}
        two = {"radius": [2e-3, 2e-3, 2e-3], "mass": [1e-3, 1e-3, 1e-3], "material": STEEL, "time": {"end": 1e-5, "step": 1e-8}}
        for more, message in (({"gravity": 9.81, "resonator": [{"mass": 1e-4, "stiffness": 1e3}], "law": "hertz"}, "cannot have a weight"),
                              ({"drive": [{"bead": 0, **drive}], "left_fixed": True, "law": "hertz"}, "is fixed, as the end of the chain"),
                              ({"drive": [{"bead": 0, **drive}, {"bead": 1, **drive}], "law": "hertz"}, "next to another driven"),
                              ({"law": {"name": "jkr", "adhesion_energy": 0.1}, "time": {"end": 1e-5, "step": 1e-8, "sleep_speed": 1e-3}},
                               "cannot be used with law")):
            with self.subTest(message=message), self.assertRaisesRegex(bw.InputError, message):
                bw.Chain(**{**two, **more}).run()

    def test_a_sweep_varies_the_stiffness_of_a_resonator(self):
        swept = bw.sweep(CONFIGS / "mass_in_mass.toml", {"resonator.0.stiffness": [1e6, 4e6]}, overrides={"time.end": 1e-4})
        forces = swept["peak_force"]
        self.assertEqual(len(forces), 2)
        self.assertTrue((forces[0][:4] != forces[1][:4]).all())

    def test_magnets_turn_where_the_energy_says(self):
        # Side by side, F = 3 mu0 m1 m2 / (4 pi r^4), U = F r / 3.
        strength = 3 * 4e-7 * math.pi / (4 * math.pi) * 0.5 * 0.6
        magnets = bw.Chain(radius=[5e-3] * 2, mass=[2e-3] * 2, velocity=[0.1, -0.1], gap=[math.inf, 0.02, math.inf], law="hertz",
                           material=STEEL, time={"end": 0.2}, snapshots={"interval": 1e-4},
                           pair_force=[{"moments": [0.5, 0.6], "orientation": "side-by-side"}])
        run = magnets.run()
        apart = 0.03 + np.asarray(run["displacement"]) @ [-1, 1]
        turn = (0.03 ** -3 + 3 / strength * 0.5 * 1e-3 * 0.2 ** 2) ** (-1 / 3)
        self.assertLess(abs(apart.min() / turn - 1), 1e-4)
        self.assertLess(np.abs(run.energy.relative_energy_error).max(), 1e-5)

    def test_magnets_from_arrays_start_in_equilibrium_and_continue_to_the_bit(self):
        def magnets():
            return bw.Chain(radius=np.full(30, 5e-3), mass=np.full(30, 2e-3), gap=[math.inf] + 29 * [0.01] + [math.inf], law="hertz",
                            material=STEEL, left_fixed=True, right_fixed=True, time={"end": 0.1, "step": 1e-5},
                            load=[{"bead": 3, "frequency": 40, "amplitude": 0.5, "cycles": 0.5}],
                            pair_force=[{"force": 0.5, "distance": 0.02, "exponent": 2.73, "neighbours": 2, "equilibrium": True}])
        steps = magnets()
        steps.run(1000)
        self.assertLess(np.abs(steps.velocity[20:]).max(), 1e-9)  # the push has not come so far
        self.assertGreater(np.abs(steps.velocity[:5]).max(), 1e-2)
        self.assert_continues(steps, 1500, ("velocity",))

    def test_a_sweep_varies_the_force_between_magnets(self):
        swept = bw.sweep(CONFIGS / "magnets.toml", {"pair_force.0.force": [0.4, 0.5]}, overrides={"time.end": 0.05})
        work = np.asarray(swept["external_work"])  # a softer chain gives way more
        self.assertGreater(work[0], 1.05 * work[1])

    def test_modes_refuse_magnets_that_do_not_rest_in_one_sentence(self):
        settings = ["--set", "pair_force.0.neighbours=2", "--set", "pair_force.0.equilibrium=false"]
        error = program("modes", CONFIGS / "magnets.toml", *settings, status=2)[1]
        self.assertIn("bead 1 is not in static equilibrium", error)

    def test_modes_know_masses_inside_and_take_driven_beads_as_fixed_ones(self):
        m = bw.modes(CONFIGS / "mass_in_mass.toml", overrides={"segment.0.beads": 100})
        self.assertEqual(m.frequency.shape, (200,))
        self.assertEqual(m.shape.shape, (200, 200, 1))
        # Beads, then the masses inside them, under the numbers of their beads.
        self.assertEqual(list(m.body), 2 * list(range(100)))
        np.testing.assert_allclose(m.bands / 1e3, [[0, 14.3551], [21.2207, 53.6741]], atol=2e-3)
        # Every shape is that of the matrices.
        mass, stiffness, _ = (matrix.toarray() for matrix in bw.linearise(CONFIGS / "mass_in_mass.toml", overrides={"segment.0.beads": 100}).matrices())
        shapes = m.shape[:, :, 0].real.T
        left, right = stiffness @ shapes, mass @ shapes * (2 * math.pi * m.frequency) ** 2
        self.assertLess(np.abs(left - right).max(), 1e-9 * np.abs(stiffness).max())
        with open("driven.toml", "w", encoding="utf-8") as file:
            file.write((CONFIGS / "mass_in_mass.toml").read_text() + "[[drive]]\nbead = 50\nfrequency = 1e3\namplitude = 1e-8\n")
        # A driven bead is a fixed one.
        driven = bw.modes("driven.toml", overrides={"segment.0.beads": 100})
        self.assertEqual(list(driven.body[:51]), [*range(50), 51])
        self.assertEqual(len(driven.body), 198)


if __name__ == "__main__":
    main()
