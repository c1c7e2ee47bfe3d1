"""Profiles and slices of the fields of a packing against closed forms."""
import numpy as np

from support import STEEL, InFolder, main, run_of

from report import panel_fields
from report.panel_fields import Grid

RADIUS, CELLS = 2e-3, 6
EDGE = 2 * RADIUS * CELLS


def crystal(more, dimension=3):
    cells = [CELLS] * dimension
    return f"""
dimension = {dimension}
{STEEL}
[[particles]]
lattice = "{'simple-cubic' if dimension == 3 else 'square'}"
cells = {cells}
radius = {RADIUS}
material = "steel"
overlap = {-0.1 * RADIUS}
velocity = {[1.0, 2.0, 3.0][:dimension]}
[box]
lower = {[0.0] * dimension}
upper = {[1.05 * EDGE] * dimension}
periodic = [true, true, {'true' if dimension == 3 else 'false'}]
[law]
name = "hertz"
[time]
end = 1e-6
step = 1e-7
[measure]
interval = 1e-6
{more}
"""


class Fields(InFolder):
    def test_a_profile_has_the_fraction_and_the_velocity_of_the_crystal(self):
        run = run_of(crystal(f"[measure.grid]\ncells = [3, 1, 12]\nwidth = {4 * RADIUS}"), "space")
        grid = Grid(run)
        self.assertEqual((grid.shape, grid.axis(), grid.slice_axes()), ((3, 1, 12), 2, (0, 2)))
        fraction, velocity, _ = grid.profile(2)
        expected = CELLS**3 * 4.0 / 3.0 * np.pi * RADIUS**3 / (1.05 * EDGE)**3
        # The kernel of two diameters averages out layers to 2 exp(-2 pi^2 w^2 / d^2), far below what its cut-off leaves.
        np.testing.assert_allclose(fraction, expected, rtol=5e-3)
        np.testing.assert_allclose(fraction.mean(), expected, rtol=1e-12)
        np.testing.assert_allclose(velocity, np.tile([1.0, 2.0, 3.0], (12, 1)), rtol=1e-12)
        self.assertEqual(grid.cut(grid.fraction).shape, (12, 3))
        panels = panel_fields.PANELS
        self.assertTrue(all(panel.applies([run]) for panel in panels))
        self.assertEqual([len(panel.interactive([run])[1]["data"]) for panel in panels], [7, 3])

    def test_in_the_plane_and_with_several_runs(self):
        run = run_of(crystal(f"[measure.grid]\ncells = [8, 4]\nwidth = {4 * RADIUS}\nkernel = \"lucy\"", 2), "plane")
        grid = Grid(run)
        self.assertEqual((grid.shape, grid.axis(), grid.slice_axes()), ((8, 4), 0, (1, 0)))
        np.testing.assert_allclose(grid.profile(0)[1][:, :2], np.tile([1.0, 2.0], (8, 1)), rtol=1e-12)
        run.label = "one"
        self.assertEqual(len(panel_fields.Profiles().interactive([run, run])[1]["data"]), 10)

    def test_without_a_grid_there_is_no_panel(self):
        run = run_of(crystal(""), "none")
        self.assertFalse(any(panel.applies([run]) for panel in panel_fields.PANELS))


if __name__ == "__main__":
    main()
