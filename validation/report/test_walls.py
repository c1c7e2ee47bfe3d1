"""Walls of packings in space on the page: edges of meshes, rims and lines of curved walls."""
import unittest
from pathlib import Path
from unittest import mock

import browser
import numpy as np

from support import STEEL, InFolder, main, report, run_of

from report import wall_outlines
from report.packing_picture import picture


def box(lower, upper):
    """The twelve triangles of a box."""
    corner = [np.where(np.array([n & 1, n & 2, n & 4]), upper, lower) for n in range(8)]
    squares = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    return np.array([[corner[k] for k in part] for a, b, c, d in squares for part in ((a, b, c), (a, c, d))], float)


def tube(sides, radius, length):
    angle = 2.0 * np.pi * np.arange(sides + 1) / sides
    ring = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0.0 * angle], axis=1)
    ring[-1] = ring[0]
    high = ring + [0.0, 0.0, length]
    return np.concatenate([np.stack([ring[:-1], ring[1:], high[1:]], axis=1), np.stack([ring[:-1], high[1:], high[:-1]], axis=1)])


def stl(triangles):
    lines = ["solid s"]
    for corners in triangles:
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x!r} {y!r} {z!r}" for x, y, z in corners.tolist()), "endloop", "endfacet"]
    return "\n".join([*lines, "endsolid s"])


SCENARIO = f"""
title = "walls"
{STEEL}
[[particles]]
position = [-0.03, -0.03, 0.0]
radius = 2e-3
material = "steel"
[[particles]]
position = [0.03, 0.03, 0.06]
radius = 2e-3
material = "steel"
[[wall]]
shape = "mesh"
mesh_file = "box.stl"
point = [0.01, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
angular_velocity = 1000.0
velocity = [0.0, 2.0, 0.0]
material = "steel"
[[wall]]
shape = "cone"
point = [0.0, 0.0, 0.03]
axis = [0.0, 0.0, 1.0]
radius = 0.01
end_radius = 0.02
length = 0.03
material = "steel"
[[wall]]
point = [0.0, 0.0, -0.1]
normal = [0.0, 0.0, 1.0]
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-3
step = 1e-6
[snapshots]
interval = 5e-4
"""


class Edges(unittest.TestCase):
    def test_a_box_has_twelve_sharp_edges_and_six_flat_ones(self):
        edges, bend = wall_outlines.edges_of_triangles(box([0, 0, 0], [1, 2, 3]))
        np.testing.assert_allclose(np.sort(bend), [0.0] * 6 + [np.pi / 2] * 12, atol=1e-12)
        length = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
        np.testing.assert_allclose(np.sort(length[bend > 1.0]), [1.0] * 4 + [2.0] * 4 + [3.0] * 4)

    def test_a_tube_bends_by_the_angle_of_a_side_and_has_two_rims(self):
        edges, bend = wall_outlines.edges_of_triangles(tube(24, 0.5, 2.0))
        along = np.abs(edges[:, 1, 2] - edges[:, 0, 2]) > 1.0
        bent = along & (bend > 1e-6)
        np.testing.assert_allclose(bend[bent], 2.0 * np.pi / 24, rtol=1e-9)
        self.assertEqual(bent.sum(), 24)
        np.testing.assert_array_equal(bend[~along], np.pi)
        self.assertEqual((~along).sum(), 48)

    def test_of_many_edges_the_sharpest_are_drawn(self):
        triangles = np.concatenate([box([0, 0, 0], [1, 1, 1]), tube(1000, 5.0, 2.0)])
        run = {"wall_triangles": triangles, "wall_triangle_splits": np.array([0, 12, len(triangles)])}
        for most, of_box, of_tube in ((4000, 12, 3000), (2500, 12, 2488), (2005, 5, 2000), (100, 0, 100)):
            with self.subTest(most=most), mock.patch.object(wall_outlines, "MOST_EDGES", most):
                drawn = wall_outlines.of_meshes(run)
                self.assertEqual((len(drawn[0]), len(drawn[1])), (of_box, of_tube))

    def test_a_cone_has_its_two_rims_and_lines_between_them(self):
        axis, radii, length = np.array([0.6, 0.0, 0.8]), (0.3, 0.1), 2.0
        lines = wall_outlines.of_revolved(axis, radii, length, (0.0, 0.0))
        self.assertEqual(len(lines), 2 * wall_outlines.ROUND + wall_outlines.LINES)
        along = lines @ axis
        away = np.linalg.norm(lines - along[..., None] * axis, axis=-1)
        np.testing.assert_allclose(away, 0.3 - 0.1 * along, atol=1e-12)
        disc = wall_outlines.of_revolved(axis, (0.0, 0.5), 0.0, (0.0, 0.0))
        self.assertEqual(len(disc), wall_outlines.ROUND)
        endless = wall_outlines.of_revolved(axis, (0.5, 0.5), np.inf, (-1.0, 3.0))
        self.assertEqual((np.min(endless @ axis).round(12), np.max(endless @ axis).round(12)), (-1.0, 3.0))


