"""Structure and stress of packings against lattices and closed forms; the wave front; what the page holds of a packing."""
import unittest
from unittest import mock

import numpy as np

from support import SOURCES, STEEL, InFolder, main, run_of

from report import packing_analysis as analysis
from report import packing_picture, panel_front, panel_packing, panel_speed_force, panel_stress_strain
from report.packing_picture import picture
from report.render.scene import PackingScene

RADIUS, OVERLAP = 2e-3, 1e-7


def lattice(kind, cells, dimension, more=""):
    return f"""
title = "lattice"
dimension = {dimension}
{STEEL}
[[particles]]
lattice = "{kind}"
cells = {cells}
radius = {RADIUS}
material = "steel"
overlap = {OVERLAP}
[law]
name = "hertz"
[time]
end = 1e-7
step = 1e-8
[snapshots]
interval = 1e-7
{more}
"""


def hertz_force():
    """Of two spheres with this overlap [N]: 4/3 E* sqrt(R/2) delta^(3/2)."""
    return 4.0 / 3.0 * (193e9 / (1.0 - 0.09) / 2.0) * np.sqrt(RADIUS / 2.0) * OVERLAP**1.5


class Scattered(dict):
    """Particles at given places in the plane, as a run."""
    planar, radius, file = True, np.full(4000, 0.1), {"particles": {}}

    def present(self, _row):
        return np.ones(4000, bool)


def unpacked(pack, name):
    """The numbers of an array on the page, read as browser/arrays.js reads them."""
    size, offset, count, stride = pack.arrays[name]
    raw = np.frombuffer(pack.data(), np.uint8)[offset:offset + size * count].reshape(size, count)
    numbers = sum(plane.astype(np.uint64) << np.uint64(8 * k) for k, plane in enumerate(raw)).astype({1: np.uint8, 2: np.uint16, 4: np.uint32}[size])
    if stride:
        first = min(stride, count)
        numbers[:first] = np.cumsum(numbers[:first], dtype=numbers.dtype)
        rows = numbers.reshape(-1, stride) if count % stride == 0 else numbers.reshape(1, -1)
        numbers = np.cumsum(rows, axis=0, dtype=numbers.dtype).ravel() if len(rows) > 1 or stride > 1 else numbers
    return numbers


