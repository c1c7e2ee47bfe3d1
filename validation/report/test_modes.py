"""Files of modes: read in any part, strict about units; their page; linear bands over the space-time spectrum."""
import json
import math
from pathlib import Path

import h5py
import numpy as np

from modes_files import membrane, two_masses, uniform_chain, write
from support import STEEL, InFolder, main, parts_of, program, report, run_of  # which adds folders to the path

from check_report import faults_of_file
from report import modes, panel_modes_bands, panel_modes_density, panel_modes_shapes, panel_modes_transfer
from report.history import InputError
from report.panel_modes_density import density

STIFFNESS, MASS, SPACING = 3e7, 4e-3, 0.01
PANELS = ("modes-bands", "modes-density", "modes-participation", "modes-shapes", "modes-transfer")
TOP = np.sqrt(STIFFNESS / MASS) / np.pi


def uniform(path="uniform.h5", drop=(), **changed):
    datasets, attributes = uniform_chain(STIFFNESS, MASS, SPACING)
    return write(path, {**datasets, **{name.replace("__", "/"): value for name, value in changed.items()}}, attributes, drop)


def check_page(path, panels, missing=()):
    page, faults = faults_of_file([path, "--panels", ",".join((*panels, "scenario")), "--missing", ",".join(missing)])
    assert not faults, f"{page}: {faults}"


def figure_of(page, name):
    figure = json.loads(parts_of(Path(page).read_text(encoding="utf-8"))["figures"])[name]
    return figure["data"], figure["layout"]