class OnThePage(InFolder):
    def run_of_walls(self):
        Path("box.stl").write_text(stl(box([-4e-3, -4e-3, 0.0], [4e-3, 4e-3, 4e-3])), encoding="utf-8")
        return run_of(SCENARIO, "walls")

    def test_the_page_knows_the_lines_and_how_they_move(self):
        run = self.run_of_walls()
        walls = picture(run).settings["walls"]
        self.assertEqual([len(lines) // 6 for lines in walls["lines"]], [12, 2 * wall_outlines.ROUND + wall_outlines.LINES, 0])
        self.assertEqual(walls["spin"], [1000.0, 0.0, 0.0])
        points = np.array(walls["point"])
        np.testing.assert_allclose(points[:, 0], [[0.01, 2.0 * t, 0.0] for t in run.snapshot_time], atol=1e-12)

    @unittest.skipUnless(browser.PROGRAM, "chromium is not installed, so no browser draws the pages")
    def test_a_browser_draws_the_edges_of_a_mesh_where_they_are(self):
        run = self.run_of_walls()
        report("walls.h5")
        settings = picture(run).settings
        # As browser/view.js has it: the view of all places, which here are two spheres at rest; of the last snapshot.
        radius, centre = 2e-3, np.array([0.0, 0.0, 0.03])
        c, s, e, f = np.cos(-0.6), np.sin(-0.6), np.cos(0.35), np.sin(0.35)
        rows = np.array([[c, s, 0.0], [-s * f, c * f, e]])
        extent = np.abs(rows) @ np.full(3, 0.06 + 2.0 * radius)
        with browser.Browser(1000, 800, *browser.WITHOUT_WEBGL) as window:
            self.assertEqual(window.open("walls.html"), "")
            size = window.ask("""(() => { const c = document.querySelector("#figure-packing canvas"); return [c.width, c.height]; })()""")
            self.assertEqual(window.errors, [])
            scale = 0.94 * min(size[0] / extent[0], size[1] / extent[1])
            mesh, cone = (np.array(lines).reshape(-1, 2, 3) for lines in settings["walls"]["lines"][:2])
            turn = np.array([[np.cos(1.0), -np.sin(1.0), 0.0], [np.sin(1.0), np.cos(1.0), 0.0], [0.0, 0.0, 1.0]])
            ends = np.concatenate([mesh @ turn.T + [0.01, 2e-3, 0.0], cone + [0.0, 0.0, 0.03]])
            places = (ends.mean(axis=1) - centre) @ rows.T * [scale, -scale] + [size[0] / 2, size[1] / 2]
            for x, y in places.round().astype(int).tolist():
                near = window.ask(f"""(() => {{
                    const data = document.querySelector("#figure-packing canvas").getContext("2d").getImageData({x} - 2, {y} - 2, 5, 5).data;
                    let painted = 0;
                    for (let i = 3; i < data.length; i += 4) painted += data[i] > 0;
                    return painted;
                }})()""")
                self.assertGreater(near, 0, (x, y))


if __name__ == "__main__":
    main()
