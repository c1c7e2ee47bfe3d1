"""Peak force and arrival of the wave at sensors and beads, and the wave speed fitted through them.

The arrival is the time of the first peak that rises to nine tenths of the largest force, between samples by a parabola:
what `beadwave run` prints, unless a reflected wave comes back as strong.
"""
from dataclasses import dataclass

import numpy as np

EDGE_BEADS = 10  # the wave forms and leaves within about this many beads of an end


@dataclass
class Peaks:
    """At chosen beads: position at the start [m], largest force [N], its time [s] (NaN: no wave came by)."""
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
    scatter: float  # root mean square of the arrivals about the line [s]
    start: float  # [s]
    first: int  # beads
    last: int
    count: int
    source: str


def peak_of(time, force):
    """Largest force, and the arrival; NaN where the force has no peak inside the record."""
    if not np.any(np.isfinite(force)):
        return np.nan, np.nan
    most, start = np.nanmax(force), force[0] if np.isfinite(force[0]) else 0.0
    inner = force[1:-1]
    peaks = np.flatnonzero((inner >= force[:-2]) & (inner > force[2:]) & (inner - start > 0.9 * (most - start)))
    if len(peaks) == 0 or not most > start:
        return most, np.nan
    k = int(peaks[0]) + 1
    before, top, after = force[k - 1:k + 2]
    bend = before - 2.0 * top + after
    even = np.isclose(time[k + 1] - time[k], time[k] - time[k - 1], rtol=1e-3)
    shift = 0.5 * (before - after) / bend if even and bend < 0.0 else 0.0
    return max(most, top - 0.25 * (before - after) * shift), time[k] + shift * (time[k + 1] - time[k])


def _peaks(run, beads, time, force, source):
    found = np.array([peak_of(time, force[:, s]) for s in range(len(beads))]).reshape(-1, 2)
    return Peaks(beads, run.position[beads], found[:, 0], found[:, 1], source)


def sensor_peaks(run):
    if run.traces is None:
        return None
    order = np.argsort(run.traces.beads, kind="stable")
    return _peaks(run, run.traces.beads[order], run.traces.time, run.traces.force[:, order], "sensors")


def snapshot_peaks(run, most=400):
    """At every bead, or at `most` beads of a long chain."""
    if not run.has_contact_force or len(run.snapshot_time) < 3:
        return None
    beads = np.unique(np.linspace(0, run.reach - 1, min(most, run.reach)).round().astype(int))
    force = np.array([run.snapshot("force", row)[beads] for row in range(len(run.snapshot_time))])
    return _peaks(run, beads, run.snapshot_time, force, "snapshots")


def fit_speed(run, *sources):
    """Through the first source that has two arrivals outside the edges; None if there is none."""
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


def said(fit):
    """The fit in words."""
    if fit is None:
        return "no wave speed: fewer than two arrivals outside the edges"
    if not fit.error > 0.0:
        return f"{abs(fit.speed):.2f} m/s"
    digits = int(np.clip(1 - np.floor(np.log10(fit.error)), 0, 4))
    return f"{abs(fit.speed):.{digits}f} ± {fit.error:.{digits}f} m/s"
