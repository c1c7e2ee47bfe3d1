"""Series for Fourier transforms: samples at equal times, and the window."""
import numpy as np

from . import style

UNEQUAL = 0.02  # largest deviation from equal times, in intervals; the phase at the Nyquist frequency is then wrong by 0.06 rad


class NotPossible(Exception):
    """What is missing, as one sentence for the page."""


def equal_interval(time, what, least, key):
    """The interval [s] of samples at equal times, and how many there are: a run that stops between two samples may add a last one.
    NotPossible if there are fewer than `least`, or if the times are not equal. `what` is in the plural, `key` the scenario's."""
    time = np.asarray(time, float)
    count = len(time)
    if count > 2 and abs(time[-1] - time[-2] - (time[1] - time[0])) > UNEQUAL * (time[1] - time[0]):
        count -= 1
    if count < least:
        raise NotPossible(f"There are {count} {what}; a spectrum needs at least {least}. Use a shorter {key}.")
    interval = (time[count - 1] - time[0]) / (count - 1)
    deviation = np.max(np.abs(time[:count] - time[0] - interval * np.arange(count)))
    if not interval > 0.0 or deviation > UNEQUAL * interval:
        raise NotPossible(f"The times of the {what} deviate from equal times by up to {style.with_prefix(float(deviation), 's')}, more than "
                          f"{100 * UNEQUAL:g} % of their interval, so there is no spectrum. Make {key} a multiple of the time step.")
    return float(interval), count


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
