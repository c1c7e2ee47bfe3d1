"""States of packings, columns, copies, saved states."""
import copy
import os
import resource
import signal
import threading

import numpy as np

import beadwave as bw
from support import CHAIN, CONFIGS, SHORT, InFolder, check_spin_stays, main, program

STEEL = {"youngs_modulus": 2e11, "poisson_ratio": 0.3}


def row(beads=10, **more):
    return bw.Chain(radius=np.linspace(0.01, 0.012, beads), mass=np.linspace(0.03, 0.05, beads), velocity=[1.0] + (beads - 1) * [0.0],
                    material=STEEL, **{"law": {"name": "tsuji", "restitution": 0.8}, "time": {"end": 2e-4, "step": 2e-8}, **more})


def heap(**more):
    """Spheres that meet with friction and rolling resistance above a wall."""
    random = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(*3 * [np.arange(3)], indexing="ij"), -1).reshape(-1, 3)
    return bw.Packing(0.02 * grid + random.uniform(-1e-4, 1e-4, grid.shape) + 0.0101, 0.01, velocity=random.normal(size=grid.shape),
                      angular_velocity=20.0 * random.normal(size=grid.shape), material={**STEEL, "density": 7800.0},
                      wall=[{"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"}],
                      **{"law": {"name": "tsuji", "restitution": 0.8}, "friction": {"law": "mindlin", "coefficient": 0.3},
                         "rolling": {"coefficient": 0.02}, "gravity": {"acceleration": [0, 0, -9.81]},
                         "time": {"end": 1e-2, "step": 2e-7}, **more})


def same(one, other):
    """Whether two systems are in the same state, to the bit."""
    names = ["velocity", "displacement"] + (["angular_velocity"] if isinstance(one, bw.Packing) else ["contact_force"])
    return (one.timestep == other.timestep and one.energy() == other.energy()
            and all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in names))


class StatesOfPackings(InFolder):
    def test_what_is_written_counts_as_external_work(self):
        packing = heap()
        packing.run(300)
        self.assertGreater(len(packing.contacts()), 5)
        before, velocity, spin = packing.energy(), packing.velocity, packing.angular_velocity
        with packing.state() as state:
            state.velocity[3] += [0.5, 0.0, -0.2]
            state.angular_velocity[4, 1] = 30.0
            self.assertEqual(state.displacement.tobytes(), packing.displacement.tobytes())
            self.assertEqual(state.position.tobytes(), packing.position.tobytes())
            with self.assertRaisesRegex(bw.RunError, "run: the state is open; leave its `with` block first"):
                packing.run(1)
            written = state.velocity
        np.testing.assert_allclose(packing.velocity[3], velocity[3] + [0.5, 0.0, -0.2], rtol=1e-15)
        # All others keep their bits, although the engine stores the radius times the angular velocity.
        self.assertEqual(np.delete(packing.angular_velocity, 4, 0).tobytes(), np.delete(spin, 4, 0).tobytes())
        added = (0.5 * packing.mass[3] * (packing.velocity[3] @ packing.velocity[3] - velocity[3] @ velocity[3])
                 + 0.5 * packing.inertia[4] * (packing.angular_velocity[4] @ packing.angular_velocity[4] - spin[4] @ spin[4]))
        after = packing.energy()
        self.assertAlmostEqual((after["external_work"] - before["external_work"]) / added, 1.0, places=10)
        self.assertAlmostEqual(after["normal"], before["normal"], delta=1e-15)
        error = abs(before["energy_error"])
        packing.run(4000)
        self.assertLess(abs(packing.energy()["energy_error"]), max(10.0 * error, 1e-5 * after["kinetic"]))
        with self.assertRaises(ValueError):
            written[0] = 0.0
        with self.assertRaisesRegex(bw.RunError, "the state is closed"):
            _ = state.velocity

    def test_velocities_are_written_without_a_change_of_angular_velocities(self):
        check_spin_stays(self, heap())

    def test_a_state_that_is_opened_and_closed_changes_no_bit(self):
        one, other = heap(), heap()
        one.run(3000)
        for _ in range(3):
            other.run(1000)
            with other.state():
                pass
        self.assertTrue(same(one, other))

    def test_wrong_velocities_change_nothing(self):
        for packing, column, value, message in (
                (heap(), "velocity", np.nan, "state: the velocity of particle 5 is (nan, nan, nan); expected finite numbers"),
                (heap(), "angular_velocity", np.inf, "state: the angular velocity of particle 5 is (inf, inf, inf); expected finite numbers"),
                (bw.load(CONFIGS / "square_crystal.toml"), "velocity", [0.0, 0.0, 1.0],
                 "state: the velocity of particle 5 is (0, 0, 1); expected finite numbers, in the plane")):
            before = packing.velocity.tobytes()
            with self.assertRaises(bw.InputError) as raised, packing.state() as state:
                getattr(state, column)[5] = value
            self.assertEqual(str(raised.exception), message)
            self.assertEqual(packing.velocity.tobytes(), before)
            packing.run(10)

    def test_a_chain_refuses_wrong_velocities_and_keeps_the_old_ones(self):
        chain = row()
        chain.run(100)
        before = chain.velocity.tobytes()
        with self.assertRaisesRegex(bw.InputError, "the velocity of bead 3 is nan"), chain.state() as state:
            state.velocity[3] = np.nan
        self.assertEqual(chain.velocity.tobytes(), before)

    def test_a_push_of_a_damped_chain_is_not_dissipation(self):
        chain = row()
        chain.run(1000)
        before = chain.energy()["dissipated"]
        with chain.state() as state:
            state.velocity[1] += 0.5
        # Half a step of the contacts' power would be 1e-5 of it or more.
        self.assertAlmostEqual(chain.energy()["dissipated"] / before, 1.0, places=10)
        self.assertGreater(abs(chain.contact_force[1] - chain.contact_force[2]) * 0.5 * 1e-8, 1e-8 * before)

    def test_mechanisms_say_why_they_have_none(self):
        mechanism = bw.load(CONFIGS / "slider_crank.toml")
        with self.assertRaisesRegex(bw.InputError, "state: a mechanism has no fixed time step, so there is no state between steps"):
            mechanism.state()
        self.assertEqual(type(mechanism.copy()), bw.Mechanism)


