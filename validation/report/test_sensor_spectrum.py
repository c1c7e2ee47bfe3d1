"""Spectra of sensors: amplitudes and pulses in closed form, vectors, what cannot be shown, and a chain that is driven."""
import json
from types import SimpleNamespace

import numpy as np

from support import STEEL, InFolder, Series, main, run_of

from report import panel_sensor_spectrum, panel_spectrogram
from report.sampling import NotPossible
from report.sensor_spectrum import sentences, series_of, spectrogram, spectrum_of


def recorded(time, force, system="chain"):
    """A run whose sensors recorded this force, and half of it as velocity."""
    name = "sensor_force" if system == "chain" else "net_contact_force"
    run = Series(system, velocity=np.zeros((1, 9)), sensor_velocity=0.5 * force, **{name: force})
    run.traces = SimpleNamespace(beads=np.arange(force.shape[1]) + 3, time=time)
    run.last_time = time[-1]
    return run


class SensorSpectrum(InFolder):
    def test_a_sine_has_its_amplitude(self):
        time = 1e-6 * np.arange(4000)
        force = 5.0 + np.stack([2.0 * np.sin(2e4 * np.pi * time), 0.3 * np.cos(8e4 * np.pi * time)], axis=1)
        found = spectrum_of(recorded(time, force), "force")
        for s, (amplitude, frequency) in enumerate(((2.0, 1e4), (0.3, 4e4))):
            top = found.vibration[:, s].argmax()
            self.assertAlmostEqual(found.frequency[top], frequency, delta=1e-6 * frequency)
            self.assertAlmostEqual(found.vibration[top, s] / amplitude, 1.0, delta=1e-6)
        velocity = spectrum_of(recorded(time, force), "velocity")
        np.testing.assert_allclose(velocity.vibration, 0.5 * found.vibration, rtol=1e-12, atol=1e-15)

    def test_unequal_times_are_interpolated(self):
        time = 1e-6 * np.arange(2000) + 2.5e-7 * np.cos(7.0 * np.arange(2000))
        force = 2.0 * np.sin(2.0 * np.pi * 1e4 * time)[:, None]
        found = spectrum_of(recorded(time, force), "force")
        self.assertIn("values at equal times are interpolated", found.note)
        self.assertAlmostEqual(found.vibration.max(), 2.0, delta=2e-3)
        self.assertLess(np.sort(found.vibration[:, 0])[-4], 1e-3)  # three lines, Hann's main lobe

    def test_a_pulse_has_its_fourier_transform_whenever_it_arrives(self):
        time, width = 1e-7 * np.arange(8000), 20e-6
        force = np.stack([30.0 * np.exp(-((time - arrival) / width)**2) for arrival in (100e-6, 400e-6)], axis=1)
        found = spectrum_of(recorded(time, force), "force")
        exact = 30.0 * np.sqrt(np.pi) * width * np.exp(-(np.pi * found.frequency * width)**2)
        np.testing.assert_allclose(found.pulse, np.stack([exact, exact], axis=1), rtol=1e-9, atol=1e-12)
        self.assertEqual((found.cut_off.tolist(), sentences(recorded(time, force), found)), ([False, False], ""))
        # The window of a vibration weighs the two pulses differently; therefore pulses have none.
        self.assertGreater(found.vibration[10, 1] / found.vibration[10, 0], 1.5)

    def test_a_cut_off_pulse_and_folded_frequencies_are_reported(self):
        time = 1e-6 * np.arange(1000)
        force = np.stack([np.exp(-((time - 1e-3) / 2e-5)**2), np.sin(2.0 * np.pi * 0.49e6 * time) * np.sin(np.pi * time / 1e-3)], axis=1)
        run = recorded(time, force)
        found = spectrum_of(run, "force")
        self.assertEqual(found.cut_off.tolist(), [True, False])
        text = sentences(run, found)
        self.assertIn("At bead 3 the record does not end where it started", text)
        self.assertIn("there is still 100 % of the largest amplitude", text)

    def test_vectors_do_not_depend_on_the_axes(self):
        time = 1e-6 * np.arange(2000)
        sine = 2.0 * np.sin(2e4 * np.pi * time)
        force = np.stack([np.outer(sine, [1.0, 0.0, 0.0]), np.outer(sine, [0.6, 0.0, 0.8])], axis=1)
        found = spectrum_of(recorded(time, force, "packing"), "force")
        np.testing.assert_allclose(found.vibration[:, 0], found.vibration[:, 1], rtol=1e-9, atol=1e-12)
        self.assertAlmostEqual(found.vibration.max(), 2.0, delta=2e-6)  # and not at twice the frequency, as of the magnitude
        self.assertAlmostEqual(found.frequency[found.vibration[:, 0].argmax()], 1e4, delta=1e-3)

    def test_a_spectrogram_follows_the_frequency(self):
        time = 1e-6 * np.arange(16000)
        chirp = 0.7 * np.sin(2.0 * np.pi * (5e3 * time + 0.5 * 2e6 * time**2))  # 5 kHz, 2 MHz/s more: 37 kHz at the end
        found = spectrogram(1e-6, chirp)
        top = found.frequency[found.amplitude.argmax(axis=0)]
        np.testing.assert_allclose(top, 5e3 + 2e6 * found.time, atol=0.51 / found.window + 1e-9)
        # The frequency moves by 8 lines within a window; a steady sine has its amplitude.
        steady = spectrogram(1e-6, 3.0 + 0.7 * np.sin(2.0 * np.pi * 15625.0 * time))
        np.testing.assert_allclose(steady.amplitude.max(axis=0), 0.7, rtol=1e-6)
        self.assertTrue(max(steady.amplitude.shape) <= 100)

    def test_a_driven_chain_vibrates_at_the_frequency_of_the_drive(self):
        # Below the cut-off frequency of 25.1 kHz every bead follows the drive.
        run = run_of(STEEL + """
[[segment]]
beads = 120
radius = 5e-3
material = "steel"
[law]
name = "hertz"
[precompression]
force = 100.0
[boundary]
left = { kind = "driven", frequency = 8000, amplitude = 1e-9 }
right = "wall"
[time]
end = 2e-3
[sensors]
beads = [4, 10]
interval = 2e-6
""", "driven")
        found = spectrum_of(run, "velocity")
        for s in range(2):
            self.assertAlmostEqual(found.frequency[found.vibration[:, s].argmax()], 8000.0, delta=0.6 * found.frequency[1])
        caption, figure = panel_sensor_spectrum.interactive([run])
        self.assertIn("The resolution is 499.5 Hz", caption)
        self.assertEqual(len(figure["data"]), 8)
        self.assertIsNotNone(panel_spectrogram.interactive([run])[1])

    def test_what_is_missing_is_one_sentence(self):
        time = 1e-6 * np.arange(1000)
        still, short = recorded(time, np.zeros((1000, 2))), recorded(time[:31], np.ones((31, 1)))
        self.assertIn("Nothing moves", panel_spectrogram.interactive([still])[0])
        head = recorded(time, 1e-310 * np.outer(time, [1.0, 1.0]))  # of a wave that is far away
        self.assertIn("Nothing moves", panel_spectrogram.interactive([head])[0])
        json.dumps(panel_sensor_spectrum.interactive([head])[1], allow_nan=False)
        for run, sentence in ((Series(velocity=np.zeros((1, 9))), "holds no sensors"), (short, "There are 31 samples")):
            with self.assertRaisesRegex(NotPossible, sentence):
                series_of(run, "force")
            for panel in (panel_sensor_spectrum, panel_spectrogram):
                self.assertIsNone(panel.interactive([run])[1])


if __name__ == "__main__":
    main()
