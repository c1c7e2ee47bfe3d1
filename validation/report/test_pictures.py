"""Rendered pictures: bodies, meshes and the box where a plain projection puts them; films, moments, panels, refusals."""
import json
import shutil
import subprocess
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

from support import SOURCES, InFolder, main, parts_of, program, report, run_of

from report import moments, panel_mechanism_picture, picture_options, still_figure
from report.packing_picture import picture
from report.panels import still_rows
from report.render.buffer import Buffer
from report.render.camera import Camera, rotation
from report.render.canvas import Canvas
from report.render.colours import Scale
from report.render.scene import PackingScene

BOX = """
title = "spheres over a floor"
[material.steel]
youngs_modulus = 1e7
poisson_ratio = 0.3
density = 2500
[[particles]]
lattice = "simple-cubic"
cells = [3, 3, 2]
origin = [2e-3, 2e-3, 3e-3]
radius = 1.9e-3
material = "steel"
velocity = [0.0, 0.0, -1.0]
[[wall]]
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "steel"
[box]
lower = [0.0, 0.0, 0.0]
upper = [12e-3, 12e-3, 0.0]
periodic = [true, true, false]
[law]
name = "hertz"
[gravity]
acceleration = [0.0, 0.0, -9.81]
[time]
end = 2e-3
step = 1e-6
[snapshots]
interval = 2e-4
"""
STRAINED = """
title = "pressed"
[material.soft]
youngs_modulus = 1e7
poisson_ratio = 0.3
density = 2500
[[particles]]
lattice = "simple-cubic"
cells = [3, 3, 3]
radius = 1e-3
overlap = 1e-6
material = "soft"
[box]
lower = [0.0, 0.0, 0.0]
upper = [5.997e-3, 5.997e-3, 5.997e-3]
periodic = [true, true, true]
strain_rate = [0.0, 0.0, -1.0]
[law]
name = "hertz"
[time]
end = 1e-3
step = 1e-6
[snapshots]
interval = 1e-4
[measure]
interval = 1e-4
"""


def owners(buffer):
    return buffer.owner.reshape(buffer.height, buffer.width)


