"""Speed along the packing's longest side at every snapshot, and the wave front where there is one."""
from dataclasses import dataclass

import numpy as np

from . import style
from .panels import Place
from .periodic_box import box_of
from .wave_spectrum import NO_PLACES

NAME = "front"
TITLE = "Speed along the packing"
PLACES = {"packing": Place(2, row=3, column=0, height=0.9)}
MISSING = "The history holds fewer than two snapshots, so there is no speed over time to show."
BINS, MOST_ROWS, FAST = 80, 200, 0.05
AT_REST = 0.5  # share of the packing that must be at rest at the start
SLOW = 1e-3  # of the largest speed: at rest
LEAST_ADVANCES, LARGEST_DEVIATION = 4, 0.1
CRITERION = (f"A wave front is stated if at least half of the packing is at rest at the start, the front then advances in at least "
             f"{LEAST_ADVANCES} snapshots, and its positions deviate by less than a tenth of its way from a straight line.")


@dataclass
class Speeds:
    """Of the fastest particle at each time and place."""
    time: np.ndarray  # [s]
    place: np.ndarray  # along the axis at the start [m]
    speed: np.ndarray  # [time, place], [m/s]
    axis: str
    front: np.ndarray  # farthest distance from the source that moves fast, at each time [m]


@dataclass
class Front:
    speed: float  # [m/s]
    start: float  # [s]
    first: float  # times of the line [s]
    last: float


def speeds_of(run):
    start = run["position"][0]
    span = start.max(axis=0) - start.min(axis=0)
    axis = int(np.argmax(span))
    edges = np.linspace(start[:, axis].min(), start[:, axis].max() * (1 + 1e-12) + 1e-300, BINS + 1)
    at = np.clip(np.searchsorted(edges, start[:, axis], side="right") - 1, 0, BINS - 1)
    rows = np.unique(np.linspace(0, len(run.snapshot_time) - 1, MOST_ROWS).round().astype(int))
    speed = np.zeros((len(rows), BINS))
    for k, row in enumerate(rows):
        np.maximum.at(speed[k], at, np.linalg.norm(run["velocity"][row], axis=1))
    filled = np.zeros(BINS, bool)
    filled[at] = True
    place = 0.5 * (edges[1:] + edges[:-1])
    # Distances are from the place that moves fastest at the start.
    source = place[np.argmax(speed[0])] if speed[0].max() > 0.0 else place[0]
    distance, edge = np.abs(place - source), box_of(run)[axis]
    if edge:
        distance = np.minimum(distance, edge - distance)
    reached = [distance[row > FAST * speed[1:].max()] for row in speed]
    front = np.array([r.max() if len(r) else 0.0 for r in reached])
    return Speeds(run.snapshot_time[rows], place[filled], speed[:, filled], "xyz"[axis], front)


def front_of(speeds):
    """The straight line through the positions of the front while it advances; None if the criterion is not met."""
    largest = speeds.speed.max()
    if not largest > 0.0 or np.mean(speeds.speed[0] < SLOW * largest) < AT_REST:
        return None
    new = np.flatnonzero(speeds.front > np.maximum.accumulate(np.append(0.0, speeds.front[:-1])))
    if len(new) < LEAST_ADVANCES:
        return None
    time, front = speeds.time[new], speeds.front[new]
    slope, start = np.polyfit(time, front, 1)
    deviation = np.sqrt(np.mean((front - (start + slope * time))**2))
    if not slope > 0.0 or deviation > LARGEST_DEVIATION * np.ptp(front):
        return None
    return Front(float(slope), float(-start / slope), float(time[0]), float(time[-1]))


def _text(front):
    if front is None:
        return f"\nThere is no wave front here. {CRITERION}"
    return (f"\nWave front: the farthest place where a particle has more than {100 * FAST:g} % of the largest speed. While it advances, it "
            f"moves at {front.speed:.4g} m/s, by a straight line through its positions. {CRITERION}")


def applies(runs):
    return any(run.has_waves for run in runs)


def has_data(runs):
    return any(run.has_front for run in runs)


def interactive(runs):
    run = next((run for run in runs if len(run.snapshot_time) > 1), None)
    if run is None:
        return MISSING, None
    if "presence" in run:
        return NO_PLACES, None
    speeds = speeds_of(run)
    second, unit = style.scale_of(0.1 * speeds.time[-1], "s")
    data = [{"type": "heatmap", "x": style.numbers(speeds.time * second, 6), "y": style.numbers(speeds.place * 1e3, 6),
             "z": [style.numbers(row, 4) for row in speeds.speed.T], "colorscale": "Viridis",
             "colorbar": {"title": {"text": "speed (m/s)"}}, "hovertemplate": "%{x}, %{y} mm: %{z} m/s<extra></extra>"}]
    caption = f"The largest speed of any particle, over time and over its position along {speeds.axis} at the start.{_text(front_of(speeds))}"
    layout = style.layout(440, xaxis=style.axis(f"time ({unit})"), yaxis=style.axis(f"{speeds.axis} (mm)"))
    return caption, {"data": data, "layout": layout}


def static(figure, runs):
    axes = figure.subplots()
    speeds = speeds_of(next(run for run in runs if run.has_front))
    second, unit = style.scale_of(0.1 * speeds.time[-1], "s")
    mesh = axes.pcolormesh(speeds.time * second, speeds.place * 1e3, speeds.speed.T, cmap="viridis", shading="nearest", rasterized=True)
    figure.colorbar(mesh, ax=axes, label="speed (m/s)")
    axes.set(xlabel=f"time ({unit})", ylabel=f"{speeds.axis} (mm)")
