"""The leading pulse of a chain: its speed, its width, its height, how it decays, and how much of the energy it carries.

At every bead with a record, from sensors or from snapshots:

height    largest force above the force at the start [N], of the hump at which the wave arrives (arrivals.py)
time      of that maximum [s]: the maximum of the polynomial through five samples
duration  full width at half of the height [s]; the crossings are those of the polynomial through four samples
width     duration times the local speed, in bead spacings
energy    integral of force above the start times velocity over the pulse [J]: the mean of the work of the contacts on both sides
          of the bead, which is what the pulse carries past the bead. The pulse ends where the force, once below half of the
          height, is below a thousandth of it or rises again.
"""
from dataclasses import dataclass

import numpy as np

from . import arrivals, style
from .decay import Decay, fit_decay
from .sampling import NotPossible

LEAST_BEADS = 3
LEAST_SAMPLES = 8  # within the duration, for the median bead
ONE_WAVE = 0.9  # at least this share of the variance of the times is that of a straight line over the position,
LARGEST_ERROR = 0.1  # and at most this is the standard error of the speed, as a share of it
MOST_BEADS = 400
FOOT = 1e-3  # of the height, where the pulse ends
STATIC = 1e-6  # of the height: with a larger force at the start the energy of the pulse is not a share of the energy supplied


@dataclass
class Pulse:
    """Where several values are listed, one per bead."""
    source: str  # "sensors" or "snapshots"
    beads: np.ndarray
    position: np.ndarray  # at the start [m]
    height: np.ndarray  # [N]
    static_force: np.ndarray  # at the start [N]
    time: np.ndarray  # [s]
    duration: np.ndarray  # [s]
    width: np.ndarray  # in bead spacings
    energy: np.ndarray  # [J]
    share: np.ndarray | None  # of the energy that was supplied until then; None if it cannot be said
    speed: float  # [m/s], of the straight line through time over position; negative: towards lower bead numbers
    speed_error: float  # its standard error [m/s]
    scatter: float  # root mean square deviation of the times from the line [s]
    spacing: float  # mean distance of neighbouring beads [m]
    decay: Decay | None

    def __str__(self):
        middle = len(self.beads) // 2
        share = "" if self.share is None else f", {100.0 * self.share[middle]:.4g} % of the energy"
        return (f"pulse at {len(self.beads)} beads ({self.source}): speed {self.speed:.6g} +- {self.speed_error:.2g} m/s\n"
                f"at bead {self.beads[middle]}: height {self.height[middle]:.5g} N, width {self.width[middle]:.4g} bead spacings, "
                f"duration {style.with_prefix(self.duration[middle], 's')}{share}\n"
                + ("too few beads for its decay" if self.decay is None else f"decay: {self.decay.law}, {100.0 * self.decay.change:+.3g} % along the chain"))

    def numbers_from_start(self, count):
        """Bead numbers, counted from the end where the wave starts, of a chain of `count` beads."""
        return self.beads if self.speed > 0.0 else count - 1 - self.beads


def _sources(run):
    """(name, beads, time, force, velocity) of each record."""
    if run.traces is not None:
        order = np.argsort(run.traces.beads, kind="stable")
        yield "sensors", run.traces.beads[order], run.traces.time, run.traces.force[:, order], run.traces.velocity[:, order]
    if run.has_contact_force and len(run.snapshot_time) > 2 * LEAST_SAMPLES:
        beads = np.unique(np.linspace(0, run.reach - 1, min(MOST_BEADS, run.reach)).round().astype(int))
        columns = [np.array([run.snapshot(quantity, row)[beads] for row in range(len(run.snapshot_time))])
                   for quantity in ("force", "velocity")]
        yield "snapshots", beads, run.snapshot_time, *columns


def _polynomial(time, force, k, first, count):
    """Through `count` samples from `first` on; its variable is (time - time[k]) / scale. Also the scale [s]."""
    first = min(max(first, 0), len(force) - count)
    scale, part = time[k + 1] - time[k], slice(first, first + count)
    return np.polynomial.Polynomial.fit((time[part] - time[k]) / scale, force[part], count - 1, domain=[-1, 1], window=[-1, 1]), scale


def _extremum(time, force, k):
    """Time and height of the maximum near sample k: of the polynomial through five samples."""
    curve, scale = _polynomial(time, force, k, k - 2, 5)
    roots, bend = curve.deriv().roots(), curve.deriv(2)
    near = [float(root.real) for root in roots if abs(root.imag) < 1e-9 and abs(root.real) <= 1.0 and bend(root.real) < 0.0]
    if not near:
        return time[k], force[k]
    best = max(near, key=curve)
    return time[k] + scale * best, float(curve(best))


def _crossing(time, force, level, k):
    """The time of `level` between samples k and k + 1, which are on both sides of it."""
    curve, scale = _polynomial(time, force - level, k, k - 1, 4)
    inside = [float(root.real) for root in curve.roots() if abs(root.imag) < 1e-9 and -1e-9 <= root.real <= 1.0 + 1e-9]
    if not inside:
        inside = [(level - force[k]) / (force[k + 1] - force[k])]
    return time[k] + scale * inside[0]


