"""Forces and actions from Python during a run: against closed forms, the energy balance, and runs without them."""
import gc
import weakref

import numpy as np

import beadwave as bw
from support import CONFIGS, InFolder, main

STEEL = {"youngs_modulus": 2e11, "poisson_ratio": 0.3}
RADIUS, MASS = 0.01, 0.0327


def row(beads=10, law="hertz", step=2e-8, end=2e-4, velocity=1.0, gap=0.0, **tables):
    gaps = np.full(beads + 1, gap)
    gaps[[0, -1]] = np.inf
    return bw.Chain(radius=np.full(beads, RADIUS), mass=MASS, velocity=[velocity] + (beads - 1) * [0.0], gap=gaps, law=law,
                    material=STEEL, time={"end": end, "step": step}, snapshots={"interval": 1e-5}, **tables)


def free(step=1e-6, end=1e-3):
    """Two beads that never meet."""
    return row(2, velocity=0.0, gap=1.0, step=step, end=end)


class ForcesOnBeads(InFolder):
    def test_a_constant_force_on_a_free_bead(self):
        chain = free()

        @chain.external_force(beads=[1])
        def push(time, displacement, velocity):
            return 3.0
        chain.run(1000)
        time = 1e-3
        # Velocity Verlet is exact here, so only 1000 roundings remain.
        np.testing.assert_allclose(chain.velocity, [0.0, 3.0 * time / MASS], rtol=1e-12)
        np.testing.assert_allclose(chain.displacement, [0.0, 1.5 * time**2 / MASS], rtol=1e-12)
        energy = chain.energy()
        np.testing.assert_allclose(energy["external_work"], 3.0 * chain.displacement[1], rtol=1e-12)
        self.assertLess(abs(energy["relative_energy_error"]), 1e-12)
        self.assertEqual(push(0.0, None, None), 3.0)  # the decorator leaves the function as it is

    def errors(self, force, exact, steps=(100, 400)):
        """Of the velocity at 1 ms, and of the energy, for each number of steps."""
        found = []
        for count in steps:
            chain = free(step=1e-3 / count)
            with chain.state() as state:
                state.velocity[0] = 1.0
            chain.external_force(beads=0)(force)
            chain.run(count)
            found.append((abs(chain.velocity[0] - exact), abs(chain.energy()["energy_error"])))
        return np.array(found)

    def test_a_harmonic_drive_is_of_second_order(self):
        omega, size = 5e3, 40.0
        errors = self.errors(lambda time, displacement, velocity: size * np.sin(omega * time),
                             1.0 + size / (MASS * omega) * (1.0 - np.cos(omega * 1e-3)))
        order = np.log(errors[0] / errors[1]) / np.log(4.0)
        self.assertLess(abs(order - 2.0).max(), 0.02)

    def test_a_spring_is_of_second_order(self):
        stiffness = 1e6
        omega = (stiffness / MASS) ** 0.5
        errors = self.errors(lambda time, displacement, velocity: -stiffness * displacement, np.cos(omega * 1e-3))
        order = np.log(errors[0] / errors[1]) / np.log(4.0)
        self.assertLess(abs(order - 2.0).max(), 0.05)

    def test_drag_is_of_second_order(self):
        drag = 100.0
        errors = self.errors(lambda time, displacement, velocity: -drag * velocity, np.exp(-drag / MASS * 1e-3))
        order = np.log(errors[0] / errors[1]) / np.log(4.0)
        self.assertLess(abs(order - 2.0).max(), 0.1)

    def test_the_energy_error_stays_as_small_as_without_the_force(self):
        """Also with a damped law, where the ledger needs the power of the contacts at the velocities with the force."""
        for law in ("hertz", {"name": "tsuji", "restitution": 0.7}, {"name": "ma-liu", "psi": 2.84, "xi": 13.0}):
            errors = []
            for driven in (False, True):
                chain = bw.Chain(radius=np.full(10, RADIUS), mass=MASS, velocity=[1.0] + 9 * [0.0], law=law,
                                 material={**STEEL, "yield_stress": 9e8}, time={"end": 2e-4, "step": 1e-7})
                if driven:
                    chain.external_force(beads=[0, 4])(lambda time, displacement, velocity: [300.0, -50.0 * np.sin(3e4 * time)])
                chain.run(2000)
                errors.append(abs(chain.energy()["relative_energy_error"]))
            work = chain.energy()["external_work"]
            self.assertGreater(abs(work), 1e-3)
            self.assertLess(errors[1], max(2.0 * errors[0], 1e-7), (law, errors))

    def test_a_whole_run_records_the_force_and_ends_where_steps_end(self):
        def drive(time, displacement, velocity):
            return 20.0 * np.sin(4e4 * time)
        chain = row(sensors={"beads": [3]})
        chain.external_force(beads=[0])(drive)
        run = chain.run()
        other = row(sensors={"beads": [3]})
        other.external_force(beads=[0])(drive)
        other.run(int(run.snapshots.step[-1]))
        self.assertEqual(run.snapshots.velocity[-1].tobytes(), other.velocity.tobytes())
        self.assertEqual(run.snapshots.displacement[-1].tobytes(), other.displacement.tobytes())
        self.assertEqual(run.energy.external_work[-1], other.energy()["external_work"])
        # The sensor shows the velocity with the whole force, as the snapshots do.
        own = row(sensors={"beads": [0]})
        own.external_force(beads=[0])(drive)
        run = own.run()
        at = np.searchsorted(run.time, run.snapshots.time[5] - 1e-12)
        self.assertEqual(run.sensor_velocity[at, 0], run.snapshots.velocity[5, 0])
        run.save("driven.h5")
        with bw.History("driven.h5") as history:
            self.assertEqual(np.asarray(history.energy.external_work).tobytes(), run.energy.external_work.tobytes())
        for options in ({"output": "x.h5"}, {"check": True}):
            with self.assertRaisesRegex(bw.InputError, "a run with external forces stays in memory; Run.save\\(\\) writes its history"):
                own.run(**options)

    def test_how_steps_are_grouped_changes_no_bit(self):
        def made():
            chain = row(law={"name": "tsuji", "restitution": 0.8})
            chain.external_force(beads=[2, 7])(lambda time, displacement, velocity: -40.0 * velocity + 5.0)
            return chain
        one, many = made(), made()
        one.run(1500)
        for steps in (1, 2, 497, 1000):
            many.run(steps)
        self.assertEqual(one.velocity.tobytes(), many.velocity.tobytes())
        self.assertEqual(one.energy(), many.energy())

    def test_a_removed_force_acts_no_more_and_its_work_stays(self):
        chain = free()

        def push(time, displacement, velocity):
            return 2.0
        chain.external_force(beads=[0])(push)
        chain.external_force(beads=[1])(lambda time, displacement, velocity: -1.0)
        chain.run(500)
        work, velocity = chain.energy()["external_work"], chain.velocity.copy()
        chain.remove(push)
        chain.run(500)
        self.assertEqual(chain.velocity[0], velocity[0])
        np.testing.assert_allclose(chain.velocity[1], 2.0 * velocity[1], rtol=1e-12)
        self.assertGreater(chain.energy()["external_work"], work)
        with self.assertRaisesRegex(bw.InputError, "remove: .* is neither an action nor an external force of this object"):
            chain.remove(push)

    def test_reset_keeps_forces_and_state_changes_are_seen(self):
        chain = free()
        calls = []

        @chain.external_force(beads=[0])
        def drag(time, displacement, velocity):
            calls.append((time, float(velocity[0])))
            return -50.0 * velocity
        chain.run(1)
        with chain.state() as state:
            state.velocity[0] = 1.0
        self.assertEqual(calls[-1], (1e-6, 1.0))
        chain.reset()
        chain.run(1)
        self.assertEqual([time for time, _ in calls], [0.0, 1e-6, 1e-6, 0.0, 1e-6])

    def test_wrong_forces_give_one_sentence(self):
        chain = row()
        for beads, message in (([10], "beads: 10 is none of the numbers 0 to 9"), ([1, 1], "beads: 1 is given twice"),
                               ("ab", "beads: 'ab' is none of the numbers 0 to 9"), (-1, "beads: -1 is none of the numbers 0 to 9")):
            with self.assertRaises(bw.InputError) as raised:
                chain.external_force(beads)
            self.assertEqual(str(raised.exception), message)
        with self.assertRaisesRegex(bw.InputError, "external_force: is 3; expected a function"):
            chain.external_force()(3)
        with self.assertRaisesRegex(bw.InputError, "every: is 0; expected a whole number from 1"):
            chain.every(0)
        for returned, shown in (([1.0, 2.0, 3.0], r"\[1.0, 2.0, 3.0\]"), (np.nan, "nan"), ("x", "'x'"), (None, "None")):
            def wrong(time, displacement, velocity, returned=returned):
                return returned
            chain.external_force([1, 2])(wrong)
            with self.assertRaisesRegex(bw.InputError, f"external_force: the function returned {shown} at 0 s; expected a finite "
                                        "force \\[N\\], for all bodies or as an array 2"):
                chain.run(1)
            chain.remove(wrong)
        self.assertEqual(chain.timestep, 0)

    def test_a_function_that_fails_or_steps(self):
        chain = row()

        def fails(time, displacement, velocity):
            return 1.0 / (time < 1.5e-7)
        chain.external_force(beads=[0])(fails)
        with self.assertRaises(ZeroDivisionError):
            chain.run(100)
        self.assertEqual(chain.timestep, 8)  # the step in which it failed is complete
        chain.remove(fails)
        chain.run(100)
        self.assertLess(abs(chain.energy()["relative_energy_error"]), 1e-5)

        def steps(time, displacement, velocity):
            if time > 2.2e-6:
                chain.run(1)
            return 0.0
        chain.external_force(beads=[0])(steps)
        with self.assertRaisesRegex(bw.InputError, "run: not possible in an external force, which is a part of a step"):
            chain.run(10)
        with self.assertRaisesRegex(bw.InputError, "run_with_law: external forces and actions of every\\(\\) do not act here"):
            chain.run_with_law(lambda overlap, speed, memory: 0.0)

    def test_a_chain_and_a_force_that_uses_it_are_collected(self):
        def used():
            chain = row()

            @chain.external_force(beads=[0])
            def force(time, displacement, velocity):
                return 1e-3 * chain.timestep
            chain.run(5)
            return weakref.ref(chain)
        gone = used()
        gc.collect()
        self.assertIsNone(gone())


