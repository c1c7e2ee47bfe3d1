"""The space-time spectrum: its ridge is the exact dispersion, its amplitude that of the wave, and it refuses what it cannot show."""
import numpy as np

from support import STEEL, InFolder, Series, main, run_of

from report import panel_wave_spectrum
from report.sampling import NotPossible
from report.wave_spectrum import wave_spectrum

RADIUS, MODULUS, POISSON, DENSITY, FORCE = 5e-3, 193e9, 0.3, 7850.0, 100.0
SQUEEZED = STEEL + f"""
[[segment]]
beads = 1
radius = {RADIUS}
material = "steel"
velocity = 1e-4
[[segment]]
beads = 99
radius = {RADIUS}
material = "steel"
[law]
name = "hertz"
[precompression]
force = {FORCE}
[time]
end = 1.2e-3
[snapshots]
interval = 6e-6
"""


def travelling(amplitude, wave_number, frequency, times, places):
    phase = wave_number * places - 2.0 * np.pi * frequency * times[:, None]
    return amplitude * np.cos(phase), -amplitude / (2.0 * np.pi * frequency) * np.sin(phase)


def series(waves, interval, count=400, bodies=120, spacing=0.01):
    """A chain with waves (amplitude, wave number, frequency) in closed form."""
    times, places = interval * np.arange(count), spacing * np.arange(bodies)
    velocity, displacement = (sum(each) for each in zip(*[travelling(*wave, times, places) for wave in waves]))
    return Series(place=places, snapshot_time=times, velocity=velocity, displacement=displacement)


