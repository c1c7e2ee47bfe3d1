"""Chains of ellipsoids from arrays."""
import math
from pathlib import Path

import numpy as np

import beadwave as bw
from support import InFolder, main

GLASS = {"youngs_modulus": 70e9, "poisson_ratio": 0.25}
AXES = np.array([2e-3, 4e-3, 3e-3])
BEADS = 10


def row(**more):
    return bw.Chain(mass=np.full(BEADS, 2e-4), velocity=[0.5] + (BEADS - 1) * [0.0], material=GLASS, law="hertz",
                    **{"semi_axes": np.tile(AXES, (BEADS, 1)), "time": {"end": 1e-4, "step": 2e-8}, "sensors": {"beads": [6]}, **more})


class EllipsoidChains(InFolder):
    def velocity(self, chain, steps=2000):
        chain.run(steps)
        return chain.velocity.copy()

    def test_arrays_are_the_scenario(self):
        half = [math.cos(0.4), math.sin(0.4), 0.0, 0.0]
        turned = np.array([[1.0, 0.0, 0.0, 0.0], half] * (BEADS // 2))
        by_angle, by_turn = row(angle=0.8), row(orientation=turned)
        np.testing.assert_allclose(self.velocity(by_turn), self.velocity(by_angle), rtol=0.0, atol=1e-13)
        self.assertEqual(by_angle.radius.tolist(), BEADS * [2e-3])
        for chain in (row(angle=0.8), row(orientation=turned)):
            Path("again.toml").write_text(chain.to_toml(), encoding="utf-8")
            again = bw.load("again.toml")
            self.assertEqual(self.velocity(again).tolist(), self.velocity(chain).tolist())
        spheres = bw.Chain(radius=np.full(BEADS, 2e-3), mass=np.full(BEADS, 2e-4), velocity=[0.5] + (BEADS - 1) * [0.0], material=GLASS,
                           law="hertz", time={"end": 1e-4, "step": 2e-8})
        self.assertEqual(self.velocity(row(semi_axes=np.full((BEADS, 3), 2e-3))).tolist(), self.velocity(spheres).tolist())

    def test_a_saved_state_goes_on(self):
        whole, cut = row(angle=0.8), row(angle=0.8)
        cut.run(700)
        cut.save("state.h5")
        again = bw.load("state.h5")
        again.run(1300)
        self.assertEqual(again.velocity.tolist(), self.velocity(whole).tolist())

    def test_wrong_arrays_are_one_sentence(self):
        sharp = {"semi_axes": np.tile([4e-3, 1e-3, 1e-3], (BEADS, 1)), "gap": [math.inf, *(BEADS - 1) * [-3e-4], math.inf]}
        tilted = np.tile([math.cos(0.1), 0.0, 0.0, math.sin(0.1)], (BEADS, 1))
        for change, words in (({"orientation": tilted}, "orientation of bead 0: tilts the ellipsoid by 0.2 rad"),
                              (sharp, "gap: contact 1 is compressed by 0.0003 m at the start; expected at most 0.00025 m"),
                              ({"radius": np.full(BEADS, 1e-3)}, "either radius, of spheres, or semi_axes"),
                              ({"semi_axes": np.zeros((BEADS, 3))}, "semi_axes of bead 0: the semi-axes of an ellipsoid are 0, 0 and 0"),
                              ({"semi_axes": None, "radius": np.full(BEADS, 1e-3), "angle": 0.1}, "angle is of ellipsoids"),
                              ({"orientation": np.zeros((3, 4))}, f"expected {BEADS} x 4")):
            with self.subTest(words), self.assertRaisesRegex(bw.InputError, words):
                row(**change)


if __name__ == "__main__":
    main()
