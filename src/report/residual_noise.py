"""What the residuals of a fit look like as noise: histogram, spectrum, autocorrelation, each with what white normal noise would give.

The residuals of all sensors are taken together, each sensor in units of its own rms. Rows that are left out of the fit are left out.
"""
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np

MOST_LAGS = 40
SEGMENT = 256  # rows of a segment of the spectrum
NORMAL_95 = 1.959964


@dataclass
class Histogram:
    edges: np.ndarray  # [rms]
    density: np.ndarray  # 1/rms
    normal: np.ndarray  # the mean density of normal noise in each bin
    beyond_three: float  # part of the rows that are more than three rms off; normal: 0.0027


@dataclass
class Autocorrelation:
    lag: np.ndarray  # [rows]
    value: np.ndarray
    band: np.ndarray  # 95 % of white noise are within +-band


@dataclass
class Spectrum:
    frequency: np.ndarray  # [Hz], or [1/row] if the rows are not evenly spaced
    unit: str
    power: np.ndarray  # relative to white noise of the same rms
    band: tuple[float, float]  # 95 % of white noise are within


def normalised(fit, law):
    """Residuals, measured minus computed, rows x sensors, in units of each sensor's rms; NaN in rows that are left out."""
    residual = np.where(fit.used > 0, fit.measured - law.computed, np.nan)
    if fit.weight is not None:
        residual = residual * np.sqrt(fit.weight)
    kept = np.isfinite(residual)
    square = np.where(kept, residual, 0.0) ** 2
    rms = np.sqrt(square.sum(axis=0) / np.maximum(kept.sum(axis=0), 1))
    return residual / np.where(rms > 0.0, rms, np.nan)


def _normal_part(x):
    """The part of normal noise below x."""
    return np.array([0.5 * (1.0 + erf(one / sqrt(2.0))) for one in x])


def histogram(residual):
    """None if no residual is left."""
    values = residual[np.isfinite(residual)]
    if values.size == 0:
        return None
    reach = max(4.0, float(np.abs(values).max()))
    edges = np.linspace(-reach, reach, 2 * int(np.ceil(reach / 0.25)) + 1)
    counts, _ = np.histogram(values, edges)
    width = edges[1] - edges[0]
    return Histogram(edges=edges, density=counts / (values.size * width), normal=np.diff(_normal_part(edges)) / width,
                     beyond_three=float(np.mean(np.abs(values) > 3.0)))


def autocorrelation(residual):
    """Lags from 1. None if there are fewer than three rows."""
    rows = len(residual)
    lags = np.arange(1, min(MOST_LAGS, rows // 2) + 1)
    if not lags.size:
        return None
    kept = np.isfinite(residual)
    value, pairs = [], []
    filled = np.where(kept, residual, 0.0)
    for lag in lags:
        both = kept[:-lag] & kept[lag:]
        pairs.append(both.sum())
        value.append((filled[:-lag] * filled[lag:]).sum() / max(pairs[-1], 1))
    return Autocorrelation(lags, np.array(value), NORMAL_95 / np.sqrt(np.maximum(pairs, 1)))


def spectrum(residual, time):
    """Welch's: the mean over half-overlapping segments under a Hann window, of all sensors. None if no segment is complete."""
    rows = min(SEGMENT, len(residual))
    if rows < 8:
        return None
    window = np.hanning(rows + 2)[1:-1]
    power, count = np.zeros(rows // 2 + 1), 0
    for sensor in residual.T:
        for start in range(0, len(sensor) - rows + 1, max(rows // 2, 1)):
            piece = sensor[start:start + rows]
            if not np.all(np.isfinite(piece)):
                continue
            power += np.abs(np.fft.rfft(window * piece)) ** 2 / (window ** 2).sum()
            count += 1
    if count == 0:
        return None
    step = np.diff(time)
    even = np.all(np.abs(step - step.mean()) < 1e-3 * step.mean())
    frequency = np.fft.rfftfreq(rows, step.mean() if even else 1.0)
    # Neighbouring segments share half of their rows: under a Hann window 2 averages count as about 1.9 (Welch, 1967).
    averages = count / (1.0 + 2.0 * _shared(window) * (count - 1) / count) if count > 1 else 1.0
    return Spectrum(frequency[1:-1], "Hz" if even else "1/row", power[1:-1] / count, _chi_squared_band(2.0 * averages))


def _shared(window):
    """The squared correlation of the powers of two segments that overlap by half."""
    half = len(window) // 2
    return ((window[half:] * window[:len(window) - half]).sum() / (window ** 2).sum()) ** 2


def _chi_squared_band(freedom):
    """The 95 % band of chi squared per degree of freedom (Wilson and Hilferty)."""
    return tuple(float((1.0 - 2.0 / (9.0 * freedom) + sign * NORMAL_95 * np.sqrt(2.0 / (9.0 * freedom))) ** 3) for sign in (-1.0, 1.0))
