"""The page as a whole: its size, all snapshots, text from files that tries to be markup, sweeps, mechanisms, and what a browser draws."""
import html
import json
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import browser
from support import SOURCES, STEEL, InFolder, main, parts_of, program, report, run_of

from report import array_bytes, panel_fit, panel_mechanism, panel_mechanism_picture, plotly_parts, style, sweep
from report.mechanism_shapes import Shapes

LARGEST = 3_000_000  # bytes
# The right end of the menus and buttons inside figures, which clip what is wider.
RIGHTMOST = """Math.max(0, ...[...document.querySelectorAll(".updatemenu-container *")].map(part => part.getBoundingClientRect().right))"""
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\\\"'&<b>"
# Shorter runs of the same size, where only the number of snapshots and particles counts.
PAGES = {"chain70": [], "square_crystal": [], "hexagonal_crystal": [], "fcc_crystal": ["time.end=20e-6", "snapshots.interval=1e-6"],
         "hopper": ["time.end=0.04", "snapshots.interval=1e-3"], "silo": ["time.end=0.02", "snapshots.interval=4e-4"],
         "settling_column": ["particles.0.random=2000", "time.end=4e-3", "snapshots.interval=2e-4"], "slider_crank": [], "pendulums": []}


def page_of(name, *words):
    report(f"{name}.h5", *words)
    return Path(f"{name}.html").read_text(encoding="utf-8")


class Crystal:
    """One run of square_crystal and its page, for all tests that look at them."""

    folder = None

    @classmethod
    def copied(cls):
        """crystal.h5 and crystal.html, and the text of the page."""
        if cls.folder is None:
            cls.folder = tempfile.TemporaryDirectory()
            history = Path(cls.folder.name) / "crystal.h5"
            program("run", SOURCES / "configs/square_crystal.toml", "--quiet", "-o", history)
            report(history)
        for file in Path(cls.folder.name).iterdir():
            shutil.copy(file, ".")
        return Path("crystal.html").read_text(encoding="utf-8")


class Pages(InFolder):
    def test_pages_of_the_scenarios_are_small_and_hold_all_snapshots(self):
        for name, settings in PAGES.items():
            with self.subTest(name):
                run = run_of(SOURCES / f"configs/{name}.toml", name, settings)
                page = page_of(name)
                self.assertLess(len(page.encode()), LARGEST)
                for figure in re.findall(r'data-settings="([\w-]+)"', page):
                    shown = json.loads(parts_of(page)[figure])
                    self.assertEqual((len(shown["time"]), shown["snapshots"]), (len(run.snapshot_time), len(run.snapshot_time)))
                    if run.system == "packing":
                        self.assertEqual(shown["shown"], run.beads)
                self.assertEqual('class="picture"' in page, run.system != "chain")
                self.assertNotIn("The mechanism has no spring.", page)

    def test_the_part_of_plotly_is_a_fraction_of_it_and_another_form_stays_whole(self):
        from plotly.offline import get_plotlyjs
        whole = get_plotlyjs()
        part = plotly_parts.needed_part(whole)
        if part != whole:
            self.assertLess(len(part), 0.4 * len(whole))
            self.assertIn("Licensed under the MIT license", part)
        for text in ("", "(function(){})();", whole[:-40], "!function(e){e.Plotly=1}(window);"):
            self.assertEqual(plotly_parts.needed_part(text), text)

    def test_text_from_files_is_never_markup(self):
        toml = (SOURCES / "configs/slider_crank.toml").read_text(encoding="utf-8").replace("0.024 ", "0.001 ")
        quoted = json.dumps(HOSTILE)
        toml = re.sub('^title = .*$', lambda _: f"title = {quoted}", toml, flags=re.M).replace('"rod"', quoted).replace('name = "pin"', f"name = {quoted}")
        run_of(toml, "hostile")
        page = page_of("hostile")
        self.assert_harmless(page)
        settings = json.loads(parts_of(page)["settings-mechanism"])
        self.assertIn(HOSTILE, settings["names"])  # as text inside what is unpacked
        crystal = (SOURCES / "configs/square_crystal.toml").read_text(encoding="utf-8")
        run_of(re.sub('^title .*$', lambda _: f"title = {quoted}", crystal, flags=re.M).replace("steel316", "steel"), "crystal")
        self.assert_harmless(page_of("crystal"))
        if browser.PROGRAM:
            with browser.Browser(800, 600) as window:
                self.assertEqual(window.open("hostile.html"), "")
                self.assertEqual(window.ask("document.querySelectorAll('img, [onerror], b').length"), 0)
                self.assertEqual(window.ask("document.querySelector('h1').textContent"), HOSTILE)

    def assert_harmless(self, page):
        self.assertEqual(re.findall("<(?:img|b)\\b", page), [])
        scripts = re.findall(r"<script[^>]*>", page)
        self.assertEqual(scripts.count("<script>"), 1)
        self.assertTrue(all(script == "<script>" or 'type="application/gzip"' in script for script in scripts))
        self.assertEqual(page.count("</script"), len(scripts))

    def test_every_figure_has_a_name_and_a_description(self):
        page = Crystal.copied()
        identities = set(re.findall(r'\bid="([\w-]+)"', page))
        for figure in re.findall(r'<div class="(?:figure|picture)"[^>]*>', page):
            names = re.search(r'aria-labelledby="([\w-]+)" aria-describedby="([\w-]+)"', figure)
            self.assertTrue(names and set(names.groups()) <= identities, figure)
        self.assertTrue(set(re.findall(r'href="#([\w-]+)"', page)) <= identities)
        self.assertIn("at 31 snapshots", json.loads(parts_of(page)["settings-packing"])["summary"])


