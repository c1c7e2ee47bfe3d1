"""Arrays are read-only views of the run's memory and keep it alive; nothing leaks."""
import gc
import weakref

import numpy as np

import beadwave as bw
from support import CHAIN, CONFIGS, SHORT, InFolder, main


def resident():
    """Memory in use [KiB]."""
    with open("/proc/self/status", encoding="ascii") as status:
        return int(next(line.split()[1] for line in status if line.startswith("VmRSS")))


class Arrays(InFolder):
    def setUp(self):
        super().setUp()
        self.run = bw.Chain.load(CHAIN, overrides=SHORT).run()

    def test_addresses_are_those_of_the_library(self):
        runs = [self.run, bw.load(CONFIGS / "square_crystal.toml", overrides={"time.end": 5e-6}).run(),
                bw.load(CONFIGS / "slider_crank.toml", overrides={"time.end": 1e-3}).run()]
        for run in runs:
            for name in run.names():
                array = run[name]
                if array.size:
                    self.assertEqual(array.__array_interface__["data"][0], run._run.address(name), name)
                    self.assertFalse(array.flags.owndata, name)
                self.assertFalse(array.flags.writeable and array.size, name)

    def test_shapes_and_values(self):
        run = self.run
        self.assertEqual(run.sensor_force.shape, (601, 8))
        self.assertEqual(run.snapshots.velocity.shape, (61, 71))
        self.assertEqual(run.snapshots.contact_force.shape, (61, 72))
        self.assertEqual(run.sensors.tolist(), [9, 16, 24, 31, 40, 50, 56, 63])
        energy = run.energy
        sums = energy.kinetic + energy.stored + energy.dissipated - energy.external_work + energy.sleep_loss
        self.assertLess(abs(sums / sums[0] - 1.0).max(), 1e-5)
        # The ledger's own energy error, except for rounding.
        self.assertLess(abs(sums - sums[0] - energy.energy_error).max(), 1e-14 * sums[0])
        with self.assertRaises(KeyError):
            run["sensor_farce"]
        with self.assertRaises(AttributeError):
            energy.rotational

    def test_a_history_takes_the_indices_of_an_array(self):
        self.run.save("x.h5")
        rows = np.arange(61) % 7 == 0
        with bw.History("x.h5") as history:
            from_file, in_memory = history.snapshots.velocity, self.run.snapshots.velocity
            for index in (np.array([0, 3]), rows, -1, (slice(2, 9), 5), (..., 5), (rows, 5)):
                self.assertEqual(np.asarray(from_file[index]).tobytes(), in_memory[index].tobytes(), str(index))

    def test_cannot_be_written(self):
        with self.assertRaises(ValueError):
            self.run.sensor_force[0, 0] = 1.0

    def test_an_array_outlives_its_run(self):
        force = self.run.sensor_force
        copy = force.copy()
        gone = weakref.ref(self.run)
        self.run = None
        gc.collect()
        self.assertIsNone(gone())
        waste = [np.full(100_000, 7.0) for _ in range(50)]  # would overwrite freed memory
        self.assertTrue((force == copy).all())
        del waste

    def test_nothing_leaks(self):
        chain = bw.Chain.load(CHAIN, overrides={"time.end": 2e-6})
        for _ in range(100):
            chain.run().sensor_force.sum()
        before = resident()
        for _ in range(400):
            chain.run().sensor_force.sum()
        # Each run holds at least 28 kB: if one in five leaked, that would be 2 MB.
        self.assertLess(resident() - before, 1000)


if __name__ == "__main__":
    main()
