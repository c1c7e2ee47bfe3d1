"""The panel of an ensemble: mean and quantiles of each quantity over time."""
import numpy as np

from . import style
from .panels import Place

NAME, TITLE, PLACES = "ensemble", "Ensemble over time", {"sweep": Place(0)}
MOST_ENSEMBLES = 6
SHADES = (0.12, 0.28)  # of the outer and the inner band


def applies(shown):
    return shown[0].ensemble is not None


def names_of(sweep):
    """What sets each ensemble apart: the values of the varied keys in its first run."""
    keys = [key for key in sweep.keys if key != "member"]
    members = sweep.ensemble.members
    return [", ".join(f"{key} = {sweep.values[key][n * members]}" for key in keys) for n in range(len(sweep.ensemble.finished))]


def _rgba(colour, opacity):
    red, green, blue = (int(colour[k:k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def _traces(band, n, name, times, visible):
    """The two bands, each a closed outline, then the median and the mean."""
    colour = style.run_colour(n)
    quantiles, count = band.quantiles[n], len(band.quantiles[n])
    for depth in range(count // 2):
        outline = np.concatenate([quantiles[depth], quantiles[count - 1 - depth][::-1]])
        yield {"type": "scatter", "mode": "lines", "x": style.numbers(np.concatenate([times, times[::-1]]), 7), "y": style.numbers(outline, 6),
               "fill": "toself", "fillcolor": _rgba(colour, SHADES[min(depth, 1)]), "line": {"width": 0}, "hoverinfo": "skip",
               "showlegend": False, "visible": visible, "legendgroup": str(n)}
    yield {"type": "scatter", "mode": "lines", "x": style.numbers(times, 7), "y": style.numbers(quantiles[count // 2], 6), "visible": visible,
           "line": {"color": colour, "width": 1, "dash": "dot"}, "showlegend": False, "legendgroup": str(n), "name": "median"}
    yield {"type": "scatter", "mode": "lines", "x": style.numbers(times, 7), "y": style.numbers(band.mean[n], 6), "visible": visible,
           "line": {"color": colour, "width": 2}, "name": style.plain(name or "mean"), "showlegend": bool(name), "legendgroup": str(n)}


def interactive(shown):
    sweep, ensemble = shown[0], shown[0].ensemble
    if not np.isfinite([band.mean for band in ensemble.bands]).any():
        return "No run of an ensemble finished.", None
    scale, unit = style.scale_of(0.1 * ensemble.times[-1], "s")
    names = names_of(sweep)
    drawn = range(min(len(names), MOST_ENSEMBLES))
    data, buttons, owners = [], [], []
    for q, band in enumerate(ensemble.bands):
        traces = [trace for n in drawn for trace in _traces(band, n, names[n], ensemble.times * scale, q == 0)]
        data += traces
        owners += [q] * len(traces)
    for q, band in enumerate(ensemble.bands):
        label = f"{band.name} ({band.unit})" if band.unit else band.name
        buttons.append({"label": style.plain(band.name), "method": "update",
                        "args": [{"visible": [owner == q for owner in owners]}, {"yaxis.title.text": style.plain(label)}]})
    low, high = ensemble.probabilities[0], ensemble.probabilities[-1]
    caption = (f"{int(ensemble.finished.sum())} of {ensemble.members * len(names)} members finished. Line: mean; dotted: median; light: "
               f"quantiles from {low:g} to {high:g}; dark: from {ensemble.probabilities[1]:g} to {ensemble.probabilities[-2]:g}. "
               f"Disturbed: {', '.join(ensemble.disturbed)}.")
    if len(names) > len(drawn):
        caption += f" {len(drawn)} of {len(names)} ensembles are shown."
    first = ensemble.bands[0]
    return caption, {"data": data, "layout": style.layout(
        480, xaxis=style.axis(f"time ({unit})"), yaxis=style.axis(style.plain(f"{first.name} ({first.unit})" if first.unit else first.name)),
        updatemenus=[{"type": "dropdown", "x": 0, "xanchor": "left", "y": 1.03, "yanchor": "bottom", "buttons": buttons}],
        margin={"l": 75, "r": 20, "t": 60, "b": 55})}