class Fits(unittest.TestCase):
    def test_three_laws_and_twelve_noisy_sensors_fit_into_a_page(self):
        draw, shape = np.random.default_rng(1), (20001, 12)
        time, measured = np.linspace(0.0, 1e-3, shape[0]), 30.0 * draw.standard_normal(shape)
        laws = [SimpleNamespace(name=name, computed=measured + 0.3 * draw.standard_normal(shape), rms=0.3) for name in ("a", "b", "c")]
        fit = SimpleNamespace(sensors=list(range(12)), body="bead", last_time=1e-3, time=time, unit="N", measured=measured, laws=laws,
                              used=np.ones(shape), measured_file="m.csv", method="")
        figures = [panel.interactive([fit])[1] for panel in (panel_fit.Traces(), panel_fit.Residuals())]
        self.assertLess(len(array_bytes.text_of(json.dumps(figures).encode())), LARGEST - 1_000_000)  # the rest is plotly
        for first, expected in ((figures[0]["data"][0], measured[:, 0]), (figures[1]["data"][0], measured[:, 0] - laws[0].computed[:, 0])):
            shown = np.interp(np.array(first["x"]) * 1e-6, time, expected)
            np.testing.assert_allclose(first["y"], shown, atol=1e-4 * np.ptp(expected))
            for pick in (np.min, np.max):  # stay, whatever is left out
                self.assertAlmostEqual(pick(first["y"]), pick(expected), delta=1e-4 * np.ptp(expected))


class Precompressed(InFolder):
    def test_a_weak_wave_on_a_large_force_is_visible(self):
        run = run_of(SOURCES / "configs/precompressed.toml", "tap", ["time.end=1e-3"])
        figures = json.loads(parts_of(page_of("tap"))["figures"])
        curve, force = figures["traces"]["data"][0], run.traces.force[:, 0]
        self.assertLess(np.ptp(force), 0.01 * force.max())
        np.testing.assert_allclose(curve["y"], force, atol=1e-3 * np.ptp(force))
        self.assertNotIn("rangemode", figures["traces"]["layout"]["yaxis"])

    def test_an_axis_begins_at_zero_unless_the_curves_differ_by_little(self):
        self.assertEqual(style.from_zero(np.array([0.0, 3.0])), {"rangemode": "tozero"})
        self.assertEqual(style.from_zero(np.array([2.0, np.nan]), np.array([3.0])), {"rangemode": "tozero"})
        self.assertEqual(style.from_zero(np.array([100.0, 100.1])), {})
        self.assertEqual(style.from_zero(np.array([np.nan])), {"rangemode": "tozero"})
        self.assertEqual(style.numbers([100.0, 100.01234, np.nan], 5), [100.0, 100.01234, None])


