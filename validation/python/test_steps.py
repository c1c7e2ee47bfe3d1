"""Runs of a number of steps, and changes of the state between them; chains from arrays; laws from functions."""
import threading

import numpy as np

import beadwave as bw
from support import CHAIN, CONFIGS, SHORT, InFolder, main

STEEL = {"youngs_modulus": 2e11, "poisson_ratio": 0.3}
RADIUS, MASS = 0.01, 0.0327
# Two such beads: K = (4/3) E sqrt(R), with the effective modulus E and half the radius R.
STIFFNESS = 4 / 3 * 2e11 / (2 * (1 - 0.09)) * (RADIUS / 2) ** 0.5


def row(beads=10, law="hertz", **more):
    return bw.Chain(radius=np.full(beads, RADIUS), mass=MASS, velocity=[1.0] + (beads - 1) * [0.0], law=law, material=STEEL,
                    **{"time": {"end": 2e-4, "step": 2e-8}, "snapshots": {"interval": 1e-5}, **more})


def verlet(beads, steps, step, force):
    """The same chain by plain velocity Verlet."""
    u, v = np.zeros(beads), np.zeros(beads)
    v[0] = 1.0

    def acceleration(displacement):
        f = force(np.maximum(displacement[:-1] - displacement[1:], 0.0))
        return (np.append(0.0, f) - np.append(f, 0.0)) / MASS
    a = acceleration(u)
    for _ in range(steps):
        v += 0.5 * step * a
        u += step * v
        a = acceleration(u)
        v += 0.5 * step * a
    return u, v


