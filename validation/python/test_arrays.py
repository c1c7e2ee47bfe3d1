"""Arrays are read-only views of the run's memory and keep it alive; nothing leaks."""
import gc
import weakref

import h5py
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


def indices(shape):
    """Indices of an array of that shape, of all kinds that NumPy has."""
    rows, middle = shape[0], shape[0] // 2
    yield from (slice(None), slice(1, rows), slice(None, None, -1), slice(rows, None, -3), slice(middle, middle), ..., (),
                slice(-middle, 10 * rows, 2), None, (None, ..., None), np.arange(rows) % 3 == 0, np.arange(rows)[::-2], [])
    if rows:
        yield from (0, -1, np.int64(middle), (..., 0), [0, -1, middle], np.array([[0, middle], [-1, 0]]))
    if rows and len(shape) > 1 and shape[1]:
        yield from ((slice(None), 0), (slice(middle, None), slice(None, None, -2)), (-1, 0), ([0, middle], 0),
                    (np.arange(rows) % 2 == 0, -1), (slice(None), [0, -1]), np.ones(shape, bool))


class InMemoryAndInAFile(InFolder):
    """The same assertions for a run in memory and for its file."""

    def check(self, name, values):
        run = bw.load(CONFIGS / name, overrides=values).run()
        run.save("run.h5")
        with bw.History("run.h5") as history:
            for recorded in (run, history):
                arrays = dict(recorded)
                self.assertEqual(list(arrays), recorded.names())
                self.assertEqual(set(recorded.energy.names), set(run.energy.names))
                self.assertEqual(len(recorded.snapshots), len(run.snapshots))
                self.assertEqual({point: set(columns) for point, columns in recorded.impacts.items()},
                                 {point: set(columns) for point, columns in run.impacts.items()})
                for name in set(run) - {"start"}:
                    with self.subTest(name, of=recorded):
                        self.check_array(arrays[name], np.array(run[name]))

    def check_array(self, array, expected):
        for attribute in ("dtype", "shape", "ndim", "size", "nbytes"):
            self.assertEqual(getattr(array, attribute), getattr(expected, attribute))
        self.assertEqual(len(array), len(expected))
        for index in indices(expected.shape):
            part = array[index]
            self.assertIs(type(part), type(expected[index]))
            self.assertEqual((part.shape, part.dtype, part.tobytes()), (expected[index].shape, expected.dtype, expected[index].tobytes()))
        for wrong in (len(expected), -len(expected) - 1, (0,) * (expected.ndim + 1), 0.5, "x"):
            with self.assertRaises(IndexError):
                array[wrong]
        with self.assertRaises((TypeError, ValueError)):
            array[...] = 0
        with self.assertRaises(AttributeError):
            array.colour
        if expected.size:
            self.assertEqual((array.max(), array.min(axis=0).tolist(), np.abs(array).sum()),
                             (expected.max(), expected.min(axis=0).tolist(), np.abs(expected).sum()))
        self.assertEqual([row.tolist() for row in array], expected.tolist())
        self.assertEqual((2.0 * array + 1).tobytes(), (2.0 * expected + 1).tobytes())
        self.assertEqual((array > 0).tolist(), (expected > 0).tolist())
        self.assertEqual(np.concatenate([array, array.T.T]).tolist(), np.concatenate([expected, expected]).tolist())

    def test_chain(self):
        self.check("chain70.toml", SHORT)

    def test_packing(self):
        self.check("square_crystal.toml", {"time.end": 5e-6})

    def test_mechanism(self):
        self.check("slider_crank.toml", {"time.end": 4e-3, "time.interval": 5e-5})


class NewDatasets(InFolder):
    """What a file describes needs no line in the reader."""

    def test_an_element_and_a_constant_are_found(self):
        bw.Chain.load(CHAIN, overrides=SHORT).run(output="run.h5")
        with h5py.File("run.h5", "r+") as file:
            file["parameters/porosity"] = np.arange(3.0)
            file["parameters/porosity"].attrs["unit"] = "1"
            strain = file.create_group("observables/strain")
            strain["step"], strain["time"], strain["value"] = np.arange(4), np.arange(5.0), np.ones((4, 2))
            strain["value"].attrs["unit"] = "1"
        with bw.History("run.h5") as history:
            self.assertEqual(history["porosity"].tolist(), [0.0, 1.0, 2.0])
            self.assertEqual((history["strain"].shape, history.unit("strain")), ((4, 2), "1"))
            self.assertEqual(history["strain_time"].tolist(), [0.0, 1.0, 2.0, 3.0])  # the last time has no value yet


if __name__ == "__main__":
    main()