class Columns(InFolder):
    def test_of_chains(self):
        chain = row(gap=[np.inf] + 9 * [1e-6] + [np.inf])
        np.testing.assert_array_equal(chain.radius, np.linspace(0.01, 0.012, 10))
        np.testing.assert_array_equal(chain.mass, np.linspace(0.03, 0.05, 10))
        np.testing.assert_array_equal(chain.gap[1:-1], 1e-6)
        self.assertTrue(np.isinf(chain.gap[[0, -1]]).all())
        start = np.concatenate([[0.0], np.cumsum(chain.radius[:-1] + chain.radius[1:] + 1e-6)])
        np.testing.assert_allclose(chain.position, start, rtol=1e-14)
        chain.run(500)
        np.testing.assert_allclose(chain.position - start, chain.displacement, rtol=0, atol=1e-16)
        for name in ("radius", "mass", "gap"):
            with self.assertRaises(ValueError):
                getattr(chain, name)[0] = 1.0

    def test_of_packings(self):
        packing = heap()
        np.testing.assert_array_equal(packing.radius, 0.01)
        np.testing.assert_allclose(packing.mass, 4 / 3 * np.pi * 1e-6 * 7800.0, rtol=1e-14)
        np.testing.assert_allclose(packing.inertia, 0.4 * packing.mass * 1e-4, rtol=1e-14)
        with self.assertRaises(ValueError):
            packing.mass[0] = 1.0


class Copies(InFolder):
    def systems(self):
        yield bw.load(CHAIN, overrides=SHORT), 3000
        yield row(), 3000
        yield heap(), 300
        yield bw.load(CONFIGS / "hopper.toml"), 50

    def test_a_copy_takes_the_same_steps(self):
        for system, steps in self.systems():
            system.run(steps)
            twin = system.copy()
            self.assertIs(type(twin), type(system))
            self.assertTrue(same(system, twin), system)
            system.run(steps + 13)
            self.assertEqual(twin.timestep, steps)
            twin.run(13)
            twin.run(steps)
            self.assertTrue(same(system, twin), system)
            with twin.state() as state:
                state.velocity[0] = 0.0
            self.assertFalse(same(system, twin))

    def test_a_copy_has_the_same_actions_and_forces(self):
        chain = row()
        counts = []
        chain.every(10)(lambda given: counts.append(given))
        chain.external_force(beads=[0])(lambda time, displacement, velocity: -100.0 * velocity)
        chain.run(1000)
        twin = copy.copy(chain)
        chain.run(1000)
        counts.clear()
        twin.run(1000)
        self.assertTrue(same(chain, twin))
        self.assertEqual(len(counts), 100)
        self.assertTrue(all(given is twin for given in counts))
        deep = copy.deepcopy(twin)
        self.assertTrue(same(deep, twin))

    def test_a_copy_while_another_thread_runs_is_between_two_steps(self):
        chain, plain = row(), row()
        stop = threading.Event()

        def steps():
            while not stop.is_set():
                chain.run(100)
        worker = threading.Thread(target=steps)
        worker.start()
        copies = [chain.copy() for _ in range(20)]
        stop.set()
        worker.join()
        for twin in sorted(copies, key=lambda one: one.timestep):
            plain.run(twin.timestep - plain.timestep)
            self.assertTrue(twin.velocity.tobytes() == plain.velocity.tobytes())