class Bodies(unittest.TestCase):
    def test_spheres_cover_the_samples_that_their_circles_hold_and_the_nearest_is_seen(self):
        # 500 spheres of many sizes, with centres beside the picture too. Against a plain loop over all of them in double precision:
        # the buffer has single precision, so samples at an edge may differ.
        random = np.random.default_rng(4)
        place = random.random((500, 3)) * [180.0, 150.0, 120.0] - [10.0, 15.0, 0.0]
        radius = random.choice([1.0, 3.0, 7.5, 20.0], 500, p=[0.3, 0.3, 0.3, 0.1])
        buffer = Buffer(160, 120)
        buffer.spheres(place, radius, np.arange(500, dtype=np.int32))
        x, y = np.meshgrid(np.arange(160) + 0.5, np.arange(120) + 0.5)
        depth, owner = np.full(x.shape, -np.inf), np.full(x.shape, -1)
        for k in range(500):
            rest = radius[k]**2 - (x - place[k, 0])**2 - (y - place[k, 1])**2
            height = np.where(rest > 0.0, place[k, 2] + np.sqrt(np.maximum(rest, 0.0)), -np.inf)
            owner, depth = np.where(height > depth, k, owner), np.maximum(height, depth)
        self.assertLess(np.mean(owners(buffer) != owner), 1e-3)
        self.assertGreater(len(np.unique(owner)), 100)
        seen = np.isfinite(depth) & (owners(buffer) == owner)
        np.testing.assert_allclose(buffer.depth.reshape(x.shape)[seen], depth[seen], atol=0.02)  # near an edge the root is steep

    def test_spheres_larger_than_the_picture_and_no_spheres_at_all_are_drawn(self):
        buffer = Buffer(40, 30)
        buffer.spheres(np.zeros((0, 3)), np.zeros(0), np.zeros(0, np.int32))
        self.assertEqual(set(buffer.owner), {-1})
        buffer.spheres(np.array([[20.0, 15.0, 0.0], [1020.0, 15.0, 0.0]]), np.array([900.0, 990.0]), np.arange(2, dtype=np.int32))
        np.testing.assert_array_equal(owners(buffer)[:, :25], 0)
        self.assertAlmostEqual(float(buffer.depth.max()), 900.0, delta=0.01)
        buffer.spheres(np.array([[20.0, -1e5, 5e5]]), np.array([2e5]), np.array([2], np.int32))  # what a zoom of 500 makes of one
        np.testing.assert_array_equal(buffer.owner, 2)

    def test_the_silhouette_of_a_sphere_has_the_area_and_the_centre_of_its_projection(self):
        camera = Camera.fitted(rotation(-34.0, 20.0), (-0.01, -0.01, -0.01), (0.01, 0.01, 0.01), (0, 0, 300, 200))
        centre, radius = np.array([2e-3, -1e-3, 3e-3]), 4e-3
        buffer = Buffer(300, 200)
        buffer.spheres(camera.seen(centre[None]), np.array([radius * camera.scale]), np.zeros(1, np.int32))
        row, column = np.nonzero(owners(buffer) == 0)
        self.assertAlmostEqual(len(row) / (np.pi * (radius * camera.scale)**2), 1.0, delta=0.01)  # of 4,400 samples at the rim 1 % counts
        a, e = np.radians([-34.0, 20.0])
        right = np.cos(a) * centre[0] + np.sin(a) * centre[1]
        up = -np.sin(a) * np.sin(e) * centre[0] + np.cos(a) * np.sin(e) * centre[1] + np.cos(e) * centre[2]
        expected = [150.0 + 0.94 * 200.0 / 0.02 * right, 100.0 - 0.94 * 200.0 / 0.02 * up]
        np.testing.assert_allclose([column.mean() + 0.5, row.mean() + 0.5], expected, atol=0.1)

    def test_the_outline_of_an_ellipsoid_and_of_a_superellipsoid_is_that_of_many_points_of_their_surfaces(self):
        turn, half = rotation(50.0, 25.0), np.array([60.0, 40.0, 20.0])
        polar, around = np.meshgrid(np.linspace(0.0, np.pi, 801), np.linspace(0.0, 2.0 * np.pi, 1601))
        ray = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)]).reshape(3, -1)
        x, y = np.meshgrid(np.arange(200) + 0.5, np.arange(200) + 0.5)
        for exponents in (None, (2.0, 2.0), (4.0, 3.0)):
            plane, axis = exponents or (2.0, 2.0)
            u = np.abs(ray / half[:, None])
            points = turn @ (ray / ((u[0]**plane + u[1]**plane)**(axis / plane) + u[2]**axis)**(1.0 / axis))
            buffer = Buffer(200, 200)
            body = np.array([[100.0, 100.0, 0.0]]), turn[None], half[None]
            if exponents is None:
                buffer.ellipsoids(*body, np.zeros(1, np.int32))
            else:
                buffer.superellipsoids(*body, np.array([exponents]), np.zeros(1, np.int32))
            seen = np.stack([x[owners(buffer) == 0], y[owners(buffer) == 0]]) - 100.0
            self.assertGreater(seen.shape[1], 1000)
            for way in np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False):
                along = np.array([np.cos(way), np.sin(way)])
                # The last sample is up to a sample (its diagonal: 0.7) inside of the outline.
                self.assertAlmostEqual((along @ seen).max(), (along @ points[:2]).max(), delta=1.1)
            if exponents is None:
                area = np.pi * np.sqrt(np.linalg.det((turn @ np.diag(half**2) @ turn.T)[:2, :2]))
                self.assertAlmostEqual(seen.shape[1] / area, 1.0, delta=0.01)

    def test_a_mesh_before_a_sphere_hides_it_and_one_behind_it_is_hidden(self):
        def square(z):
            a, b, c, d = ((10.0, 10.0, z), (110.0, 10.0, z), (110.0, 60.0, z), (10.0, 60.0, z))
            return np.array([[a, b, c], [a, c, d]])
        grey = np.full((2, 3), 0.5)
        for z, whole in ((40.0, 0.0), (-40.0, 1.0)):
            canvas = Canvas(120, 120, samples=1)
            canvas.spheres([[60.0, 60.0, 0.0]], [30.0], [[1.0, 0.0, 0.0]])
            canvas.triangles(square(z), grey)
            above = np.count_nonzero(owners(canvas.buffer)[:60] == 0)
            self.assertAlmostEqual(above / (0.5 * np.pi * 30.0**2), whole, delta=0.02)
            self.assertAlmostEqual(np.count_nonzero(owners(canvas.buffer)[60:] == 0) / (0.5 * np.pi * 30.0**2), 1.0, delta=0.02)
        for z, touched in ((40.0, True), (-40.0, False)):
            canvas = Canvas(120, 120, samples=1)
            canvas.spheres([[60.0, 60.0, 0.0]], [30.0], [[1.0, 0.0, 0.0]])
            canvas.shade(30.0)
            before = canvas.image()
            canvas.veil(square(z), [0.0, 0.0, 1.0], 0.4)
            after = canvas.image()
            self.assertEqual(bool((after[40, 60] != before[40, 60]).any()), touched)
            np.testing.assert_array_equal(after[80:], before[80:])
            # The diagonal that both triangles share has one layer of the veil, as all else has.
            self.assertEqual(len(np.unique(after[12:28, 12:108].reshape(-1, 3), axis=0)), 1)

    def test_marks_of_a_colour_bar_are_round_and_apart(self):
        for scale in (Scale(0.0, 1.77, False), Scale(-3.0, 3.0, False, True), Scale(1e-3, 2e-3, True), Scale(0.0, 12.0, True)):
            marks = scale.marks()
            self.assertGreater(len(marks), 2)
            places = np.array([place for _, place in marks])
            np.testing.assert_allclose(places, scale.places([number for number, _ in marks]), atol=1e-12)
            self.assertGreater(np.diff(places).min(), 0.11)
            self.assertNotIn("-0", [f"{number:g}" for number, _ in marks])
            self.assertTrue(places.min() >= 0.0 and places.max() <= 1.0)