class WaveSpectrum(InFolder):
    def test_the_ridge_of_a_squeezed_chain_is_the_exact_dispersion(self):
        spectrum = wave_spectrum(run_of(SQUEEZED, "squeezed"))
        # Hertz: F = A delta^(3/2), so the stiffness at the force F is (3/2) A^(2/3) F^(1/3).
        hertz = 4.0 / 3.0 * np.sqrt(RADIUS / 2.0) * MODULUS / (2.0 * (1.0 - POISSON**2))
        stiffness, mass = 1.5 * hertz**(2 / 3) * FORCE**(1 / 3), 4.0 / 3.0 * np.pi * RADIUS**3 * DENSITY
        spacing = 2.0 * RADIUS - (FORCE / hertz)**(2 / 3)
        self.assertAlmostEqual(spectrum.spacing / spacing, 1.0, delta=1e-9)
        self.assertTrue(spectrum.equal_spacing)
        found = spectrum.ridge()
        self.assertAlmostEqual(found.wave_number[-1] * spacing, np.pi, delta=1e-9)
        exact = np.sqrt(stiffness / mass) / np.pi * np.abs(np.sin(0.5 * found.wave_number * spacing))
        off = np.abs(found.frequency - exact) / spectrum.frequency_resolution
        resolved = found.wave_number > spectrum.wave_number_resolution
        print(f"ridge: largest deviation {off[resolved].max():.3f}, median {np.median(off):.4f} of the resolution, "
              f"{spectrum.frequency_resolution:.0f} Hz")
        self.assertLess(off.max(), 1.0)
        self.assertLess(off[resolved].max(), 0.5)
        self.assertLess(np.median(off), 0.03)

    def test_a_wave_has_its_amplitude_direction_and_frequency(self):
        spectrum = wave_spectrum(series([(0.3, 120.0, 20e3), (0.02, -200.0, 31e3)], 1e-5))
        q, f = np.meshgrid(spectrum.wave_number, spectrum.frequency)
        for amplitude, wave_number, frequency in ((0.3, 120.0, 20e3), (0.02, -200.0, 31e3)):
            near = (np.abs(q - wave_number) < spectrum.wave_number_resolution) & (np.abs(f - frequency) < 2.0 * spectrum.frequency_resolution)
            # Between the points of the transform, Hann's main lobe falls by 1.4 dB in time and 0.4 dB in space at most.
            self.assertAlmostEqual(spectrum.amplitude[near].max() / amplitude, 0.92, delta=0.09)
        mirrored = (np.abs(q + 120.0) < spectrum.wave_number_resolution) & (np.abs(f - 20e3) < spectrum.frequency_resolution)
        self.assertLess(spectrum.amplitude[mirrored].max(), 1e-4 * 0.3)
        found = spectrum.ridge()
        at = np.argmin(np.abs(found.wave_number - 120.0))
        self.assertAlmostEqual(found.frequency[at], 20e3, delta=0.05 * spectrum.frequency_resolution)

    def test_unequal_spacing_uses_the_positions(self):
        times, places = 1e-5 * np.arange(300), np.cumsum(np.tile([0.008, 0.012], 60))
        velocity, displacement = travelling(1.0, 100.0, 15e3, times, places)
        spectrum = wave_spectrum(Series(place=places, snapshot_time=times, velocity=velocity, displacement=displacement))
        self.assertFalse(spectrum.equal_spacing)
        top = np.unravel_index(spectrum.amplitude.argmax(), spectrum.amplitude.shape)
        self.assertAlmostEqual(spectrum.wave_number[top[1]], 100.0, delta=0.5 * spectrum.wave_number_resolution)

    def test_a_packing_is_seen_along_its_longest_side(self):
        times = 1e-5 * np.arange(200)
        x, y = (each.ravel() for each in np.meshgrid(0.01 * np.arange(50), 0.01 * np.arange(5)))
        along, displaced = travelling(0.5, 90.0, 12e3, times, x)
        vectors = [np.stack([each, 3.0 * each[:, ::-1], 0.0 * each], axis=2) for each in (along, displaced)]
        position = np.tile(np.stack([x, y, 0.0 * x], axis=1), (len(times), 1, 1))
        run = Series("packing", snapshot_time=times, velocity=vectors[0], displacement=vectors[1], position=position,
                     radius=np.full(x.size, 5e-3))
        spectrum = wave_spectrum(run)
        self.assertEqual(spectrum.axis, "x")
        top = np.unravel_index(spectrum.amplitude.argmax(), spectrum.amplitude.shape)
        self.assertAlmostEqual(spectrum.wave_number[top[1]], 90.0, delta=0.5 * spectrum.wave_number_resolution)
        self.assertAlmostEqual(spectrum.frequency[top[0]], 12e3, delta=0.5 * spectrum.frequency_resolution + 1e-6)
        self.assertAlmostEqual(spectrum.amplitude.max() / 0.5, 0.95, delta=0.06)

    def test_folded_frequencies_are_refused(self):
        # The chain's highest frequency is 25.1 kHz; these snapshots resolve 10 kHz.
        with self.assertRaisesRegex(NotPossible, "too far apart for a space-time spectrum: .* % of the energy is above .*10 kHz"):
            wave_spectrum(run_of(SQUEEZED, "coarse", ["snapshots.interval=5e-5"]))
        # All of the energy above the Nyquist frequency, where the picture alone would show a clean line.
        with self.assertRaisesRegex(NotPossible, "100 % of the energy .* 50 kHz, mostly near 70 kHz"):
            wave_spectrum(series([(1.0, 120.0, 70e3)], 1e-5))
        self.assertLess(wave_spectrum(series([(1.0, 120.0, 49e3)], 1e-5)).aliased, 1e-3)

    def test_what_is_missing_is_one_sentence(self):
        still = series([(0.0, 100.0, 1e4)], 1e-5)
        uneven = series([(1.0, 100.0, 1e4)], 1e-5)
        uneven.snapshot_time = np.delete(uneven.snapshot_time, [7, 8])
        for run, sentence in ((series([(1.0, 100.0, 1e4)], 1e-5, count=15), "There are 15 snapshots"),
                              (series([(1.0, 100.0, 1e4)], 1e-5, bodies=7), "in 7 bodies"), (still, "Nothing moves"),
                              (uneven, "too uneven"), (Series(place=np.arange(9.0)), "holds no snapshots")):
            caption, figure = panel_wave_spectrum.interactive([run])
            self.assertIn(sentence, caption)
            self.assertIsNone(figure)

    def test_unequal_times_are_interpolated(self):
        even = series([(1.0, 100.0, 1e4)], 1e-5)
        jitter = 2e-6 * np.sin(2.0 * np.pi * 57.0 * np.arange(400) / 399.0)
        times, places = even.snapshot_time + jitter, even.position
        velocity, displacement = travelling(1.0, 100.0, 1e4, times, places)
        uneven = Series(place=places, snapshot_time=times, velocity=velocity, displacement=displacement)
        found, expected = wave_spectrum(uneven), wave_spectrum(even)
        self.assertIn("deviate from equal times by up to 1.95 µs", found.note)
        self.assertEqual(expected.note, "")
        self.assertLess(np.abs(found.amplitude - expected.amplitude).max(), 0.01 * expected.amplitude.max())
        self.assertIn(found.note, panel_wave_spectrum.interactive([uneven])[0])

    def test_a_last_snapshot_out_of_step_is_left_out(self):
        run = series([(1.0, 100.0, 1e4)], 1e-5)
        run.snapshot_time[-1] -= 0.4e-5
        self.assertAlmostEqual(wave_spectrum(run).frequency_resolution * 399e-5, 1.0, delta=1e-9)

    def test_the_picture_is_small(self):
        run = series([(1.0, 100.0, 1e4), (1e-3, 10.0, 49e3)], 1e-5, count=3000, bodies=700)
        _, figure = panel_wave_spectrum.interactive([run])
        z = figure["data"][0]["z"]
        self.assertTrue(100 < len(z) <= 401 and 100 < len(z[0]) <= 401, (len(z), len(z[0])))
        self.assertEqual((len(z), len(z[0])), (len(figure["data"][0]["y"]), len(figure["data"][0]["x"])))


if __name__ == "__main__":
    main()