class Actions(InFolder):
    def test_actions_run_at_their_steps_in_their_order(self):
        chain = row()
        seen = []
        chain.every(4)(lambda given: seen.append(("four", given.timestep)))

        @chain.every(6)
        def six(given):
            seen.append(("six", given.timestep))
        chain.run(3)
        chain.run(0)
        chain.run(10)
        self.assertEqual(seen, [("four", 4), ("six", 6), ("four", 8), ("four", 12), ("six", 12)])
        chain.remove(six)
        chain.run(7)
        self.assertEqual(seen[5:], [("four", 16), ("four", 20)])
        with self.assertRaisesRegex(bw.InputError, "actions of every\\(\\) are called in run\\(n\\)"):
            chain.run()

    def test_actions_that_only_read_change_no_bit(self):
        plain, watched = row(), row()
        watched.every(7)(lambda chain: chain.energy())
        plain.run(1000)
        watched.run(1000)
        self.assertEqual(plain.velocity.tobytes(), watched.velocity.tobytes())

    def test_an_action_may_change_the_state_and_the_ledger_counts_it(self):
        chain = row()
        before = {}

        @chain.every(500)
        def kick(given):
            with given.state() as state:
                before[given.timestep] = state.velocity[9]
                state.velocity[9] += 0.01
        chain.run(1000)
        added = sum(0.5 * MASS * ((v + 0.01) ** 2 - v**2) for v in before.values())
        self.assertEqual(list(before), [500, 1000])
        self.assertAlmostEqual(chain.energy()["external_work"] / added, 1.0, places=12)

    def test_an_action_cannot_step_and_what_it_raises_ends_the_run(self):
        chain = row()

        @chain.every(10)
        def steps(given):
            given.run(1)
        with self.assertRaisesRegex(bw.InputError, "run: not possible in an action of every\\(\\)"):
            chain.run(100)
        self.assertEqual(chain.timestep, 10)
        chain.remove(steps)

        @chain.every(7)
        def fails(given):
            raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            chain.run(100)
        self.assertEqual(chain.timestep, 14)


