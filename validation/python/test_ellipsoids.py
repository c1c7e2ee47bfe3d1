"""Packings of ellipsoids in Python: from arrays and dictionaries, step by step, and in files of other programs."""
import math

import numpy as np

import beadwave as bw
from support import InFolder, check_spin_stays, main

MATERIAL = {"youngs_modulus": 1e9, "poisson_ratio": 0.3, "density": 2500.0}
WALL = [{"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"}]
AXES = [3e-3, 2e-3, 1e-3]
TURNED = np.array([[0.9, 0.1, 0.4, 0.2], [0.5, -0.5, 0.5, 0.5]]) / np.sqrt([[1.02], [1.0]])


def falling(**more):
    return bw.Packing(position=[[0, 0, 5e-3], [2e-3, 0, 12e-3]], semi_axes=AXES, orientation=TURNED,
                      velocity=[[0, 0, -1.0], [0, 0, -2.0]], angular_velocity=[0, 30.0, 10.0], law="hertz", material=MATERIAL,
                      wall=WALL, time={"end": 5e-3}, snapshots={"interval": 1e-3}, **more)


def matrix(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Ellipsoids(InFolder):
    def test_from_arrays(self):
        packing = falling()
        mass = 2500.0 * 4.0 / 3.0 * math.pi * np.prod(AXES)
        np.testing.assert_allclose(packing.mass, mass, rtol=1e-14)
        np.testing.assert_array_equal(packing.semi_axes, [AXES, AXES])
        np.testing.assert_array_equal(packing.radius, 3e-3)
        np.testing.assert_allclose(packing.inertia, [[mass * 1e-6, mass * 2e-6, mass * 2.6e-6]] * 2, rtol=1e-14)  # m (b^2 + c^2)/5
        np.testing.assert_allclose(packing.orientation, TURNED, rtol=1e-15)

    def test_velocities_are_written_without_a_change_of_angular_velocities(self):
        check_spin_stays(self, falling())

    def test_step_by_step_is_the_whole_run(self):
        packing = falling()
        run = packing.run()
        self.assertEqual(run.snapshots.orientation.shape, (6, 2, 4))
        np.testing.assert_allclose(np.linalg.norm(run.snapshots.orientation, axis=2), 1.0, rtol=1e-15)
        self.assertLess(float(abs(run.energy.relative_energy_error).max()), 1e-4)
        packing.run(int(run["snapshot_step"][-1]))
        np.testing.assert_array_equal(packing.orientation, run.snapshots.orientation[-1])
        np.testing.assert_array_equal(packing.angular_velocity, run.snapshots.angular_velocity[-1])

    def test_the_ledger_counts_a_new_spin_with_the_moments_of_the_body(self):
        packing = falling()
        packing.run(100)
        q, before = packing.orientation[1], packing.angular_velocity[1]
        after, moments = np.array([100.0, -50.0, 20.0]), packing.inertia[1]
        with packing.state() as state:
            state.angular_velocity[1] = after
        packing.run(1)
        added = sum(sign * 0.5 * moments @ (matrix(q).T @ w) ** 2 for sign, w in ((1.0, after), (-1.0, before)))
        self.assertAlmostEqual(packing.energy()["external_work"] / added, 1.0, delta=1e-9)  # free flight: nothing else works
        self.assertLess(abs(packing.energy()["relative_energy_error"]), 1e-9)

    def test_refusals(self):
        one = {"position": [[0, 0, 0]], "law": "hertz", "material": MATERIAL, "time": {"end": 1e-3}}
        for more, message in (({}, "either radius, of spheres, or semi_axes, of ellipsoids"),
                              ({"radius": 1e-3, "semi_axes": AXES}, "either radius, of spheres, or semi_axes, of ellipsoids"),
                              ({"radius": 1e-3, "orientation": [1, 0, 0, 0]}, "orientation is of ellipsoids; expected semi_axes too"),
                              ({"semi_axes": AXES, "orientation": [1, 0, 0]}, r"has the shape \(3,\); expected 1 x 4")):
            with self.assertRaisesRegex(bw.InputError, message):
                bw.Packing(**one, **more)
        spheres = bw.Packing(**one | {"velocity": [0, 0, 1.0]}, radius=1e-3, wall=[WALL[0] | {"normal": [0, 0, -1], "point": [0, 0, 0.01]}])
        self.assertEqual(spheres.orientation.shape, (0, 4))

    def test_files_of_other_programs(self):
        falling().run(output="drop.h5")
        history = bw.History("drop.h5")
        q, axes = history["orientation"][-1], history["semi_axes"]
        bw.export("drop.h5", "drop.dump")
        with open("drop.dump", encoding="ascii") as file:
            lines = file.read().splitlines()
        names = next(line for line in lines if line.startswith("ITEM: ATOMS")).split()[2:]
        last = np.array([[float(cell) for cell in line.split()] for line in lines[-2:]])
        for name, column in zip(("quatw", "quati", "quatj", "quatk", "shapex", "shapey", "shapez"), np.hstack([q, 2.0 * axes[:]]).T):
            np.testing.assert_array_equal(last[:, names.index(name)], column)
        with self.assertRaisesRegex(bw.InputError, "atom style sphere holds spheres"):
            bw.export("drop.h5", "drop.data")


if __name__ == "__main__":
    main()