class Mechanisms(InFolder):
    def test_contact_points_lie_where_the_joint_is(self):
        run = run_of(SOURCES / "configs/slider_crank.toml", "crank", ["time.end=0.002"])
        position, angle = run["position"][:], run["angle"][:]
        position = position.reshape(len(position), 3, -1)[..., :2]
        place, normal = run["contact_position"][:, 0], run["contact_normal"][:, 0]
        pushed = np.linalg.norm(run["journal_displacement"][:, 0], axis=1) > 0.0
        # The slider does not turn, so the hole is at its centre; the contact is 10 mm from it, and in the overlap of the two.
        beyond = np.linalg.norm(place - position[:, 2], axis=1) - 0.010
        self.assertTrue(np.all(np.abs(beyond) <= np.maximum(run["overlap"][:, 0], 0.0) + 1e-15))
        outward = run["journal_displacement"][:, 0] / np.linalg.norm(run["journal_displacement"][:, 0], axis=1, keepdims=True)
        np.testing.assert_allclose(normal[pushed], -outward[pushed], atol=1e-9)
        # The pivot between crank and rod is the same point of both.
        end = {body: position[:, body] + np.stack([np.cos(angle[:, body]), np.sin(angle[:, body])], axis=1) * along
               for body, along in ((0, 0.025), (1, -0.06))}
        np.testing.assert_allclose(end[0], end[1], atol=1e-9)

    def test_a_cam_and_its_follower_are_drawn_where_they_touch(self):
        run = run_of(SOURCES / "configs/cam_follower.toml", "cam", ["time.interval=2e-3"])
        shapes = Shapes(run.settings, run.files)
        self.assertEqual([item["kind"] for item in shapes.items if item["kind"] in ("line", "polygon")], ["line", "polygon"])
        position, angle = run["position"][:], run["angle"][:]
        place, normal = run["contact_position"][:, 0], run["contact_normal"][:, 0]
        # The follower's face is 20 mm below its centre. It touches where the cam is highest: s' to the side of its centre.
        turn = angle[:, 0]
        np.testing.assert_allclose(place[:, 1], position[:, 1, 1] - 0.02, atol=3e-4)
        np.testing.assert_allclose(place[:, 0], 0.02 * np.sin(turn / 2) ** 3 * np.cos(turn / 2), atol=1.5e-3)  # the gap of points
        np.testing.assert_allclose(normal, np.tile([0.0, 1.0], (len(normal), 1)), atol=0.05)
        self.assertIsNotNone(panel_mechanism_picture.picture_of(run))

    def test_the_menu_has_each_impact_with_its_samples(self):
        run = run_of(SOURCES / "configs/pendulums.toml", "pendulums", ["time.interval=1e-4", "time.end=3.8"])
        impacts = panel_mechanism.impacts_of([run])
        self.assertEqual(len(impacts), 2)
        for impact, start, peak in zip(impacts, (1.142446, 3.762), (4893.79, 896.714)):  # as the program prints them
            self.assertAlmostEqual(impact.start, start, delta=1e-3)
            self.assertAlmostEqual(impact.peak[1] / peak, 1.0, delta=1e-5)
            self.assertGreater(len(impact.force), 2)
            self.assertLessEqual(impact.force.max(), impact.peak[1] * (1 + 1e-9))
        _, figure = panel_mechanism.Loops().interactive([run])
        buttons = figure["layout"]["updatemenus"][0]["buttons"]
        self.assertEqual(len(buttons), 3)
        self.assertEqual([sum(button["args"][0]["visible"]) for button in buttons], [3, 2, 2])  # all: the curve and two crosses

    def test_a_scenario_that_does_not_describe_the_bodies_is_not_drawn(self):
        run = run_of(SOURCES / "configs/pendulums.toml", "pendulums", ["time.end=0.1"])
        for settings in ({}, {"body": []}, {"body": [{"name": 1}]}, {"body": run.settings["body"], "contact": [{"kind": "x", "bodies": []}]}):
            run.settings = settings
            self.assertIsNone(panel_mechanism_picture.picture_of(run))


