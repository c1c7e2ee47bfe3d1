"""A picture of the packing at chosen times: particles coloured by speed, contacts as lines whose width grows with the force."""
import numpy as np

from . import style
from .panels import Place

NAME = "packing"
TITLE = "Packing"
PLACES = {"packing": Place(1, row=0, height=1.3)}
MISSING = "The history holds no snapshots, so there is no picture. Add [snapshots] interval = ... (in s) to the scenario."
MOST_TIMES = 6
MOST_PARTICLES = 20000  # of a larger packing, every n-th particle
CLASSES = ((0.05, 0.2, 1.0), (0.2, 0.5, 2.5), (0.5, np.inf, 5.0))  # from and to, relative to the largest force; width


def chosen_rows(run):
    """Snapshots to show: evenly spread, including the last."""
    return np.unique(np.linspace(0, len(run.snapshot_time) - 1, MOST_TIMES).round().astype(int))


def _shown(run):
    return np.arange(0, run.beads, -(-run.beads // MOST_PARTICLES))


def _limits(run):
    first = run["position"][0]
    last = run["position"][len(run.snapshot_time) - 1]
    both, radius = np.concatenate([first, last]), run.radius.max()
    return both.min(axis=0) - radius, both.max(axis=0) + radius


def _lines(run, row, scale):
    """Force chains: for each class the end points of its contacts, and its width. Contacts with periodic images are left out."""
    contacts = run.contacts(row)
    if contacts is None:
        return []
    pair, normal, tangential, point = contacts
    position = run["position"][row]
    force = np.linalg.norm(normal + tangential, axis=1)
    start = position[pair[:, 0]]
    inside = pair[:, 1] < run.beads
    end = np.where(inside[:, None], position[np.where(inside, pair[:, 1], 0)], point)
    near = np.linalg.norm(end - start, axis=1) < 4.0 * run.radius.max()
    return [(start[take] * scale, end[take] * scale, width) for low, high, width in CLASSES
            for take in [near & (force > low * run.largest_force) & (force <= high * run.largest_force)] if take.any()]


def _broken(start, end, axis):
    """x, nan, x', ...: one line per contact."""
    joined = np.full((len(start), 3), np.nan)
    joined[:, 0], joined[:, 1] = start[:, axis], end[:, axis]
    return joined.ravel()


def interactive(runs):
    run = next((run for run in runs if len(run.snapshot_time)), None)
    if run is None:
        return MISSING, None
    planar, scale, shown = run.planar, 1e3, _shown(run)
    low, high = _limits(run)
    rows = chosen_rows(run)
    fastest = max(float(np.linalg.norm(run["velocity"][row], axis=1).max()) for row in rows) or 1.0
    pixels = 900.0 if planar else 500.0
    size = np.maximum(2.0, 2.0 * run.radius[shown] / float((high - low).max()) * pixels)
    data, of_row = [], []
    for row in rows:
        position = run["position"][row][shown] * scale
        speed = np.linalg.norm(run["velocity"][row], axis=1)[shown]
        axes = ("x", "y") if planar else ("x", "y", "z")
        marker = {"size": style.numbers(size, 3), "color": style.numbers(speed, 4), "colorscale": "Viridis", "cmin": 0,
                  "cmax": fastest, "colorbar": {"title": {"text": "speed (m/s)"}}, "line": {"width": 0.5, "color": "#666"}}
        kind = "scattergl" if planar else "scatter3d"
        trace = {"type": kind, "mode": "markers", "marker": marker, "visible": bool(row == rows[-1]), "showlegend": False,
                 "text": [f"particle {i}" for i in shown], "hovertemplate": "%{text}, %{marker.color} m/s<extra></extra>"}
        trace.update({axis: style.numbers(position[:, k], 7) for k, axis in enumerate(axes)})
        data.append(trace)
        of_row.append(row)
        for start, end, width in _lines(run, row, scale):
            line = {"type": "scatter" if planar else "scatter3d", "mode": "lines", "hoverinfo": "skip", "showlegend": False,
                    "line": {"color": "#D55E00", "width": width}, "visible": bool(row == rows[-1])}
            line.update({axis: style.numbers(_broken(start, end, k), 7) for k, axis in enumerate(axes)})
            data.append(line)
            of_row.append(row)
    buttons = [{"label": style.with_prefix(run.snapshot_time[row], "s"), "method": "restyle",
                "args": [{"visible": [bool(r == row) for r in of_row]}]} for row in rows]
    menu = [{"type": "buttons", "direction": "right", "buttons": buttons, "active": len(rows) - 1, "x": 0, "y": 1.08,
             "xanchor": "left"}]
    if planar:
        more = {"xaxis": style.axis("x (mm)", range=[low[0] * scale, high[0] * scale]),
                "yaxis": style.axis("y (mm)", range=[low[1] * scale, high[1] * scale], scaleanchor="x")}
    else:
        more = {"scene": {"aspectmode": "data", **{f"{axis}axis": {"title": {"text": f"{axis} (mm)"},
                                                                   "range": [low[k] * scale, high[k] * scale]}
                                                   for k, axis in enumerate("xyz")}}}
    left_out = f" One particle in {-(-run.beads // MOST_PARTICLES)} is shown." if len(shown) < run.beads else ""
    caption = (f"{run.beads} particles coloured by speed. A line joins the centres of two particles if their contact force is "
               f"more than a twentieth of the largest, {style.with_prefix(run.largest_force, 'N')}. The larger the force, the "
               f"thicker the line. The buttons choose the time.{left_out}")
    return caption, {"data": data, "layout": style.layout(620 if planar else 720, updatemenus=menu, **more)}


def static(figure, runs):
    run = next((run for run in runs if len(run.snapshot_time)), None)
    if run is None:
        figure.subplots().set_axis_off()
        figure.suptitle("no snapshots", fontsize=9)
        return
    from matplotlib.collections import EllipseCollection, LineCollection
    rows = chosen_rows(run)[-3:] if len(run.snapshot_time) > 2 else [len(run.snapshot_time) - 1]
    low, high = _limits(run)
    across, up = (0, 1) if run.planar else (0, 2)
    fastest = max(float(np.linalg.norm(run["velocity"][row], axis=1).max()) for row in rows) or 1.0
    places = np.atleast_1d(figure.subplots(1, len(rows), sharey=True))
    for place, row in zip(places, rows):
        position = run["position"][row] * 1e3
        speed = np.linalg.norm(run["velocity"][row], axis=1)
        size = 2e3 * run.radius
        circles = EllipseCollection(size, size, np.zeros(run.beads), units="x", offsets=position[:, [across, up]],
                                    offset_transform=place.transData, array=speed, cmap="viridis", clim=(0, fastest))
        place.add_collection(circles)
        for start, end, width in _lines(run, row, 1e3):
            ends = np.stack([start[:, [across, up]], end[:, [across, up]]], axis=1)
            place.add_collection(LineCollection(ends, colors="#D55E00", linewidths=0.5 * width))
        place.set(aspect="equal", xlim=(low[across] * 1e3, high[across] * 1e3), ylim=(low[up] * 1e3, high[up] * 1e3),
                  xlabel=f"{'xyz'[across]} (mm)", title=style.with_prefix(run.snapshot_time[row], "s"))
    places[0].set_ylabel(f"{'xyz'[up]} (mm)")
    figure.colorbar(circles, ax=list(places), label="speed (m/s)", shrink=0.8)
