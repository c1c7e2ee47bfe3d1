"""Maps of a wall of triangles at the end: how deep it is worn, and what its contacts dissipated per area."""
import numpy as np

from . import style
from .panels import Place

LEVELS = 9
MOST = 30_000  # triangles of one map


def mesh_of(run, values):
    """(number of the wall whose triangles have the largest sum of these, its corners [m] relative to its point, their values, its axis,
    whether it turns)."""
    splits = run["wall_triangle_splits"][:].astype(int)
    walls = [w for w, (begin, end) in enumerate(zip(splits, splits[1:])) if end > begin]
    wall = max(walls, key=lambda w: np.sum(values[splits[w]:splits[w + 1]]))
    part = slice(splits[wall], splits[wall + 1])
    return wall, run["wall_triangles"][part], values[part], run["wall_normal"][wall], bool(run["wall_angular_velocity"][wall])


def scale_of(largest, unit):
    return (1e12, "p" + unit) if 0.0 < largest < 1e-9 else style.scale_of(largest, unit)


def areas(corners):
    return 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)


def unrolled(corners, axis):
    """Of corners [n, 3, 3]: places around the axis and along it [m], as if the wall were cut along its axis and laid flat, at its largest
    distance from the axis. What stands on it radially, such as a lifter, is laid flat in its place, which makes the wall longer."""
    along = corners @ axis
    first = np.eye(3)[np.argmin(np.abs(axis))]
    first = first - (first @ axis) * axis
    first /= np.linalg.norm(first)
    x, y = corners @ first, corners @ np.cross(axis, first)
    distance = np.hypot(x, y)
    middle = np.arctan2(y.mean(axis=1), x.mean(axis=1))[:, None]
    angle = middle + (np.arctan2(y, x) - middle + np.pi) % (2.0 * np.pi) - np.pi
    outer = distance.max()
    radial = np.ptp(distance, axis=1) > distance.mean(axis=1) * np.ptp(angle, axis=1)
    if np.all(radial):
        radial[:] = False
    places, group = np.unique(np.round(middle[radial, 0], 6), return_inverse=True)
    heights = np.zeros(len(places))
    np.maximum.at(heights, group, outer - distance[radial].min(axis=1))
    before = np.concatenate([[0.0], np.cumsum(heights)])
    around = outer * angle + before[np.searchsorted(places, middle[:, 0] - 2e-6)][:, None]
    around[radial] = (outer * places + before[:-1])[group][:, None] + (outer - distance[radial])
    return around, along


def seen_flat(corners):
    """Of corners [n, 3, 3]: two places [m] in the plane in which the surface is largest."""
    points = corners.reshape(-1, 3) - corners.reshape(-1, 3).mean(axis=0)
    _, _, directions = np.linalg.svd(points, full_matrices=False)
    flat = corners @ directions[:2].T
    return flat[..., 0], flat[..., 1]


class Map:
    def __init__(self, name, title, number, dataset, unit, what, per_area):
        self.NAME, self.TITLE, self.PLACES = name, title, {"packing": Place(number)}
        self.dataset, self.unit, self.what, self.per_area = dataset, unit, what, per_area

    def applies(self, runs):
        return len(runs) == 1 and self.dataset in runs[0] and len(runs[0][self.dataset]) > 0

    def drawn(self, run):
        """Places across and up [n, 3], values [n], names of the axes, and the caption."""
        values = np.asarray(run[self.dataset][-1], float)
        if self.per_area:
            values = values / areas(run["wall_triangles"][:])
        wall, corners, values, axis, turns = mesh_of(run, values)
        if turns:
            across, up = (part * 1e3 for part in unrolled(corners, axis))
            names = ("around the axis (mm)", "along the axis (mm)")
            seen = "cut along its axis and laid flat, and what stands on it laid flat beside its foot"
        else:
            across, up = (part * 1e3 for part in seen_flat(corners))
            names, seen = ("mm", "mm"), "seen across the plane in which it is largest"
        deepest = int(np.argmax(values))
        caption = (f"{self.what} of each triangle of wall {wall} at the end, {seen}. The largest is "
                   f"{style.with_prefix(values[deepest], style.unit_text(self.unit))}, at triangle {deepest} of the wall.")
        return across, up, values, names, caption

    def interactive(self, runs):
        across, up, values, names, caption = self.drawn(runs[0])
        if not np.any(values > 0.0):
            return "No triangle has anything yet.", None
        if len(values) > MOST:
            return f"The wall has {len(values)} triangles, too many for a map on the page; exported files have all of them.", None
        factor, unit = scale_of(float(values.max()), self.unit)
        edges = np.linspace(0.0, values.max(), LEVELS + 1)
        level = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, LEVELS - 1)
        data = []
        for k in range(LEVELS):
            chosen = np.flatnonzero(level == k)
            if not len(chosen):
                continue
            colour = style.sequence_colour(k, LEVELS)
            x, y = ([number for triangle in part[chosen][:, [0, 1, 2, 0]] for number in [*style.numbers(triangle, 6), None]] for part in (across, up))
            name = f"{edges[k] * factor:.3g} to {edges[k + 1] * factor:.3g} {style.unit_text(unit)}"
            data.append({"type": "scatter", "mode": "lines", "x": x, "y": y, "fill": "toself", "fillcolor": colour, "name": name,
                         "line": {"color": colour, "width": 0.5}, "hoverinfo": "name"})
        return caption, {"data": data, "layout": style.layout(420, xaxis=style.axis(names[0]), yaxis=style.axis(names[1]))}

    def static(self, figure, runs):
        from matplotlib.collections import PolyCollection
        across, up, values, names, _ = self.drawn(runs[0])
        factor, unit = scale_of(float(values.max()), self.unit)
        axis = figure.subplots()
        shown = PolyCollection(np.stack([across, up], axis=2), array=values * factor, cmap="viridis", edgecolors="face", linewidths=0.2)
        axis.add_collection(shown)
        axis.autoscale()
        axis.set(xlabel=names[0], ylabel=names[1])
        figure.colorbar(shown, ax=axis, label=f"{self.what.lower()} ({style.unit_text(unit)})")


PANELS = (Map("wall-wear", "Worn wall", 4.7, "triangle_wear", "m", "Worn depth", False),
          Map("wall-dissipation", "What the wall dissipated", 4.75, "triangle_dissipation", "J m-2", "Dissipated energy per area", True))