class Packings(InFolder):
    def test_the_box_of_the_picture_and_of_the_page_is_the_periodic_box(self):
        run = run_of(BOX, "box")
        scene = PackingScene(run, range(len(run.snapshot_time)), (320, 200), (-34.0, 20.0, 1.0))
        top = run["position"][:][..., 2].max() + 1.9e-3
        low = run["position"][:][..., 2].min() - 1.9e-3
        corners = np.array([[x, y, z] for z in (low, top) for y in (0.0, 12e-3) for x in (0.0, 12e-3)])
        np.testing.assert_allclose(scene.box(0).corners(), corners, atol=1e-15)
        image = np.asarray(scene.image(5)).astype(int)
        a, e = np.radians([-34.0, 20.0])
        rows = np.array([[np.cos(a), np.sin(a), 0.0], [-np.sin(a) * np.sin(e), np.cos(a) * np.sin(e), np.cos(e)]])
        flat = corners @ rows.T
        # The picture's middle is that of all points; the corners of the box are the outermost.
        width = np.ptp(flat, axis=0)
        middle, scale = scene.camera.middle, scene.camera.scale
        self.assertAlmostEqual(scale * max(width[0] / (320 - 8.5 * scene.letter), width[1] / (200 - 4.7 * scene.letter)), 0.94, delta=1e-9)
        at = middle + scale * (flat - 0.5 * (flat.max(axis=0) + flat.min(axis=0))) * [1.0, -1.0]
        for corner in (4, 5, 6, 7, 1):  # the top, and the nearest corner of the floor: nothing is before them
            x, y = np.round(at[corner] - 0.5).astype(int)
            self.assertLess(image[y - 1:y + 2, x - 1:x + 2].sum(axis=2).min(), 600, corner)
        settings = picture(run).settings
        self.assertEqual(len(settings["cell"]), 1)
        np.testing.assert_allclose(np.reshape(settings["cell"][0], (8, 3)), corners, rtol=1e-4, atol=1e-5)

    def test_the_moments_are_those_of_the_largest_numbers_and_times_choose_the_nearest_snapshot(self):
        run = run_of(BOX, "box")
        found = moments.named(run)
        force = [np.linalg.norm(run.contacts(row)[1], axis=1).max(initial=0.0) for row in range(len(run.snapshot_time))]
        self.assertEqual(found["largest-force"], int(np.argmax(force)))
        time = run["energy_time"][:][np.argmax(run["kinetic_energy"][:])]
        self.assertEqual(found["largest-kinetic-energy"], int(np.abs(run.snapshot_time - time).argmin()))
        self.assertEqual((found["start"], found["end"]), (0, len(run.snapshot_time) - 1))
        self.assertEqual(moments.at(run, ("0.00061", "end")), [(3, ""), (10, "end")])
        rows = [row for row, _ in moments.chosen(run)]
        self.assertEqual(rows, sorted(set(rows)))
        self.assertGreaterEqual(len(rows), 3)

    def test_films_have_the_size_the_rate_and_the_frames_that_are_asked_for(self):
        run_of(BOX, "box")
        report("box.h5", "--gif", "box.gif", "--size=200x150", "--fps=5", "--seconds=2", "--camera=front,1.2", "--colour=force", "--walls=solid")
        with Image.open("box.gif") as film:
            lengths = []
            for frame in range(film.n_frames):
                film.seek(frame)
                lengths.append(film.info["duration"])
            self.assertEqual((film.size, sum(lengths)), ((200, 150), 2000))
            self.assertGreater(film.n_frames, 5)  # equal neighbours are one
        report("box.h5", "--picture", "box.png", "--size=240x160", "--at=1e-3", "--colour=radius")
        with Image.open("box.png") as still:
            self.assertEqual((still.size, still.info["Software"]), ((240, 160), "beadwave report"))
        if shutil.which("ffmpeg") is None or shutil.which("ffprobe") is None:
            return
        report("box.h5", "--mp4", "box.mp4", "--size=200x150", "--fps=12", "--seconds=1.5")
        said = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                               "stream=width,height,nb_read_frames,r_frame_rate", "-of", "json", "box.mp4"], capture_output=True, text=True, check=True)
        stream = json.loads(said.stdout)["streams"][0]
        self.assertEqual((stream["width"], stream["height"], stream["nb_read_frames"], stream["r_frame_rate"]), (200, 150, "18", "12/1"))

    def test_a_slow_test_has_stress_over_strain_and_neither_waves_nor_sensors(self):
        run = run_of(STRAINED, "strained")
        names = [panel.NAME for row in still_rows([run]) for _, panel in row]
        self.assertIn("stress-strain", names)
        self.assertFalse({"traces", "front"} & set(names))
        report("strained.h5", "--png", "all.png")
        page = Path("strained.html").read_text(encoding="utf-8")
        for name in ("traces", "front", "wave-spectrum", "sensor-spectrum", "spectrogram"):
            self.assertNotIn(f'<section id="{name}"', page)
        report("strained.h5", "--png", "some.png", "--panels=stress-strain,contact-numbers", "--size=927x601")
        with Image.open("some.png") as still:
            self.assertEqual(still.size, (927, 601))
        page = Path("strained.html").read_text(encoding="utf-8")
        self.assertEqual([name in page for name in ('<section id="stress-strain"', '<section id="contact-numbers"', '<section id="packing"')],
                         [True, True, False])
        self.assertEqual(set(json.loads(parts_of(page)["figures"])), {"stress-strain", "contact-numbers"})

    def test_wrong_values_are_refused_in_one_sentence_that_lists_what_is_allowed(self):
        run_of(BOX, "box")
        run_of(SOURCES / "configs/chain70.toml", "chain", ["time.end=1e-5"])
        run_of(SOURCES / "configs/slider_crank.toml", "crank", ["time.end=1e-3"])
        film = ("--gif", "f.gif")
        wrong = [
            ("box", (*film, "--size=1280"), "--size 1280: expected width x height in pixels, each from 120 to 4096"),
            ("box", (*film, "--size=100x9000"), "each from 120 to 4096"),
            ("box", (*film, "--fps=fast"), "--fps fast: expected frames per second from 0.5 to 120"),
            ("box", (*film, "--fps=nan"), "--fps nan: expected frames per second"),
            ("box", (*film, "--fps=80"), "--fps 80: a film for --gif has at most 50 frames per second"),
            ("box", (*film, "--seconds=0"), "--seconds 0: expected the length of the film in s from 0.1 to 600"),
            ("box", (*film, "--camera=above"), "expected a view, page, front, right, back, left, top, bottom, isometric or plane"),
            ("box", (*film, "--camera=10,95"), "elevation from -90 to 90"),
            ("box", (*film, "--camera=top,1000"), "--camera 1000: expected a zoom from 0.2 to 500"),
            ("box", (*film, "--camera=plane"), "--camera plane: this packing is in space"),
            ("box", (*film, "--colour=heat"), "--colour heat: this history has speed, velocity-x, velocity-y, velocity-z, force"),
            ("box", (*film, "--colour-range=2:1"), "--colour-range 2:1: expected the values at the ends of the colour bar"),
            ("box", (*film, "--walls=red"), "--walls red: expected faint, solid or hidden"),
            ("box", ("--png", "p.png", "--at=5"), "--at 5: the snapshots are from 0 s to 0.002 s"),
            ("box", ("--png", "p.png", "--at=noon"), "--at noon: expected a time in s, or one of start, largest-kinetic-energy"),
            ("box", ("--fps=10",), "--fps: nothing here takes it; add --gif or --mp4"),
            ("box", ("--panels=waves",), "--panels waves: no such panel; expected some of packing, contact-numbers"),
            ("box", ("--panels=front",), "--panels front: this history has nothing for it; expected some of packing, "),
            ("box", ("--picture", "p.png", "--at=0,end"), "--at 0,end: --picture shows one moment; --png shows several"),
            ("box", ("--mp4", "f.mp4", "--size=201x150"), "--size 201x150: a film for --mp4 has even numbers of pixels"),
            ("chain", ("--png", "p.png", "--camera=top"), "--camera: is for packings and mechanisms with snapshots"),
            ("chain", ("--picture", "p.png"), "--picture: is for packings and mechanisms; this is a chain"),
            ("crank", (*film, "--colour=speed"), "--colour: is for packings; the bodies of a mechanism have one colour each"),
            ("crank", (*film, "--camera=top"), "--camera: a mechanism has the view plane alone; expected plane or plane,zoom")]
        for name, words, sentence in wrong:
            with self.subTest(words=words):
                if "--mp4" in words and shutil.which("ffmpeg") is None:
                    continue
                said = report(f"{name}.h5", *words, status=2)
                self.assertIn(sentence, said)
                self.assertEqual(said.count("\n"), 1)
        before = sorted(Path().iterdir())
        self.assertIn("--colour heat: this history has speed", program("report", "box.h5", "--gif", "f.gif", "--colour", "heat", status=2)[1])
        self.assertEqual(sorted(Path().iterdir()), before)


