"""The shapes of the modes, chosen with a slider: displacement over position in a row of bodies, displaced bodies otherwise."""
import numpy as np

from . import style
from .panel_modes_bands import KHZ
from .panels import Place

NAME = "modes-shapes"
TITLE = "Shapes of the modes"
PLACES = {"modes": Place(4, row=1, column=1)}
MISSING = "The file holds no shapes of modes with their positions."
MOST_NUMBERS = 150_000  # of all shapes on the page
MOST_MODES, MOST_BODIES = 60, 4000
MM = 1e3
HAND = 0.35  # length of the line that shows a rotation, of the distance of neighbours
ON_PAPER = 4


def chosen_modes(modes, most):
    """Modes that are shown: all, or the lowest, the highest, those at the edges of gaps, and others evenly between."""
    count = len(modes.shape)
    if count <= most:
        return np.arange(count)
    kept = {0, count - 1}
    for low, high in modes.bands.gaps() if modes.bands is not None and modes.frequency is not None else []:
        kept |= {int(np.searchsorted(modes.frequency, 0.5 * (low + high))) + k for k in (-1, 0)}
    kept = {k for k in kept if 0 <= k < count}
    spread = np.linspace(0, count - 1, max(2, most - len(kept))).round().astype(int)
    return np.array(sorted(kept | set(spread.tolist())))