class Sweeps(InFolder):
    def test_a_sweep_has_a_page_with_curves_and_a_map(self):
        program("sweep", SOURCES / "configs/chain70.toml", "--vary", "law.psi=2.4,2.8,3.2", "--vary", "segment.0.velocity=1,2", "--set",
                "time.end=1e-4", "-o", "sweep.h5", "--quiet")
        table = sweep.read("sweep.h5")
        self.assertEqual((table.keys, int(table.done.sum())), (["law.psi", "segment.0.velocity"], 6))
        page = page_of("sweep", "--svg", "sweep.svg")
        figures = json.loads(parts_of(page)["figures"])
        curves = figures["sweep-curves"]["data"]
        peak = next(column for column in table.columns if column.name == "peak force, sensor 9")
        for k, speed in enumerate((1.0, 2.0)):
            rows = table.values["segment.0.velocity"] == speed
            np.testing.assert_allclose(curves[k]["y"], peak.values[rows][np.argsort(table.values["law.psi"][rows])], rtol=1e-6)
        np.testing.assert_allclose(np.array(figures["sweep-map"]["data"][0]["z"]).T.ravel(), peak.values, rtol=1e-5)
        self.assertIn("Sweep written by beadwave", page)
        program("report", "sweep.h5")  # replaces its own page
        self.assertIn("one table and no other file", report("sweep.h5", "sweep.h5", status=2))

    def test_the_page_of_a_sweep_says_how_many_runs_have_warnings(self):
        # Impacts of steel that are faster than 0.16 m/s: metal yields there, which Hertz's law does not have.
        bead = '[[segment]]\nbeads = 1\nradius = 5e-3\nmaterial = "steel"\n'
        Path("fast.toml").write_text(f'{STEEL}{bead}velocity = 1\n{bead}[law]\nname = "hertz"\n[time]\nend = 1e-5\n', encoding="utf-8")
        program("sweep", "fast.toml", "--vary", "segment.0.velocity=0.1,1,2", "-o", "fast.h5", "--quiet")
        table = sweep.read("fast.h5")
        self.assertEqual(len(table.warnings), 1)
        self.assertTrue(table.warnings[0].startswith("2 of 3 runs have warnings, which are in the table; those of run 1: "), table.warnings)
        self.assertIn(f'<p class="warning">fast.h5: {html.escape(table.warnings[0])}', page_of("fast"))

    def test_the_page_of_an_ensemble_has_mean_and_bands_of_each_ensemble(self):
        program("sweep", SOURCES / "configs/chain70.toml", "--vary", "law.name=hertz,ma-liu", "--members", 7, "--disturb",
                "segment.0.velocity=5%", "--over-time", "kinetic_energy,momentum", "--set", "time.end=1e-4", "-o", "many.h5", "--quiet")
        table = sweep.read("many.h5")
        self.assertEqual((table.keys, table.ensemble.members, len(table.ensemble.bands)), (["law.name"], 7, 2))
        page = page_of("many", "--svg", "many.svg")
        figures = json.loads(parts_of(page)["figures"])
        drawn = figures["ensemble"]["data"]
        # Per quantity and ensemble: two bands, the median and the mean; the first quantity is shown.
        self.assertEqual([trace["visible"] for trace in drawn], [True] * 8 + [False] * 8)
        energy = next(band for band in table.ensemble.bands if band.name == "kinetic_energy")
        first = table.ensemble.bands.index(energy) * 8
        for n, name in enumerate(("hertz", "ma-liu")):
            outer, inner, median, mean = drawn[first + 4 * n:first + 4 * n + 4]
            self.assertIn(name, mean["name"])
            np.testing.assert_allclose(mean["y"], energy.mean[n], rtol=1e-5)
            np.testing.assert_allclose(median["y"], energy.quantiles[n, 2], rtol=1e-5)
            for band, low, high in ((outer, 0, 4), (inner, 1, 3)):
                np.testing.assert_allclose(band["y"], np.concatenate([energy.quantiles[n, low], energy.quantiles[n, high][::-1]]), rtol=1e-5)
        self.assertIn("segment.0.velocity (7 members)", page)
        program("sweep", SOURCES / "configs/chain70.toml", "--vary", "law.name=hertz,ma-liu", "--set", "time.end=1e-5", "-o", "few.h5", "--quiet")
        self.assertNotIn("Ensemble over time", page_of("few"))

    def test_films_are_of_packings_and_mechanisms_only(self):
        run_of(SOURCES / "configs/square_crystal.toml", "crystal", ["snapshots.interval=50e-6"])
        program("report", "crystal.h5", "--gif", "crystal.gif")
        self.assertTrue(Path("crystal.gif").read_bytes().startswith(b"GIF89a"))
        program("report", "crystal.h5", "--gif", "crystal.gif")  # replaces its own film
        run_of(SOURCES / "configs/chain70.toml", "chain", ["time.end=1e-5"])
        self.assertIn("--gif: is for packings and mechanisms; this is a chain", program("report", "chain.h5", "--gif", "c.gif", status=2)[1])
        self.assertIn("--mp4 c.avi: the name must end in .mp4", program("report", "chain.h5", "--mp4", "c.avi", status=2)[1])