class Mechanisms(InFolder):
    def test_a_slider_crank_is_drawn_where_its_bodies_are(self):
        run = run_of(SOURCES / "configs/slider_crank.toml", "crank", ["time.end=2e-3"])
        options = picture_options.parse({"size": "400x300", "camera": "plane,0.8"})
        scene = picture_options.scene_of(run, [0], options)
        row = 120
        image = np.asarray(scene.image(row)).astype(int)
        # Halfway between the pivot at the origin and the middle of the crank the picture has the colour of the crank.
        middle = 0.5 * run["position"][row][0]
        x, y = scene.camera.seen(np.array([[*middle, 0.0]]))[0, :2]
        np.testing.assert_allclose(image[int(y), int(x)], [0.2 * 255 + 0.8 * c for c in (0x56, 0xb4, 0xe9)], atol=3)
        force = np.abs(run["contact_force"][:]).max(axis=1)
        self.assertEqual(moments.named(run)["largest-force"], int(force.argmax()))
        self.assertTrue(panel_mechanism_picture.has_data([run]))
        report("crank.h5", "--gif", "crank.gif", "--size=200x150", "--fps=4", "--seconds=1", "--png", "crank.png", "--panels=mechanism")
        with Image.open("crank.gif") as film:
            self.assertEqual(film.size, (200, 150))


