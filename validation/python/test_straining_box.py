"""A periodic box that strains, between two calls of run(n)."""
import numpy as np

import beadwave as bw
from support import InFolder, main

SOFT = {"youngs_modulus": 1e8, "poisson_ratio": 0.3, "density": 2500.0}


def packing(**box):
    random = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(*3 * [np.arange(4)], indexing="ij"), -1).reshape(-1, 3)
    centres = 2.02e-3 * grid + random.uniform(-1e-5, 1e-5, grid.shape) + 1e-3
    return bw.Packing(centres, 1e-3, velocity=0.05 * random.normal(size=centres.shape), law="hertz", material=SOFT,
                      time={"end": 1e-2, "step": 1e-6},
                      box={"lower": [0.0] * 3, "upper": [8.08e-3] * 3, "periodic": [True] * 3, **box})


RATES = {"strain_rate": [-8.0, 3.0, -5.0], "shear_rate": [6.0, 0.0, -4.0]}
EDGES = 8.08e-3 * (np.eye(3) + 2e-3 * np.array([[-8.0, 0, 0], [6.0, 3.0, 0], [0, -4.0, -5.0]]))


class StrainingBox(InFolder):
    def test_edges_region_and_stress(self):
        chosen = packing(**RATES)
        chosen.run(2000)
        np.testing.assert_allclose(chosen.box, EDGES, rtol=1e-11, atol=1e-16)
        region = chosen.region()
        np.testing.assert_allclose(region.upper, np.diag(EDGES), rtol=1e-11)
        # Kinetic part by hand: the velocity of the affine motion is (fractions of the edges) times their rates.
        rate = 8.08e-3 * np.array([[-8.0, 0, 0], [6.0, 3.0, 0], [0, -4.0, -5.0]])
        own = chosen.velocity - chosen.position @ np.linalg.inv(EDGES) @ rate
        own = own - own.mean(axis=0)
        mass = chosen.mass[0]
        kinetic = -mass * own.T @ own / np.linalg.det(EDGES)
        difference = chosen.stress(kinetic=True) - chosen.stress()
        np.testing.assert_allclose(difference, kinetic, rtol=1e-8, atol=1e-9 * abs(kinetic).max())

    def test_new_velocities_are_external_work(self):
        chosen = packing(**RATES)
        chosen.run(1000)
        with chosen.state() as state:
            state.velocity[:, 0] += 0.02
            state.velocity[5] = 0.0
        chosen.run(3000)
        energy = chosen.energy()
        self.assertGreater(len(chosen.contacts()), 10)
        self.assertGreater(abs(energy["external_work"]), 0.01 * energy["kinetic"])
        self.assertLess(abs(energy["relative_energy_error"]), 1e-5)

    def test_external_forces_are_refused(self):
        chosen = packing(**RATES)
        with self.assertRaisesRegex(bw.InputError, "external forces in a box that strains"):
            chosen.external_force(particles=[0])(lambda time, displacement, velocity: [0.0, 0.0, 1.0])
            chosen.run(1)

    def test_a_box_that_becomes_too_narrow(self):
        # Two particles far apart: nothing else goes wrong before.
        chosen = bw.Packing([[1e-3, 1e-3, 1e-3], [5e-3, 5e-3, 1.5e-3]], 1e-4, law="hertz", material=SOFT, time={"end": 1e-2, "step": 1e-6},
                            box={"lower": [0.0] * 3, "upper": [8e-3] * 3, "periodic": [True] * 3, "strain_rate": [0.0, 0.0, -300.0]})
        with self.assertRaisesRegex(bw.RunError, "too narrow along z"):
            chosen.run(10000)


if __name__ == "__main__":
    main()
