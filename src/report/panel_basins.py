"""The panels of basins: which attractor each start reaches, and how large its motion is there."""
import numpy as np

from . import style
from .panels import Place

NAMES = {"displacement": "displacement", "velocity": "velocity", "frequency": "frequency", "drive": "drive (times its amplitude)"}
# Colours that are the same on a dark page.
COLOURS = ("#56B4E9", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#7f7f7f", "#F0E442")
UNITS = {"m": "m", "m s-1": "m/s", "Hz": "Hz"}


def _scaled(axis):
    """(values in a unit with a prefix, title) of an axis."""
    name, unit, values = axis
    if unit not in UNITS:
        return values, NAMES.get(name, name)
    factor, unit = style.scale_of(float(np.max(np.abs(values))), UNITS[unit])
    return values * factor, f"{NAMES.get(name, name)} ({unit})"


def _title_of(basins):
    return f" of {basins.along}" if basins.along else ""


def _axes(basins):
    x, x_title = _scaled(basins.axes[0])
    if len(basins.axes) == 2:
        return x, x_title, *_scaled(basins.axes[1])
    return x, x_title, np.zeros(1), ""


def _labels(basins):
    """A name of each attractor: "0: period 1, 1.09 µm"."""
    return [f"{k}: {each.text}, {style.with_prefix(each.amplitude, 'm')}" for k, each in enumerate(basins.attractors)]


class Map:
    NAME, TITLE, PLACES = "basins", "Basins", {"basins": Place(1, row=0)}
    def interactive(self, shown):
        basins = shown[0]
        x, x_title, y, y_title = _axes(basins)
        labels, data = _labels(basins), []
        colour = basins.attractor % len(COLOURS)
        steps = [[place / len(COLOURS), one] for k, one in enumerate(COLOURS) for place in (k, k + 1)]
        text = [[f"{labels[k]}<br>{'settled after ' if basins.attractors[k].text.startswith('period') else ''}{periods} periods"
                 for k, periods in zip(*row)] for row in zip(basins.attractor, basins.periods)]
        data.append({"type": "heatmap", "x": style.numbers(x, 7), "y": style.numbers(y, 7), "z": colour.tolist(), "zmin": -0.5,
                     "zmax": len(COLOURS) - 0.5, "colorscale": steps, "showscale": False, "name": "", "text": text,
                     "hovertemplate": "%{text}<br>%{x}, %{y}"})
        for k, label in enumerate(labels):
            data.append({"type": "scatter", "mode": "markers", "name": label, "x": [None], "y": [None], "showlegend": True,
                         "marker": {"symbol": "square", "size": 12, "color": COLOURS[k % len(COLOURS)]}})
        caption = (f"Each place is a start{_title_of(basins)}; its colour is the state that the motion comes to.")
        caption += f" {len(labels)} attractors share {len(COLOURS)} colours." if len(labels) > len(COLOURS) else ""
        more = {"xaxis": style.axis(x_title, showgrid=False, zeroline=False), "yaxis": style.axis(y_title, showgrid=False, zeroline=False)}
        if not y_title:
            more["yaxis"].update(showticklabels=False, ticks="")
        return caption, {"data": data, "layout": style.layout(
            560 if y_title else 260, legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.06, "yanchor": "bottom"},
            margin={"l": 75, "r": 20, "t": 70, "b": 55}, **more)}

    def static(self, figure, shown):
        from matplotlib.colors import ListedColormap
        basins, axis = shown[0], figure.subplots()
        x, x_title, y, y_title = _axes(basins)
        axis.pcolormesh(x, y, basins.attractor % len(COLOURS), shading="nearest", cmap=ListedColormap(COLOURS), vmin=-0.5, vmax=len(COLOURS) - 0.5)
        for k, label in enumerate(_labels(basins)):
            axis.plot([], [], "s", color=COLOURS[k % len(COLOURS)], label=label)
        axis.set(xlabel=x_title, ylabel=y_title)
        if not y_title:
            axis.set_yticks([])
        axis.legend(fontsize=7, frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)


class Amplitude:
    NAME, TITLE, PLACES = "basins-amplitude", "Amplitude reached", {"basins": Place(2, row=0, column=1)}

    def interactive(self, shown):
        basins = shown[0]
        x, x_title, y, y_title = _axes(basins)
        factor, unit = style.scale_of(float(np.max(basins.amplitude)), "m")
        caption = "The largest displacement of a bead at the end of each motion."
        if not y_title:
            return caption, {"data": [{"type": "scatter", "mode": "lines+markers", "x": style.numbers(x, 7),
                                       "y": style.numbers(basins.amplitude[0] * factor, 5), "marker": {"size": 5}, "line": style.line(0)}],
                             "layout": style.layout(420, xaxis=style.axis(x_title), yaxis=style.axis(f"amplitude ({unit})", rangemode="tozero"))}
        return caption, {"data": [{"type": "heatmap", "x": style.numbers(x, 7), "y": style.numbers(y, 7), "colorscale": "Viridis", "name": "",
                                   "z": [style.numbers(row, 4) for row in basins.amplitude * factor],
                                   "colorbar": {"title": {"text": f"amplitude ({unit})", "side": "right"}, "thickness": 16},
                                   "hovertemplate": f"%{{x}}, %{{y}}<br>%{{z}} {unit}"}],
                         "layout": style.layout(520, xaxis=style.axis(x_title, showgrid=False), yaxis=style.axis(y_title, showgrid=False))}

    def static(self, figure, shown):
        basins, axis = shown[0], figure.subplots()
        x, x_title, y, y_title = _axes(basins)
        factor, unit = style.scale_of(float(np.max(basins.amplitude)), "m")
        if not y_title:
            axis.plot(x, basins.amplitude[0] * factor, ".-", lw=1.0)
            axis.set(xlabel=x_title, ylabel=f"amplitude ({unit})")
            return
        mesh = axis.pcolormesh(x, y, basins.amplitude * factor, shading="nearest", cmap="viridis")
        axis.set(xlabel=x_title, ylabel=y_title)
        figure.colorbar(mesh, ax=axis, label=f"amplitude ({unit})")


PANELS = (Map(), Amplitude())
