"""What run(n) records: the samples of a whole run, to the bit, however the steps are divided."""

import numpy as np

import beadwave as bw
from support import CHAIN, CONFIGS, InFolder, main
from compare_histories import differences, of_file  # support adds its folder to the path

OVERRIDES = {"time.end": 4e-5, "snapshots.interval": 3e-6}
PACKING = {"particles": [{"lattice": "fcc", "cells": [2, 2, 2], "radius": 2.38e-3, "material": "steel", "overlap": 1e-7},
                         {"position": [2e-3, 3e-3, 16.0e-3], "radius": 2.38e-3, "material": "steel", "velocity": [0.1, 0.0, -1.0],
                          "angular_velocity": [50.0, 0.0, 0.0]}],
           "wall": [{"point": [0.0, 0.0, -2.38e-3], "normal": [0.0, 0.0, 1.0], "material": "steel"}],
           "material": {"steel": {"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800.0}},
           "law": {"name": "hertz"}, "friction": {"law": "mindlin", "coefficient": 0.3}, "time": {"end": 6e-5},
           "sensors": {"particles": [0, 32], "interval": 3e-7}, "snapshots": {"interval": 7e-6}, 
           "measure": {"interval": 5e-6, "lower": [-2e-3, -2e-3, -2e-3], "upper": [9e-3, 9e-3, 9e-3]}}


class Recorded(InFolder):
    def same(self, recorded, run):
        self.assertEqual(recorded.names(), run.names())
        self.assertGreater(len(recorded.energy.time), 10)
        for name in run.names():
            self.assertEqual(np.asarray(recorded[name]).tobytes(), run[name].tobytes(), name)
            self.assertEqual(recorded[name].shape, run[name].shape)
            self.assertEqual(recorded.unit(name), run.unit(name))

    def same_files(self):
        """Warnings about the result of a run are known at its end."""
        whole, parts = of_file("whole.h5"), of_file("parts.h5")
        del whole["/parameters/warnings"], parts["/parameters/warnings"]
        self.assertEqual(list(differences(whole, parts)), [])

    def by_parts(self, system, seed):
        """As many steps as a run has, in parts of random length."""
        numbers = np.random.default_rng(seed)
        whole = system.run()
        while (left := whole.result["steps"] - system.timestep) > 0:
            system.run(int(min(left, numbers.integers(1, 700))))
        return whole

    def test_steps_of_a_chain_record_the_bits_of_a_run_and_write_its_file(self):
        chain = bw.Chain.load(CHAIN, overrides=OVERRIDES)
        whole = self.by_parts(chain, 1)
        self.same(chain.recorded, whole)
        self.assertEqual(chain.recorded.warnings, [])
        whole.save("whole.h5")
        chain.recorded.save("parts.h5")
        self.same_files()
        chain.run(7)
        self.assertIn(f"step {whole.result['steps']} of {whole.result['steps'] + 7}", chain.recorded.warnings[0])
        self.same(chain.recorded, whole)

    def test_steps_of_a_packing_record_the_bits_of_a_run(self):
        packing = bw.Packing.load(PACKING)
        whole = self.by_parts(packing, 2)
        self.same(packing.recorded, whole)
        self.assertIn("stress", packing.recorded)
        whole.save("whole.h5")
        packing.recorded.save("parts.h5")
        self.same_files()

    def test_bonds_that_break_are_recorded(self):
        chain = bw.Chain.load(CONFIGS / "bonded_chain.toml")
        whole = self.by_parts(chain, 3)
        self.assertGreater(len(whole["broken_bonds/break_time"]), 0)
        # Far ahead of the wave linear bonds leave motions of 1e-300, whose flushed parts depend on how steps are divided.
        for name in whole.names():
            np.testing.assert_allclose(chain.recorded[name], whole[name], rtol=0, atol=1e-280, err_msg=name)

    def test_observables_are_called_in_steps_and_stay_as_they_are_while_they_record(self):
        chain = bw.Chain.load(CHAIN, overrides=OVERRIDES)

        @chain.observe("front", every="snapshots")
        def front(sample):
            return max(np.nonzero(np.abs(sample["velocity"]) > 1e-3)[0], default=-1)

        chain.observe("time_now", unit="s")(lambda sample: sample.time)
        whole = self.by_parts(chain, 4)
        self.same(chain.recorded, whole)
        self.assertEqual(chain.recorded["front"].tolist(), whole["front"].tolist())
        self.assertGreater(whole["front"][-1], whole["front"][0])
        for change in (lambda: chain.unobserve("front"), lambda: chain.observe("more")(front)):
            with self.assertRaisesRegex(bw.InputError, r"run\(n\) records already; reset\(\) first"):
                change()
        kept = chain.recorded
        chain.reset()
        chain.unobserve("front")
        with self.assertRaisesRegex(bw.InputError, "has not run yet"):
            chain.recorded  # pylint: disable=pointless-statement
        self.assertEqual(kept["front"].tolist(), whole["front"].tolist())

    def test_written_velocities_and_forces_are_in_the_recorded_ledger(self):
        for system in (bw.Chain.load(CHAIN, overrides={**OVERRIDES, "energy.interval": 1e-6}),
                       bw.Packing.load({**PACKING, "energy": {"interval": 1e-6}})):
            system.run(500)
            with system.state() as state:
                state.velocity[0] += 0.5
            system.external_force([0])(lambda time, displacement, velocity: 3.0 + 0.0 * displacement)
            system.run(1500)
            energy = system.recorded.energy
            self.assertGreater(energy.external_work[-1], 0.0)
            self.assertLess(np.abs(energy.relative_energy_error).max(), 1e-3)
            twin = system.copy()
            twin.run(300)
            system.run(300)
            self.assertEqual(twin.energy(), system.energy())
            self.assertIn("begins at step 2000", twin.recorded.warnings[0])
            np.testing.assert_array_equal(twin.recorded.energy.external_work[1:],
                                          system.recorded.energy.external_work[1 - len(twin.recorded.energy.time):])

    def test_an_error_ends_the_recording_with_its_last_sample(self):
        chain = bw.Chain.load(CHAIN, overrides=OVERRIDES)

        def fails(sample):
            if sample.time > 1e-5:
                raise ValueError("enough")
            return 1.0

        chain.observe("fails")(fails)
        with self.assertRaisesRegex(ValueError, "enough"):
            chain.run(3000)
        step = chain.timestep
        chain.run(10)
        self.assertEqual(chain.timestep, step + 10)
        recorded = chain.recorded
        self.assertIn(f"ended at step {step} with an error", recorded.warnings[0])
        self.assertEqual(len(recorded["fails"]), len(recorded.energy.time))
        self.assertLessEqual(recorded.energy.time[-1], 1e-5)
        recorded.save("part.h5")
        self.assertEqual(len(bw.History("part.h5")["fails"]), len(recorded["fails"]))


if __name__ == "__main__":
    main()
