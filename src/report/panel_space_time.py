"""The wave in the snapshots: beads over time, coloured by velocity or force."""
import numpy as np

from . import style
from .panels import Place

NAME = "space-time"
TITLE = "The wave in space and time"
PLACES = {"chain": Place(2, row=0, column=1, height=1.25)}
MISSING = ("The history holds no snapshots, so there is no picture of all beads. Add to the scenario, for example: "
           "[snapshots] interval = 1e-6 (in s).")
MOST_BEADS, MOST_TIMES = 600, 500
# Blue - white - red for values of both signs.
_BLUE_RED = ("#053061", "#2166ac", "#4393c3", "#92c5de", "#f7f7f7", "#f4a582", "#d6604d", "#b2182b", "#67001f")


def reduced(run, quantity):
    """Beads, times [s] and values. In a long chain the largest magnitude of several neighbouring beads; of many times, every
    n-th."""
    beads = run.reach
    group = -(-beads // MOST_BEADS)
    rows = np.arange(0, len(run.snapshot_time), -(-len(run.snapshot_time) // MOST_TIMES))
    starts = np.arange(0, beads, group)
    values = np.empty((len(rows), len(starts)))
    for out, row in enumerate(rows):
        full = run.snapshot(quantity, row)[:beads]
        if group == 1:
            values[out] = full
        else:
            largest, smallest = np.maximum.reduceat(full, starts), np.minimum.reduceat(full, starts)
            values[out] = np.where(largest >= -smallest, largest, smallest)
    return starts + 0.5 * (np.minimum(group, beads - starts) - 1), run.snapshot_time[rows], values


def colours(pictures):
    """Range and colour stops (place, colour) shared by all pictures. The square root of the value sets the colour, so that a
    damped wave stays visible; the values themselves do not change."""
    largest = max(float(np.nanmax(z)) if np.isfinite(z).any() else 0.0 for z in pictures)
    smallest = min(float(np.nanmin(z)) if np.isfinite(z).any() else 0.0 for z in pictures)
    limit = max(largest, -smallest) or 1.0
    place = np.linspace(0.0, 1.0, 41)
    if smallest < -0.1 * limit:
        signed = 2.0 * place - 1.0
        return -limit, limit, 0.5 * (1.0 + np.sign(signed) * signed**2), [_mixed(_BLUE_RED, p) for p in place]
    return 0.0, limit, place**2, [_mixed(style.MAGMA, p) for p in place]


def _mixed(palette, place):
    channels = np.array([[int(colour[i:i + 2], 16) for i in (1, 3, 5)] for colour in palette], float)
    at = place * (len(palette) - 1)
    mixed = [np.interp(at, range(len(palette)), channels[:, c]) for c in range(3)]
    return "#" + "".join(f"{round(c):02x}" for c in mixed)


def _quantities(runs):
    shown = [run for run in runs if len(run.snapshot_time)]
    force = [("force", "force (N)")] if shown and all(run.has_contact_force for run in shown) else []
    return shown, [("velocity", "velocity (m/s)"), *force]


def interactive(runs):
    shown, quantities = _quantities(runs)
    if not shown:
        return MISSING, None
    caption = "Every bead at every snapshot. The square root of the value sets the colour, so that a damped wave stays visible."
    caption += " The force is the mean of the contact forces on a bead's two sides, as at a sensor." if len(quantities) > 1 else ""
    caption += "".join(f"\n{run.label} has no snapshots." for run in runs if run not in shown)
    caption += "".join(f"\n{run.label}: the wave does not reach the beads from {run.reach} on; they are left out."
                       for run in shown if run.reach < run.beads)
    if any(run.reach > MOST_BEADS for run in shown):
        caption += " In a long chain each column shows the largest magnitude of several beads."
    factor, unit = style.time_scale(shown)
    last = max(run.snapshot_time[-1] for run in shown) * factor
    data, axes, labels = [], {}, []
    width = 1.0 / len(shown)
    for q, (quantity, title) in enumerate(quantities):
        pictures = [reduced(run, quantity) for run in shown]
        low, high, places, stops = colours([z for _, _, z in pictures])
        for i, (bead, time, z) in enumerate(pictures):
            suffix = "" if i == 0 else str(i + 1)
            data.append({"type": "heatmap", "x": style.numbers(bead, 9), "y": style.numbers(time * factor, 7),
                         "z": [style.numbers(row, 4) for row in z], "zmin": low, "zmax": high, "visible": q == 0,
                         "colorscale": [[float(f"{p:.5f}"), c] for p, c in zip(places, stops)], "showscale": i == 0,
                         "colorbar": {"title": {"text": title, "side": "right"}, "thickness": 16, "outlinewidth": 0},
                         "xaxis": "x" + suffix, "yaxis": "y" + suffix, "name": "",
                         "hovertemplate": "bead %{x}<br>%{y} " + unit + "<br>" + title + " %{z}"})
    for i, run in enumerate(shown):
        suffix = "" if i == 0 else str(i + 1)
        domain = [i * width + (0.03 if i else 0.0), (i + 1) * width]
        axes["xaxis" + suffix] = style.axis("bead", domain=domain, anchor="y" + suffix, showgrid=False)
        axes["yaxis" + suffix] = style.axis(f"time ({unit})" if i == 0 else "", anchor="x" + suffix, range=[0, last],
                                            showgrid=False, showticklabels=i == 0, **({"matches": "y"} if i else {}))
        if len(runs) > 1:
            labels.append({"text": style.plain(run.label), "xref": "paper", "yref": "paper", "x": sum(domain) / 2,
                           "y": 1.0, "xanchor": "center", "yanchor": "bottom", "showarrow": False})
    figure = {"data": data, "layout": style.layout(560, annotations=labels, **axes,
                                                   margin={"l": 75, "r": 20, "t": 60, "b": 55})}
    if len(quantities) > 1:
        visible = [[q == k for k in range(2) for _ in shown] for q in range(2)]
        figure["layout"]["updatemenus"] = [{
            "type": "buttons", "direction": "right", "x": 0, "xanchor": "left", "y": 1.06, "yanchor": "bottom",
            "buttons": [{"label": quantity, "method": "restyle", "args": [{"visible": visible[q]}]}
                        for q, (quantity, _) in enumerate(quantities)]}]
    return caption, figure


def has_data(runs):
    return bool(_quantities(runs)[0])


def static(figure, runs):
    from matplotlib.colors import LinearSegmentedColormap
    shown, quantities = _quantities(runs)
    factor, unit = style.time_scale(shown)
    pictures = [reduced(run, "velocity") for run in shown]
    low, high, places, stops = colours([z for _, _, z in pictures])
    colourmap = LinearSegmentedColormap.from_list("wave", list(zip(places, stops)), N=1024)
    axes = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    for axis, run, (bead, time, z) in zip(axes, shown, pictures):
        image = axis.pcolormesh(bead, time * factor, z, cmap=colourmap, vmin=low, vmax=high, shading="nearest",
                                rasterized=True)
        axis.set_xlabel("bead")
        if len(runs) > 1:
            axis.set_title(run.label, fontsize=9)
    axes[0].set_ylabel(f"time ({unit})")
    figure.colorbar(image, ax=list(axes), label=quantities[0][1])
