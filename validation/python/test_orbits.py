"""bw.orbit, bw.continuation, bw.basins, bw.poincare and bw.lyapunov give what `beadwave orbit` prints, as arrays."""
import unittest
from pathlib import Path

import h5py
import numpy as np

import beadwave as bw
from support import SANITISED, SOURCES, InFolder, json_of, main

EXAMPLES = SOURCES / "docs" / "examples"
DRIVEN = EXAMPLES / "orbit_driven.toml"
CHAOTIC = EXAMPLES / "orbit_chaotic.toml"
SOLITARY = EXAMPLES / "orbit_solitary.toml"
STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 7850.0}
BEAD = {
    "material": {"steel": STEEL}, "segment": [{"beads": 1, "radius": 5e-3, "material": "steel"}],
    "boundary": {"left": "wall", "right": "wall"}, "law": {"name": "hertz"}, "time": {"end": 1e-3},
    "precompression": {"force": 20.0},
}


class Orbits(InFolder):
    def test_same_as_the_command(self):
        theirs = json_of("orbit", DRIVEN, "--frequency", "3400", "--quiet")
        mine = bw.orbit(DRIVEN, frequency=3400, output="orbit.h5")
        self.assertEqual(mine.displacement.tolist(), theirs["state"]["displacement"])
        self.assertEqual(mine.velocity.tolist(), theirs["state"]["velocity"])
        self.assertEqual([[z.real, z.imag] for z in mine.multipliers], theirs["multipliers"])
        self.assertEqual((mine.frequency, mine.energy, mine.stable), (3400.0, theirs["energy"], True))
        self.assertEqual(mine.newton.tolist(), theirs["newton"])
        self.assertEqual(mine.bead, list(range(11)))
        self.assertEqual(mine.json | {"file": ""}, theirs | {"file": ""})
        self.assertFalse(mine.displacement.flags.writeable)
        with h5py.File("orbit.h5") as file:
            self.assertEqual(file["orbit/displacement"][:].tolist(), mine.displacement.tolist())
            self.assertEqual(file["orbit/frequency"][()], 3400.0)
            self.assertEqual(file["orbit/frequency"].attrs["unit"], "Hz")
            self.assertEqual((file["orbit/multipliers"][:] @ [1.0, 1.0j]).tolist(), mine.multipliers.tolist())
            period = file["particles/beads/displacement/value"][:]
        self.assertEqual(period[0].tolist(), mine.displacement.tolist())
        # The motion of that many steps from the state of infinitely many.
        np.testing.assert_allclose(period[-1], period[0], rtol=0, atol=1e-6 * np.abs(period).max())

    def test_guesses(self):
        first = bw.orbit(DRIVEN, frequency=3400, output="orbit.h5")
        size = np.abs(first.displacement).max()
        state = (first.displacement, first.velocity)
        for guess in (state, "orbit.h5") if SANITISED else (first, state, "orbit.h5", "history:orbit.h5", "zero"):
            again = bw.orbit(bw.load(DRIVEN), frequency=3400, guess=guess)
            np.testing.assert_allclose(again.displacement, first.displacement, rtol=0, atol=1e-10 * size)
        for guess, words in ((([0.0], [0.0]), "expected 11 of each"), ((1.0, 2.0), "expected displacements"), (-1, "expected a whole number"),
                             ("none.h5", "none.h5: ")):
            with self.assertRaisesRegex(bw.InputError, words):
                bw.orbit(DRIVEN, frequency=3400, guess=guess)

    def test_a_dictionary(self):
        # The energy follows from quadrature of dx / sqrt(E - V), 1e-7.
        found = bw.orbit(BEAD, frequency=14954.699546248637, guess=0)
        self.assertAlmostEqual(found.energy / 4.6445594764952581e-5, 1.0, delta=1e-7)
        self.assertEqual(found.velocity.tolist(), [0.0])
        self.assertEqual(repr(found), "<beadwave.Orbit: 14954.7 Hz, amplitude 1.588e-06 m, stable>")
        self.assertEqual(found.instabilities, [])

    def test_a_wave_that_travels(self):
        theirs = json_of("orbit", SOLITARY, "--frequency", "60000", "--travelling", "1", "--quiet")
        mine = bw.orbit(SOLITARY, frequency=60000, travelling=1)
        self.assertAlmostEqual(mine.speed, 600.0, delta=1e-9)  # what the head of the example says, with the energy
        self.assertAlmostEqual(mine.energy, 8.017907e-4, delta=1e-10)
        self.assertEqual((mine.speed, mine.energy, mine.displacement.tolist()),
                         (theirs["speed"], theirs["energy"], theirs["state"]["displacement"]))
        self.assertIsNone(bw.orbit(BEAD, frequency=14954.699546248637).speed)

    def test_branches(self):
        theirs = json_of("orbit", DRIVEN, "--continue", "frequency=3735:3725", "--steps", "256", "--quiet")
        for scenario in (bw.load(DRIVEN),) if SANITISED else (DRIVEN, bw.load(DRIVEN)):
            mine = bw.continuation(scenario, "frequency", (3735, 3725), steps=256)
            self.assertEqual(mine.value.tolist(), [point["value"] for point in theirs["branch"]])
            self.assertEqual(mine.stable.tolist(), [point["stable"] for point in theirs["branch"]])
            self.assertEqual(mine.multipliers.shape, (len(mine.value), 22))
            self.assertEqual(mine.ended, "")
        found = mine.bifurcations
        self.assertEqual([one["kind"] for one in found], ["neimark-sacker"])
        # The place is extrapolated from 256 and 512 steps: 0.057 Hz from that of Runge-Kutta's method, whose error is 1e-7 Hz.
        self.assertAlmostEqual(found[0]["value"], 3726.4432346, delta=0.1)
        # By another key, of a dictionary: the amplitude of one bead at this frequency grows as it is pressed less.
        pressed = bw.continuation(BEAD, "precompression.force", (20.0, 21.0), frequency=14954.699546248637)
        self.assertEqual((pressed.value[0], pressed.value[-1]), (20.0, 21.0))
        self.assertTrue(np.all(np.diff(pressed.amplitude) > 0.0))
        one = bw.orbit(BEAD, {"precompression.force": 21.0}, frequency=14954.699546248637)
        self.assertAlmostEqual(pressed.energy[-1] / one.energy, 1.0, delta=1e-4)
        with self.assertRaisesRegex(bw.InputError, "expected frequency=FROM:TO"):
            bw.continuation(bw.load(BEAD), "precompression.force", (20.0, 21.0), frequency=15000)
        with self.assertRaisesRegex(bw.InputError, "--continue precompression.weight"):
            bw.continuation(BEAD, "precompression.weight", (20.0, 21.0), frequency=15000)

    def test_a_stopped_branch_goes_on_with_the_same_bits(self):
        arguments = dict(steps=128, points=12)
        whole = bw.continuation(DRIVEN, "frequency", (3729, 3715), output="whole.h5", **arguments)
        self.assertEqual([one["kind"] for one in whole.bifurcations], ["neimark-sacker"])

        def stop_at(number):

            def progress(done, most, _):
                self.assertEqual(most, 12)
                if done == number:
                    raise KeyboardInterrupt

            return progress

        # Stopped, then cut in the middle of a row as by a kill, then stopped again behind the bifurcation.
        for number in (3, 8):
            with self.assertRaises(KeyboardInterrupt):
                bw.continuation(DRIVEN, "frequency", (3729, 3715), output="parts.h5", progress=stop_at(number), **arguments)
            self.assertFalse(Path("parts.h5").exists())
            rows = Path("parts.h5.rows").read_bytes()
            self.assertEqual(rows.count(b"\n"), number + 1)
            Path("parts.h5.rows").write_bytes(rows[:-100])
        with self.assertRaisesRegex(bw.InputError, "another unfinished branch"):
            bw.continuation(DRIVEN, "frequency", (3729, 3716), output="parts.h5", **arguments)
        # The command goes on from what Python has begun.
        went_on = json_of("orbit", DRIVEN, "--continue", "frequency=3729.0:3715.0", "--steps", "128", "--points", "12", "--quiet", "-o", "parts.h5")
        self.assertFalse(Path("parts.h5.rows").exists())
        self.assertGreaterEqual(went_on["resumed"], 7)
        parts = bw.Branch.load("parts.h5")
        for name in ("value", "frequency", "energy", "amplitude", "least_overlap", "stable", "multipliers", "displacement", "velocity"):
            self.assertEqual(getattr(parts, name).tolist(), getattr(whole, name).tolist(), name)
        self.assertEqual(str(parts.bifurcations), str(whole.bifurcations))
        self.assertEqual((parts.key, parts.ended, parts.bead), ("frequency", whole.ended, whole.bead))
        with h5py.File("parts.h5") as one, h5py.File("whole.h5") as other:
            one["branch"].visititems(lambda name, data: isinstance(data, h5py.Dataset) and np.testing.assert_array_equal(
                data[()], other["branch"][name][()], name))
            self.assertEqual(one["branch/amplitude"].attrs["unit"], "m")
            self.assertIn("[[segment]]", one["parameters/scenario"].asstr()[()])
        # The motion of an orbit: the same period from its state, at equal times; a float32 has seven digits.
        orbit = bw.orbit(DRIVEN, frequency=parts.value[0], guess=(parts.displacement[0], parts.velocity[0]), steps=128, output="orbit.h5")
        with h5py.File("orbit.h5") as file:
            period = file["particles/beads/displacement/value"][:]
        self.assertEqual(parts.motion.shape, (12, 64, 11))
        np.testing.assert_allclose(parts.motion[0], period[:-1:2], rtol=0, atol=1e-6 * orbit.amplitude)
        with self.assertRaisesRegex(bw.InputError, "is no branch"):
            bw.Branch.load("orbit.h5")

    def test_basins(self):
        grid = ("--basins", "displacement=-1e-06:1e-06", "--basins", "velocity=-0.01:0.01", "--grid", "1,3", "--bead", "4")
        theirs = json_of("orbit", DRIVEN, "--frequency", "3400", *grid, "--quiet")
        for threads in (1, 2):
            mine = bw.basins(DRIVEN, displacement=(-1e-6, 1e-6), velocity=(-0.01, 0.01), frequency=3400, grid=(1, 3), bead=4,
                             threads=threads, output="basins.h5")
            self.assertEqual({**mine.json, "file": ""}, {**theirs, "file": ""})
        self.assertEqual(mine.attractor.tolist(), [[0], [0], [0]])
        only, = mine.attractors
        self.assertEqual((only["kind"], only["period"], only["starts"]), ("periodic", 1, 3))
        self.assertEqual(only["displacement"][0].tolist(), theirs["attractors"][0]["state"]["displacement"])
        self.assertEqual(abs(only["multipliers"][0]), theirs["attractors"][0]["largest_multiplier"])
        self.assertEqual([name for name, _ in mine.axes], ["displacement", "velocity"])
        with h5py.File("basins.h5") as file:
            self.assertEqual(file["basins/attractor"][:].tolist(), mine.attractor.tolist())
            self.assertEqual(file["basins/axis_1"].attrs["unit"], "m s-1")
        with self.assertRaisesRegex(bw.InputError, "has no axis"):
            bw.basins(DRIVEN)

    def test_sections(self):
        theirs = json_of("orbit", DRIVEN, "--frequency", "3400", "--poincare", "--starts", "2", "--periods", "5", "--transient", "1", "--quiet")
        mine = bw.poincare(DRIVEN, frequency=3400, starts=2, points=5, transient=1, output="section.h5")
        self.assertEqual(mine.displacement.tolist(), [one["displacement"] for one in theirs["sections"]])
        self.assertEqual((mine.bead, mine.section, mine.frequency), (5, None, 3400.0))
        with h5py.File("section.h5") as file:
            self.assertEqual(file["poincare/velocity"][:].tolist(), mine.velocity.tolist())

    def test_branches_that_leave_others(self):
        doubled = bw.continuation(EXAMPLES / "orbit_doubling.toml", "frequency", (31000, 30950), steps=256, switch=1)
        self.assertEqual(doubled.periods, 2)
        np.testing.assert_allclose(doubled.frequency, doubled.value / 2, rtol=1e-14)
        self.assertAlmostEqual(doubled.value[0], 30980.3053, delta=1.0)  # 256 steps
        orbit = bw.orbit(EXAMPLES / "orbit_doubling.toml", frequency=30500, periods=2)
        self.assertEqual((orbit.periods, orbit.frequency, orbit.stable), (2, 15250.0, True))

    @unittest.skipIf(SANITISED, "one orbit of 81 beads takes long")
    def test_a_run_from_an_unstable_breather_grows_at_its_rate(self):
        # The step is the orbit's.
        steps = 1024
        orbit = bw.orbit(EXAMPLES / "orbit_breather.toml", frequency=7980.6646, steps=steps)
        beads = len(orbit.displacement)
        velocity = np.zeros(beads)
        velocity[[39, 41]] = 1e-9  # m/s
        period = 1 / orbit.frequency
        run = bw.load(EXAMPLES / "orbit_breather.toml",
                      {"time.end": 110.5 * period, "time.step": period / steps, "snapshots.interval": period,
                       "initial.displacement": orbit.displacement.tolist(), "initial.velocity": velocity.tolist()}).run()
        size = np.abs(orbit.displacement).max()
        distance = np.abs(run.snapshots.displacement - orbit.displacement).max(axis=1)
        grows = (distance > 1e-7 * size) & (distance < 1e-4 * size)
        self.assertGreater(grows.sum(), 30)
        rate = np.polyfit(np.arange(len(distance))[grows], np.log(distance[grows]), 1)[0]
        self.assertAlmostEqual(rate / np.log(abs(orbit.multipliers[0])), 1.0, delta=0.01)

    def test_a_chain_from_arrays_starts_displaced(self):
        settings = dict(material={"youngs_modulus": 193e9, "poisson_ratio": 0.3}, law="hertz", time={"end": 1e-4, "step": 1e-7},
                        snapshots={"interval": 1e-5}, resonator=[{"beads": [0, 0], "mass": 1e-3, "stiffness": 1e6}])
        two = (np.full(2, 5e-3), np.full(2, 4e-3))
        moved, rate = np.array([2e-7, -1e-7]), [0.01, -0.02]
        displaced = bw.Chain(*two, gap=[-1e-6, -1e-6, -1e-6], **settings,
                             initial={"displacement": moved.tolist(), "velocity": rate}).run()
        # A mass inside a bead starts with it, so that its spring is unstretched in both.
        other = bw.Chain(*two, gap=[-1e-6 + 2e-7, -1e-6 - 3e-7, -1e-6 + 1e-7], velocity=rate, **settings).run()
        np.testing.assert_allclose(displaced.snapshots.displacement - moved, other.snapshots.displacement, rtol=0, atol=1e-17)
        np.testing.assert_allclose(np.asarray(displaced["resonator_displacement"]) - moved[0], other["resonator_displacement"],
                                   rtol=0, atol=1e-17)
        stretched = bw.Chain(*two, gap=[-1e-6, -1e-6, -1e-6], **settings, initial={"displacement": [*moved, 5e-7]}).run()
        self.assertEqual(float(np.asarray(stretched["resonator_displacement"])[0].squeeze()), 5e-7)
        with self.assertRaisesRegex(bw.InputError, "expected 2, one per bead, or 3, also of the masses inside beads"):
            bw.Chain(*two, **settings, initial={"displacement": [0.0]})

    @unittest.skipIf(SANITISED, "a run of 2200 periods takes long")
    def test_a_run_beyond_the_neimark_sacker_point_has_its_second_frequency(self):
        frequency, end, interval = 3724.0, 0.5, 2e-5
        run = bw.load(DRIVEN, {"boundary.left.frequency": frequency, "time.end": end, "snapshots.interval": interval}).run()
        time = np.asarray(run.snapshots.time)
        late = time > 0.25
        motion = np.asarray(run.snapshots.velocity)[late, 5]
        spectrum = np.abs(np.fft.rfft((motion - motion.mean()) * np.hanning(len(motion)), 8 * len(motion)))
        places = np.fft.rfftfreq(8 * len(motion), (time[late][-1] - time[late][0]) / (late.sum() - 1))
        second = frequency * 1.45543365 / (2 * np.pi)  # the angle of the multipliers at the point, 3726.443 Hz
        for line in (second, frequency - second, frequency + second):
            near = np.abs(places - line) < 100.0
            self.assertGreater(spectrum[near].max(), 0.1 * spectrum.max())
            self.assertAlmostEqual(places[near][spectrum[near].argmax()] / line, 1.0, delta=0.01)

    def test_exponents(self):
        few = dict(exponents=2, starts=3, periods=4, transient=2, seed=5)
        theirs = json_of("orbit", CHAOTIC, "--lyapunov", "--quiet", *(word for key, value in few.items() for word in (f"--{key}", value)))
        mine = bw.lyapunov(CHAOTIC, **few)
        self.assertEqual(mine.exponents.tolist(), theirs["exponents"])
        self.assertEqual(mine.standard_errors.tolist(), theirs["standard_errors"])
        self.assertEqual(mine.largest_of_starts.tolist(), theirs["largest_of_starts"])
        self.assertLess(mine.least_overlap, 0.0)
        self.assertEqual(mine.json, theirs)
        self.assertEqual(mine.frequency, 3500.0)
        with self.assertRaisesRegex(bw.InputError, "expected at most"):
            bw.lyapunov(CHAOTIC, exponents=11)


main()
