"""The frequencies of the waves over the whole zone: one branch as a map."""
import numpy as np

from . import style
from .panel_modes_bands import KHZ
from .panels import Place

NAME = "modes-grid"
TITLE = "Frequencies over the zone"
PLACES = {"modes": Place(1.5)}
MOST_BRANCHES, MOST_POINTS = 12, 60_000
FLAT = "A map needs several wave vectors along two reciprocal vectors."


def applies(shown):
    return shown[0].grid is not None


def _maps(grid):
    """The two axes that have most points, the frequencies of the drawn branches [branch][up][across] [Hz], and their numbers. Along the third
    axis the first wave vector, 0."""
    order = np.argsort(-grid.points, kind="stable")
    across, up = sorted(order[:2])
    values = grid.frequency.reshape(*grid.points, -1)
    values = np.take(values, 0, axis=int(order[2]))
    branches = values.shape[-1]
    chosen = np.unique(np.linspace(0, branches - 1, min(branches, MOST_BRANCHES)).round().astype(int))
    return across, up, np.moveaxis(values[..., chosen], (0, 1, 2), (2, 1, 0)), chosen


def interactive(shown):
    grid = shown[0].grid
    if np.sum(grid.points > 1) < 2:
        return FLAT, None
    across, up, maps, chosen = _maps(grid)
    x, y = (np.arange(grid.points[axis]) / grid.points[axis] for axis in (across, up))
    every = max(1, int(np.ceil(np.sqrt(maps.size / MOST_POINTS))))
    data, buttons = [], []
    for k, branch in enumerate(chosen):
        z = maps[k][::every, ::every] * KHZ
        data.append({"type": "heatmap", "x": style.numbers(x[::every], 5), "y": style.numbers(y[::every], 5), "z": [style.numbers(row, 5) for row in z],
                     "colorscale": "Viridis", "visible": k == 0, "name": "", "colorbar": {"title": {"text": "frequency (kHz)", "side": "right"},
                                                                                        "thickness": 16},
                     "hovertemplate": "%{x}, %{y}<br>%{z:.5g} kHz"})
        buttons.append({"label": f"branch {branch}", "method": "restyle", "args": [{"visible": [other == k for other in range(len(chosen))]}]})
    caption = (f"{int(np.prod(grid.points))} wave vectors over the whole zone, in units of the reciprocal vectors; 0 is long waves, and 1 is 0 again. The "
               "menu chooses the branch, from the lowest.")
    if grid.points.min() > 1:
        caption += " Along the third vector: 0."
    menu = [{"type": "dropdown", "x": 0, "xanchor": "left", "y": 1.03, "yanchor": "bottom", "buttons": buttons}]
    return caption, {"data": data, "layout": style.layout(
        520, xaxis=style.axis(f"along reciprocal vector {across + 1}", showgrid=False, constrain="domain"), updatemenus=menu,
        yaxis=style.axis(f"along reciprocal vector {up + 1}", showgrid=False, scaleanchor="x"), margin={"l": 75, "r": 20, "t": 60, "b": 55})}
