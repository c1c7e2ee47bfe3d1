"""Axes and names: units with prefixes, labels of several histories, points of a zone, ensembles as spread, options that need a picture."""
import unittest
from types import SimpleNamespace

import numpy as np

import support
from report import panel_modes_grid, panel_sweep, picture_options, style
from report.brillouin import kind_of, point_name
from report.history import InputError
from report.modes import Grid
from report.run import label_runs

TURN = 2.0 * np.pi
assert support.SOURCES  # its import makes that of the report possible


def run(law, settings, name="a"):
    return SimpleNamespace(law=law, settings=settings, label="", path=SimpleNamespace(stem=name))


class Axes(unittest.TestCase):
    def test_a_key_has_its_unit_with_a_prefix(self):
        self.assertEqual(style.scaled(np.array([1e-3, 2e-3]), "segment.0.radius", "m")[::2], (1e3, "segment.0.radius (mm)"))
        self.assertEqual(style.scaled(np.array([1.0, 2.0]), "segment.0.velocity", "m s-1"), (1.0, 0.0, "segment.0.velocity (m/s)"))
        self.assertEqual(style.scaled(np.array([7850.0]), "density", "kg m-3"), (1.0, 0.0, "density (kg/m³)"))
        self.assertEqual(style.scaled(np.array([2.6, 2.8]), "law.psi", ""), (1.0, 0.0, "law.psi"))
        self.assertEqual(style.scaled(np.array([0.3, 0.95]), "law.restitution", ""), (1.0, 0.0, "law.restitution"))
        factor, _, title = style.scaled(np.array([1e9, 2e11]), "material.steel.youngs_modulus", "Pa")
        self.assertTrue(title.startswith("material.steel.youngs_modulus (") and factor * 2e11 < 1e9, title)

    def test_numbers_that_hardly_differ_are_shown_as_differences(self):
        values = 1.2345e-4 + np.linspace(-1e-9, 1e-9, 5)
        factor, offset, title = style.scaled(values, "clock.shift", "s", 1.2345e-4)
        self.assertEqual((offset, title), (1.2345e-4, "clock.shift − 123.5 µs (ns)"))
        np.testing.assert_allclose((values - offset) * factor, np.linspace(-1.0, 1.0, 5), atol=1e-6)

    def test_histories_are_labelled_by_the_keys_that_differ(self):
        base = {"law": {"name": "hertz", "psi": 2.0}, "segment": [{"velocity": 1.0}, {"beads": 7}]}
        other = {"law": {"name": "hertz", "psi": 2.0}, "segment": [{"velocity": 1.5}, {"beads": 7}]}
        runs = [run("hertz", base), run("hertz", other)]
        label_runs(runs)
        self.assertEqual([one.label for one in runs], ["segment.0.velocity = 1", "segment.0.velocity = 1.5"])
        runs.append(run("ma-liu", base))
        label_runs(runs)
        self.assertEqual([one.label for one in runs], ["hertz, segment.0.velocity = 1", "hertz, segment.0.velocity = 1.5", "ma-liu"])
        same = [run("hertz", base, "a"), run("hertz", base, "b")]
        label_runs(same)
        self.assertEqual([one.label for one in same], ["hertz (a)", "hertz (b)"])

    def test_an_ensemble_is_a_band_and_not_a_line_through_its_members(self):
        values = {"law.psi": np.repeat([1.0, 2.0], 5), "member": np.tile(np.arange(5.0), 2)}
        column = SimpleNamespace(name="peak force", unit="N", values=np.concatenate([np.arange(5.0), 10.0 + np.arange(5.0)]))
        sweep = SimpleNamespace(keys=["law.psi"], values=values, units={}, members=5, done=np.ones(10, bool), columns=[column])
        _, figure = panel_sweep.Curves().interactive([sweep])
        band, points, mean = figure["data"]
        self.assertEqual((points["mode"], len(points["x"])), ("markers", 10))
        self.assertEqual((mean["x"], mean["y"]), ([1.0, 2.0], [2.0, 12.0]))
        self.assertEqual(band["y"], [0.2, 10.2, 13.8, 3.8])  # quantiles of 0..4, linear between the members

    def test_the_grid_of_wave_vectors_is_a_map(self):
        grid = Grid(np.array([4, 3, 1]), 1e3 * np.arange(24.0).reshape(12, 2))
        caption, figure = panel_modes_grid.interactive([SimpleNamespace(grid=grid)])
        self.assertIn("12 wave vectors", caption)
        self.assertEqual([len(each["z"]) for each in figure["data"]], [3, 3])
        self.assertEqual(figure["data"][1]["z"], [[1.0, 7.0, 13.0, 19.0], [3.0, 9.0, 15.0, 21.0], [5.0, 11.0, 17.0, 23.0]])
        self.assertFalse(panel_modes_grid.applies([SimpleNamespace(grid=None)]))

    def test_options_of_pictures_need_a_panel_that_draws_one(self):
        options = picture_options.parse({"camera": "top", "panels": "energy"})
        packing = SimpleNamespace(system="packing")
        with self.assertRaisesRegex(InputError, "--camera: the chosen panels, energy, draw no picture; add packing to --panels"):
            picture_options._check_drawn(options, packing, False)
        picture_options._check_drawn(options, packing, True)  # --picture draws one
        picture_options._check_drawn(picture_options.parse({"camera": "top", "panels": "energy,packing"}), packing, False)