def _drawn(modes):
    """(positions [m], extents [m], bodies, modes) of what is drawn; None without shapes."""
    if modes.shape is None or modes.position is None or not modes.shape.size:
        return None
    bodies = np.arange(0, len(modes.position), -(-len(modes.position) // MOST_BODIES))
    most = int(np.clip(MOST_NUMBERS // (len(bodies) * modes.shape.shape[2]), 4, MOST_MODES))
    position = modes.position[bodies]
    return position, np.ptp(position, axis=0), bodies, chosen_modes(modes, most)


def _axes_of(extent, components):
    """The axes along which the bodies lie: one (a row), two or three; at most the number of components."""
    along = [int(axis) for axis in np.argsort(-extent, kind="stable") if extent[axis] > 1e-9 * extent.max()] or [0]
    return sorted(along[:components]) if components > 1 else along[:1]


def _name(modes, k):
    frequency = f", {modes.frequency[k] * KHZ:.6g} kHz" if modes.frequency is not None else ""
    return f"mode {k}{frequency}"


def _slider(steps):
    return [{"active": 0, "steps": steps, "pad": {"t": 45}, "currentvalue": {"prefix": ""}, "transition": {"duration": 0}}]


def interactive(shown):
    modes = shown[0]
    drawn = _drawn(modes)
    if drawn is None:
        return MISSING, None
    position, extent, bodies, chosen = drawn
    axes = _axes_of(extent, modes.shape.shape[2])
    caption = "Move the slider to choose a mode; they count from 0. The largest displacement of each is 1."
    caption += f" {len(chosen)} of {len(modes.shape)} modes are here." if len(chosen) < len(modes.shape) else ""
    if len(axes) == 1:
        return caption, _row(modes, position[:, axes[0]], "xyz"[axes[0]], bodies, chosen)
    caption += " Lines: displacement from rest, enlarged."
    if modes.rotation is not None:
        caption += " The colour also counts the rotation times the radius."
        caption += " The hand of each body is turned by its rotation; at rest it points up." if len(axes) == 2 else ""
    return caption, _bodies(modes, position, extent, axes, bodies, chosen)


def _row(modes, place, axis, bodies, chosen):
    """The components over the place along the row."""
    names = ["displacement"] if modes.shape.shape[2] == 1 else [f"component {c + 1}" for c in range(modes.shape.shape[2])]

    def lists(k):
        return [style.numbers(values, 4) for values in modes.shape[int(k)][bodies].T]

    data = [{"type": "scatter", "mode": "lines+markers", "x": style.numbers(place * MM, 7), "y": y, "name": name,
             "line": {"color": style.run_colour(c), "width": 1.2}, "marker": {"size": 5, "color": style.run_colour(c)},
             "showlegend": len(names) > 1, "text": [f"body {body}" for body in bodies], "hovertemplate": "%{text}<br>%{y}<extra></extra>"}
            for c, (name, y) in enumerate(zip(names, lists(chosen[0])))]
    steps = [{"label": _name(modes, k), "method": "restyle", "args": [{"y": lists(k)}, list(range(len(names)))]} for k in chosen]
    return {"data": data, "layout": style.layout(
        480, sliders=_slider(steps), xaxis=style.axis(f"{axis} (mm)"), yaxis=style.axis("displacement (1)", range=[-1.1, 1.1]),
        margin={"l": 75, "r": 20, "t": 36, "b": 120})}


def _enlarged(modes, extent, axes, bodies, position, k):
    """Displaced positions [m]: the largest displacement is about the distance of neighbours."""
    distance = float(np.prod(extent[axes]) / len(bodies))**(1.0 / len(axes))
    moved = position[:, axes].copy()
    shape = np.asarray(modes.shape[int(k)][bodies], float)
    for column, axis in enumerate(axes):
        if axis < shape.shape[1]:
            moved[:, column] += distance * shape[:, axis]
    turned = np.zeros((len(bodies), 1)) if modes.rotation is None else np.asarray(modes.rotation[int(k)][bodies], float)
    return moved, np.hypot(np.linalg.norm(shape[:, :3], axis=1), np.linalg.norm(turned, axis=1)), turned, distance


def seen(points):
    """Places [..., 2] in a picture of points [..., 2 or 3]; in space from above, turned by 0.6 rad about z and tilted by 0.35 rad."""
    if points.shape[-1] == 2:
        return points
    c, s, e, f = np.cos(-0.6), np.sin(-0.6), np.cos(0.35), np.sin(0.35)
    return points @ np.array([[c, s, 0.0], [-s * f, c * f, e]]).T


def _bodies(modes, position, extent, axes, bodies, chosen):

    def both(k):
        """For the line and the markers: a list of numbers per axis, and the size of the displacement."""
        moved, size, turned, distance = _enlarged(modes, extent, axes, bodies, position, k)
        hands = modes.rotation is not None and axes == [0, 1]
        lines = np.full((len(bodies), 6 if hands else 3, len(axes)), np.nan)
        lines[:, 0], lines[:, 1] = position[:, axes], moved
        if hands:  # the rotation about z, 1 rad where the rotation is the largest number of the shape
            angle = turned[:, -1]
            lines[:, 3], lines[:, 4] = moved, moved + HAND * distance * np.stack([-np.sin(angle), np.cos(angle)], axis=1)
        lines, moved = seen(lines), seen(moved)
        return {name: [style.numbers(lines[..., c] * MM), style.numbers(moved[:, c] * MM)] for c, name in enumerate("xy")}, size

    first, size = both(chosen[0])
    data = [{"type": "scatter", "mode": "lines", "line": {"color": "#999999", "width": 1.5}, "showlegend": False, "hoverinfo": "skip"},
            {"type": "scatter", "mode": "markers", "showlegend": False, "text": [f"body {body}" for body in bodies],
             "hovertemplate": "%{text}, %{marker.color}<extra></extra>",
             "marker": {"size": 7 if len(axes) == 2 else 4, "color": style.numbers(size, 3), "colorscale": "Viridis", "cmin": 0, "cmax": 1,
                        "colorbar": {"title": {"text": "motion (1)" if modes.rotation is not None else "displacement (1)", "side": "right"},
                                     "thickness": 16}}}]
    for trace in range(2):
        data[trace].update({name: lists[trace] for name, lists in first.items()})
    steps = []
    for k in chosen:
        lists, size = both(k)
        data[1]["marker"]["cmax"] = max(data[1]["marker"]["cmax"], float(size.max()))
        steps.append({"label": _name(modes, k), "method": "restyle",
                      "args": [{**lists, "marker.color": [None, style.numbers(size, 3)]}, [0, 1]]})
    titles = [f"{'xyz'[axis]} (mm)" for axis in axes]
    if len(axes) > 2:
        titles = ["to the right (mm); x, y and z seen at an angle", "up (mm)"]
    more = {"xaxis": style.axis(titles[0]), "yaxis": style.axis(titles[1], scaleanchor="x")}
    return {"data": data, "layout": style.layout(680, sliders=_slider(steps), margin={"l": 75, "r": 20, "t": 36, "b": 120}, **more)}


def static(figure, shown):
    modes, drawn = shown[0], _drawn(shown[0])
    if drawn is None:
        figure.subplots().set_axis_off()
        figure.suptitle("no shapes", fontsize=9)
        return
    position, extent, bodies, chosen = drawn
    along = _axes_of(extent, modes.shape.shape[2])
    few = chosen[np.unique(np.linspace(0, len(chosen) - 1, min(ON_PAPER, len(chosen))).round().astype(int))]
    if len(along) == 1:
        for axes, k in zip(figure.subplots(len(few), 1, sharex=True, squeeze=False)[:, 0], few):
            axes.plot(position[:, along[0]] * MM, modes.shape[int(k)][bodies], lw=0.9, marker=".", ms=3)
            axes.set_ylim(-1.1, 1.1)
            axes.set_title(_name(modes, k), fontsize=7, pad=2)
        axes.set_xlabel(f"{'xyz'[along[0]]} (mm)")
        return
    along = along[:2]
    for axes, k in zip(figure.subplots(1, len(few), sharey=True, squeeze=False)[0], few):
        moved, size = _enlarged(modes, extent, along, bodies, position, k)[:2]
        axes.scatter(*(moved * MM).T, c=size, s=6, cmap="viridis", vmin=0, vmax=1)
        axes.set(aspect="equal", xlabel=f"{'xyz'[along[0]]} (mm)")
        axes.set_title(_name(modes, k), fontsize=7)
