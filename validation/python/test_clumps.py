"""Packings of clumps in Python: their history has what their energy and the places of their spheres need."""
import numpy as np

import beadwave as bw
from support import CONFIGS, InFolder, main


def turn(q, r):
    """Vectors by unit quaternions, scalar first, row by row."""
    u = q[:, 1:]
    t = 2.0 * np.cross(u, r)
    return r + q[:, :1] * t + np.cross(u, t)


def back(q):
    return q * [1.0, -1.0, -1.0, -1.0]


class Clumps(InFolder):
    def test_step_by_step_is_the_whole_run(self):
        # The spheres do not lie along an axis: the principal axes of the clump are turned in it.
        packing = bw.Packing.load(CONFIGS / "dumbbells.toml", overrides={
            "time.end": 0.03, "particles.0.random": 6, "particles.0.lower": [0.0, 0.0, 0.0], "particles.0.upper": [0.06, 0.06, 0.02],
            "particles.0.spheres": [[0.0, 0.0, 0.0, 2e-3], [2e-3, 2e-3, 0.0, 1e-3], [0.0, 1e-3, 2e-3, 1.5e-3]],
            "particles.0.angular_velocity": [100.0, 50.0, 20.0]})
        run = packing.run(output="clumps.h5")
        self.assertEqual(run.snapshots.orientation.shape, (4, 6, 4))
        packing.run(int(run["snapshot_step"][-1]))
        np.testing.assert_array_equal(packing.orientation, run.snapshots.orientation[-1])
        history = bw.History("clumps.h5")
        self.assertEqual(history["clump_spheres"].shape, (18, 4))
        np.testing.assert_array_equal(history["clump_particle"][:], np.repeat(np.arange(6), 3))
        q, axes = history["orientation"][-1], history["clump_axes"][:]
        spin = turn(back(axes), turn(back(q), history["angular_velocity"][-1]))
        energy = 0.5 * np.sum(history["inertia"][:] * spin ** 2)
        self.assertAlmostEqual(energy / run.energy["rotational_energy"][-1], 1.0, delta=1e-12)
        # The spheres are where the wall leaves them: above it, but for overlaps.
        of, spheres = history["clump_particle"][:].astype(int), history["clump_spheres"][:]
        height = history["position"][-1][of, 2] + turn(q[of], spheres[:, :3])[:, 2] - spheres[:, 3]
        self.assertGreater(height.min(), -5e-5)
        self.assertLess(height.min(), 1e-3)
        self.assertLess(float(abs(run.energy.relative_energy_error).max()), 1e-3)


if __name__ == "__main__":
    main()