class Modes(InFolder):
    def test_a_whole_file_makes_a_page_and_a_still_figure(self):
        uniform()
        drawn = program("report", "uniform.h5", "--png", "still.png", "--svg", "still.svg")[0]
        self.assertEqual(drawn.split(), ["uniform.html", "still.svg", "still.png"])
        check_page("uniform.html", PANELS)
        program("report", "uniform.h5")  # replaces its own page without being asked
        data, layout = figure_of("uniform.html", "modes-shapes")
        steps = layout["sliders"][0]["steps"]
        self.assertEqual(len(steps), 40)
        exact = np.sin(np.pi * 7 / 41 * np.arange(1, 41))
        np.testing.assert_allclose(steps[6]["args"][0]["y"][0], exact / np.abs(exact).max(), atol=1e-4)
        self.assertEqual(data[0]["y"], steps[0]["args"][0]["y"][0])

    def test_every_part_may_be_missing(self):
        parts = {"frequency": ("modes-density", "modes-participation"), "damping_ratio": (), "participation_ratio": ("modes-participation",),
                 "shape": ("modes-shapes",), "position": ("modes-shapes",), "bands/": (), "dispersion/": (), "transfer/": ("modes-transfer",)}
        for part, missing in parts.items():
            with self.subTest(part):
                report(uniform(drop=[part]), "--page", "page.html")
                check_page("page.html", PANELS, missing)
        report(uniform(drop=[""]), "--page", "page.html", "--svg", "page.svg")
        check_page("page.html", PANELS, PANELS)

    def test_empty_parts_and_single_bodies_are_drawn(self):
        datasets, _ = uniform_chain(STIFFNESS, MASS, SPACING)
        empty = {name: (np.zeros((0,) * np.ndim(values)), unit) for name, (values, unit) in datasets.items()}
        empty["position"] = (np.zeros((0, 3)), "m")
        report(write("empty.h5", empty), "--svg", "empty.svg")
        check_page("empty.html", PANELS, PANELS)
        one = {"frequency": ([0.0], "Hz"), "participation_ratio": ([1.0], "1"), "shape": (np.ones((1, 1, 3)), "1"),
               "position": (np.zeros((1, 3)), "m"), "bands/lower": ([0.0], "Hz"), "bands/upper": ([0.0], "Hz")}
        report(write("one.h5", one), "--svg", "one.svg")
        check_page("one.html", PANELS, ("modes-transfer",))

    def test_wrong_units_and_shapes_are_refused_in_one_sentence(self):
        datasets, _ = uniform_chain(STIFFNESS, MASS, SPACING)
        values = {name: each for name, (each, _) in datasets.items()}
        cases = [({"frequency": (values["frequency"], "kHz")}, '/frequency has the unit "kHz"; expected the unit "Hz"'),
                 ({"frequency": (values["frequency"], None)}, '/frequency has no attribute unit; expected the unit "Hz"'),
                 ({"frequency": (values["frequency"][::-1], "Hz")}, "/frequency does not ascend"),
                 ({"frequency": (values["frequency"] * np.nan, "Hz")}, "/frequency has entries that are not finite"),
                 ({"position": (values["position"], "mm")}, '/position has the unit "mm"; expected the unit "m"'),
                 ({"position": (values["position"][:-1], "m")}, "/shape has 40 entries along axis 1; /position has 39"),
                 ({"damping_ratio": (values["damping_ratio"], "%")}, '/damping_ratio has the unit "%"'),
                 ({"shape": (values["shape"][:, :, 0], "1")}, "/shape has 2 dimensions; expected 3"),
                 ({"dispersion__wave_number": (values["dispersion/wave_number"], "1/m")}, 'expected the unit "rad m-1"'),
                 ({"bands__lower": ([2.0 * TOP], "Hz")}, "/bands is not a list of intervals"),
                 ({"transfer__force_imaginary": (values["transfer/force_imaginary"], "m N-1")}, '/transfer/force_real has "N N-1"'),
                 ({"transfer__force_real": (values["transfer/force_real"], None)}, "/transfer/force_real has no attribute unit"),
                 ({"transfer__sensors": (np.arange(2), None)}, "/transfer/force_real has 3 entries along axis 1; /transfer/sensors has 2")]
        for changed, sentence in cases:
            with self.subTest(sentence):
                error = report(uniform(**changed), status=2)
                self.assertIn(sentence, error)
                self.assertEqual(error.count("\n"), 1)
                self.assertFalse(Path("uniform.html").exists())
        with self.assertRaisesRegex(InputError, "/transfer has no sensors"):
            modes.read(uniform(drop=["transfer/sensors"]))

    def test_what_cannot_share_a_page_is_refused(self):
        uniform("a.h5")
        uniform("b.h5")
        self.assertIn("one file of modes, not 2", program("report", "a.h5", "b.h5", status=2)[1])
        self.assertIn("--contacts: is for histories", program("report", "a.h5", "--contacts", "1", status=2)[1])
        with h5py.File("other.h5", "w", libver="latest") as file:
            file.attrs["format"] = "something else"
        self.assertIn("not a history", program("report", "other.h5", status=2)[1])

    def test_corners_of_a_path_are_marked(self):
        # A square lattice of side 0.01 m, from 0 to half of the first vector, to half of both, and back.
        corners = np.array([[0.0, 0.0], [0.5, 0.0], [0.5, 0.5], [0.0, 0.0]]) * 2.0 * np.pi / 0.01
        legs = [np.linspace(a, b, 10, endpoint=False) for a, b in zip(corners, corners[1:])]
        wave = np.pad(np.concatenate([*legs, corners[-1:]]), ((0, 0), (0, 1)))
        datasets, _ = membrane()
        path = {"dispersion/wave_number": (wave, "rad m-1"), "dispersion/frequency": (np.linalg.norm(wave, axis=1)[:, None], "Hz")}
        lattice = {"dispersion/lattice": (0.01 * np.eye(2, 3), "m")}
        file = modes.read(write("path.h5", {**datasets, **path, **lattice}))
        places, labels = zip(*file.dispersion.corners())
        self.assertEqual(labels, ("Γ", "X", "M", "Γ"))
        np.testing.assert_allclose(places, np.array([0.0, 1.0, 2.0, 2.0 + np.sqrt(2.0)]) * np.pi / 0.01)
        axis = panel_modes_bands.interactive([file])[1]["layout"]["xaxis"]
        self.assertEqual((axis["ticktext"], axis["title"]["text"]), (list(labels), "path of wave vectors"))
        without = modes.read(write("without.h5", {**datasets, **path}))
        self.assertNotIn("ticktext", panel_modes_bands.interactive([without])[1]["layout"]["xaxis"])
        report("path.h5", "--svg", "path.svg")

    def test_rotations_are_drawn(self):
        datasets, _ = membrane()
        turned = np.linspace(-1.0, 1.0, 81 * 81).reshape(81, 81, 1)
        still = np.zeros_like(datasets["shape"][0])
        file = modes.read(write("turn.h5", {**datasets, "shape": (still, "1"), "rotation": (turned, "1")}))
        caption, figure = panel_modes_shapes.interactive([file])
        self.assertIn("The hand of each body is turned by its rotation", caption)
        lines, bodies = figure["data"][:2]
        np.testing.assert_allclose(bodies["marker"]["color"], np.abs(turned[0, :, 0]), atol=1e-3)
        x, y = (np.array(lines[axis], float).reshape(81, 6) for axis in "xy")
        np.testing.assert_allclose(np.arctan2(-(x[:, 4] - x[:, 3]), y[:, 4] - y[:, 3]), turned[0, :, 0], atol=1e-3)

    def test_weak_responses_do_not_squeeze_the_strong_ones(self):
        datasets, _ = uniform_chain(STIFFNESS, MASS, SPACING)
        force, unit = datasets["transfer/force_real"]
        weak = np.array(force)
        weak[-50:, 2] = 1e-30
        real = uniform("weak.h5", transfer__force_real=(weak, unit), transfer__force_imaginary=(0.0 * weak, unit))
        figure = panel_modes_transfer.interactive([modes.read(real)])[1]
        low, high = figure["layout"]["yaxis"]["range"]
        top = max(max(level for level in curve["y"] if level is not None) for curve in figure["data"])
        self.assertLess(low, top - 190.0)
        self.assertGreater(low, top - 220.0)
        self.assertGreater(high, top)

    def test_a_density_of_some_modes_says_so(self):
        datasets, _ = uniform_chain(STIFFNESS, MASS, SPACING)
        few = {name: (np.array(datasets[name][0])[:7], datasets[name][1])
               for name in ("frequency", "damping_ratio", "participation_ratio", "shape")}
        part = modes.read(write("few.h5", {**datasets, **few}))
        self.assertIn("only 7 modes of the structure", panel_modes_density.PANELS[0].interactive([part])[0])
        self.assertNotIn("only", panel_modes_density.PANELS[0].interactive([modes.read(uniform())])[0])

    def test_gaps_of_alternating_masses(self):
        light, heavy, cell = 2e-3, 5e-3, 0.02
        file = modes.read(write("two.h5", *two_masses(STIFFNESS, light, heavy, cell)))
        (low, high), = file.bands.gaps()
        self.assertAlmostEqual(low / (np.sqrt(2.0 * STIFFNESS / heavy) / (2.0 * np.pi)), 1.0, delta=1e-12)
        self.assertAlmostEqual(high / (np.sqrt(2.0 * STIFFNESS / light) / (2.0 * np.pi)), 1.0, delta=1e-12)
        caption, figure = panel_modes_bands.interactive([file])
        self.assertIn(f"the gaps, {low * 1e-3:.5g} to {high * 1e-3:.5g} kHz", caption)
        self.assertEqual([(shape["y0"], shape["y1"]) for shape in figure["layout"]["shapes"]], [(low * 1e-3, high * 1e-3)])
        # Every zone and both directions have the frequencies of the first zone.
        q = np.array([10.0, 100.0, np.pi / cell - 1.0])
        np.testing.assert_allclose(file.dispersion.at(q + 2.0 * np.pi / cell), file.dispersion.at(q), rtol=1e-9)
        np.testing.assert_allclose(file.dispersion.at(-q), file.dispersion.at(q), rtol=1e-12)
        np.testing.assert_allclose(file.dispersion.at(file.dispersion.wave_number), file.dispersion.frequency, rtol=1e-12)

    def test_overlapping_bands_have_no_gap_and_a_stop_band_begins_at_zero(self):
        self.assertEqual(modes.Bands(np.array([0.0, 5.0]), np.array([10.0, 8.0])).gaps(), [])
        self.assertEqual(modes.Bands(np.array([2.0, 5.0, 9.0]), np.array([7.0, 6.0, 10.0])).gaps(), [(0.0, 2.0), (7.0, 9.0)])

    def test_the_density_of_states_is_that_of_the_chain(self):
        frequency = TOP * np.sin(0.5 * np.pi * np.arange(1, 20001) / 20001)
        edges, share = density(frequency)
        self.assertAlmostEqual(np.sum(share * np.diff(edges)), 1.0, delta=1e-12)
        exact = np.diff(np.arcsin(np.minimum(edges / frequency[-1], 1.0))) * 2.0 / np.pi / np.diff(edges)  # of (2/pi) / sqrt(top^2 - f^2)
        np.testing.assert_allclose(share, exact, rtol=0.02)

    def test_the_transfer_function_is_in_decibels(self):
        file = modes.read(uniform())
        caption, figure = panel_modes_transfer.interactive([file])
        self.assertIn("relative to 1 N N-1", caption)
        self.assertEqual([trace["name"] for trace in figure["data"]], ["sensor 3", "sensor 20", "sensor 33"])
        force = file.transfer.force[100, 1]
        self.assertAlmostEqual(figure["data"][1]["y"][100], 10.0 * np.log10(force.real**2 + force.imag**2), delta=1e-2)

    def test_shapes_in_the_plane_and_in_space(self):
        for space in (False, True):
            file = modes.read(write(f"membrane{space}.h5", *membrane(space=space)))
            _, figure = panel_modes_shapes.interactive([file])
            self.assertEqual(figure["data"][1]["type"], "scatter")
            moved, size = (np.array(figure["data"][1][name], float) for name in ("x", "y")), figure["data"][1]["marker"]["color"]
            x, y = moved
            shape = file.shape[0]

            def across_and_up(points):  # in space: turned by 0.6 rad about z, then tilted by 0.35 rad
                if not space:
                    return points[:, 0], points[:, 1]
                away = math.sin(0.6) * points[:, 0] + math.cos(0.6) * points[:, 1]
                return (math.cos(0.6) * points[:, 0] - math.sin(0.6) * points[:, 1],
                        math.sin(0.35) * away + math.cos(0.35) * points[:, 2])

            rest, motion = across_and_up(1e3 * file.position), across_and_up(shape)
            scale = (x - rest[0]) @ motion[0] / (motion[0] @ motion[0])
            np.testing.assert_allclose(y, rest[1] + scale * motion[1], atol=2e-3)
            self.assertTrue(5.0 < scale < 20.0, scale)  # mm, the spacing is 10 mm
            np.testing.assert_allclose(size, np.linalg.norm(shape, axis=1), atol=5.1e-3)
            report(f"membrane{space}.h5", "--page", "membrane.html", "--png", "membrane.png")
            check_page("membrane.html", PANELS, ("modes-participation", "modes-transfer"))

    def test_many_modes_of_many_bodies_stay_a_small_page(self):
        datasets, attributes = uniform_chain(STIFFNESS, MASS, SPACING, count=1500)
        bands = {"bands/lower": ([0.0, 0.8 * TOP], "Hz"), "bands/upper": ([0.6 * TOP, TOP], "Hz")}
        file = modes.read(write("large.h5", {**datasets, **bands}, attributes))
        caption, figure = panel_modes_shapes.interactive([file])
        self.assertIn("58 of 1500 modes are here", caption)
        self.assertLess(len(json.dumps(figure)), 1_500_000)
        edge = int(np.searchsorted(file.frequency, 0.7 * TOP))
        self.assertTrue({0, 1499, edge - 1, edge} <= set(panel_modes_shapes.chosen_modes(file, 60).tolist()))

    def test_linear_bands_lie_over_the_spectrum_of_a_history(self):
        run = run_of(STEEL + """
[[segment]]
beads = 1
radius = 5e-3
material = "steel"
velocity = 1e-4
[[segment]]
beads = 79
radius = 5e-3
material = "steel"
[law]
name = "hertz"
[precompression]
force = 100.0
[time]
end = 1e-3
[snapshots]
interval = 6e-6
""", "squeezed")
        overlap = -float(run["contact_gap"][40])
        stiffness, mass, spacing = 150.0 / overlap, float(run["mass"][0]), 0.01 - overlap
        write("linear.h5", *uniform_chain(stiffness, mass, spacing))
        report("squeezed.h5", "linear.h5", "--page", "both.html", "--svg", "both.svg")
        chain = ("traces", "space-time", "peaks", "speed-force", "loops", "energy", "wave-spectrum", "sensor-spectrum", "spectrogram", "pulse")
        check_page("both.html", chain + PANELS, ("traces", "sensor-spectrum", "spectrogram"))
        data, _ = figure_of("both.html", "wave-spectrum")
        band = next(trace for trace in data if trace.get("name") == "linear bands")
        q, f = np.array(band["x"]), np.array(band["y"])
        np.testing.assert_allclose(f, 1e-3 * np.sqrt(stiffness / mass) / np.pi * np.abs(np.sin(0.5 * q * spacing)), atol=2e-2)
        self.assertGreater(q.max(), 300.0)
        self.assertLess(q.min(), -300.0)
        # Bands alone: their edges.
        write("edges.h5", {"bands/lower": ([0.0], "Hz"), "bands/upper": ([2e4], "Hz")})
        report("edges.h5", "squeezed.h5", "--page", "edges.html")
        data, _ = figure_of("edges.html", "wave-spectrum")
        self.assertEqual([trace["y"] for trace in data[1:]], [[0.0, 0.0], [20.0, 20.0]])


if __name__ == "__main__":
    main()
