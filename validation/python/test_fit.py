"""Fits in Python: arrays, weights, masks, losses, priors, results as arrays, pickles, progress."""
import pickle
import sys
import unittest.mock
from pathlib import Path

import numpy as np

import beadwave as bw
from support import CHAIN, InFolder, check_tables, main, program, stand_ins

GIVEN = {"segment.1.beads": 30, "time.end": 250e-6, "sensors.beads": [5, 10, 15, 20]}
BOUNDS = {"law.psi": (2, 4), "segment.0.velocity": (1.2, 2.5)}
NOISE = 0.3


class Fits(InFolder):
    @classmethod
    def setUpClass(cls):
        run = bw.Chain.load(CHAIN, overrides={**GIVEN, "law.psi": 2.7}).run()
        cls.time = np.array(run.time)
        cls.force = run.sensor_force + NOISE * np.random.default_rng(5).standard_normal(run.sensor_force.shape)

    def fit(self, measured=None, bounds=None, **options):
        return bw.fit(CHAIN, (self.time, self.force) if measured is None else measured, bounds or BOUNDS, overrides=GIVEN, **options)

    def test_arrays_are_fitted_as_their_file(self):
        np.savetxt("lab.csv", np.column_stack([self.time, self.force]), delimiter=",", fmt="%.17g")
        of_file = self.fit("lab.csv")
        for measured in ((self.time, self.force), {"time": self.time, **{n: self.force[:, i] for i, n in enumerate((5, 10, 15, 20))}}):
            self.assertEqual(self.fit(measured).x.tolist(), of_file.x.tolist())
        part = self.fit({"time": self.time, 20: self.force[:, 3], 5: self.force[:, 0]})
        self.assertEqual(part.sensors, [20, 5])
        self.assertLess(abs(part.x[0] - 2.7), 5 * part.cov[0, 0] ** 0.5)

    def test_the_result_as_arrays(self):
        fit = self.fit(noise=NOISE)
        self.assertEqual(fit.keys, list(BOUNDS))
        found = fit.best.parameters["law.psi"]
        self.assertEqual(fit.x[0], found["value"])
        self.assertAlmostEqual(fit.cov[0, 0] ** 0.5 / found["standard_error"], 1.0, 12)
        # The covariance of least squares with this noise, from the derivatives.
        jacobian = np.vstack(fit.jac)
        expected = NOISE ** 2 * np.linalg.inv(jacobian.T @ jacobian)
        np.testing.assert_allclose(fit.cov, expected, rtol=1e-6)
        residuals = np.concatenate(fit.residuals)
        self.assertAlmostEqual((residuals ** 2).sum() / NOISE ** 2 / fit.result["laws"][0]["chi_squared"], 1.0, 9)
        # 10,000 rows: chi-squared per degree of freedom varies by 1.4 %.
        self.assertLess(abs(fit.redchi - 1.0), 0.06)
        self.assertTrue(0.001 < fit.p_value < 0.999)
        self.assertTrue(np.isnan(self.fit().p_value))
        self.assertEqual((fit.success, fit.message), (True, "every parameter is determined"))
        idle = self.fit(bounds={"law.psi": (2, 4), "law.restitution": (0.3, 0.9)})
        self.assertFalse(idle.success)
        self.assertIn("law.restitution does not change anything", idle.message)
        self.assertTrue(np.isnan(idle.x[1]) and np.isnan(idle.cov[1, 1]))
        self.assertEqual(fit.aic, fit.best.result["aicc"])
        self.assertGreater(len(fit.plot().axes), 3)  # without a file
        self.assertIn(f"law.psi = {fit.x[0]:.6g}", repr(fit))
        self.assertEqual(fit["ma-liu"].name, "ma-liu")
        self.assertEqual(fit._ipython_key_completions_(), ["ma-liu"])
        with self.assertRaises(AttributeError):
            fit.nothing

    def test_weights_masks_and_missing_rows(self):
        plain = self.fit()
        dropped = np.zeros(self.force.shape, bool)
        dropped[900:1100, 1] = True
        ones = {"weights": np.where(dropped, 0.0, 1.0)}, {"mask": dropped}
        gaps = np.where(dropped, np.nan, self.force)
        ways = [self.fit(**way) for way in ones] + [self.fit((self.time, gaps)),
                                                    self.fit(mask={10: (self.time[900] - 1e-9, self.time[1099] + 1e-9)})]
        for way in ways:
            self.assertEqual(way.result["laws"][0]["data"], plain.result["laws"][0]["data"] - 200)
            self.assertEqual(way.x.tolist(), ways[0].x.tolist())
            self.assertEqual(np.isnan(way.residuals[1]).sum(), 200)
        half = self.fit(weights=np.full(len(self.time), 0.25), noise=NOISE / 2)
        np.testing.assert_allclose(half.cov, self.fit(noise=NOISE).cov, rtol=1e-6)

    def test_losses_errors_priors_and_starts(self):
        spoiled = self.force.copy()
        spoiled[::97] += 40.0
        squares, huber = self.fit((self.time, spoiled)), self.fit((self.time, spoiled), loss="huber", errors="robust")
        self.assertLess(huber.cov[0, 0], 0.2 * squares.cov[0, 0])
        self.assertLess(abs(huber.x[0] - 2.7), 5 * huber.cov[0, 0] ** 0.5)
        self.assertEqual((huber.result["loss"], huber.result["errors"]), ("huber", "robust"))
        alone = self.fit(noise=NOISE)
        error = alone.cov[0, 0] ** 0.5
        both = self.fit(noise=NOISE, prior={"law.psi": (2.7, error)})
        self.assertLess(abs(both.cov[0, 0] / (error ** 2 / 2) - 1), 0.03)
        started = self.fit(x0=[2.6, 1.9])
        self.assertEqual([p["start"] for p in started.best.parameters.values()], [2.6, 1.9])
        self.assertEqual(self.fit(x0={"law.psi": 2.6}).best.parameters["law.psi"]["start"], 2.6)

    def test_wrong_arguments_have_one_sentence(self):
        cases = [
            (dict(measured=(self.time, self.force[:-1])), "the times have the shape"),
            (dict(measured={"time": self.time, "five": self.time}), "'five' is no sensor"),
            (dict(weights=np.ones(3)), r"weights: has the shape \(3,\); expected"),
            (dict(weights=-np.ones(len(self.time))), "expected finite numbers, 0 or more"),
            (dict(measured="lab.csv", weights=np.ones(3)), 'name a column "weight"'),
            (dict(mask=3), "mask: is 3; expected"),
            (dict(loss="hubr"), 'did you mean "huber"'),
            (dict(loss=1), "loss: is 1; expected a text"),
            (dict(prior={"law.psi": 2.7}), "prior: law.psi: is 2.7; expected"),
            (dict(x0=[2.6]), "x0: is"),
            (dict(measured=(self.time[::-1], self.force)), "^measured:3: time"),
        ]
        for options, sentence in cases:
            with self.subTest(sentence), self.assertRaisesRegex(bw.InputError, sentence):
                self.fit(**options)

    def test_progress_is_reported_and_may_end_a_fit_and_a_comparison(self):
        seen = []
        evaluations = self.fit(progress=lambda *numbers: seen.append(numbers)).best.result["evaluations"]
        self.assertEqual(seen[-1][0], evaluations)  # however fast the fit is
        self.assertEqual(seen[-1][1], 0)  # the number of runs is not known before

        def fail(*numbers):
            raise LookupError("enough")
        with self.assertRaisesRegex(LookupError, "enough"):
            self.fit(progress=fail)
        seen = []
        bw.compare(CHAIN, ["hertz", "ma-liu"], overrides={"time.end": 60e-6}, progress=lambda *numbers: seen.append(numbers))
        self.assertTrue(all(0 <= done <= total == 2000 for done, total, _ in seen) and seen)
        with self.assertRaisesRegex(LookupError, "enough"):
            bw.compare(CHAIN, ["hertz", "ma-liu"], overrides={"time.end": 60e-6}, progress=fail)

    def test_pickles_hold_the_results(self):
        fit = self.fit()
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(fit))))
        self.assertEqual((again.x.tolist(), str(again), again.warnings, again.best.scenario),
                         (fit.x.tolist(), str(fit), fit.warnings, fit.best.scenario))
        np.testing.assert_array_equal(again.residuals, fit.residuals)
        np.testing.assert_array_equal(again.jac, fit.jac)
        again.save("again.h5")
        self.assertIn("psi = 2.", Path("again.toml").read_text(encoding="utf-8"))
        self.assertTrue(program("report", "again.h5", "-o", "again.html") is not None)
        with self.assertRaisesRegex(bw.InputError, "exists already"):
            again.save("again.h5")

        run = bw.Chain.load(CHAIN, overrides={"time.end": 60e-6}).run()
        stored = pickle.loads(pickle.dumps(run))
        self.assertEqual((stored.names(), stored.result, str(stored)), (run.names(), run.result, str(run)))
        np.testing.assert_array_equal(stored.sensor_force, run.sensor_force)
        self.assertFalse(stored.sensor_force.flags.writeable)
        stored.save("stored.h5")
        with bw.History("stored.h5") as history, pickle.loads(pickle.dumps(history)) as other:
            np.testing.assert_array_equal(other.sensor_force[:], run.sensor_force)
        on_disk = bw.Chain.load(CHAIN, overrides={"time.end": 60e-6}).run(output="run.h5")
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(on_disk)).sensor_force[:], run.sensor_force)
        sweep = bw.sweep(CHAIN, {"law.psi": [2.6, 2.8]}, overrides={"time.end": 60e-6})
        other = pickle.loads(pickle.dumps(sweep))
        np.testing.assert_array_equal(other["peak_force"], sweep["peak_force"])
        self.assertEqual((other.result, other.status, repr(other)), (sweep.result, sweep.status, repr(sweep)))
        hit = bw.collide({"speed": 1.0, "contact": {"stiffness": 1e9, "effective_mass": 0.1}, "law": {"name": "hertz"}}, trajectory=True)
        self.assertEqual(pickle.loads(pickle.dumps(hit)), hit)
        self.assertEqual(pickle.loads(pickle.dumps(hit)).trajectory["force"].tolist(), hit.trajectory["force"].tolist())

    def test_names_complete_and_print(self):
        run = bw.Chain.load(CHAIN, overrides={"time.end": 60e-6}).run()
        self.assertEqual(run._ipython_key_completions_(), run.names())
        self.assertEqual(run.energy._ipython_key_completions_(), run.energy.names)
        self.assertIn("kinetic_energy", repr(run.energy))
        self.assertEqual(repr(run.snapshots), f"<{len(run.snapshots)} snapshots>")
        sweep = bw.sweep(CHAIN, {"law.psi": [2.6, 2.8]}, overrides={"time.end": 60e-6})
        self.assertEqual(repr(sweep), "<beadwave.Sweep of 2 runs over law.psi: 2 done>")
        self.assertIn("law.psi", sweep._ipython_key_completions_())

    def test_a_missing_package_is_named(self):
        run = bw.Chain.load(CHAIN, overrides={"time.end": 60e-6}).run()
        with unittest.mock.patch.dict(sys.modules, {"pandas": None, "xarray": None}):
            with self.assertRaisesRegex(bw.RunError, r"to_pandas\(\) needs the Python package pandas, which is not installed"):
                run.to_pandas()
            with self.assertRaisesRegex(bw.RunError, r"to_xarray\(\) needs the Python package xarray"):
                run.to_xarray()

    def test_what_is_given_to_pandas_and_xarray(self):
        """With stand-ins that keep their arguments, as neither package needs to be installed: axes agree with the arrays."""
        packing = {"particles.0.cells": [3, 3], "sensors.particles": [4, 5], "time.end": 2e-5, "snapshots.interval": 1e-5,
                   "particles.1.position": [-4.76e-3, 4.76e-3]}
        runs = [bw.load(CHAIN, overrides={"time.end": 60e-6, "snapshots.interval": 1e-5}).run(),
                bw.load(CHAIN.parent / "square_crystal.toml", overrides=packing).run(),
                bw.load(CHAIN.parent / "slider_crank.toml", overrides={"time.end": 0.002}).run()]
        for run in runs:
            check_tables(self, run)
        with stand_ins():
            data, index, columns = runs[0].to_pandas()
            np.testing.assert_array_equal(data, runs[0].sensor_force)
            self.assertEqual((index, columns), ((runs[0].time.tolist(), "sensor_time"), (runs[0].sensors.tolist(), "sensor")))
            data, index, columns = runs[1].to_pandas()
            np.testing.assert_array_equal(data[:, 1], runs[1].net_contact_force[:, 0, 1])
            self.assertEqual(columns, ([[4, 5], ["x", "y", "z"]], ["sensor", "axis"]))
            data, index, _ = runs[2].to_pandas()
            self.assertEqual(list(data), runs[2].energy.names)
            data, _, _ = runs[2].to_pandas("impacts/pin")
            self.assertEqual(data["peak_force"].tolist(), runs[2]["impacts/pin/peak_force"].tolist())
            fit = self.fit()
            variables, coordinates = fit.to_xarray()
            np.testing.assert_array_equal(variables["residuals"][1][:, 2], fit.residuals[2])
            self.assertEqual(coordinates["sensor"], ("sensor", [5, 10, 15, 20]))
            sweep = bw.sweep(CHAIN, {"law.psi": [2.6, 2.8]}, overrides={"time.end": 60e-6})
            data, _, _ = sweep.to_pandas()
            self.assertEqual(data["peak_force_16"].tolist(), sweep["peak_force"][:, 1].tolist())
            variables, coordinates = sweep.to_xarray()
            self.assertEqual((variables["peak_force"][0], coordinates["law.psi"]), (("law.psi", "sensor"), [2.6, 2.8]))


if __name__ == "__main__":
    main()
