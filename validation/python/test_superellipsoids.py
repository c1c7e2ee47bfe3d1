"""Packings of superellipsoids in Python: from arrays, step by step, and in files of other programs."""
import h5py
import numpy as np

import beadwave as bw
from support import InFolder, main

MATERIAL = {"youngs_modulus": 1e9, "poisson_ratio": 0.3, "density": 2500.0}
WALL = [{"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"}]
AXES, EXPONENTS = [3e-3, 2e-3, 1e-3], [[4.0, 3.0], [2.0, 2.0]]


def falling(**more):
    return bw.Packing(position=[[0, 0, 4e-3], [2e-3, 0, 10e-3]], semi_axes=AXES, exponents=EXPONENTS, orientation=[0.9, 0.1, 0.4, 0.13],
                      velocity=[[0, 0, -1.0], [0, 0, -2.0]], law="hertz", material=MATERIAL, wall=WALL, time={"end": 5e-3},
                      snapshots={"interval": 1e-3}, **more)


class Superellipsoids(InFolder):
    def test_from_arrays(self):
        packing = falling()
        np.testing.assert_array_equal(packing.exponents, EXPONENTS)
        np.testing.assert_array_equal(packing.semi_axes, [AXES, AXES])
        self.assertEqual(packing.radius[1], 3e-3)
        # The mass by a sum over points in the box around the body.
        x, y, z = (a * np.linspace(-1, 1, 201) for a in AXES)
        u, v, w = np.meshgrid(np.abs(x) / AXES[0], np.abs(y) / AXES[1], np.abs(z) / AXES[2], indexing="ij")
        inside = (u**4 + v**4) ** (3 / 4) + w**3 <= 1
        self.assertAlmostEqual(packing.mass[0] / (2500.0 * inside.sum() * np.prod(2 * np.array(AXES) / 200)), 1.0, delta=0.01)
        corner = (np.sqrt(np.array([x[:, None, None] ** 2 + y[None, :, None] ** 2 + z[None, None, :] ** 2])) * inside).max()
        self.assertAlmostEqual(packing.radius[0] / corner, 1.0, delta=0.02)

    def test_step_by_step_is_the_whole_run(self):
        packing = falling()
        run = packing.run()
        self.assertLess(float(abs(run.energy.relative_energy_error).max()), 1e-4)
        packing.run(int(run["snapshot_step"][-1]))
        np.testing.assert_array_equal(packing.orientation, run.snapshots.orientation[-1])

    def test_refusals(self):
        one = {"position": [[0, 0, 0]], "law": "hertz", "material": MATERIAL, "time": {"end": 1e-3, "step": 1e-6}}
        for more, message in (({"radius": 1e-3, "exponents": [4, 4]}, "exponents are of superellipsoids; expected semi_axes too"),
                              ({"semi_axes": AXES, "exponents": [4, 4, 4]}, r"has the shape \(3,\); expected 1 x 2"),
                              ({"semi_axes": AXES, "exponents": [4, 9]}, "n2 and n1 must be from 2 to 8")):
            with self.assertRaisesRegex(bw.InputError, message):
                bw.Packing(**one, **more)
        self.assertEqual(bw.Packing(**one, semi_axes=AXES).exponents.shape, (0, 2))

    def test_files_of_other_programs(self):
        falling().run(output="drop.h5")
        np.testing.assert_array_equal(bw.History("drop.h5")["exponents"][:], EXPONENTS)
        bw.export("drop.h5", "drop.dump")
        with open("drop.dump", encoding="ascii") as file:
            lines = file.read().splitlines()
        names = next(line for line in lines if line.startswith("ITEM: ATOMS")).split()[2:]
        last = np.array([[float(cell) for cell in line.split()] for line in lines[-2:]])
        np.testing.assert_array_equal(last[:, [names.index("n2"), names.index("n1")]], EXPONENTS)
        bw.export("drop.h5", "drop.vtkhdf")
        with h5py.File("drop.vtkhdf") as file:
            np.testing.assert_array_equal(file["VTKHDF/PointData/exponents"][:], EXPONENTS)


if __name__ == "__main__":
    main()