@unittest.skipUnless(browser.PROGRAM, "chromium is not installed, so no browser draws the pages")
class InBrowser(InFolder):
    def painted(self, window, name):
        """Share of the pixels of a canvas that are not transparent."""
        return window.ask(f"""(() => {{
            const canvas = document.querySelector("#figure-{name} canvas");
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let painted = 0;
            for (let i = 3; i < data.length; i += 4) painted += data[i] > 0;
            return painted / (data.length / 4);
        }})()""")

    def test_pictures_and_figures_are_drawn_without_webgl_and_on_a_narrow_screen(self):
        Crystal.copied()
        run_of(SOURCES / "configs/slider_crank.toml", "crank", ["time.end=0.002"])
        page_of("crank")
        with browser.Browser(1300, 900, *browser.WITHOUT_WEBGL) as window:
            for width in (1300, 400):
                window.resize(width, 900)
                for page, name, least in (("crystal", "packing", 0.5), ("crank", "mechanism", 0.01)):
                    with self.subTest(page=page, width=width):
                        self.assertEqual(window.open(f"{page}.html"), "")
                        self.assertEqual(window.errors, [])
                        self.assertGreater(self.painted(window, name), least)
                        self.assertEqual(window.ask("document.querySelectorAll('.figure:not([data-drawn])').length"), 0)
                        self.assertGreater(window.ask("document.querySelectorAll('.main-svg').length"), 3)
                        self.assertLessEqual(window.ask("document.documentElement.scrollWidth"), width)
                        self.assertLessEqual(window.ask(RIGHTMOST), width)

    def test_a_page_is_loaded_when_all_is_drawn(self):
        """So that programs that print pages or take pictures of them see all figures."""
        Crystal.copied()
        with browser.Browser(1000, 800) as window:
            self.assertEqual(window.open("crystal.html"), "")
            loaded = window.ask("performance.getEntriesByType('navigation')[0].loadEventStart")
            self.assertGreater(loaded + 0.5, float(window.ask("document.documentElement.dataset.drawnMs")))  # which is rounded

    def test_the_keyboard_moves_through_the_snapshots(self):
        Crystal.copied()
        with browser.Browser(1000, 800) as window:
            window.open("crystal.html")
            clock = """new Promise(resolve => {
                document.querySelector(".picture canvas").dispatchEvent(new KeyboardEvent("keydown", {key: ","}));
                requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.querySelector(".clock").textContent)));
            })"""
            self.assertEqual(window.ask(clock), "145 µs (30 of 31)")
            self.assertEqual(window.ask(clock), "140 µs (29 of 31)")

    def test_a_browser_that_cannot_unpack_says_so(self):
        page = Crystal.copied()
        Path("old.html").write_text(page.replace("<script>\"use strict\";", "<script>delete self.DecompressionStream;</script><script>\"use strict\";"),
                                    encoding="utf-8")
        with browser.Browser(1000, 800) as window:
            self.assertIn("This browser cannot unpack the figures.", window.open("old.html"))


if __name__ == "__main__":
    main()