class Structure(InFolder):
    def shells(self, scenario, count):
        """Distances in diameters and numbers of neighbours of the first shells."""
        found = analysis.pair_distribution(run_of(scenario, "lattice"), 0)
        middle = 0.5 * (found.edges[1:] + found.edges[:-1]) / found.diameter
        filled = np.flatnonzero(found.neighbours)[:count]
        return middle[filled], found.neighbours[filled], found

    def test_a_square_lattice_has_4_4_4_and_8_neighbours(self):
        distance, neighbours, _ = self.shells(lattice("square", [21, 21], 2), 4)
        np.testing.assert_allclose(distance, np.sqrt([1.0, 2.0, 4.0, 5.0]), atol=0.5 / analysis.BINS_PER_DIAMETER)
        np.testing.assert_array_equal(neighbours, [4.0, 4.0, 4.0, 8.0])  # of particles inside: exact

    def test_an_fcc_lattice_has_12_6_24_and_12_neighbours(self):
        edge = np.sqrt(2.0) * (2.0 * RADIUS - OVERLAP)
        box = f"[box]\nlower = [0.0, 0.0, 0.0]\nupper = [{4 * edge}, {4 * edge}, {4 * edge}]\nperiodic = [true, true, true]"
        distance, neighbours, found = self.shells(lattice("fcc", [4, 4, 4], 3, box), 4)
        np.testing.assert_allclose(distance, np.sqrt([1.0, 2.0, 3.0, 4.0]), atol=0.5 / analysis.BINS_PER_DIAMETER)
        np.testing.assert_array_equal(neighbours, [12.0, 6.0, 24.0, 12.0])
        # g is the number of neighbours over that of the mean density within the largest distance, counted here by hand.
        shell = 4.0 / 3.0 * np.pi * np.diff(found.edges**3)
        density = found.neighbours.sum() / (4.0 / 3.0 * np.pi * found.edges[-1]**3)
        np.testing.assert_allclose(found.density, found.neighbours / (shell * density), rtol=1e-12)

    def test_g_of_particles_without_order_is_one(self):
        place = np.random.default_rng(1).random((4000, 3)) * [20.0, 20.0, 0.0]
        run = Scattered(position=[place])
        found = analysis.pair_distribution(run, 0)
        self.assertGreater(found.references, 1000)
        # The mean over half of the distances: some 10^4 pairs, of which each counts twice; four standard deviations are 4 %.
        self.assertAlmostEqual(found.density[len(found.density) // 2:].mean(), 1.0, delta=0.04)

    def test_contact_numbers_of_a_hexagonal_lattice(self):
        run = run_of(lattice("hexagonal", [9, 8], 2), "hexagonal")
        numbers = analysis.contact_numbers(run, 0)
        # Counted by hand from the distances of all pairs.
        place = run["position"][0]
        touching = np.linalg.norm(place[:, None] - place[None], axis=2) < 2.0 * RADIUS - 0.5 * OVERLAP
        np.fill_diagonal(touching, False)
        count = touching.sum(axis=1)
        self.assertEqual(count.max(), 6)
        self.assertAlmostEqual(numbers.mean, count.mean(), delta=1e-12)
        np.testing.assert_allclose(numbers.share, np.bincount(count) / len(count), atol=1e-12)


class Stress(InFolder):
    def test_a_compressed_fcc_crystal_has_the_pressure_2_F_d_over_the_volume_of_a_particle(self):
        distance = 2.0 * RADIUS - OVERLAP
        edge = np.sqrt(2.0) * distance
        box = f"[box]\nlower = [0.0, 0.0, 0.0]\nupper = [{3 * edge}, {3 * edge}, {3 * edge}]\nperiodic = [true, true, true]"
        tensor = analysis.stress(run_of(lattice("fcc", [3, 3, 3], 3, box), "fcc"), 0)
        # Six contacts per particle, each with F d; a third of their sum over the volume d^3 / sqrt(2). Compression is negative.
        expected = -2.0 * hertz_force() * distance / (distance**3 / np.sqrt(2.0))
        np.testing.assert_allclose(np.diag(tensor), expected, rtol=1e-7)  # the overlap has nine digits of a millimetre
        np.testing.assert_allclose(tensor - np.diag(np.diag(tensor)), 0.0, atol=1e-9 * abs(expected))

    def test_a_compressed_pair_has_F_d_over_the_area_around_it(self):
        scenario = lattice("square", [2, 1], 2)
        tensor = analysis.stress(run_of(scenario, "pair"), 0)
        distance = 2.0 * RADIUS - OVERLAP
        expected = -hertz_force() * distance / ((distance + 2.0 * RADIUS) * 2.0 * RADIUS)
        self.assertAlmostEqual(tensor[0, 0] / expected, 1.0, delta=1e-7)
        np.testing.assert_allclose([tensor[0, 1], tensor[1, 0], tensor[1, 1]], 0.0, atol=1e-9 * abs(expected))

    def test_slices_add_up_to_the_mean(self):
        run = run_of(lattice("square", [8, 5], 2), "block")
        _, profile = analysis.stress_profile(run, 0, 1, slices=7)
        np.testing.assert_allclose(profile.mean(axis=0)[:2], np.diag(analysis.stress(run, 0)), rtol=1e-12)

    def test_slices_of_a_periodic_box_are_those_of_the_box(self):
        """A square crystal with one row per slice, which flows through the box: every slice has the stress of the whole, F over d."""
        distance, speed = 2.0 * RADIUS - OVERLAP, 1.3e4
        box = (f"[box]\nlower = [0.0, 0.0, 0.0]\nupper = [{4 * distance}, {5 * distance}, 0.0]\nperiodic = [true, true, false]")
        scenario = lattice("square", [4, 5], 2, box).replace("end = 1e-7", "end = 1e-6").replace(
            f"overlap = {OVERLAP}", f"overlap = {OVERLAP}\nvelocity = [0.0, {speed}]")
        run = run_of(scenario, "flowing")
        last = len(run.snapshot_time) - 1
        self.assertAlmostEqual(run["position"][last][0, 1] - run["position"][0][0, 1], speed * 1e-6, delta=1e-9)  # more than three rows
        place, profile = analysis.stress_profile(run, last, 1, slices=5)
        np.testing.assert_allclose(place, (np.arange(5) + 0.5) * distance, rtol=1e-12)
        mean = np.diag(analysis.stress(run, last))
        np.testing.assert_allclose(mean, -hertz_force() / distance, rtol=1e-6)
        np.testing.assert_allclose(profile[:, :2], np.tile(mean, (5, 1)), rtol=1e-6)

    def test_a_wall_carries_the_weight(self):
        """A sphere at rest on a floor: the vertical stress is m g r over the area of its square, from the wall contact alone."""
        scenario = f"""
title = "one"
dimension = 2
{STEEL}
[[particles]]
position = [0.0, {RADIUS}]
radius = {RADIUS}
material = "steel"
[[wall]]
point = [0.0, 0.0]
normal = [0.0, 1.0]
material = "steel"
[gravity]
acceleration = [0.0, -9.81]
[law]
name = "tsuji"
restitution = 0.1
[time]
end = 2e-3
step = 1e-7
[snapshots]
interval = 2e-3
"""
        run = run_of(scenario, "one")
        weight = run["mass"][0] * 9.81
        # The bounce of the start, with gravity's sinking of some nm, has died down to 1 % of the weight.
        tensor = analysis.stress(run, len(run.snapshot_time) - 1)
        self.assertAlmostEqual(-tensor[1, 1] / (weight * RADIUS / (4.0 * RADIUS**2)), 1.0, delta=0.01)


class StressStrain(InFolder):
    @staticmethod
    def box(width, height, more):
        return (f"[box]\nlower = [0.0, 0.0, 0.0]\nupper = [{width}, {height}, 0.0]\nperiodic = [true, true, false]\n{more}\n"
                "[measure]\ninterval = 1e-7\n")

    def test_a_square_crystal_that_becomes_shorter_has_hertz_force_over_the_distance(self):
        distance, rate = 2.0 * RADIUS - OVERLAP, 20.0
        run = run_of(lattice("square", [4, 4], 2, self.box(4 * distance, 4 * distance, f"strain_rate = [0.0, {-rate}]"))
                     .replace("end = 1e-7", "end = 1e-6"), "square")
        self.assertTrue(panel_stress_strain.applies([run]))
        strained = panel_stress_strain.Strained(run)
        self.assertEqual(strained.name, "yy")
        time = run["measure_time"][:]
        np.testing.assert_allclose(strained.strain, -rate * time, atol=1e-12)
        np.testing.assert_allclose(strained.volume, -rate * time, atol=1e-12)
        force = hertz_force() * ((OVERLAP + distance * rate * time) / OVERLAP)**1.5
        # The spheres follow the box at once: all forces are in balance.
        np.testing.assert_allclose(dict(strained.curves())["yy"], -force / distance, rtol=1e-6)
        np.testing.assert_allclose(strained.ratio(), (force / distance) / (hertz_force() / (distance * (1.0 - rate * time))), rtol=1e-6)

    def test_a_sheared_crystal_resists_and_one_at_rest_has_no_panel(self):
        distance = 2.0 * RADIUS - OVERLAP
        size = (4 * distance, 4 * np.sqrt(3.0) / 2.0 * distance)
        run = run_of(lattice("hexagonal", [4, 4], 2, self.box(*size, "shear_rate = [20.0]")).replace("end = 1e-7", "end = 1e-6"), "sheared")
        strained = panel_stress_strain.Strained(run)
        self.assertEqual((strained.name, strained.is_shear), ("xy", True))
        np.testing.assert_allclose(strained.strain, 20.0 * run["measure_time"][:], atol=1e-12)
        shear = dict(strained.curves())["xy"]
        self.assertTrue(np.all(np.diff(shear) > 0.0))
        _, figure = panel_stress_strain.interactive([run])
        self.assertEqual(len(figure["data"]), 5)  # xx, yy, xy, ratio, volume
        at_rest = run_of(lattice("hexagonal", [4, 4], 2, self.box(*size, "")), "at_rest")
        self.assertFalse(panel_stress_strain.applies([at_rest]))


class Front(InFolder):
    def test_crystals_have_a_front_and_falling_spheres_have_none(self):
        crystal = run_of(SOURCES / "configs/square_crystal.toml", "crystal")
        front = panel_front.front_of(panel_front.speeds_of(crystal))
        # Between two sensors of the row the wave is as fast as the front.
        traces = crystal.traces
        peak = [traces.time[np.argmax(traces.velocity[:, list(traces.beads).index(bead)])] for bead in (92, 100)]
        self.assertAlmostEqual(front.speed / (8 * 4.76e-3 / (peak[1] - peak[0])), 1.0, delta=0.05)
        hopper = run_of(SOURCES / "configs/hopper.toml", "hopper", ["particles.0.random=100", "time.end=0.2"])
        self.assertIsNone(panel_front.front_of(panel_front.speeds_of(hopper)))
        self.assertIn("There is no wave front here.", panel_front.interactive([hopper])[0])


class SpeedOverForce(unittest.TestCase):
    def test_the_exponent_of_a_wave_whose_speed_goes_with_a_power_of_the_force(self):
        place = np.arange(60) * 4.76e-3
        force = 40.0 * np.exp(-np.arange(60) / 30.0)
        speed = 300.0 * force**(1.0 / 6.0)
        middle = 300.0 * (0.5 * (force[1:] + force[:-1]))**(1.0 / 6.0)
        time = np.concatenate([[0.0], np.cumsum(4.76e-3 / middle)])
        found = panel_speed_force.local_speeds(place, time, force, np.arange(60))
        np.testing.assert_allclose(found.speed, speed[found.beads], rtol=2e-4)  # of a line through nine beads of a curve
        self.assertAlmostEqual(found.exponent, 1.0 / 6.0, delta=1e-3)
        self.assertIsNone(panel_speed_force.local_speeds(place[:8], time[:8], force[:8], np.arange(8)))


def covered(run):
    """From the front: x and z [m] of the pixels that the first snapshot covers, and the side of a pixel [m]; and those of all pixels."""
    scene = PackingScene(run, [0], (900, 400), (0.0, 0.0, 1.0), labelled=False)
    camera, mask = scene.camera, (np.asarray(scene.image(0)) < 255).any(axis=2)
    row, column = np.indices(mask.shape)
    places = np.stack([camera.centre[0] + (column + 0.5 - camera.middle[0]) / camera.scale,
                       camera.centre[1] - (row + 0.5 - camera.middle[1]) / camera.scale])
    return places[:, mask], 1.0 / camera.scale, places, mask


class OnThePage(InFolder):
    def test_places_colours_and_contacts_are_those_of_the_history(self):
        run = run_of(SOURCES / "configs/square_crystal.toml", "crystal")
        shown = picture(run)
        settings, pack = shown.settings, shown.pack
        self.assertEqual(settings["time"], [float(f"{t:.9g}") for t in run.snapshot_time])
        count, times = run.beads, len(run.snapshot_time)
        place = unpacked(pack, "place").reshape(times, 2, count) * settings["step"] + np.array(settings["low"])[None, :, None]
        np.testing.assert_allclose(place, run["position"][:][..., :2].transpose(0, 2, 1), atol=0.51 * settings["step"])
        self.assertLessEqual(settings["step"], run.radius.min() / 100)
        speed = settings["quantities"][0]
        steps = unpacked(pack, "colour0").reshape(times, count) / 63.0
        expected = np.sqrt(np.linalg.norm(run["velocity"][:], axis=2) / speed["largest"])
        np.testing.assert_allclose(steps, expected, atol=0.51 / 63.0)
        pair = run["contacts/pair"][:]
        first = unpacked(pack, "first").astype(np.int64)
        np.testing.assert_array_equal(first, pair[:, 0])
        np.testing.assert_array_equal(first + unpacked(pack, "offset").view(np.int32), pair[:, 1])
        self.assertEqual(settings["contacts"]["splits"], run["contacts/row_splits"][:].tolist())

    def test_a_history_that_is_too_large_is_thinned_and_the_page_says_so(self):
        run = run_of(SOURCES / "configs/hopper.toml", "hopper", ["time.end=0.1"])
        with mock.patch.object(packing_picture, "FEWEST_PARTICLES", 50):
            shown = picture(run, budget=4000)
        self.assertLess(shown.settings["shown"], run.beads)
        self.assertIsNone(shown.settings["contacts"])
        self.assertIn(f"one particle in {shown.settings['every']} is shown", panel_packing._kept(shown.settings, run))
        caption, whole = panel_packing.interactive([run])
        self.assertEqual((whole.settings["shown"], len(whole.settings["time"])), (run.beads, len(run.snapshot_time)))
        self.assertNotIn("too large", caption)

    def test_ellipsoids(self):
        # The picture reaches as far as the points of the surface, here many of them.
        ellipsoid = f"""
{STEEL}
[[particles]]
shape = "ellipsoid"
semi_axes = [3e-3, 2e-3, 1e-3]
orientation = [0.9, 0.1, 0.4, 0.13]
position = [0.0, 0.0, 0.0]
velocity = [0.0, 0.0, 1.0]
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-6
step = 1e-7
[snapshots]
interval = 1e-6
"""
        run = run_of(ellipsoid, "ellipsoid")
        drawn, pixel, _, _ = covered(run)
        w, x, y, z = run["orientation"][0][0]
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        polar, around = np.meshgrid(np.linspace(0.0, np.pi, 401), np.linspace(0.0, 2.0 * np.pi, 801))
        unit = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)]).reshape(3, -1)
        seen = (turn @ (np.array([[3e-3], [2e-3], [1e-3]]) * unit))[[0, 2]]
        for way in np.linspace(0.0, np.pi, 24, endpoint=False):
            along = np.array([np.cos(way), np.sin(way)])
            self.assertAlmostEqual((along @ drawn).max(), (along @ seen).max(), delta=pixel)
        caption, _ = panel_packing.interactive([run])
        self.assertIn("The particles are ellipsoids; the spheres drawn here are those around them", caption)

    def test_superellipsoids(self):
        # The picture reaches as far as the surface does along each direction, here many points of it.
        text = f"""
{STEEL}
[[particles]]
shape = "superellipsoid"
semi_axes = [3e-3, 2e-3, 1e-3]
exponents = [4.0, 3.0]
orientation = [0.9, 0.1, 0.4, 0.13]
position = [0.0, 0.0, 0.0]
velocity = [0.0, 0.0, 1.0]
material = "steel"
[[particles]]
radius = 1e-3
position = [0.03, 0.0, 0.0]
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-6
step = 1e-7
[snapshots]
interval = 1e-6
"""
        run = run_of(text, "superellipsoid")
        drawn, pixel, _, _ = covered(run)
        drawn = drawn[:, drawn[0] < 0.01]  # without the sphere
        w, x, y, z = run["orientation"][0][0]
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        polar, around = np.meshgrid(np.linspace(0.0, np.pi, 801), np.linspace(0.0, 2.0 * np.pi, 1601))
        ray = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)]).reshape(3, -1)
        u = np.abs(ray / np.array([[3e-3], [2e-3], [1e-3]]))
        surface = ray / ((u[0] ** 4 + u[1] ** 4) ** (3.0 / 4.0) + u[2] ** 3) ** (1.0 / 3.0)
        seen = (turn @ surface)[[0, 2]]
        for way in np.linspace(0.0, np.pi, 24, endpoint=False):
            along = np.array([np.cos(way), np.sin(way)])
            self.assertAlmostEqual((along @ drawn).max(), (along @ seen).max(), delta=pixel)
        caption, _ = panel_packing.interactive([run])
        self.assertIn("There are superellipsoids among the particles; the spheres drawn here are those around them.", caption)

    def test_clumps(self):
        clump = f"""
{STEEL}
[[particles]]
shape = "clump"
spheres = [[0.0, 0.0, 0.0, 2e-3], [3e-3, 0.0, 0.0, 1e-3], [0.0, 2e-3, 1e-3, 1.5e-3]]
orientation = [0.9, 0.1, 0.4, 0.13]
position = [0.01, 0.02, 0.03]
velocity = [0.0, 0.0, 1.0]
material = "steel"
[[particles]]
radius = 1e-3
position = [0.03, 0.0, 0.0]
material = "steel"
[law]
name = "hertz"
[time]
end = 1e-6
step = 1e-7
[snapshots]
interval = 1e-6
"""
        run = run_of(clump, "clump")
        w, v = 0.9, np.array([0.1, 0.4, 0.13])
        size = w * w + v @ v
        first = run["clump_spheres"][:][0, :3]  # from the centroid; the others are where the scenario has them from it
        turned = [run["position"][0][0] + ((w * w - v @ v) * r + 2.0 * (v @ r) * v + 2.0 * w * np.cross(v, r)) / size
                  for r in first + np.array([[0.0, 0.0, 0.0], [3e-3, 0.0, 0.0], [0.0, 2e-3, 1e-3]])]
        # The picture covers the circles of the four spheres and nothing else, but for pixels at their edges.
        _, pixel, places, mask = covered(run)
        expected = np.zeros(mask.shape, bool)
        for centre, radius in zip([*turned, (0.03, 0.0, 0.0)], (2e-3, 1e-3, 1.5e-3, 1e-3)):
            expected |= np.hypot(places[0] - centre[0], places[1] - centre[2]) < radius + 0.5 * pixel
        self.assertGreater(expected.sum(), 2000)
        self.assertLess(np.sum(mask != expected) / expected.sum(), 0.03)
        caption, _ = panel_packing.interactive([run])
        self.assertIn("the spheres drawn here are those around them", caption)


if __name__ == "__main__":
    main()
