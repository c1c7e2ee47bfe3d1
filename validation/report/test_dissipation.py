"""Where the energy went: kinds, rankings and worn bearings, against the history and its ledger."""
import json

import numpy as np

from support import SOURCES, InFolder, main, parts_of, report, run_of

from report import packing_picture, panel_dissipation, panel_impacts, panel_wall_map, panel_wear
from report.panels import still_rows
from report.render.quantities import available

MILL = SOURCES / "configs" / "ball_mill.toml"
CRANK = SOURCES / "configs" / "worn_slider_crank.toml"


def figure_of(run, name):
    """What the page of a run has for this panel."""
    report(run.path)
    return json.loads(parts_of(run.path.with_suffix(".html").read_text(encoding="utf-8"))["figures"])[name]


class Kinds(InFolder):
    def test_areas_of_a_packing_add_up_to_its_dissipated_energy(self):
        run = run_of(SOURCES / "docs" / "examples" / "dissipation.toml", "thrown")
        parts = panel_dissipation.kinds(run.energy)
        self.assertEqual([name for name, _ in parts], ["normal forces", "sliding", "rolling and twisting"])
        total = run.energy["dissipated_energy"]
        np.testing.assert_allclose(sum(values for _, values in parts), total, rtol=0.0, atol=1e-12 * total[-1])
        areas = figure_of(run, "where-the-energy-went")["data"]
        self.assertEqual([area["stackgroup"] for area in areas], ["all"] * 3)
        caption, _ = panel_dissipation.Kinds().interactive([run])
        for name, values in parts:
            self.assertIn(f"{name} ", caption)
            self.assertIn(f"({100 * values[-1] / total[-1]:.3g} %)", caption)

    def test_bars_of_two_runs_are_their_energies_at_the_end(self):
        runs = [run_of(SOURCES / "docs" / "examples" / "dissipation.toml", name, [f"law.restitution={name[1:]}"]) for name in ("e0.5", "e0.9")]
        for run in runs:
            run.label = run.name
        _, figure = panel_dissipation.Kinds().interactive(runs)
        heights = np.sum([bar["y"] for bar in figure["data"]], axis=0)
        ends = np.array([run.energy["dissipated_energy"][-1] for run in runs])
        self.assertGreater(abs(ends[0] / ends[1] - 1.0), 0.01)
        np.testing.assert_allclose(heights / heights[0], ends / ends[0], rtol=1e-4)  # six digits

    def test_a_run_that_loses_nothing_has_no_panel(self):
        run = run_of(SOURCES / "configs" / "pendulums.toml", "early", ["time.end=0.1"])
        self.assertFalse(panel_dissipation.Kinds().applies([run]))
        self.assertNotIn(panel_dissipation.Kinds, [type(panel) for row in still_rows([run]) for _, panel in row])


class Colours(InFolder):
    def test_particles_are_coloured_by_what_they_dissipated(self):
        run = run_of(SOURCES / "docs" / "examples" / "dissipation.toml", "thrown", ["time.end=0.05"])
        wanted = sum(run[f"particle_{part}_dissipation"][:] for part in panel_dissipation.PARTS)
        self.assertGreater(wanted[-1].min(), 0.0)
        rows = packing_picture._Rows(run, np.arange(2), [0, len(wanted) - 1])
        name, unit, signed, largest, steps = packing_picture._quantities(rows)[-1]
        self.assertEqual((name, unit, signed), ("dissipated energy", "J", False))
        self.assertAlmostEqual(largest / wanted[-1].max(), 1.0, delta=1e-6)
        np.testing.assert_allclose(steps[-1] / packing_picture.STEPS, np.sqrt(wanted[-1] / wanted[-1].max()), atol=0.5 / packing_picture.STEPS + 1e-6)
        np.testing.assert_array_equal(available(run)["dissipated-energy"].values(run, -1), wanted[-1])
        report(run.path, "--picture", "thrown.png", "--colour=dissipated-energy", "--size=240x160")
        silent = run_of(SOURCES / "docs" / "examples" / "dissipation.toml", "silent", ["time.end=0.01", 'dissipation.per=["wall"]'])
        self.assertNotIn("dissipated-energy", available(silent))


