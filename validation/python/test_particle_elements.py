"""What particles carry, from Python: closed forms, histories, saved states, sweeps."""
import math

import numpy as np

import beadwave as bw
from support import CONFIGS, InFolder, main, program

STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 8000.0}
MASS = 4 / 3 * math.pi * 1e-2**3 * 8000


def one(velocity=None, **tables):
    return bw.Packing([[0, 0, 0]], 1e-2, velocity=velocity, material=STEEL, law="hertz", time={"end": 1e-3, "step": 1e-6},
                      snapshots={"interval": 1e-4}, energy={"interval": 1e-5}, **tables)


class ParticleElements(InFolder):
    def test_a_sphere_on_a_spring_swings_as_the_oscillator(self):
        run = one(velocity=[[0.3, 0, -0.1]], foundation=[{"stiffness": 1e5}]).run()
        omega = math.sqrt(1e5 / MASS)
        expected = np.sin(omega * np.asarray(run["snapshot_time"])) / omega
        np.testing.assert_allclose(run["displacement"][:, 0, :], np.outer(expected, [0.3, 0, -0.1]), atol=1e-6 * 0.3 / omega)
        self.assertLess(np.abs(run.energy.relative_energy_error).max(), 1e-6)

    def test_the_force_of_a_drive_is_recorded_and_does_the_external_work(self):
        run = one(drive=[{"group": 0, "frequency": 700, "amplitude": [0, 1e-4, 0]}],
                  foundation=[{"stiffness": 1e5, "damping": 20}]).run()
        w = 2 * math.pi * 700
        t = np.asarray(run["energy_time"])
        force = run["drive_force"][:, 0, :]
        expected = 1e-4 * ((1e5 - MASS * w * w) * np.sin(w * t) + 20 * w * np.cos(w * t))
        np.testing.assert_allclose(force[:, 1], expected, atol=1e-4 * np.abs(expected).max())
        self.assertEqual(list(run["driven_particle"]), [0])
        power = expected * 1e-4 * w * np.cos(w * t)
        work = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * 1e-5)])
        # Trapezoidal: (w dt)^2 / 3 of the work.
        np.testing.assert_allclose(run["external_work"], work, atol=1e-3 * np.abs(work).max())

    def test_the_torque_of_a_drive_that_turns_is_recorded_and_does_the_external_work(self):
        drag, rate = 1e-6, 40.0
        run = one(drive=[{"group": 0, "velocity": [0, 0, 0], "rotation": {"velocity": [0, rate, 0]}}],
                  foundation=[{"rotational_damping": drag}]).run()
        torque = run["drive_torque"][:, 0, :]
        np.testing.assert_allclose(torque, np.outer(np.ones(len(torque)), [0, drag * rate, 0]), rtol=1e-12)
        np.testing.assert_allclose(run["external_work"], drag * rate**2 * np.asarray(run["energy_time"]), rtol=1e-9)
        steps = one(drive=[{"group": 0, "velocity": [0, 0, 0], "rotation": {"velocity": [0, rate, 0]}}])
        steps.run(3)
        np.testing.assert_array_equal(steps.drive_torque, [[0, 0, 0]])

    def test_masses_inside_are_recorded_in_space(self):
        run = one(resonator=[{"mass": 1e-3, "stiffness": 1e4}, {"mass": 2e-3, "stiffness": 2e4, "damping": 1}],
                  load=[{"particles": "all", "frequency": 2000, "amplitude": [3, 0, 4], "cycles": 0.5}]).run()
        run.save("history.h5")
        with bw.History("history.h5") as history:
            for name in ("resonator_particle", "resonator_mass", "resonator_displacement", "resonator_velocity"):
                np.testing.assert_array_equal(history[name], run[name])
        y, v = np.asarray(run["resonator_displacement"]), np.asarray(run["resonator_velocity"])
        self.assertEqual(y.shape, (11, 2, 3))
        momentum = MASS * run["velocity"][-1, 0] + np.asarray(run["resonator_mass"]) @ v[-1]
        # Half a sine gives the momentum F / (pi f), up to (2 pi f dt)^2 / 12 of it.
        np.testing.assert_allclose(momentum, np.array([3, 0, 4]) / (math.pi * 2000), rtol=2e-5, atol=1e-15)

    def test_a_saved_state_continues_to_the_bit_and_a_driven_particle_keeps_its_velocity(self):
        tables = {"resonator": [{"mass": 1e-3, "stiffness": 1e4, "cubic": 1e9, "damping": 1}],
                  "drive": [{"group": 0, "frequency": 700, "amplitude": [1e-4, 0, 0], "axes": [True, False, False]}],
                  "load": [{"group": 0, "force": [0, 1, 0]}]}
        steps = one(**tables)
        steps.run(123)
        self.assert_continues(steps, 200, ("displacement",))
        np.testing.assert_array_equal(steps.drive_force.shape, (1, 3))
        self.assertEqual(list(steps.drive_force[0, 1:]), [0, 0])  # free axes
        with steps.state() as state:
            state.velocity[0, 1] += 0.1
        steps.run(50)
        self.assertLess(abs(steps.energy()["relative_energy_error"]), 1e-5)
        with self.assertRaisesRegex(bw.InputError, "velocity of particle 0 .* unchanged along driven axes"):
            with steps.state() as state:
                state.velocity[0, 0] += 0.1

    def test_modes_refuse_it_in_one_sentence(self):
        error = program("modes", CONFIGS / "intruder.toml", status=2)[1]
        self.assertIn("modes of packings do not have springs to the ground, resonators, loads and driven particles yet", error)


if __name__ == "__main__":
    main()
