"""Spectra of what the sensors recorded, over the whole record and over time.

Two definitions, because a pulse and a lasting vibration have different ones:

pulse      |integral of x(t) exp(-2 pi i f t) dt|, in N/Hz or (m/s)/Hz, of the change since the start, without a window. It does not
           depend on the length of the record or on when the pulse arrives, if the record holds all of the pulse.
vibration  2 |sum of w x exp(-2 pi i f t)| / sum of w, in N or m/s, with Hann's window w and without the mean. A sine of amplitude A
           that lasts through the record has the amplitude A.

Of vectors, the root of the sum of the squares over the components.
"""
from dataclasses import dataclass

import numpy as np

from . import style
from .sampling import NotPossible, Samples, hann_of

LEAST_SAMPLES = 32
QUANTITIES = {"force": "N", "velocity": "m/s"}
ENDS = 0.05  # a pulse is cut off if the record ends farther than this share of its height from where it started
FOLDED = 0.01  # of the largest amplitude, in the last tenth below the Nyquist frequency


def see_waves(runs):
    """Sensors of a packing are for waves; a packing often has none."""
    return any(run.system != "packing" or run.traces is not None and run.has_waves for run in runs)


@dataclass
class Spectrum:
    sensors: np.ndarray  # numbers of the beads or particles
    frequency: np.ndarray  # [Hz], from 0 to the Nyquist frequency
    pulse: np.ndarray  # [frequency, sensor] [N/Hz] or [(m/s)/Hz]
    vibration: np.ndarray  # [frequency, sensor] [N] or [m/s]
    cut_off: np.ndarray  # [sensor]: whether the record ends before the pulse does
    unresolved: np.ndarray  # [sensor]: amplitude just below the Nyquist frequency over the largest one
    note: str  # about unequal times; a sentence or empty


@dataclass
class Spectrogram:
    time: np.ndarray  # of the middle of each window [s]
    frequency: np.ndarray  # [Hz]
    amplitude: np.ndarray  # [frequency, time], as a vibration's [N] or [m/s]
    window: float  # duration of Hann's window [s]


def along(run, most=None):
    """Columns of the sensors in the order of their bodies; evenly chosen if there are more than `most`."""
    order = np.argsort(run.traces.beads, kind="stable")
    return order if most is None else order[np.unique(np.linspace(0, len(order) - 1, min(most, len(order))).round().astype(int))]


def series_of(run, quantity, most=None):
    """The Samples, the columns of `most` sensors (all unless given), and their values [time, sensor] or [time, sensor, component] at
    equal times, of "force" or "velocity". NotPossible without them."""
    if run.traces is None:
        raise NotPossible("The history holds no sensors, so there is no spectrum. Add to the scenario, for example: [sensors] "
                          "beads = [9, 16, 24] (in a packing: particles = [9, 16, 24]) and interval = 1e-7 (in s).")
    samples = Samples(run.traces.time, "samples of the sensors", LEAST_SAMPLES, "[sensors] interval")
    name = {"force": "sensor_force" if "sensor_force" in run else "net_contact_force", "velocity": "sensor_velocity"}[quantity]
    columns = along(run, most)
    values = samples.at_equal_times(np.asarray(run[name][:samples.count], float)[:, columns])
    if not np.all(np.isfinite(values)):
        raise NotPossible("Some samples of the sensors are not finite, so there is no spectrum.")
    return samples, columns, values


def _size(values):
    """Of components, if there are any; [.., sensor] remains."""
    return np.abs(values) if values.ndim == 2 else np.sqrt(np.sum(np.abs(values)**2, axis=2))


def spectrum(sensors, interval, values, note=""):
    """The Spectrum of samples [time, sensor] or [time, sensor, component] every `interval` [s]."""
    count = len(values)
    change = values - values[0]
    window = hann_of(count).reshape(-1, *[1] * (values.ndim - 1))
    vibration = 2.0 * _size(np.fft.rfft(window * (values - values.mean(axis=0)), axis=0)) / window.sum()
    pulse = _size(np.fft.rfft(change, axis=0)) * interval
    size = _size(change)
    largest, highest = size.max(axis=0), vibration.max(axis=0)
    top = vibration[int(0.9 * len(vibration)):].max(axis=0)
    return Spectrum(sensors, np.fft.rfftfreq(count, interval), pulse, vibration, size[-1] > ENDS * largest,
                    np.divide(top, highest, out=np.zeros_like(top), where=highest > 0.0), note)


def spectrum_of(run, quantity, most=None):
    """The Spectrum of a run's "force" or "velocity" at `most` sensors, all unless given; NotPossible without one."""
    if quantity not in QUANTITIES:
        raise NotPossible(f"There is no spectrum of {quantity}; there is one of {style.listed(QUANTITIES)}.")
    samples, columns, values = series_of(run, quantity, most)
    return spectrum(run.traces.beads[columns], samples.interval, values, samples.note)


def spectrogram(interval, values, most=100):
    """The Spectrogram of one sensor: Hann's window over about an eighth of the record, at `most` times and frequencies at most."""
    values = values.reshape(len(values), 1, -1)
    count = len(values)
    length = int(max(16, 2 ** round(np.log2(count / 8))))
    starts = np.unique(np.linspace(0, count - length, min(most, count - length + 1)).round().astype(int))
    window = hann_of(length)[:, None, None]
    columns = []
    for start in starts:
        part = values[start:start + length]
        columns.append(2.0 * _size(np.fft.rfft(window * (part - part.mean(axis=0)), axis=0))[:, 0] / window.sum())
    amplitude, frequency = np.stack(columns, axis=1), np.fft.rfftfreq(length, interval)
    seen = np.flatnonzero(amplitude.max(axis=1) > 1e-3 * amplitude.max())
    rows = min(len(frequency), most, int(seen[-1] * 1.15) + 4 if len(seen) else 4)
    return Spectrogram((starts + 0.5 * (length - 1)) * interval, frequency[:rows], amplitude[:rows], length * interval)


def sentences(run, found):
    """What limits a Spectrum, for the page."""
    text = found.note
    cut = [str(sensor) for sensor, is_cut in zip(found.sensors, found.cut_off) if is_cut]
    if cut:
        text += (f" At {run.body} {style.listed(cut)} the record does not end where it started; as a pulse, the lowest frequencies "
                 "then depend on the length of the record.")
    folded = float(np.max(found.unresolved, initial=0.0))
    if folded > FOLDED:
        text += (f" Just below {style.with_prefix(found.frequency[-1], 'Hz')} there is still {100 * folded:.3g} % of the largest "
                 "amplitude, so higher frequencies are folded into the spectrum: use a shorter [sensors] interval.")
    return text
