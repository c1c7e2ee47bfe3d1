"""Contacts, stress and coordination of packings against plain NumPy and closed forms."""
import numpy as np

import beadwave as bw
from support import InFolder, main

MODULUS, RATIO = 2e11, 0.3
STEEL = {"youngs_modulus": MODULUS, "poisson_ratio": RATIO, "density": 7800.0}
EFFECTIVE = MODULUS / (2 * (1 - RATIO**2))
# 1/G* = 2 (2 - nu) / G, G = E / (2 (1 + nu))
SHEAR = MODULUS / (4 * (1 + RATIO) * (2 - RATIO))
TIME = {"end": 1e-3, "step": 1e-8}


def hertz(overlap, radius):
    return 4 / 3 * EFFECTIVE * np.sqrt(radius) * overlap**1.5


class Contacts(InFolder):
    def test_pairs_overlaps_and_forces_of_a_random_cluster(self):
        """All pairs by plain NumPy, from the positions after a few steps. No two bodies are deep in each other: the lattice is loose."""
        random = np.random.default_rng(5)
        grid = np.stack(np.meshgrid(*3 * [np.arange(4)], indexing="ij"), -1).reshape(-1, 3)
        radius = random.uniform(0.0095, 0.0105, len(grid))
        centres = 0.02 * grid + random.uniform(-2e-4, 2e-4, grid.shape) + 0.0099
        packing = bw.Packing(centres, radius, velocity=random.normal(size=centres.shape), law="hertz", material=STEEL, time=TIME,
                             wall=[{"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"}])
        packing.run(200)
        position = packing.position
        np.testing.assert_allclose(position, centres + packing.displacement, rtol=1e-15)
        found = packing.contacts()
        expected = []
        for i in range(len(radius)):
            for j in range(i + 1, len(radius)):
                branch = position[j] - position[i]
                overlap = radius[i] + radius[j] - np.linalg.norm(branch)
                if overlap > 0:
                    force = -hertz(overlap, radius[i] * radius[j] / (radius[i] + radius[j])) * branch / np.linalg.norm(branch)
                    expected.append(((i, j), overlap, branch, force))
            overlap = radius[i] - position[i, 2]
            if overlap > 0:
                # A wall of the same steel: half as stiff a modulus as between two bodies counts in both.
                expected.append(((i, len(radius)), overlap, [0, 0, -position[i, 2]], [0, 0, hertz(overlap, radius[i])]))
        pairs, overlaps, branches, forces = zip(*expected)
        self.assertGreater(len(pairs), 50)
        self.assertEqual(found.pair.tolist(), [list(pair) for pair in pairs])
        # Overlaps of 1e-4 m from coordinates of 0.1 m lose three digits here, not in the program.
        np.testing.assert_allclose(found.overlap, overlaps, rtol=0, atol=1e-16)
        np.testing.assert_allclose(found.branch, branches, rtol=0, atol=1e-16)
        np.testing.assert_allclose(found.normal_force, forces, rtol=0, atol=1e-9 * np.abs(forces).max())
        self.assertEqual(np.abs(found.tangential_force).max(), 0.0)
        count = np.zeros(len(radius), int)
        for i, j in pairs:
            count[i] += 1
            if j < len(radius):
                count[j] += 1
        self.assertEqual(packing.coordination().tolist(), count.tolist())
        self.assertEqual(len(found), len(pairs))
        total = sum(np.outer(branch, force) for branch, force in zip(branches, forces))
        np.testing.assert_allclose(packing.stress(volume=2.0), total / 2.0, rtol=0, atol=1e-9 * np.abs(total).max())

    def test_the_tangential_force_is_mindlins(self):
        """Spheres so heavy that nothing changes in 100 steps, and that 8 G* sqrt(R delta) times the displacement is the force."""
        overlap, speed, steps = 1e-5, 0.01, 100
        packing = bw.Packing([[0, 0, 0], [0.02 - overlap, 0, 0]], 0.01, velocity=[[0, 0, 0], [0, speed, 0]], law="hertz",
                             material={**STEEL, "density": 1e12}, friction={"law": "mindlin", "coefficient": 0.5}, time=TIME)
        packing.run(steps)
        contacts = packing.contacts()
        expected = 8 * SHEAR * np.sqrt(0.005 * overlap) * speed * steps * packing.time_step
        self.assertLess(expected, 0.1 * 0.5 * hertz(overlap, 0.005))  # it does not slide
        self.assertEqual(contacts.pair.tolist(), [[0, 1]])
        # The second moves towards +y and drags the first along; the contact turns by 1e-6 of the displacement.
        np.testing.assert_allclose(contacts.tangential_force[0], [0.0, expected, 0.0], rtol=1e-5, atol=1e-5 * expected)
        np.testing.assert_allclose(contacts.point[0], [0.5 * (0.02 - overlap), 0.0, 0.0], rtol=1e-5, atol=1e-8)  # moved by 1e-8 m

    def crystal(self, overlap=1e-6):
        edge = (0.02 - overlap) * 2**0.5
        return bw.Packing.load({"material": {"steel": STEEL}, "law": {"name": "hertz"}, "time": TIME,
                                "particles": [{"lattice": "fcc", "cells": [3, 4, 5], "radius": 0.01, "material": "steel",
                                               "overlap": overlap}],
                                "box": {"lower": [0, 0, 0], "upper": [3 * edge, 4 * edge, 5 * edge], "periodic": [True, True, True]}})

    def test_an_fcc_crystal_has_twelve_contacts_and_a_pressure(self):
        """Each of its contacts has the force F at the distance d: the stress is -2 sqrt(2) F / d^2 along each axis."""
        overlap = 1e-6
        crystal = self.crystal(overlap)
        self.assertEqual(len(crystal.contacts()), 6 * len(crystal.radius))
        self.assertEqual(crystal.coordination().tolist(), len(crystal.radius) * [12])
        pressure = 2 * 2**0.5 * hertz(overlap, 0.005) / (0.02 - overlap) ** 2
        # The overlap of 1e-6 m comes from coordinates of 0.1 m: 1e-17 / 1e-6, times 3/2.
        np.testing.assert_allclose(crystal.stress(), -pressure * np.eye(3), rtol=1e-9, atol=1e-9 * pressure)
        region = crystal.region()
        self.assertEqual(region.bounds, 3 * (("box", "box"),))
        self.assertAlmostEqual(region.volume / (60 * ((0.02 - overlap) * 2**0.5) ** 3), 1.0, places=12)

    def test_the_kinetic_part_is_that_of_a_gas(self):
        crystal = self.crystal(-1e-5)
        random = np.random.default_rng(7)
        velocity = random.normal(size=(len(crystal.radius), 3))
        with crystal.state() as state:
            state.velocity = velocity
        own = velocity - velocity.mean(axis=0)
        expected = -crystal.mass[0] * own.T @ own / crystal.region().volume
        np.testing.assert_allclose(crystal.stress(kinetic=True), expected, rtol=1e-12, atol=1e-12 * abs(expected).max())
        self.assertEqual(abs(crystal.stress()).max(), 0.0)

    def test_a_sphere_between_moving_walls(self):
        """The region follows the walls; where there are none it is that of the particle."""
        speed = 0.5
        press = bw.Packing([[0, 0, 0.01]], 0.01, law="hertz", material=STEEL, time=TIME,
                           wall=[{"point": [0, 0, 0], "normal": [0, 0, 1], "material": "material"},
                                 {"point": [0, 0, 0.02], "normal": [0, 0, -1], "material": "material", "velocity": [0, 0, -speed]}])
        press.run(400)
        height = 0.02 - speed * press.time
        region, contacts = press.region(), press.contacts()
        self.assertEqual(region.bounds, (("particles", "particles"), ("particles", "particles"), ("wall", "wall")))
        np.testing.assert_allclose(region.upper - region.lower, [0.02, 0.02, height], rtol=1e-12)
        self.assertEqual(contacts.pair.tolist(), [[0, 1], [0, 2]])
        self.assertEqual(press.coordination().tolist(), [2])
        z = press.position[0, 2]
        low, high = hertz(0.01 - z, 0.01), hertz(0.01 - (height - z), 0.01)
        stress = np.zeros((3, 3))
        stress[2, 2] = -(z * low + (height - z) * high) / region.volume
        np.testing.assert_allclose(press.stress(), stress, rtol=1e-6, atol=1e-6 * abs(stress[2, 2]))

    def test_in_the_plane_the_region_is_one_diameter_thick(self):
        pair = bw.Packing([[0, 0], [0.0199, 0]], 0.01, law="hertz", material=STEEL, time=TIME, dimension=2)
        region = pair.region()
        self.assertEqual(region.bounds[2], ("thickness", "thickness"))
        np.testing.assert_allclose(region.volume, 0.0399 * 0.02 * 0.02, rtol=1e-12)
        np.testing.assert_allclose(pair.stress()[0, 0], -hertz(1e-4, 0.005) * 0.0199 / region.volume, rtol=1e-10)
        with self.assertRaisesRegex(bw.InputError, "stress: the volume is 0 m\\^3; expected a volume above 0"):
            pair.stress(volume=0.0)


if __name__ == "__main__":
    main()
