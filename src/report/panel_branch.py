"""The panel of a branch: amplitude over the key; of the chosen orbit its multipliers in the complex plane and its motion."""
import numpy as np

from . import style
from .panels import Place

MOST_ORBITS = 60  # that can be chosen
MOST_NUMBERS = 300_000  # of the motions on the page
APART = 0.12  # of the ranges: marks nearer to each other than this have one name
NAME, TITLE, PLACES = "branch", "Branch", {"branch": Place(1, row=0, height=1.1)}
COLOURS = [[0, "#2166ac"], [0.5, "#f7f7f7"], [1, "#b2182b"]]


def axis_of(branch):
    """(factor, title) of the key."""
    if branch.key == "frequency":
        return 1e-3, "frequency (kHz)"
    return 1.0, style.plain(branch.key)


def pieces(branch, quantity):
    """(stable, key values, values) of each piece of the branch with one kind of stability, bifurcations in their places."""
    x, y, stable = branch.value, getattr(branch, quantity), branch.stable
    places = {}
    for each in branch.bifurcations:
        places.setdefault(each.after, []).append(each)
    found = [[bool(stable[0]), [x[0]], [y[0]]]]
    for k in range(len(x) - 1):
        for each in places.get(k, ()):
            px, py = each.value, getattr(each, quantity)
            found[-1][1].append(px)
            found[-1][2].append(py)
            if stable[k + 1] != found[-1][0]:
                found.append([bool(stable[k + 1]), [px], [py]])
        if stable[k + 1] != found[-1][0]:  # a change that was not located
            found[-1][1].append(x[k + 1])
            found[-1][2].append(y[k + 1])
            found.append([bool(stable[k + 1]), [], []])
        found[-1][1].append(x[k + 1])
        found[-1][2].append(y[k + 1])
    return [(own, np.array(px), np.array(py)) for own, px, py in found if len(px) > 1]


def kinds_of(branch):
    """The kinds of bifurcation in the order of the branch."""
    return list(dict.fromkeys(each.kind for each in branch.bifurcations))


def branch_curves(branch, quantity, factor):
    """The traces of plotly: stable pieces solid, unstable ones dashed, marks of bifurcations."""
    scale = axis_of(branch)[0]
    data = []
    for stable, name, dash in ((True, "stable", "solid"), (False, "unstable", "dash")):
        own = [piece for piece in pieces(branch, quantity) if piece[0] == stable]
        x = np.concatenate([np.append(piece[1], np.nan) for piece in own]) if own else []
        y = np.concatenate([np.append(piece[2], np.nan) for piece in own]) if own else []
        if own:
            data.append({"type": "scatter", "mode": "lines", "name": name, "x": style.numbers(np.multiply(x, scale), 8),
                         "y": style.numbers(np.multiply(y, factor), 6), "hoverinfo": "skip",
                         "line": {"color": style.run_colour(0 if stable else 1), "dash": dash, "width": 2}})
    names = _names(branch, quantity)
    for k, kind in enumerate(kinds_of(branch)):
        own = [(each, name) for each, name in zip(branch.bifurcations, names) if each.kind == kind]
        data.append({"type": "scatter", "mode": "markers+text", "name": kind, "text": [name for _, name in own], "cliponaxis": False,
                     "textposition": [_side(branch, quantity, each) for each, _ in own],
                     "x": style.numbers([each.value * scale for each, _ in own], 9),
                     "y": style.numbers([getattr(each, quantity) * factor for each, _ in own], 6),
                     "marker": {"size": 11, "symbol": style.SYMBOLS[(k + 1) % 5][0], "color": style.run_colour(k + 2)},
                     "hovertemplate": f"{kind}<br>%{{x}}<br>%{{y}}<extra></extra>"})
    return data


def _side(branch, quantity, place):
    """Where the name of a mark is: to the right of it and above, near the right edge to the left, away from the curve."""
    x, y = branch.value, getattr(branch, quantity)
    if place.value < np.min(x) + 0.8 * np.ptp(x):
        return "top right"
    k = min(place.after, len(x) - 2)
    rises = len(x) > 1 and (x[k + 1] - x[k]) * (y[k + 1] - y[k]) > 0.0
    return "top left" if rises else "bottom left"


def _names(branch, quantity):
    """The name beside the mark of each bifurcation; empty where another name is near. The legend has all kinds."""
    spans = [max(float(np.ptp(values)), 1e-300) for values in (branch.value, getattr(branch, quantity))]
    names, placed = [], []
    for each in branch.bifurcations:
        place = np.array([each.value, getattr(each, quantity)]) / spans
        near = any(abs(place[0] - other[0]) < 2.0 * APART and abs(place[1] - other[1]) < APART for other in placed)
        names.append("" if near else each.kind)
        if not near:
            placed.append(place)
    return names


