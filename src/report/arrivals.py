"""Peak force and arrival time of the wave at sensors and beads, and the wave speed fitted to the arrival times.

The wave arrives at the peak of the first hump of the force that no later hump clearly exceeds, as `beadwave run` prints it
(src/observers/arrival.hpp gives the reason). A parabola locates the peak between samples. With sensors.arrival_threshold it is the
time at which the force first exceeds that of the start by the threshold.
"""
from dataclasses import dataclass

import numpy as np

EDGE_BEADS = 10  # within about this many beads of an end, the wave forms or leaves
STATIC_ROUNDING = 1e-9  # a static force changes by less than this part of it
CLEARLY_HIGHER = 1e-3  # a later hump counts as the arrival if it exceeds the earlier one by this fraction of its rise


@dataclass
class Peaks:
    """At chosen beads: position at the start [m], largest force [N], arrival time [s] (NaN: no wave arrived)."""
    beads: np.ndarray
    position: np.ndarray
    force: np.ndarray
    time: np.ndarray
    source: str  # "sensors" or "snapshots"


@dataclass
class SpeedFit:
    """The straight line time = start + position / speed."""
    speed: float  # [m/s]; negative: towards lower bead numbers
    error: float  # standard error of the speed [m/s]; NaN with two points
    scatter: float  # root mean square deviation of the arrival times from the line [s]
    start: float  # [s]
    first: int  # beads
    last: int
    count: int
    source: str


def fit_peaks(time, force):
    """Every hump inside the record: height, time, and the uncertainty of the height due to the sampling interval."""
    rises, falls = force[1:-1] > force[:-2], force[1:-1] > force[2:]
    level = force[1:-1] == force[2:]  # of equal samples, the first is the peak if the force falls after them
    peaks = []
    for k in np.flatnonzero(rises & (falls | level)) + 1:
        end = k + 1
        while end + 1 < len(force) and force[end] == force[k]:
            end += 1
        if not force[end] < force[k]:
            continue
        before, after = time[k - 1] - time[k], time[k + 1] - time[k]
        slope_before, slope_after = (force[k - 1] - force[k]) / before, (force[k + 1] - force[k]) / after
        bend = (slope_after - slope_before) / (after - before)
        slope = slope_before - bend * before
        shift = -0.5 * slope / bend
        # A parabola through a cubic is off by x (x^2 - 1) / 6 <= 1 / 15 of the third difference.
        uncertainty = np.max(np.abs(np.diff(force[max(k - 2, 0):k + 3], 3)), initial=0.0) / 15.0
        peaks.append((force[k] + 0.5 * slope * shift, time[k] + shift, uncertainty))
    return peaks


def peak_and_arrival(time, force):
    """Largest force and arrival time; NaN if the force has no peak inside the record."""
    known = np.isfinite(force)
    time, force = time[known], force[known]
    if len(force) == 0:
        return np.nan, np.nan
    largest, arrival, limit, limit_uncertainty = force.max(), np.nan, force[0] + STATIC_ROUNDING * abs(force[0]), 0.0
    for height, peak_time, uncertainty in fit_peaks(time, force):
        largest = max(largest, height)
        if height > limit + uncertainty + limit_uncertainty:
            arrival, limit, limit_uncertainty = peak_time, height + CLEARLY_HIGHER * (height - force[0]), uncertainty
    return largest, arrival


def threshold_time(time, force, threshold):
    """When the force first exceeds its first value by the threshold, on straight lines between samples; NaN: it never does."""
    level = force[0] + threshold
    above = np.flatnonzero(force > level)
    if not len(above) or above[0] == 0:
        return np.nan
    k = above[0]
    return time[k] - (force[k] - level) / (force[k] - force[k - 1]) * (time[k] - time[k - 1])


def arrival_threshold(run):
    """That of the scenario [N]; 0: the arrival is the peak of a hump."""
    sensors = run.settings.get("sensors", {})
    threshold = sensors.get("arrival_threshold", 0.0) if isinstance(sensors, dict) else 0.0
    return float(threshold) if isinstance(threshold, (int, float)) else 0.0


def _peaks(run, beads, time, force, source):
    found = np.array([peak_and_arrival(time, force[:, s]) for s in range(len(beads))]).reshape(-1, 2)
    threshold = arrival_threshold(run)
    if threshold > 0.0:
        found[:, 1] = [threshold_time(time, force[:, s], threshold) for s in range(len(beads))]
    return Peaks(beads, run.position[beads], found[:, 0], found[:, 1], source)


def sensor_peaks(run):
    if run.traces is None:
        return None
    order = np.argsort(run.traces.beads, kind="stable")
    return _peaks(run, run.traces.beads[order], run.traces.time, run.traces.force[:, order], "sensors")


def snapshot_peaks(run, most=400):
    """Peaks at every bead, or at `most` beads of a long chain."""
    if not run.has_contact_force or len(run.snapshot_time) < 3:
        return None
    beads = np.unique(np.linspace(0, run.reach - 1, min(most, run.reach)).round().astype(int))
    force = np.array([run.snapshot("force", row)[beads] for row in range(len(run.snapshot_time))])
    return _peaks(run, beads, run.snapshot_time, force, "snapshots")


def fit_speed(run, *sources):
    """The line through the first source that has two arrivals outside the edges; None if no source has."""
    edge = min(EDGE_BEADS, run.beads // 5)
    for peaks in sources:
        if peaks is None:
            continue
        use = (peaks.beads >= edge) & (peaks.beads < run.beads - edge) & np.isfinite(peaks.time)
        x, t = peaks.position[use], peaks.time[use]
        if len(x) < 2 or np.ptp(x) == 0.0 or np.ptp(t) == 0.0:
            continue
        slope, start = np.polyfit(x - x.mean(), t, 1)
        off = t - (start + slope * (x - x.mean()))
        error = np.nan
        if len(x) > 2:
            error = np.sqrt(np.sum(off**2) / (len(x) - 2) / np.sum((x - x.mean())**2)) / slope**2
        return SpeedFit(1.0 / slope, error, float(np.sqrt(np.mean(off**2))), start - slope * x.mean(),
                        int(peaks.beads[use][0]), int(peaks.beads[use][-1]), len(x), peaks.source)
    return None


def speed_text(fit):
    """The fitted wave speed with its error."""
    if fit is None:
        return "no wave speed: fewer than two arrivals outside the edges"
    if not fit.error > 0.0:
        return f"{abs(fit.speed):.2f} m/s"
    digits = int(np.clip(1 - np.floor(np.log10(fit.error)), 0, 4))
    return f"{abs(fit.speed):.{digits}f} ± {fit.error:.{digits}f} m/s"
