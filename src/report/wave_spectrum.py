"""The space-time spectrum of the velocities in the snapshots: amplitude over wave number and frequency, and its ridge.

The transform of v(x, t) is the sum over bodies and snapshots of w(x) w(t) v exp(-i (q x - 2 pi f t)), with Hann's window w over
the length and over the time, divided by half the sum of the windows: a wave A cos(q x - 2 pi f t) has the amplitude A. Waves
towards higher x have q > 0. The positions are those at the start, so the bodies need no equal spacing.

Whether sampling folds higher frequencies into the picture: the displacement u is in the snapshots too, and |v| = 2 pi f |u| holds
for the true frequency f of a component, wherever the sampled transform shows it.
"""
from dataclasses import dataclass

import numpy as np

from . import style
from .sampling import NotPossible, Samples, hann, hann_of

NO_PLACES = "Particles come or leave during the run, so their places at the start say nothing about a wave."
LEAST_SNAPSHOTS, LEAST_BODIES = 16, 8
MOST_SAMPLES = 20_000_000  # bodies times snapshots of one transform
MOST_WAVE_NUMBERS = 400  # of both directions
MOST_ALIASED = 0.01  # share of the energy above the Nyquist frequency
_BLOCK = 4_000_000


@dataclass
class Ridge:
    """The frequency of the largest amplitude at each wave number above 0."""
    wave_number: np.ndarray  # [rad/m]
    frequency: np.ndarray  # [Hz], between the frequencies of the transform by a parabola through log(amplitude)
    amplitude: np.ndarray  # [m/s]


@dataclass
class WaveSpectrum:
    wave_number: np.ndarray  # [rad/m], both signs, ascending
    frequency: np.ndarray  # [Hz], from 0 to the Nyquist frequency
    amplitude: np.ndarray  # [frequency, wave number] [m/s]
    frequency_resolution: float  # 1 / duration [Hz]
    wave_number_resolution: float  # 2 pi / length [rad/m]
    spacing: float  # mean distance of neighbours [m]: the wave numbers end at pi / spacing
    equal_spacing: bool
    bodies: int  # of the transform, from the first one
    aliased: float  # share of the energy above the Nyquist frequency
    axis: str  # of a packing: "x", "y" or "z"; empty for a chain
    note: str  # about unequal times; a sentence or empty

    def ridge(self):
        """The Ridge, over both directions of each wave number."""
        middle = len(self.wave_number) // 2
        both = np.maximum(self.amplitude[:, middle + 1:], self.amplitude[:, :middle][:, ::-1])
        top, columns = both.argmax(axis=0), np.arange(both.shape[1])
        inside = np.clip(top, 1, len(both) - 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            before, at, after = (np.log(both[inside + k, columns]) for k in (-1, 0, 1))
            shift = 0.5 * (before - after) / (before - 2.0 * at + after)
        shift = np.where((top == inside) & np.isfinite(shift), shift, top - inside)
        return Ridge(self.wave_number[middle + 1:], (inside + shift) * self.frequency[1], both[top, columns])


def _places(run):
    """Positions [m], mean spacing [m], whether the spacings are equal, and the component of the vectors (None for a chain)."""
    if run.system == "chain":
        spacing = np.diff(run.position)
        mean = float(np.mean(spacing)) if len(spacing) else 0.0
        return run.position, mean, bool(np.all(np.abs(spacing - mean) < 1e-3 * mean)), None
    start = run["position"][0]
    axis = int(np.argmax(start.max(axis=0) - start.min(axis=0)))
    return start[:, axis] - start[:, axis].min(), 2.0 * float(np.median(run.radius)), False, axis


def wave_spectrum(run, most_wave_numbers=MOST_WAVE_NUMBERS):
    """The WaveSpectrum of a chain, or of the motion of a packing along its longest side. NotPossible without what it needs."""
    if run.system == "mechanism":
        raise NotPossible("A mechanism has no space-time spectrum.")
    if "presence" in run:
        raise NotPossible(NO_PLACES)
    if not len(run.snapshot_time):
        raise NotPossible("The history holds no snapshots, so there is no space-time spectrum. Add to the scenario, for example: "
                          "[snapshots] interval = 1e-6 (in s).")
    samples = Samples(run.snapshot_time, "snapshots", LEAST_SNAPSHOTS, "[snapshots] interval")
    interval, count = samples.interval, samples.count
    position, spacing, equal, axis = _places(run)
    bodies = min(run.reach if axis is None else run.beads, MOST_SAMPLES // count)
    if bodies < LEAST_BODIES:
        raise NotPossible(f"The wave is in {bodies} bodies; a space-time spectrum needs at least {LEAST_BODIES}.")
    position = position[:bodies]
    length = float(np.ptp(position)) + spacing
    most = min(most_wave_numbers, 2 * max(bodies, 50)) // 2
    wave_number = np.pi / spacing * np.arange(-most, most + 1) / most
    space, time = hann((position - position.min() + 0.5 * spacing) / length), hann_of(count)
    velocity, displacement = (np.abs(_transform(run[name], samples, bodies, axis, position, wave_number, space, time))
                              for name in ("velocity", "displacement"))
    if not velocity.max() > 0.0:
        raise NotPossible("Nothing moves in the snapshots, so there is no space-time spectrum.")
    nyquist = 0.5 / interval
    above = velocity > 1.05 * 2.0 * np.pi * nyquist * displacement
    aliased = float(np.sum(velocity[above]**2) / np.sum(velocity**2))
    if aliased > MOST_ALIASED:
        fastest = float(np.sqrt(np.sum(velocity[above]**2) / np.sum(displacement[above]**2))) / (2.0 * np.pi)
        raise NotPossible(
            f"The snapshots are too far apart for a space-time spectrum: {100 * aliased:.3g} % of the energy is above their highest "
            f"frequency, {style.with_prefix(nyquist, 'Hz')}, mostly near {style.with_prefix(fastest, 'Hz')}, and would appear at wrong "
            f"frequencies. Use [snapshots] interval = {0.3 / fastest:.1g} (in s) or less.")
    return WaveSpectrum(wave_number, np.fft.rfftfreq(count, interval), 2.0 * velocity / (space.sum() * time.sum()),
                        1.0 / (count * interval), 2.0 * np.pi / length, spacing, equal, bodies, aliased,
                        "" if axis is None else "xyz"[axis], samples.note)


def _transform(values, samples, bodies, axis, position, wave_number, space, time):
    """[frequency, wave number]; the complex conjugate of the sum in the head of this file."""
    total = 0.0
    count, block = samples.count, max(1, _BLOCK // samples.count)
    for first in range(0, bodies, block):
        part = slice(first, min(first + block, bodies))
        series = values[:count, part] if axis is None else values[:count, part, axis]
        waves = space[part, None] * np.exp(1j * position[part, None] * wave_number)
        total = total + np.fft.rfft(time[:, None] * np.nan_to_num(samples.at_equal_times(series)), axis=0) @ waves
    return total