def chosen_orbits(branch):
    """The numbers of the orbits that can be chosen, evenly along the branch."""
    count = len(branch.value)
    return np.unique(np.linspace(0, count - 1, min(count, MOST_ORBITS)).round().astype(int))


def motions(branch, orbits):
    """Displacements [m] of the chosen orbits, with as many times as the page has room for; how many beads there are of each."""
    motion = branch.motion[orbits]
    most = max(8, MOST_NUMBERS // max(1, len(orbits) * motion.shape[2]))
    step = max(1, -(-motion.shape[1] // most))
    return motion[:, ::step], step


def _name(branch, k):
    x = f"{branch.value[k] * 1e-3:.6g} kHz" if branch.key == "frequency" else f"{branch.key} = {branch.value[k]:.6g}"
    return f"orbit {k}: {x}, {style.with_prefix(branch.amplitude[k], 'm')}, {'stable' if branch.stable[k] else 'unstable'}"


def _circle():
    angle = np.linspace(0.0, 2.0 * np.pi, 97)
    return {"type": "scatter", "mode": "lines", "x": style.numbers(np.cos(angle), 4), "y": style.numbers(np.sin(angle), 4), "xaxis": "x2",
            "yaxis": "y2", "line": {"color": "#999999", "width": 1}, "showlegend": False, "hoverinfo": "skip"}


def _multipliers(branch, k):
    """Places and colours of the multipliers of an orbit."""
    mu = branch.multipliers[k]
    mu = mu[np.isfinite(mu)]
    out = np.abs(mu) > 1.0 + 1e-6 if not branch.stable[k] else np.zeros(len(mu), bool)
    return style.numbers(mu.real, 6), style.numbers(mu.imag, 6), [style.run_colour(1 if one else 0) for one in out]


def plane_range(branch, orbits):
    """The range of the complex plane: around the unit circle and, up to a limit, what lies outside of it."""
    far = np.nanmax(np.abs(branch.multipliers[orbits]), initial=1.0)
    return 1.12 * min(max(1.0, far), 3.0)


def _motion_layout(branch, orbits, unit):
    far = plane_range(branch, orbits)
    scale, title = axis_of(branch)
    return style.layout(
        820, xaxis=style.axis(title, domain=[0, 1], anchor="y"), yaxis=style.axis(f"amplitude ({unit})", domain=[0.6, 1], anchor="x"),
        xaxis2=style.axis("real part of multipliers", domain=[0.01, 0.44], anchor="y2", range=[-far, far], constrain="domain"),
        yaxis2=style.axis("imaginary part", domain=[0, 0.45], anchor="x2", range=[-far, far], scaleanchor="x2", constrain="domain"),
        xaxis3=style.axis("time (periods)", domain=[0.54, 1], anchor="y3", showgrid=False),
        yaxis3=style.axis("bead", domain=[0, 0.45], anchor="x3", showgrid=False),
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        margin={"l": 75, "r": 20, "t": 40, "b": 120})


def interactive(shown):
    branch = shown[0]
    orbits = chosen_orbits(branch)
    factor, unit = style.scale_of(float(np.max(branch.amplitude)), "m")
    scale = axis_of(branch)[0]
    motion, _ = motions(branch, orbits)
    largest = style.scale_of(float(np.max(np.abs(motion))), "m")
    first = len(orbits) - 1
    data = branch_curves(branch, "amplitude", factor)
    data.append({"type": "scatter", "mode": "markers", "name": "orbits", "showlegend": False, "x": style.numbers(branch.value[orbits] * scale, 9),
                 "y": style.numbers(branch.amplitude[orbits] * factor, 6), "customdata": list(range(len(orbits))),
                 "marker": {"size": 6, "color": [style.run_colour(0 if branch.stable[k] else 1) for k in orbits]},
                 "text": [_name(branch, k) for k in orbits], "hovertemplate": "%{text}<extra></extra>"})
    chosen = len(data)
    data.append({"type": "scatter", "mode": "markers", "name": "chosen", "showlegend": False, "hoverinfo": "skip",
                 "marker": {"size": 15, "symbol": "circle-open", "color": "#000000", "line": {"width": 2}}})
    data.append(_circle())
    data.append({"type": "scatter", "mode": "markers", "name": "multipliers", "showlegend": False, "xaxis": "x2", "yaxis": "y2",
                 "marker": {"size": 7}, "hovertemplate": "%{x} + %{y} i<extra></extra>"})
    times = np.arange(motion.shape[1]) / motion.shape[1]
    data.append({"type": "heatmap", "xaxis": "x3", "yaxis": "y3", "x": style.numbers(times, 4), "colorscale": COLOURS, "zmid": 0, "name": "",
                 "showscale": False, "hovertemplate": f"bead %{{y}}, %{{x}} periods<br>%{{z}} {largest[1]}"})
    steps = []
    for place, k in enumerate(orbits):
        real, imaginary, colours = _multipliers(branch, k)
        z = [style.numbers(row, 3) for row in motion[place].T * largest[0]]
        changes = {"x": [data[chosen - 1]["x"][place:place + 1], real, data[-1]["x"]],
                   "y": [data[chosen - 1]["y"][place:place + 1], imaginary, list(range(motion.shape[2]))],
                   "z": [None, None, z], "marker.color": ["#000000", colours, None]}
        steps.append({"label": _name(branch, k), "method": "restyle", "args": [changes, [chosen, chosen + 2, chosen + 3]]})
    changes = steps[first]["args"][0]
    for trace, own in enumerate((chosen, chosen + 2, chosen + 3)):
        data[own].update({name: changes[name][trace] for name in "xyz" if changes[name][trace] is not None})
    data[chosen + 2]["marker"]["color"] = changes["marker.color"][1]
    caption = ("Solid: stable; dashed: unstable. Click an orbit, or move the slider: below are its Floquet multipliers beside the unit circle "
               "and the displacements of all beads during one period, red towards higher numbers, blue back.")
    caption += f" {len(orbits)} of {len(branch.value)} orbits can be chosen." if len(orbits) < len(branch.value) else ""
    far = np.nanmax(np.abs(branch.multipliers[orbits]), initial=0.0)
    caption += f" Multipliers up to {far:.3g} lie outside of the picture." if far > plane_range(branch, orbits) else ""
    caption += f" The branch ends early: {branch.ended}." if branch.ended else ""
    layout = _motion_layout(branch, orbits, unit)
    layout["sliders"] = [{"active": first, "steps": steps, "pad": {"t": 45}, "currentvalue": {"prefix": ""}, "transition": {"duration": 0},
                          "ticklen": 0, "minorticklen": 0, "font": {"color": "rgba(0,0,0,0)", "size": 1}}]
    layout["sliders"][0]["currentvalue"]["font"] = {"color": "#222", "size": 13}
    return caption, {"data": data, "layout": layout}


def draw_curves(axis, branch, quantity, factor):
    """The branch in a still figure."""
    scale, title = axis_of(branch)
    labelled = set()
    for stable, x, y in pieces(branch, quantity):
        axis.plot(x * scale, y * factor, color=style.run_colour(0 if stable else 1), ls="-" if stable else "--", lw=1.4,
                  label=None if stable in labelled else ("stable" if stable else "unstable"))
        labelled.add(stable)
    for k, kind in enumerate(kinds_of(branch)):
        own = [each for each in branch.bifurcations if each.kind == kind]
        axis.plot([each.value * scale for each in own], [getattr(each, quantity) * factor for each in own], style.SYMBOLS[(k + 1) % 5][1],
                  ms=5, color=style.run_colour(k + 2), label=kind)
    axis.set_xlabel(title)
    axis.legend(fontsize=7, frameon=False)


def static(figure, shown):
    branch = shown[0]
    factor, unit = style.scale_of(float(np.max(branch.amplitude)), "m")
    axis, plane, last = figure.subplots(1, 3, width_ratios=(2.0, 1.1, 1.3))
    draw_curves(axis, branch, "amplitude", factor)
    axis.set_ylabel(f"amplitude ({unit})")
    angle, far = np.linspace(0.0, 2.0 * np.pi, 97), plane_range(branch, [-1])
    plane.plot(np.cos(angle), np.sin(angle), color="#999999", lw=0.8)
    plane.plot(branch.multipliers[-1].real, branch.multipliers[-1].imag, "o", ms=3, color=style.run_colour(0 if branch.stable[-1] else 1))
    plane.set(xlim=(-far, far), ylim=(-far, far), aspect="equal", xlabel="real part", ylabel="imaginary part")
    plane.set_title("multipliers of the last orbit", fontsize=8)
    factor, unit = style.scale_of(float(np.max(np.abs(branch.motion[-1]))), "m")
    motion = branch.motion[-1] * factor
    most = float(np.max(np.abs(motion)))
    image = last.imshow(motion.T, aspect="auto", origin="lower", extent=(0, 1, -0.5, motion.shape[1] - 0.5), cmap="RdBu_r", vmin=-most, vmax=most,
                        interpolation="nearest")
    last.set(xlabel="time (periods)", ylabel="bead")
    last.set_title("its motion", fontsize=8)
    figure.colorbar(image, ax=last, label=f"displacement ({unit})")