def _pulse_at(time, force, velocity):
    """height, static force, time, duration and energy of one record; None without a whole pulse."""
    if len(time) < LEAST_SAMPLES or not np.all(np.isfinite(force)):
        return None
    _, arrival = arrivals.peak_and_arrival(time, force)
    if not np.isfinite(arrival):
        return None
    k = int(np.argmin(np.abs(time - arrival)))
    while 0 < k < len(force) - 1 and max(force[k - 1], force[k + 1]) > force[k]:
        k += 1 if force[k + 1] > force[k - 1] else -1
    if not 0 < k < len(force) - 1:
        return None
    peak_time, peak = _extremum(time, force, k)
    static, height = force[0], peak - force[0]
    above = force - static > 0.5 * height
    before, after = np.flatnonzero(~above[:k]), np.flatnonzero(~above[k:])
    if not height > 0.0 or not len(before) or not len(after):
        return None
    left, right = before[-1], k + after[0]
    level = static + 0.5 * height
    duration = _crossing(time, force, level, right - 1) - _crossing(time, force, level, left)
    foot = static + FOOT * height
    while left > 0 and force[left] > foot and force[left - 1] <= force[left]:
        left -= 1
    while right < len(force) - 1 and force[right] > foot and force[right + 1] <= force[right]:
        right += 1
    power = (force[left:right + 1] - static) * velocity[left:right + 1]
    energy = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(time[left:right + 1]))
    return height, static, peak_time, duration, abs(float(energy))


def _share(run, time, energy):
    """Energy of the pulse over the energy at the start and the external work until then."""
    ledger = run.energy
    if not {"kinetic_energy", "stored_energy", "external_work"} <= set(ledger):
        return None
    supplied = ledger["kinetic_energy"][0] + ledger["stored_energy"][0] + np.interp(time, run["energy_time"][:], ledger["external_work"])
    return energy / supplied if np.all(supplied > 0.0) else None


def _local_speed(time, position):
    """Without sign [m/s], at each bead: over two neighbours on each side, so that chains of alternating beads do not alternate."""
    at = np.arange(len(time))
    first, last = np.maximum(at - 2, 0), np.minimum(at + 2, len(time) - 1)
    last -= np.where(last - first > 2, (last - first) % 2, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.abs((position[last] - position[first]) / (time[last] - time[first]))


def fit_pulse(run):
    """The Pulse of a chain's run: of sensors or snapshots, whichever hold a whole pulse at more beads outside of the edges.
    NotPossible if neither does at LEAST_BEADS beads."""
    if run.system != "chain":
        raise NotPossible(f"Pulses are fitted in chains; this is a {run.system}.")
    edge, best = min(arrivals.EDGE_BEADS, run.beads // 5), None
    for source, beads, time, force, velocity in _sources(run):
        use = np.flatnonzero((beads >= edge) & (beads < run.beads - edge))
        pulses = [(beads[s], _pulse_at(time, force[:, s], velocity[:, s])) for s in use]
        found = [(bead, *pulse) for bead, pulse in pulses if pulse is not None]
        if found and np.median([pulse[4] for pulse in found]) < LEAST_SAMPLES * np.median(np.diff(time)):
            found = []
        if best is None or len(found) > len(best[1]):
            best = source, found
    if best is None:
        raise NotPossible("The history holds neither sensors nor enough snapshots with contact forces, so there is no pulse to fit. "
                          "Add to the scenario, for example: [sensors] beads = [16, 24, 31, 40], interval = 1e-7 (in s).")
    if len(best[1]) < LEAST_BEADS:
        raise NotPossible(f"A whole pulse, with {LEAST_SAMPLES} samples or more above half of its height, is recorded at "
                          f"{len(best[1])} beads outside of the edges ({edge} beads at either end); a fit needs {LEAST_BEADS}. Use more "
                          "sensors, a shorter [sensors] interval or a longer run.")
    source, found = best
    beads, height, static, time, duration, energy = (np.array(column) for column in zip(*found))
    position = run.position[beads]
    slope, middle = np.polyfit(position - position.mean(), time, 1)
    off = time - (middle + slope * (position - position.mean()))
    error = np.sqrt(np.sum(off**2) / (len(beads) - 2) / np.sum((position - position.mean())**2))
    if not (np.sum(off**2) < (1.0 - ONE_WAVE) * np.sum((time - time.mean())**2) and error < LARGEST_ERROR * abs(slope)):
        raise NotPossible("The times of the peaks are not those of one wave that travels along the chain, so there is no pulse "
                          "to fit.")
    spacing = float(np.mean(np.diff(run.position[beads.min():beads.max() + 1])))
    whole = np.all(static <= STATIC * height)
    numbers = beads if slope > 0.0 else run.beads - 1 - beads
    return Pulse(source, beads, position, height, static, time, duration, duration * _local_speed(time, position) / spacing, energy,
                 _share(run, time, energy) if whole else None, 1.0 / slope, float(error / slope**2),
                 float(np.sqrt(np.mean(off**2))), spacing,
                 fit_decay(numbers, height))