class Points(unittest.TestCase):
    """Primitive vectors and wave vectors as the textbooks print them (Setyawan and Curtarolo 2010), in units of the side a."""

    def names(self, lattice, parts):
        reciprocal = np.linalg.pinv(np.array(lattice)).T * TURN
        return "".join(point_name(np.array(lattice), np.array(each) @ reciprocal) or "-" for each in parts)

    def test_points_of_the_plane(self):
        square, half = np.eye(2, 3), np.sqrt(0.75)
        self.assertEqual(self.names(square, [(0, 0), (0.5, 0), (0.5, 0.5), (1, 1), (0.3, 0)]), "ΓXMΓ-")
        self.assertEqual(self.names(square * [[1.0], [2.0]], [(0.5, 0), (0, 0.5), (0.5, 0.5)]), "XYS")
        for hexagonal, k in (([[1, 0, 0], [0.5, half, 0]], (1 / 3, 2 / 3)), ([[1, 0, 0], [-0.5, half, 0]], (1 / 3, 1 / 3))):
            self.assertEqual(self.names(hexagonal, [(0.5, 0), (0.5, 0.5), k, (0.25, 0)]), "MMK-")

    def test_points_of_space(self):
        fcc = 0.5 * np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
        self.assertEqual(self.names(fcc, [(0.5, 0, 0.5), (0.5, 0.5, 0.5), (0.5, 0.25, 0.75), (3 / 8, 3 / 8, 3 / 4), (5 / 8, 1 / 4, 5 / 8)]), "XLWKK")
        bcc = 0.5 * np.array([[-1, 1, 1], [1, -1, 1], [1, 1, -1]])
        self.assertEqual(self.names(bcc, [(0.5, -0.5, 0.5), (0.25, 0.25, 0.25), (0, 0, 0.5)]), "HPN")
        self.assertEqual(self.names(np.eye(3), [(0, 0.5, 0), (0.5, 0.5, 0), (0.5, 0.5, 0.5)]), "XMR")

    def test_another_choice_of_primitive_vectors_is_the_same_lattice(self):
        fcc = 0.5 * np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
        other = np.array([[1, 0, 0], [1, -1, 0], [0, 1, 1]]) @ fcc
        self.assertEqual(kind_of(other)[0], "fcc")
        self.assertAlmostEqual(kind_of(other)[1], 1.0)
        self.assertEqual(point_name(other, TURN * np.array([1.0, 0.0, 0.0])), "X")
        self.assertEqual(kind_of(np.array([[1, 0, 0], [0.3, 1, 0], [0, 0, 1.0]]))[0], "")


if __name__ == "__main__":
    unittest.main()