class ForcesOnParticles(InFolder):
    def packing(self, **more):
        return bw.Packing([[0.0, 0.0, 0.0], [0.0201, 0.0, 0.0], [0.0, 0.05, 0.0]], 0.01, law="hertz",
                          material={**STEEL, "density": 7800.0}, time={"end": 1e-3, "step": 1e-7}, **more)

    def test_a_force_of_the_weight_is_gravity(self):
        falling = self.packing(gravity={"acceleration": [0.0, -3.0, -9.81]})
        pushed = self.packing()
        weight = pushed.mass[:, None] * [0.0, -3.0, -9.81]
        pushed.external_force()(lambda time, displacement, velocity: weight)
        for packing in (falling, pushed):
            with packing.state() as state:
                state.velocity[0] = [1.0, 0.0, 0.0]
            packing.run(5000)
        np.testing.assert_allclose(pushed.velocity, falling.velocity, rtol=0, atol=1e-12)
        self.assertGreater(pushed.velocity[1, 0], 0.5)
        self.assertAlmostEqual(pushed.energy()["external_work"] / falling.energy()["external_work"], 1.0, places=11)
        self.assertLess(abs(pushed.energy()["relative_energy_error"]), 1e-6)

    def test_a_whole_run_ends_where_steps_end(self):
        def field(time, displacement, velocity):
            return np.column_stack([-50.0 * displacement[:, 0], 2.0 * np.sin(1e4 * time) + 0.0 * velocity[:, 1], -velocity[:, 2]])
        made = [self.packing(snapshots={"interval": 1e-4}, sensors={"particles": [0], "interval": 1e-5}) for _ in range(2)]
        for packing in made:
            packing.external_force()(field)
        run = made[0].run()
        made[1].run(int(run.snapshots.step[-1]))
        self.assertEqual(run.snapshots.velocity[-1].tobytes(), made[1].velocity.tobytes())
        self.assertEqual(run.energy.external_work[-1], made[1].energy()["external_work"])
        self.assertEqual(run.sensor_velocity[10].tobytes(), run.snapshots.velocity[1, :1].tobytes())

    def test_in_the_plane_a_force_has_two_components(self):
        packing = bw.load(CONFIGS / "square_crystal.toml", overrides={"time.end": 1e-5})
        packing.external_force(particles=[0])(lambda time, displacement, velocity: [0.0, 0.0, 1.0])
        with self.assertRaisesRegex(bw.InputError, "expected a finite force \\[N\\] of three components, the third of them 0, for all "
                                    "bodies or as an array 1 x 3"):
            packing.run(1)


if __name__ == "__main__":
    main()
