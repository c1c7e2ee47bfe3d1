"""bw.modes gives what `beadwave modes` prints and writes, as arrays, and matrices whose eigenvalues they are."""
import h5py
import numpy as np

import beadwave as bw
from support import CONFIGS, InFolder, json_of, main, program

GAP = CONFIGS / "band_gap.toml"
CRYSTAL = {
    "material": {"steel": {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 7970.0}},
    "dimension": 2,
    "particles": [{"lattice": "square", "cells": [3, 4], "radius": 2.5e-3, "overlap": 1e-6, "material": "steel"}],
    "box": {"lower": [0.0, 0.0], "upper": [3 * 4.999e-3, 4 * 4.999e-3], "periodic": [True, True]},
    "law": {"name": "tsuji", "restitution": 0.8}, "friction": {"law": "mindlin", "coefficient": 0.3}, "time": {"end": 1e-6},
}


class Modes(InFolder):
    def test_two_kinds_that_name_their_materials_have_the_band_edges_of_the_closed_form(self):
        materials = {"steel": {"youngs_modulus": 200e9, "poisson_ratio": 0.3, "density": 7800.0},
                     "aluminium": {"youngs_modulus": 70e9, "poisson_ratio": 0.33, "density": 2700.0}}
        chain = {"material": materials, "segment": [{"beads": 60, "pattern": [{"radius": 0.01, "material": name} for name in materials]}],
                 "precompression": {"force": 25.0}, "boundary": {"left": "fixed", "right": "fixed"}, "law": {"name": "hertz"},
                 "time": {"end": 1e-3}}
        compliance = sum((1 - each["poisson_ratio"] ** 2) / each["youngs_modulus"] for each in materials.values())
        spring = 1.5 * (4 / 3 / compliance * 0.005 ** 0.5) ** (2 / 3) * 25.0 ** (1 / 3)
        heavy, light = (each["density"] * 4 / 3 * np.pi * 1e-6 for each in materials.values())
        edges = [np.sqrt(2 * spring * each) / (2 * np.pi) for each in (1 / heavy, 1 / light, 1 / heavy + 1 / light)]
        np.testing.assert_allclose(bw.modes(bw.load(chain)).bands, [[0.0, edges[0]], edges[1:]], rtol=1e-9, atol=1e-6)
        chain["segment"][0]["pattern"][1].pop("material")
        with self.assertRaisesRegex(bw.InputError, "segment.0.material: missing; give the name of a material"):
            bw.load(chain)

    def test_same_as_the_command(self):
        theirs = json_of("modes", GAP, "--transfer", "2000:9000:8", "-o", "modes.h5")
        mine = bw.modes(GAP, transfer=(2000, 9000, 8))
        self.assertEqual(mine.frequency.tolist(), theirs["frequencies"])
        self.assertEqual(mine.bands.tolist(), [[band["lower"], band["upper"]] for band in theirs["bands"]])
        self.assertEqual(mine.transfer["sensors"], theirs["transfer"]["sensors"])
        force = np.array(theirs["transfer"]["force"])
        self.assertEqual(mine.transfer["force"].tolist(), (force[..., 0] + 1j * force[..., 1]).tolist())
        with h5py.File("modes.h5") as file:
            self.assertEqual(file.attrs["format"].decode(), "beadwave modes")
            self.assertEqual(file["frequency"][:].tolist(), theirs["frequencies"])
            # Another process may have another library of linear algebra, as numpy brings its own: rounding and signs.
            shape = mine.shape.real
            sign = np.sign(np.sum(file["shape"][:] * shape, axis=(1, 2), keepdims=True))
            np.testing.assert_allclose(file["shape"][:], sign * shape, rtol=0, atol=1e-11 * np.abs(shape).max())
            self.assertNotIn("rotation", file)
            self.assertEqual(file["dispersion/frequency"][:].tolist(), mine.dispersion["frequency"].tolist())
            self.assertEqual(file["transfer/force_real"][:].tolist(), force[..., 0].tolist())
            self.assertEqual(file["transfer/force_real"].attrs["unit"], "N m-1")
        self.assertFalse(mine.frequency.flags.writeable)
        program("modes", GAP, "-o", "modes.h5", "--quiet")  # replaces its own kind
        self.assertEqual(repr(mine), "<beadwave.Modes: 81 frequencies to 9370.95 Hz, 2 bands>")

    def test_matrices(self):
        try:
            import scipy.linalg
        except ImportError:
            self.skipTest("needs SciPy")
        crystal = bw.load(CRYSTAL)
        modes = bw.modes(crystal)
        mass, stiffness, damping = (matrix.toarray() for matrix in modes.matrices())
        self.assertEqual(modes.shape.shape[1:], (12, 3))
        self.assertTrue(np.allclose(stiffness, stiffness.T) and np.allclose(damping, damping.T))
        zero, one = np.zeros_like(mass), np.eye(len(mass))
        values = scipy.linalg.eigvals(np.block([[zero, one], [-np.linalg.solve(mass, stiffness), -np.linalg.solve(mass, damping)]]))
        values = np.sort(np.abs(values[values.imag > 1e-6 * np.abs(values).max()])) / (2 * np.pi)
        np.testing.assert_allclose(modes.frequency[modes.frequency > 1.0], values, rtol=1e-8)
        for k in np.flatnonzero(modes.frequency > 1.0):
            omega, ratio = 2 * np.pi * modes.frequency[k], modes.damping_ratio[k]
            root = omega * complex(-ratio, np.sqrt(1 - ratio**2))
            shape = modes.shape[k].ravel()
            left = (root**2 * mass + root * damping + stiffness) @ shape
            self.assertLess(np.abs(left).max(), 1e-7 * np.abs(stiffness).max())

    def test_path(self):
        modes = bw.modes(CRYSTAL, path=[(0, 0), (0.5, 0), (0.5, 0.5)])
        wave = modes.dispersion["wave_vector"]
        self.assertEqual(wave.shape, (81, 3))
        # The two primitive vectors are those of the square, in either order.
        self.assertAlmostEqual(np.linalg.norm(wave[40]) * 4.999e-3 / np.pi, 1.0, places=9)
        self.assertAlmostEqual(np.linalg.norm(wave[80]) * 4.999e-3 / np.pi, np.sqrt(2), places=9)
        self.assertEqual((modes.dispersion["cell_bodies"], modes.bands.shape), (1, (3, 2)))

    def test_grid_density_and_group_velocity(self):
        modes = bw.modes(CRYSTAL, grid=(6, 8), output="grid.h5")
        grid = modes.grid
        self.assertEqual(grid["frequency"].shape, (6, 8, 1, 3))
        self.assertEqual(grid["group_velocity"].shape, (6, 8, 1, 3, 3))
        # Opposite waves have opposite velocities; at the wave vector 0 a velocity has no direction.
        velocity = grid["group_velocity"][:, :, 0]
        self.assertTrue(np.all(np.isnan(velocity[0, 0, :2])))
        self.assertLess(np.abs(velocity[1:3, 1:4] + velocity[5:3:-1, 7:4:-1]).max(), 1e-9 * np.abs(velocity[1, 1]).max())
        self.assertTrue(np.all(grid["frequency"].max(axis=(0, 1, 2)) <= modes.bands[:, 1] * (1 + 1e-12)))
        path = modes.dispersion
        self.assertEqual(path["group_velocity"].shape, path["frequency"].shape + (3,))
        step = np.linalg.norm(path["wave_vector"][1])
        slope = 2 * np.pi * (path["frequency"][11] - path["frequency"][9]) / (2 * step)
        along = path["group_velocity"][10] @ path["wave_vector"][1] / step
        np.testing.assert_allclose(along, slope, atol=2e-3 * np.abs(slope).max())
        edges, density = modes.density_of_states
        self.assertAlmostEqual(np.sum(density * np.diff(edges)), 1.0, places=12)
        counted = np.histogram(modes.frequency, edges * (1 + 1e-12))[0]
        np.testing.assert_allclose(density * np.diff(edges) * len(modes.frequency), counted, atol=1e-9)
        with h5py.File("grid.h5") as file:
            self.assertEqual(file["grid/points"][:].tolist(), [6, 8, 1])
            self.assertEqual(file["grid/frequency"][:].tolist(), grid["frequency"].reshape(48, 3).tolist())
            self.assertEqual(file["grid/group_velocity"].shape, (48, 3, 3))
            self.assertEqual(file["grid/wave_number"].attrs["unit"], "rad m-1")
            self.assertEqual(file["density_of_states/edge"][:].tolist(), edges.tolist())
        theirs = modes.json
        self.assertEqual((theirs["density_of_states"]["edges"], theirs["density_of_states"]["density"]), (edges.tolist(), density.tolist()))
        gap = bw.modes(GAP)
        self.assertEqual(gap.json["gaps"], [{"lower": gap.bands[0, 1], "upper": gap.bands[1, 0]}])
        self.assertIsNone(gap.grid)

    def test_without_modes(self):
        whole = bw.modes(GAP, transfer=(2000, 9000, 8))
        fast = bw.modes(GAP, transfer=(2000, 9000, 8), no_modes=True, output="fast.h5")
        self.assertEqual(fast.transfer["force"].tolist(), whole.transfer["force"].tolist())
        self.assertEqual(fast.bands.tolist(), whole.bands.tolist())
        self.assertEqual((fast.frequency.tolist(), fast.shape, fast.density_of_states), ([], None, None))
        self.assertEqual(repr(fast), "<beadwave.Modes: 0 frequencies, 2 bands>")
        self.assertIn("transfer function   8 frequencies", str(fast))
        self.assertNotIn("lowest", str(fast))
        program("report", "fast.h5")
        self.assertEqual(bw.modes(CRYSTAL, no_modes=True).bands.tolist(), bw.modes(CRYSTAL).bands.tolist())
        with self.assertRaisesRegex(bw.InputError, "--no-modes: the lowest modes show whether a packing buckles"):
            bw.modes(CRYSTAL, transfer=(1, 2, 3), input="3 x", no_modes=True)

    def test_linearise(self):
        try:
            import scipy.sparse.linalg
        except ImportError:
            self.skipTest("needs SciPy")
        for scenario in (CRYSTAL, GAP):
            modes = bw.modes(scenario)
            system = bw.linearise(scenario)
            self.assertEqual(system.body.tolist(), modes.body.tolist())
            self.assertEqual(system.position.tolist(), modes.position.tolist())
            self.assertEqual(system.warnings, modes.warnings[:len(system.warnings)])
            for mine, theirs in zip(system.matrices(), modes.matrices()):
                self.assertEqual(abs(mine - theirs).max(), 0.0)
        # A crystal that is too large for all its modes.
        large = bw.linearise({**CRYSTAL, "particles": [{**CRYSTAL["particles"][0], "cells": [60, 60]}],
                              "box": {"lower": [0.0, 0.0], "upper": [60 * 4.999e-3, 60 * 4.999e-3], "periodic": [True, True]}})
        mass, stiffness, _ = large.matrices()
        self.assertEqual(stiffness.shape, (10800, 10800))
        top = scipy.sparse.linalg.eigsh(stiffness, 1, mass, which="LM", return_eigenvectors=False)[0]
        modes = bw.modes(CRYSTAL)
        self.assertAlmostEqual(np.sqrt(top) / (2 * np.pi) / modes.bands[-1, 1], 1.0, places=6)

    def test_growing_waves(self):
        # Rows of spheres that are pressed together slip past each other where nothing but the normal force acts.
        smooth = {name: table for name, table in CRYSTAL.items() if name != "friction"} | {"law": {"name": "hertz"}}
        warnings = " ".join(bw.modes(smooth).warnings)
        self.assertIn("waves of the endless packing grow under the static load", warnings)
        self.assertNotIn("grow", " ".join(bw.modes({**CRYSTAL, "law": {"name": "hertz"}}).warnings))

    def test_errors(self):
        for call, message in (
                (lambda: bw.modes(CONFIGS / "slider_crank.toml"), "is a mechanism; modes are computed of chains and packings"),
                (lambda: bw.modes(GAP, transfer=3), "transfer: is 3; expected (lowest, highest, count), frequencies in Hz and how many"),
                (lambda: bw.modes(GAP, transfer=(5, 1, 3)), "the frequencies must rise from above 0"),
                (lambda: bw.modes(GAP, transfer=(1, 2, 3), input="up"), "input up; expected left, right or the number of a bead"),
                (lambda: bw.modes(GAP, input=3), "--input: drives a transfer function; expected --transfer LOW:HIGH:COUNT beside it"),
                (lambda: bw.modes(GAP, path=[(0, 0), (1, 0)]), "--path: is for packings; a chain has one direction"),
                (lambda: bw.modes(GAP, grid=4), "--grid: is for packings; a chain has one direction"),
                (lambda: bw.modes(CRYSTAL, grid=0), "grid: is 0; expected a whole number from 1"),
                (lambda: bw.modes(CRYSTAL, grid=(1, 2, 3, 4)), "--grid: is 1,2,3,4; expected the points along each reciprocal vector"),
                (lambda: bw.modes(CRYSTAL, output="missing/modes.h5"), "missing/modes.h5: "),
                (lambda: bw.linearise(CONFIGS / "slider_crank.toml"), "is a mechanism; modes are computed of chains and packings"),
                (lambda: bw.modes(CRYSTAL, path=[(0, 0)]), "--path: one wave vector makes no path; expected two or more"),
                (lambda: bw.modes(CRYSTAL, transfer=(1, 2, 3)), "--transfer: 0 walls of the scenario are driven; expected --input"),
                (lambda: bw.modes(CRYSTAL, transfer=(1, 2, 3), input="3 z"), "input \"3 z\"; expected \"wall 0\", its number, or \"12 x\""),
                (lambda: bw.modes(CRYSTAL, transfer=(1, 2, 3), input="wall -1"), "input wall -1: no such wall touches a particle"),
                (lambda: bw.modes(CONFIGS / "chain70.toml"), "no contact is compressed, so the chain has no linear modes")):
            with self.assertRaises(bw.InputError) as caught:
                call()
            self.assertIn(message, str(caught.exception))


main()