class Steps(InFolder):
    def test_steps_are_those_of_a_run(self):
        chain = bw.Chain.load(CHAIN, overrides=SHORT)
        run = chain.run()
        for snapshot, step in enumerate(run.snapshots.step):
            chain.run(int(step) - chain.timestep)
            self.assertEqual(chain.velocity.tobytes(), run.snapshots.velocity[snapshot].tobytes())
            self.assertEqual(chain.displacement.tobytes(), run.snapshots.displacement[snapshot].tobytes())
        self.assertAlmostEqual(chain.time, 60e-6, places=15)
        energy = chain.energy()
        self.assertEqual(energy["kinetic"], run.energy.kinetic[-1])
        chain.reset()
        self.assertEqual((chain.timestep, chain.velocity[0]), (0, 1.77))

    def in_threads(self, call, threads=4):
        """Calls it in several threads that start together."""
        start, errors = threading.Barrier(threads), []

        def work():
            start.wait()
            try:
                call()
            except BaseException as error:  # pylint: disable=broad-except
                errors.append(error)
        workers = [threading.Thread(target=work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(errors, [])

    def test_steps_of_one_object_in_several_threads_run_one_after_the_other(self):
        for make in (lambda: row(200), lambda: bw.load(CONFIGS / "square_crystal.toml")):
            alone = make()
            alone.run(4 * 25 * 7)
            for _ in range(10):
                shared = make()

                def steps(shared=shared):
                    for _ in range(25):
                        shared.run(7, threads=1)
                        shared.energy()
                self.in_threads(steps)
                self.assertEqual(shared.timestep, alone.timestep)
                self.assertEqual(shared.velocity.tobytes(), alone.velocity.tobytes())
                self.assertEqual(shared.displacement.tobytes(), alone.displacement.tobytes())

    def test_while_one_thread_writes_the_state_another_cannot_run(self):
        chain = row()
        with chain.state() as state:
            state.velocity[7] = 0.5
            refused = []

            def run():
                try:
                    chain.run(100)
                except bw.RunError as error:
                    refused.append(str(error))
            self.in_threads(run)
        self.assertEqual(refused, 4 * ["run: the state is open; leave its `with` block first"])
        self.assertEqual((chain.timestep, chain.velocity[7]), (0, 0.5))

    def test_options_of_a_whole_run_do_not_apply_to_a_number_of_steps(self):
        with self.assertRaisesRegex(bw.InputError, "output is an option of run\\(\\) without a number of steps"):
            row().run(10, output="x.h5")
        with self.assertRaisesRegex(bw.InputError, "expected 0 or more steps"):
            row().run(-1)

    def test_a_push_between_steps_counts_as_external_work(self):
        chain = row()
        chain.run(1000)
        before = chain.energy()
        with chain.state() as state:
            velocity = state.velocity
            velocity[7] += 0.5
            with self.assertRaisesRegex(bw.RunError, "the state is open"):
                chain.run(1)
        added = chain.energy()["external_work"] - before["external_work"]
        v = chain.velocity[7]
        self.assertAlmostEqual(added / (0.5 * MASS * (v**2 - (v - 0.5) ** 2)), 1.0, places=12)
        chain.run(5000)
        self.assertLess(abs(chain.energy()["relative_energy_error"]), 1e-5)
        with self.assertRaises(ValueError):
            velocity[7] = 0.0
        with self.assertRaisesRegex(bw.RunError, "the state is closed"):
            _ = state.velocity
        with self.assertRaisesRegex(bw.InputError, "velocity of bead 3 is nan"), chain.state() as state:
            state.velocity[3] = np.nan

    def test_a_push_wakes_beads_that_sleep(self):
        def pushed(**sleep):
            chain = row(3000, time={"end": 2e-3, "step": 1e-7, **sleep})
            with chain.state() as state:
                state.velocity[:] = 1e-9  # almost at rest
            chain.run(2000)
            asleep = np.count_nonzero(chain.velocity == 0.0)
            with chain.state() as state:
                state.velocity[1500] = 1.0
            chain.run(4000)
            return asleep, chain.velocity.copy()
        asleep, velocity = pushed(sleep_speed=1e-6)
        self.assertGreater(asleep, 2900)
        self.assertLess(abs(velocity - pushed()[1]).max(), 1e-6)
        self.assertGreater(velocity[1505:].max(), 0.1)

    def test_the_state_is_the_engines_memory(self):
        chain = row()
        velocity = chain.velocity
        self.assertFalse(velocity.flags.writeable)
        with chain.state() as state:
            self.assertEqual(state.velocity.__array_interface__["data"][0], velocity.__array_interface__["data"][0])
        chain.run(100)
        self.assertLess(velocity[0], 1.0)  # it is a view
        chain.reset()
        first = velocity[0]
        chain.run(500)
        self.assertEqual(velocity[0], first)  # of the old state

    def test_packings_run_steps_and_mechanisms_do_not(self):
        packing = bw.Packing.load(CONFIGS / "square_crystal.toml", overrides={"time.end": 1e-5})
        run = packing.run()
        packing.run(int(run.snapshots.step[-1]))
        self.assertEqual(packing.velocity.tobytes(), run.snapshots.velocity[-1].tobytes())
        self.assertEqual(packing.energy()["kinetic"], run.energy.kinetic[-1])
        with self.assertRaisesRegex(bw.InputError, "run\\(10\\): a mechanism has no fixed time step, so it has no number of steps"):
            bw.Mechanism.load(CONFIGS / "slider_crank.toml").run(10)

    def test_arrays_against_a_plain_integration(self):
        run = row().run()
        u, v = verlet(10, 10_000, 2e-8, lambda overlap: STIFFNESS * overlap**1.5)
        # The same scheme with other roundings: 1e4 steps of 1e-16, amplified by the contact stiffness.
        self.assertLess(abs(run.snapshots.velocity[-1] - v).max(), 1e-9)
        self.assertLess(abs(run.snapshots.displacement[-1] - u).max(), 1e-13)

    def test_arrays_and_a_scenario_are_one_chain(self):
        text = {"material": {"steel": {**STEEL, "yield_stress": 9e8}}, "law": {"name": "ma-liu", "psi": 2.84, "xi": 13},
                "segment": [{"beads": 1, "radius": 0.01, "mass": 0.03, "material": "steel", "velocity": 2.0},
                            {"beads": 9, "radius": 0.008, "mass": 0.02, "material": "steel"}],
                "boundary": {"right": "wall"}, "time": {"end": 3e-4}, "sensors": {"beads": [2, 5]}}
        loaded = bw.Chain.load(text).run()
        gap = np.zeros(11)
        gap[0] = np.inf
        made = bw.Chain(radius=[0.01] + 9 * [0.008], mass=[0.03] + 9 * [0.02], velocity=[2.0] + 9 * [0.0], gap=gap,
                        material={**STEEL, "yield_stress": 9e8}, law=text["law"], time=text["time"], sensors=text["sensors"]).run()
        self.assertEqual(loaded.sensor_force.tobytes(), made.sensor_force.tobytes())
        made.save("arrays.h5")
        self.assertEqual(bw.History("arrays.h5").scenario, "")

    def test_a_parameter_of_the_law_may_have_a_number_per_contact(self):
        stiffness = 1e8 * (1.0 + 0.5 * np.sin(np.arange(11)))
        chain = row(law={"name": "hooke", "stiffness": stiffness})
        chain.run(4000)
        chain.save("half.h5")
        again = bw.load("half.h5")
        for each in (chain, again):
            each.run(6000)
        u, v = verlet(10, 10_000, 2e-8, lambda overlap: stiffness[1:-1] * overlap)
        self.assertLess(abs(chain.velocity - v).max(), 1e-9)
        self.assertLess(abs(chain.displacement - u).max(), 1e-13)
        self.assertEqual(chain.velocity.tobytes(), again.velocity.tobytes())
        # One number for all is the same chain as that number for each.
        same = [row(law={"name": "tsuji", "restitution": e}).run().snapshots.velocity.tobytes() for e in (0.8, np.full(11, 0.8))]
        self.assertEqual(*same)
        for wrong, message in ((stiffness[1:], r"law.stiffness: has the shape \(10,\); expected one number, or a row of 11"),
                               (np.where(np.arange(11) == 3, -1.0, stiffness), "law.stiffness: of contact 3 is -1; expected a number above 0")):
            with self.assertRaisesRegex(bw.InputError, message):
                row(law={"name": "hooke", "stiffness": wrong})
        with self.assertRaisesRegex(bw.InputError, "law.stiffnes"):
            row(law={"name": "hooke", "stiffnes": stiffness})

    def test_steps_in_which_spheres_pass_through_each_other_fail(self):
        soft = {"youngs_modulus": 1e4, "poisson_ratio": 0.3, "density": 2500.0}
        packing = bw.Packing([[0.0, 0.0, 0.0], [2.1e-3, 0.0, 0.0]], 1e-3, velocity=[[30.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
                             law="hertz", material=soft, time={"end": 1e-3, "step": 1e-8})
        with self.assertRaisesRegex(bw.RunError, "^particles 0 and 1 overlap by .*, where no contact law holds"):
            packing.run(10000)

    def test_a_packing_from_arrays_is_that_of_a_scenario(self):
        """Its history holds the arrays: the command runs it again to the same bits."""
        steel = {**STEEL, "density": 7800.0}
        tables = {"law": {"name": "hertz"}, "time": {"end": 3e-4}, "sensors": {"particles": [0, 1, 2]}}
        centres, speeds = [[0.0, 0.0, 0.0], [0.01905, 0.001, 0.0], [0.0381, 0.0, 0.0003]], [[1.0, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.0]]
        made = bw.Packing(centres, [0.01, 0.009, 0.01], velocity=speeds, material=steel, friction={"law": "mindlin", "coefficient": 0.3},
                          **tables).run()
        loaded = bw.Packing.load({"material": {"steel": steel}, "friction": {"law": "mindlin", "coefficient": 0.3}, **tables,
                                  "particles": [{"position": x, "velocity": v, "radius": r, "material": "steel"}
                                                for x, v, r in zip(centres, speeds, (0.01, 0.009, 0.01))]}).run()
        self.assertGreater(made.net_contact_force.max(), 10.0)
        self.assertEqual(made.net_contact_force.tobytes(), loaded.net_contact_force.tobytes())
        self.assertEqual(made["start"].tolist(), centres)
        for wrong, message in (({"position": [[0.0, 1.0, 2.0, 3.0]]}, "position: has the shape (1, 4); expected particles x 3"),
                               ({"velocity": [[1.0, 0.0, 0.0]]}, "velocity: has the shape (1, 3); expected 3 x 3")):
            with self.assertRaises(bw.InputError) as raised:
                bw.Packing(**{"position": centres, "radius": 0.01, "material": steel, **tables, **wrong})
            self.assertEqual(str(raised.exception), message)

    def test_a_mechanism_from_tables(self):
        fall = bw.Mechanism([{"name": "ball", "mass": 1.0, "inertia": 1e-3, "centre": [0.0, 2.0]}],
                            gravity={"acceleration": [0.0, -10.0]}, time={"end": 0.5, "interval": 0.1}).run()
        np.testing.assert_allclose(fall["position"][:, 0, 1], 2.0 - 5.0 * fall.snapshots.time**2, rtol=1e-9)

    def test_a_mechanism_says_what_each_contact_dissipated(self):
        """A block slides on two points of the ground until time 0.3: mu m g times its way."""
        mu, mass, speed = 0.2, 2.0, 1.0
        points = [{"name": name, "kind": "point-line", "bodies": ["block", "ground"], "point": [x, 0.0], "line_point": [0.0, 0.0],
                   "normal": [0.0, 1.0], "friction": {"coefficient": mu}} for name, x in (("left", -0.2), ("right", 0.2))]
        run = bw.Mechanism([{"name": "block", "mass": mass, "inertia": 1e-3, "centre": [0.0, 0.0], "velocity": [speed, 0.0]}],
                           contact=points, law={"name": "impulse", "restitution": 0.0}, gravity={"acceleration": [0.0, -10.0]},
                           time={"end": 0.3, "interval": 0.1}, dissipation={"per": ["contact", "particle", "wall"]}).run()
        time = run.snapshots.time
        lost = mu * mass * 10.0 * (speed * time - 0.5 * mu * 10.0 * time**2)
        np.testing.assert_allclose(run["contact_sliding_dissipation"], np.column_stack([lost, lost]) / 2, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(run["particle_sliding_dissipation"][:, 0], lost / 2, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(run["wall_sliding_dissipation"][:, 0], lost / 2, rtol=1e-9, atol=1e-15)
        np.testing.assert_allclose(run.energy.friction_dissipation, lost, rtol=1e-9, atol=1e-15)
        self.assertFalse([name for name in run.energy.names if name.startswith(("contact_", "particle_", "wall_"))])

    def test_a_law_from_a_function_is_the_law(self):
        calls = []

        def hertz(overlap, speed, memory):
            calls.append((overlap, speed, memory))
            return STIFFNESS * overlap**1.5
        chain = row(4, time={"end": 6e-5, "step": 1e-7})
        mine = chain.run_with_law(hertz, stored_energy=lambda overlap, memory: 0.4 * STIFFNESS * overlap**2.5)
        catalogue = chain.run()
        self.assertLess(abs(mine.snapshots.velocity - catalogue.snapshots.velocity).max(), 1e-10)
        self.assertLess(abs(mine.energy.relative_energy_error).max(), 1e-4)
        self.assertTrue(all(overlap > 0 and memory == () for overlap, _, memory in calls))

    def test_a_law_with_memory(self):
        """Unloading from the largest overlap so far is three times as steep as loading, so the energy loss is known."""
        k = 1e8

        def force(overlap, speed, memory):
            largest = max(memory[0], overlap)
            return max(k * largest - 3 * k * (largest - overlap), 0.0), (largest,)
        run = row(2, time={"end": 1.5e-4, "step": 2e-8}).run_with_law(force, memory=1)
        left = run.snapshots.velocity[-1]
        # A third of the work is recovered: e = sqrt(1/3). The largest overlap is between two steps.
        self.assertAlmostEqual(left[1] - left[0], 3**-0.5, places=4)
        self.assertAlmostEqual(left.sum(), 1.0, places=12)

    def test_a_function_that_fails(self):
        chain = row(3)

        def divides(overlap, speed, memory):
            raise ZeroDivisionError("mine")
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            chain.run_with_law(lambda overlap, speed, memory: 1e7 * overlap, stored_energy=lambda overlap, memory: divides(overlap, 0, memory))
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            chain.run_with_law(divides)
        with self.assertRaisesRegex(bw.InputError, "a tuple of length memory = 1"):
            chain.run_with_law(lambda overlap, speed, memory: (1.0, (1.0, 2.0)), memory=1)
        with self.assertRaisesRegex(bw.InputError, "at most 4"):
            chain.run_with_law(lambda overlap, speed, memory: 1.0, memory=5)

    def test_a_table_of_a_function_is_fast_and_accurate(self):
        law = bw.tabulate_law("hertz.csv", lambda overlap: STIFFNESS * overlap**1.5, 4e-5)
        fast, exact = row(law=law).run(), row().run()
        self.assertLess(abs(fast.snapshots.velocity - exact.snapshots.velocity).max(), 2e-4)
        with self.assertRaisesRegex(bw.InputError, "increase with the overlap"):
            bw.tabulate_law("falls.csv", lambda overlap: -overlap, 1e-5)

    def test_two_threads_at_once_give_the_same_bits(self):
        chain = bw.Chain.load(CHAIN, overrides={"time.end": 3e-4})
        alone = chain.run(threads=2).sensor_force.tobytes()
        found = [None] * 4

        def work(place):
            found[place] = chain.run(threads=1 + place % 2, output=f"{place}.h5" if place > 1 else None)
        threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for run in found:
            self.assertEqual(np.asarray(run.sensor_force).tobytes(), alone)


if __name__ == "__main__":
    main()