class StillFigures(unittest.TestCase):
    def test_lines_bars_and_maps_of_the_page_have_the_same_numbers_in_a_still_figure(self):
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        figure = {"data": [
            {"type": "scatter", "mode": "lines", "x": [0.0, 1.0, 2.0], "y": [1.0, None, 3.0], "name": "a", "line": {"color": "#0072B2", "dash": "dot"}},
            {"type": "scatter", "mode": "lines", "x0": 1.0, "dx": 0.5, "y": [4.0, 5.0], "name": "b", "yaxis": "y3"},
            {"type": "bar", "x": [0, 1], "y": [0.25, 0.75], "xaxis": "x2", "yaxis": "y2", "marker": {"color": "#D55E00"}},
            {"type": "scatter", "x": [0.0], "y": [0.0], "visible": False}],
            "layout": {"xaxis": {"title": {"text": "time (s)"}, "domain": [0.0, 0.4]}, "yaxis": {"title": {"text": "left"}, "range": [0, 9]},
                       "xaxis2": {"domain": [0.6, 1.0]}, "yaxis2": {"type": "log", "title": {"text": "share"}},
                       "yaxis3": {"overlaying": "y", "title": {"text": "right"}}}}
        drawn = plt.figure()
        still_figure.draw(drawn, "title", figure)
        left, share, right = drawn.axes
        self.assertEqual((left.get_xlabel(), left.get_ylim(), share.get_yscale(), right.get_ylabel()), ("time (s)", (0.0, 9.0), "log", "right"))
        np.testing.assert_array_equal(left.lines[0].get_ydata(), [1.0, np.nan, 3.0])
        np.testing.assert_array_equal(right.lines[0].get_xdata(), [1.0, 1.5])
        self.assertEqual([patch.get_height() for patch in share.patches], [0.25, 0.75])
        plt.close(drawn)


if __name__ == "__main__":
    main()
