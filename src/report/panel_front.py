"""The wave front: the largest speed along the packing's longest side, at every snapshot."""
import numpy as np

from . import style
from .panels import Place

NAME = "front"
TITLE = "Wave front"
PLACES = {"packing": Place(2, row=2, column=0, height=0.9)}
MISSING = "The history holds fewer than two snapshots, so there is no wave front to show."
BINS, MOST_ROWS, FAST = 80, 200, 0.05


def wave_front(run):
    """Time [s], place [m], speed[t][place] [m/s], axis, and the position of the front [m] at each time."""
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
    reached = [np.abs(place[row > FAST * speed[1:].max()] - source) for row in speed]
    front = np.array([r.max() if len(r) else 0.0 for r in reached])
    return run.snapshot_time[rows], place[filled], speed[:, filled], "xyz"[axis], front


def _front_speed_text(time, front):
    moving = np.flatnonzero(np.diff(front) > 0.0)
    if len(moving) < 3 or front.max() <= 0.0:
        return ""
    speed = np.polyfit(time[moving + 1], front[moving + 1], 1)[0]
    return f" While it advances, the front moves at {speed:.4g} m/s, by a straight line through its positions."


def interactive(runs):
    run = next((run for run in runs if len(run.snapshot_time) > 1), None)
    if run is None:
        return MISSING, None
    time, place, speed, axis, front = wave_front(run)
    second, unit = style.scale_of(0.1 * time[-1], "s")
    data = [{"type": "heatmap", "x": style.numbers(time * second, 6), "y": style.numbers(place * 1e3, 6),
             "z": [style.numbers(row, 4) for row in speed.T], "colorscale": "Viridis",
             "colorbar": {"title": {"text": "speed (m/s)"}}, "hovertemplate": "%{x}, %{y} mm: %{z} m/s<extra></extra>"}]
    caption = (f"The largest speed of any particle, over time and over its position along {axis} at the start. The front is the "
               f"farthest place where a particle has more than {100 * FAST:g} % of the largest speed."
               f"{_front_speed_text(time, front)}")
    layout = style.layout(440, xaxis=style.axis(f"time ({unit})"), yaxis=style.axis(f"{axis} (mm)"))
    return caption, {"data": data, "layout": layout}


def static(figure, runs):
    axes = figure.subplots()
    run = next((run for run in runs if len(run.snapshot_time) > 1), None)
    if run is None:
        axes.set_axis_off()
        figure.suptitle("no wave front", fontsize=9)
        return
    time, place, speed, axis, _ = wave_front(run)
    second, unit = style.scale_of(0.1 * time[-1], "s")
    mesh = axes.pcolormesh(time * second, place * 1e3, speed.T, cmap="viridis", shading="nearest", rasterized=True)
    figure.colorbar(mesh, ax=axes, label="speed (m/s)")
    axes.set(xlabel=f"time ({unit})", ylabel=f"{axis} (mm)")
