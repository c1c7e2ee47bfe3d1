"""Series for Fourier transforms: samples at equal times, and the window."""
import numpy as np

from . import style

UNEQUAL = 0.02  # in intervals: with larger deviations from equal times, phases at the Nyquist frequency are wrong by 0.06 rad
GAP = 2.5  # the longest interval over the mean one, at most


class NotPossible(Exception):
    """What is missing, as one sentence for the page."""


class Samples:
    """The times of a stream, for transforms: how to get its values at equal times. NotPossible if there are fewer than `least`, or if
    the times are too uneven. `what` is in the plural, `key` the scenario's."""

    def __init__(self, time, what, least, key):
        time = np.asarray(time, float)
        count = len(time)
        if count > 2 and time[-1] - time[-2] < (1.0 - UNEQUAL) * (time[1] - time[0]):
            count -= 1  # a run that stops between two samples adds a last one
        if count < least:
            raise NotPossible(f"There are {count} {what}; a spectrum needs at least {least}. Use a shorter {key}.")
        self.count, self.interval = count, float((time[count - 1] - time[0]) / (count - 1))
        steps = np.diff(time[:count])
        if not steps.min() > 0.0 or steps.max() > GAP * self.interval:
            raise NotPossible(f"The times of the {what} are up to {style.with_prefix(float(steps.max()), 's')} apart, "
                              f"{style.with_prefix(self.interval, 's')} on average; that is too uneven for a spectrum.")
        equal = time[0] + self.interval * np.arange(count)
        deviation = float(np.max(np.abs(time[:count] - equal)))
        self._weights, self.note = None, ""
        if deviation > UNEQUAL * self.interval:
            self._first, self._weights = _lagrange(time[:count], equal)
            self.note = (f" The times of the {what} deviate from equal times by up to {style.with_prefix(deviation, 's')}, so the "
                         f"values at equal times are interpolated (cubic); a {key} that is a multiple of the time step avoids this.")

    def at_equal_times(self, values):
        """Of values [time, ...]: `count` rows, `interval` [s] apart."""
        values = np.asarray(values[:self.count], float)
        if self._weights is None:
            return values
        shape = (-1, *[1] * (values.ndim - 1))
        return sum(weight.reshape(shape) * values[self._first + k] for k, weight in enumerate(self._weights.T))


def _lagrange(time, wanted):
    """For each wanted time the first of four neighbouring samples and their weights in the cubic through them."""
    first = np.clip(np.searchsorted(time, wanted) - 2, 0, len(time) - 4)
    nodes = time[first[:, None] + np.arange(4)]
    weights = np.ones_like(nodes)
    for k in range(4):
        for other in range(4):
            if other != k:
                weights[:, k] *= (wanted - nodes[:, other]) / (nodes[:, k] - nodes[:, other])
    return first, weights


def hann(place):
    """Hann's window at places from 0 to 1; zero at both ends."""
    return 0.5 - 0.5 * np.cos(2.0 * np.pi * np.asarray(place))


def hann_of(count):
    """Hann's window of samples at equal times."""
    return hann((np.arange(count) + 0.5) / count)


def largest_of_groups(values, most):
    """At most `most` rows: the largest of each group of neighbouring rows; and the size of the groups."""
    group = -(-len(values) // most)
    return np.maximum.reduceat(values, np.arange(0, len(values), group), axis=0), group
