"""Observables that Python functions compute, in the three systems: values, attributes in the file, what is refused."""
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

import beadwave as bw
from support import CONFIGS

PACKING = {"position": [[0, 0, 0], [0.0201, 0, 0]], "radius": 0.01, "velocity": [[1, 0, 0], [0, 0, 0]], "law": "hertz",
           "material": {"youngs_modulus": 2e9, "poisson_ratio": 0.3, "density": 7800},
           "time": {"end": 3e-4}, "snapshots": {"interval": 1e-5}}


def chain():
    return bw.Chain.load(CONFIGS / "chain70.toml", overrides={"time.end": 2e-5, "snapshots.interval": 1e-6})


class Observables(unittest.TestCase):
    def test_a_python_law_refuses_them(self):
        system = chain()
        system.observe("steps")(lambda sample: sample.step)
        with self.assertRaisesRegex(bw.InputError, "run_with_law: does not call observables"):
            system.run_with_law(lambda overlap, speed, memory: 1e9 * overlap)

    def test_a_chain_records_functions_of_what_it_records(self):
        system = chain()
        seen = []

        @system.observe("momentum_now", unit="kg m s-1", every="snapshots", description="of all beads")
        def momentum_now(sample):
            seen.append((sample.step, sample.time))
            return float(system.mass @ sample["velocity"])

        @system.observe("ends", unit="m", every="snapshots", shape=2)
        def ends(sample):
            return sample["displacement"][[0, -1]]

        @system.observe("lost")
        def lost(sample):
            self.assertIn("dissipated_energy", sample)
            return sample["dissipated_energy"] / sample["kinetic_energy"]

        run = system.run()
        np.testing.assert_array_equal(run["momentum_now"], [system.mass @ v for v in run["velocity"]])
        np.testing.assert_array_equal(run["ends"], run["displacement"][:, [0, -1]])
        np.testing.assert_array_equal(run["lost"], run.energy.dissipated / run.energy.kinetic)
        np.testing.assert_array_equal([time for _, time in seen], run.snapshots.time)
        self.assertGreater(run["lost"][-1], 0.0)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "observed.h5"
            run.save(file)
            with h5py.File(file) as stored:
                group = stored["observables/momentum_now"]
                np.testing.assert_array_equal(group["value"], run["momentum_now"])
                self.assertEqual(group["value"].attrs["unit"], "kg m s-1")
                self.assertEqual(group["value"].attrs["description"], "of all beads")
                np.testing.assert_array_equal(group["time"], run.snapshots.time)
            np.testing.assert_array_equal(bw.History(file)["ends"], run["ends"])
        self.assertEqual([each for each in chain().run() if each == "ends"], [])

    def test_a_packing_and_a_mechanism_do_so_too(self):
        packing = bw.Packing(**PACKING)

        @packing.observe("fastest", unit="m s-1", every="snapshots")
        def fastest(sample):
            return np.linalg.norm(sample["velocity"], axis=1).max()

        run = packing.run()
        np.testing.assert_array_equal(run["fastest"], np.linalg.norm(run["velocity"], axis=2).max(axis=1))
        mechanism = bw.Mechanism(body=[{"name": "ball", "mass": 2.0, "inertia": 1e-3, "centre": [0.0, 0.0]}],
                                 gravity={"acceleration": [0.0, -10.0]}, time={"end": 0.1, "interval": 0.01})

        @mechanism.observe("kinetic", unit="J", every="snapshots")
        def kinetic(sample):
            return sample["kinetic_energy"]

        fall = mechanism.run()
        np.testing.assert_allclose(fall["kinetic"], 100.0 * np.linspace(0.0, 0.1, 11) ** 2, rtol=1e-9, atol=1e-15)

    def test_what_cannot_be_observed_is_refused(self):
        def refused(pattern, change, run=False):
            system = chain()
            with self.assertRaisesRegex(bw.InputError, pattern):
                change(system)
                if run:
                    system.run()

        one = lambda sample: 1.0  # noqa: E731
        refused("the name is", lambda s: s.observe("1st")(one))
        refused("expected a function", lambda s: s.observe("first")(3))
        refused("every is", lambda s: s.observe("first", every="day")(one))
        refused("shape is", lambda s: s.observe("first", shape=0)(one))
        refused("there is an observable", lambda s: (s.observe("first")(one), s.observe("first")(one)))
        refused("is recorded already", lambda s: s.observe("velocity")(one), run=True)
        refused("expected numbers of shape", lambda s: s.observe("first")(lambda sample: [1, 2]), run=True)
        refused("stays in memory", lambda s: (s.observe("first")(one), s.run(output="never.h5")))
        refused("is no observable", lambda s: s.unobserve("first"))
        packing = bw.Packing(**{key: value for key, value in PACKING.items() if key != "snapshots"})
        packing.observe("first", every="snapshots")(one)
        with self.assertRaisesRegex(bw.InputError, "snapshots.interval"):
            packing.run()

    def test_what_a_function_raises_ends_the_run_and_a_sample_ends_with_its_call(self):
        system = chain()
        kept = []

        @system.observe("failing")
        def failing(sample):
            kept.append(sample)
            if sample.step > 100:
                raise ZeroDivisionError("as told")
            with self.assertRaisesRegex(KeyError, "there are .*kinetic_energy"):
                sample["kinetc_energy"]
            return 1

        with self.assertRaisesRegex(ZeroDivisionError, "as told"):
            system.run()
        with self.assertRaisesRegex(bw.InputError, "only in the call"):
            kept[0]["kinetic_energy"]
        system.unobserve("failing")
        system.run()


if __name__ == "__main__":
    unittest.main()
