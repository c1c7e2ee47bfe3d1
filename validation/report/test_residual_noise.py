"""Residuals of fits as noise: densities, spectra and correlations in closed form, gaps, weights, and the panel."""
from types import SimpleNamespace

import numpy as np

from support import InFolder, main

from report import panel_fit_noise, residual_noise

ROWS, SENSORS = 20_000, 4


def fit_of(residual, weight=None, used=None, step=1e-7):
    """A fit with one law and these residuals."""
    measured = np.zeros(residual.shape)
    law = SimpleNamespace(name="ma-liu", computed=residual)
    return SimpleNamespace(time=step * np.arange(len(residual)), measured=measured, laws=[law], weight=weight,
                           used=np.ones(residual.shape) if used is None else used)


def normalised(residual, **more):
    fit = fit_of(residual, **more)
    return residual_noise.normalised(fit, fit.laws[0])


def white(seed=1):
    return np.random.default_rng(seed).standard_normal((ROWS, SENSORS))


def autoregressive(rho):
    noise = white()
    for row in range(1, ROWS):
        noise[row] = rho * noise[row - 1] + np.sqrt(1.0 - rho ** 2) * noise[row]
    return noise


class ResidualNoise(InFolder):
    def test_white_normal_noise_is_what_is_expected_of_it(self):
        residual = normalised(0.3 * white())
        bars = residual_noise.histogram(residual)
        # A bin of 80,000 x 0.25 x 0.4 = 8000 rows varies by 1.1 %.
        self.assertLess(abs(bars.density - bars.normal).max(), 5 * 0.011 * 0.4)
        self.assertAlmostEqual((bars.density * np.diff(bars.edges)).sum(), 1.0, 12)
        self.assertAlmostEqual(bars.beyond_three, 0.0027, delta=5 * np.sqrt(0.0027 / residual.size))
        rows = residual_noise.autocorrelation(residual)
        self.assertAlmostEqual(rows.band[0] / (1.96 / np.sqrt(SENSORS * (ROWS - 1))), 1.0, 4)
        self.assertLess(np.mean(abs(rows.value) > rows.band), 0.2)  # of 40; 0.05 is expected
        power = residual_noise.spectrum(residual, 1e-7 * np.arange(ROWS))
        outside = (power.power < power.band[0]) | (power.power > power.band[1])
        self.assertTrue(0.01 < outside.mean() < 0.12, outside.mean())
        self.assertAlmostEqual(power.power.mean(), 1.0, delta=0.02)
        self.assertEqual((power.unit, len(power.frequency)), ("Hz", 127))
        self.assertAlmostEqual(power.frequency[0] / (1.0 / (256 * 1e-7)), 1.0, 9)

    def test_noise_that_correlates_has_its_correlation_and_its_spectrum(self):
        rho = 0.6
        residual = normalised(2.0 * autoregressive(rho))
        rows = residual_noise.autocorrelation(residual)
        np.testing.assert_allclose(rows.value[:8], rho ** np.arange(1, 9), atol=0.02)
        power = residual_noise.spectrum(residual, 1e-7 * np.arange(ROWS))
        turn = 2.0 * np.pi * power.frequency * 1e-7
        exact = (1.0 - rho ** 2) / (1.0 + rho ** 2 - 2.0 * rho * np.cos(turn))
        # Each frequency is a mean of 620 segments that overlap: 6 %. The window shifts the slope by less.
        np.testing.assert_allclose(power.power, exact, rtol=0.25)
        self.assertLess(abs(np.log(power.power / exact)).mean(), 0.05)

    def test_rows_that_are_left_out_do_not_count(self):
        noise, used = autoregressive(0.6), np.ones((ROWS, SENSORS))
        used[5000:9000, 1] = 0
        spoiled = np.where(used > 0, noise, 1e6)
        residual = normalised(spoiled, used=used)
        self.assertEqual(np.isnan(residual).sum(), 4000)
        self.assertAlmostEqual(residual_noise.autocorrelation(residual).value[0], 0.6, delta=0.02)
        power = residual_noise.spectrum(residual, 1e-7 * np.arange(ROWS))
        self.assertLess(power.power.max(), 10.0)

    def test_weights_make_unequal_noise_equal(self):
        size = np.where(np.arange(ROWS) % 2, 10.0, 1.0)[:, None]
        unequal = residual_noise.histogram(normalised(size * white()))
        equal = residual_noise.histogram(normalised(size * white(), weight=np.broadcast_to(size ** -2.0, (ROWS, SENSORS))))
        self.assertGreater(unequal.beyond_three, 0.01)
        self.assertAlmostEqual(equal.beyond_three, 0.0027, delta=0.001)

    def test_times_that_are_not_even_give_frequencies_per_row(self):
        time = np.cumsum(np.random.default_rng(3).uniform(0.5, 1.5, ROWS)) * 1e-7
        power = residual_noise.spectrum(normalised(white()), time)
        self.assertEqual(power.unit, "1/row")
        self.assertAlmostEqual(power.frequency[0], 1.0 / 256)

    def test_the_panel_says_how_far_the_residuals_are_from_white(self):
        caption, figure = panel_fit_noise.interactive([fit_of(autoregressive(0.6))])
        self.assertIn("ma-liu: 0.27 % of the rows are more than three rms off; correlation with the next row +0.6", caption)
        self.assertEqual({curve["xaxis"] for curve in figure["data"]}, {"x", "x2", "x3"})
        caption, figure = panel_fit_noise.interactive([fit_of(np.zeros((100, 1)))])
        self.assertIsNone(figure)
        self.assertIn("there are no residuals", caption)
        few = panel_fit_noise.interactive([fit_of(white()[:5])])[1]
        self.assertEqual({curve["xaxis"] for curve in few["data"]}, {"x", "x3"})


if __name__ == "__main__":
    main()