class Ranking(InFolder):
    def test_the_contacts_that_dissipate_most_come_first(self):
        run = run_of(SOURCES / "configs" / "damped.toml", "damped", ["time.end=4e-4", 'dissipation.per=["contact"]', "snapshots.interval=1e-4"])
        what, names, parts = panel_dissipation.ranked(run)
        last = run["contact_normal_dissipation"][-1]
        self.assertEqual((what, len(names)), ("contact", panel_dissipation.MOST))
        np.testing.assert_array_equal(parts["normal"], np.sort(last)[::-1][:len(names)])
        self.assertEqual(names[0], str(np.argmax(last)))
        self.assertTrue(panel_dissipation.Ranking().applies([run]))


    def test_pairs_of_a_packing_have_the_names_of_their_bodies(self):
        run = run_of(SOURCES / "docs" / "examples" / "dissipation.toml", "thrown", ["time.end=0.05"])
        what, names, parts = panel_dissipation.ranked(run)
        rows = slice(*run["dissipation/row_splits"][-2:].astype(int))
        lost = sum(run[f"dissipation/{part}"][rows] for part in panel_dissipation.PARTS)
        first, second = run["dissipation/pair"][rows][np.argmax(lost)]
        count = len(run["radius"])
        self.assertEqual((what, names[0]), ("contact", f"{first} and {second}" if second < count else f"{first} and wall {second - count}"))
        np.testing.assert_allclose(sum(parts.values()), np.sort(lost)[::-1][:len(names)], rtol=1e-15)


class Walls(InFolder):
    def test_a_mill_is_laid_flat_with_its_lifters_and_impacts_are_counted(self):
        run = run_of(MILL, "mill", ["time.end=0.2"])
        wear, lost = panel_wall_map.PANELS
        across, up, values, names, caption = wear.drawn(run)
        np.testing.assert_array_equal(values, run["triangle_wear"][-1])
        self.assertIn(f"at triangle {np.argmax(values)} of the wall", caption)
        corners = run["wall_triangles"][:]
        flat = np.stack([across, up, np.zeros_like(up)], axis=2) * 1e-3
        # An arc of 15 degrees is longer than its chord by 3e-3; a lifter is flat.
        ratio = panel_wall_map.areas(flat) / panel_wall_map.areas(corners)
        lifters = np.ptp(np.hypot(corners[..., 0], corners[..., 1]), axis=1) > 2e-3
        self.assertEqual(lifters.sum(), 12)
        np.testing.assert_allclose(ratio[lifters], 1.0, rtol=1e-6)
        np.testing.assert_allclose(ratio[~lifters], 1.0, atol=4e-3)
        # Nothing lies on anything else: all together cover the circumference and six lifters.
        self.assertAlmostEqual(np.ptp(across), 1e3 * panel_wall_map.areas(flat).sum() / 0.02, delta=1e-3)
        _, _, energies, _, _ = lost.drawn(run)
        np.testing.assert_allclose(energies * panel_wall_map.areas(corners), run["triangle_dissipation"][-1], rtol=1e-12)
        figures = [figure_of(run, name)["data"] for name in ("wall-wear", "wall-dissipation", "packing-impacts")]
        for data in figures[:2]:
            triangles = sum(trace["x"].count(None) for trace in data)
            self.assertEqual(triangles, len(corners))
        self.assertEqual(sum(figures[2][0]["y"]), run["impact_spectrum"][-1].sum())
        speed, restitution = panel_impacts.known(run)
        self.assertEqual(len(figures[2][1]["x"]), len(speed))
        self.assertGreater(len(speed), 100)
        report(run.path, "--picture", "mill.png", "--colour=dissipated-energy", "--size=240x160")


class Wear(InFolder):
    def test_the_profile_has_the_area_of_the_worn_volume(self):
        run = run_of(CRANK, "crank", ["time.end=0.01"])
        (angle, depth, *_), = panel_wear.Profile().curves([run])
        self.assertEqual((angle[0], angle[-1], len(angle)), (0.0, 360.0, 144))
        area = np.sum(0.5 * (depth[1:] + depth[:-1]) * np.diff(np.radians(angle))) * 0.010 * 0.02  # steps: exact
        self.assertGreater(run["contact_wear"][-1, 0], 0.0)
        self.assertAlmostEqual(area / run["contact_wear"][-1, 0], 1.0, delta=1e-12)
        self.assertEqual(figure_of(run, "wear")["layout"]["xaxis"]["title"]["text"], "angle (degrees)")

    def test_mechanisms_without_wear_have_no_profile(self):
        run = run_of(SOURCES / "configs" / "pendulums.toml", "early", ["time.end=0.1"])
        self.assertFalse(panel_wear.Profile().applies([run]))


if __name__ == "__main__":
    main()
