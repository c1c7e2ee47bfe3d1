"""Local speed of the wave over its peak force, along the chain: how strongly nonlinear the wave is."""
from dataclasses import dataclass

import numpy as np

from . import arrivals
from . import style
from .panels import Place

NAME = "speed-force"
TITLE = "Wave speed over force"
PLACES = {"chain": Place(3.5)}
MISSING = ("The arrival times at fewer than 12 beads outside the edges are known, so there is no local wave speed. Add to the scenario, for "
           "example: [snapshots] interval = 1e-6 (in s).")
HALF_WINDOW = 4  # beads on either side through whose arrival times the line goes
FEWEST = 12
LEAST_RANGE = 1.2  # largest over smallest force, for an exponent


@dataclass
class LocalSpeeds:
    beads: np.ndarray
    speed: np.ndarray  # [m/s]
    force: np.ndarray  # peak force [N]
    exponent: float  # of the force; NaN if the force hardly changes
    error: float  # its standard error, as if the points were independent


def local_speeds(position, time, force, beads):
    """Of arrival times [s] at beads in order; None if there are too few."""
    known = np.isfinite(time) & (force > 0.0)
    position, time, force, beads = position[known], time[known], force[known], beads[known]
    if len(beads) < FEWEST:
        return None
    middle = np.arange(HALF_WINDOW, len(beads) - HALF_WINDOW)
    windows = middle[:, None] + np.arange(-HALF_WINDOW, HALF_WINDOW + 1)
    x, t = position[windows], time[windows]
    x, t = x - x.mean(axis=1, keepdims=True), t - t.mean(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        speed = np.abs((x * x).sum(axis=1) / (x * t).sum(axis=1))
    # The line is the speed of the middle, so the force is the geometric mean of the same beads.
    height = np.exp(np.log(force[windows]).mean(axis=1))
    good = np.isfinite(speed) & (speed > 0.0)
    speed, height, middle = speed[good], height[good], middle[good]
    exponent = error = np.nan
    if len(speed) > 3 and height.max() > LEAST_RANGE * height.min():
        u, v = np.log(height), np.log(speed)
        u = u - u.mean()
        exponent = float((u * v).sum() / (u * u).sum())
        rest = v - v.mean() - exponent * u
        error = float(np.sqrt((rest * rest).sum() / (len(u) - 2) / (u * u).sum()))
    return LocalSpeeds(beads[middle], speed, height, exponent, error)


def speeds_of(run):
    """From the snapshots, otherwise from the sensors; without beads near the ends."""
    edge = min(arrivals.EDGE_BEADS, run.beads // 5)
    for peaks in (arrivals.snapshot_peaks(run), arrivals.sensor_peaks(run)):
        if peaks is None:
            continue
        inside = (peaks.beads >= edge) & (peaks.beads < run.beads - edge)
        found = local_speeds(peaks.position[inside], peaks.time[inside], peaks.force[inside], peaks.beads[inside])
        if found is not None:
            return found
    return None


def interactive(runs):
    data, caption = [], ""
    for i, run in enumerate(runs):
        found = speeds_of(run)
        if found is None or not len(found.speed):
            continue
        data.append({"type": "scatter", "mode": "markers", "x": style.numbers(found.force), "y": style.numbers(found.speed, 6),
                     "marker": {"color": style.run_colour(i), "size": 7, "symbol": style.SYMBOLS[i % 5][0]}, "name": style.plain(run.label),
                     "legendgroup": str(i), "showlegend": len(runs) > 1, "text": [f"bead {bead}" for bead in found.beads],
                     "hovertemplate": "%{text}<br>%{x:.5g} N, %{y:.5g} m/s"})
        force = np.geomspace(found.force.min(), found.force.max(), 40)
        middle = float(np.median(found.speed / found.force ** (1.0 / 6.0)))
        data.append({"type": "scatter", "mode": "lines", "x": style.numbers(force), "y": style.numbers(middle * force ** (1.0 / 6.0), 6),
                     "line": {"color": style.run_colour(i), "width": 1.2, "dash": "dash"}, "hoverinfo": "skip", "showlegend": False,
                     "legendgroup": str(i), "name": ""})
        exponent = (f"speed goes with force to the power {found.exponent:.3f} ± {found.error:.1g}" if np.isfinite(found.exponent) else
                    "the force changes by less than a fifth, so no exponent is fitted")
        caption += f"\n{run.label + ': ' if len(runs) > 1 else ''}{found.speed.min():.4g} to {found.speed.max():.4g} m/s; {exponent}."
    if not data:
        return MISSING, None
    text = (f"Speed: slope of the line through the arrival times at {2 * HALF_WINDOW + 1} neighbouring known beads; force: the geometric mean of "
            "their peak forces. Dashed: force to the power 1/6, as for a solitary wave under Hertz's law (Nesterenko 1983). Under "
            f"precompression the speed hardly depends on the force.{caption}")
    return text, {"data": data, "layout": style.layout(
        400, xaxis=style.axis("peak force (N)"), yaxis=style.axis("local wave speed (m/s)"),
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})}