class Saved(InFolder):
    def test_a_saved_state_continues_to_the_bit(self):
        for system, steps in Copies.systems(self):
            system.run(steps)
            with system.state() as state:
                state.velocity[1] *= 0.5  # the ledger has a past
            system.save("state.h5", overwrite=True)
            loaded = bw.load("state.h5")
            self.assertIs(type(loaded), type(system))
            self.assertTrue(same(system, loaded), system)
            self.assertEqual((loaded.time_step, loaded.time), (system.time_step, system.time))
            np.testing.assert_array_equal(loaded.radius, system.radius)
            for one in (system, loaded):
                one.run(steps)
            self.assertTrue(same(system, loaded), system)

    def test_every_scenario_continues_to_the_bit(self):
        for path in sorted(CONFIGS.glob("*.toml")):
            system = bw.load(path)
            if isinstance(system, bw.Mechanism):
                continue
            system.run(60)
            system.save("state.h5", overwrite=True)
            followers = [bw.load("state.h5"), system.copy()]
            system.run(61)
            for other in followers:
                other.run(61)
                self.assertTrue(same(system, other), path.stem)

    def test_a_state_that_cannot_be_written_leaves_the_earlier_one(self):
        chain = row(1000)
        chain.save("state.h5")
        chain.run(10)
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        try:
            with self.assertRaisesRegex(bw.RunError, r"\Astate\.h5: [^\n]*\Z"):
                chain.save("state.h5")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
            signal.signal(signal.SIGXFSZ, handler)
        self.assertEqual(bw.load("state.h5").timestep, 0)
        self.assertEqual(os.listdir(), ["state.h5"])

    def test_a_force_of_time_and_place_continues_to_the_bit(self):
        def spring(time, displacement, velocity):
            return 5.0 * np.sin(1e4 * time) - 1e5 * displacement
        chain = row()
        chain.external_force(beads=[0])(spring)
        chain.run(1000)
        chain.save("state.h5")
        loaded = bw.Chain.load("state.h5")
        loaded.external_force(beads=[0])(spring)
        for one in (chain, loaded):
            one.run(1000)
        self.assertTrue(same(chain, loaded))

    def test_a_saved_state_needs_no_other_file(self):
        chain = row(law=bw.tabulate_law("law.csv", lambda overlap: 1e10 * overlap**1.5, 1e-4))
        chain.run(500)
        chain.save("state.h5")
        os.remove("law.csv")
        loaded = bw.load("state.h5")
        for one in (chain, loaded):
            one.run(500)
        self.assertTrue(same(chain, loaded))

    def test_the_whole_run_of_a_loaded_system_is_that_of_its_scenario(self):
        chain = row(snapshots={"interval": 1e-5})
        chain.run(77)
        chain.save("state.h5")
        self.assertEqual(bw.load("state.h5").run().snapshots.velocity.tobytes(), chain.run().snapshots.velocity.tobytes())

    def test_a_damaged_state_gives_one_sentence(self):
        row().save("state.h5")
        with open("state.h5", "rb") as file:
            whole = file.read()
        random = np.random.default_rng(1)
        places = [*range(whole.index(b"\n") + 1), *range(512, len(whole))]  # not what fills the header up
        for place in random.choice(places, 150, replace=False):
            changed = bytearray(whole)
            changed[place] ^= 1 << random.integers(8)
            for content in (changed, whole[:place]):
                with open("damaged.h5", "wb") as file:
                    file.write(content)
                with self.assertRaisesRegex(bw.InputError, r"\Adamaged\.h5: [^\n]*\Z|\Adamaged\.h5:1: [^\n]*\Z"):
                    bw.load("damaged.h5")

    def test_while_another_thread_runs_the_stress_is_that_of_one_step(self):
        packing, plain = heap(), heap()
        seen = []

        def steps():
            for _ in range(30):
                packing.run(10)
        worker = threading.Thread(target=steps)
        worker.start()
        while worker.is_alive():
            seen.append(packing.stress(kinetic=True))
        worker.join()
        possible = set()
        for _ in range(31):
            possible.add(plain.stress(kinetic=True).tobytes())
            plain.run(10)
        self.assertTrue(all(stress.tobytes() in possible for stress in seen))

    def test_wrong_files_give_one_sentence(self):
        chain = row()
        chain.save("state.h5")
        chain.save("state.h5")  # a saved state may be replaced

        def message(call, *words, **more):
            with self.assertRaises(bw.InputError) as raised:
                call(*words, **more)
            return str(raised.exception)
        self.assertIn("state.h5: is a state that Python saved, not the checkpoint of a run; beadwave.load() in Python continues it",
                      message(bw.resume, "state.h5"))
        self.assertIn("beadwave.load() in Python", program("resume", "state.h5", status=2)[1])
        self.assertIn("state.h5: is a saved state; overrides apply to scenarios only", message(bw.load, "state.h5", {"time.end": 1.0}))
        self.assertIn("is a chain, not a packing", message(bw.Packing.load, "state.h5"))
        with open("mine.txt", "w", encoding="ascii") as file:
            file.write("mine")
        self.assertIn("mine.txt", message(chain.save, "mine.txt"))
        chain.save("mine.txt", overwrite=True)
        self.assertEqual(bw.load("mine.txt").timestep, 0)
        with open("state.h5", "r+b") as file:
            file.seek(3000)
            file.write(b"damage")
        self.assertIn("state.h5: is damaged: its checksum is wrong", message(bw.load, "state.h5"))
        self.assertIn("path: is 3; expected the name of a file", message(chain.save, 3))
        with chain.state(), self.assertRaisesRegex(bw.RunError, "save: the state is open"):
            chain.save("other.h5")


if __name__ == "__main__":
    main()
