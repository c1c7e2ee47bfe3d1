"""The panels of a sweep: every result over one varied key, and, for two, as a map."""
import numpy as np

from . import style
from .panels import Place

MOST_CURVES = 12
MOST_QUANTITIES = 40


def _quantities(sweep):
    """Columns that are known and not the same in all runs."""
    known = [column for column in sweep.columns if np.isfinite(column.values[sweep.done]).any()]
    return [column for column in known if np.ptp(column.values[sweep.done & np.isfinite(column.values)]) > 0.0][:MOST_QUANTITIES]


def _unit(column):
    factor, unit = (1.0, column.unit)
    if unit in ("N", "J", "s"):
        factor, unit = style.scale_of(float(np.nanmax(np.abs(column.values))), unit)
    return factor, f"{column.name} ({unit})" if unit not in ("", "1") else column.name


def axis_of(sweep, key):
    """Factor and title of the axis of a key."""
    if sweep.values[key].dtype.kind == "U":
        return 1.0, key
    factor, _, title = style.scaled(sweep.values[key], key, sweep.units.get(key, ""))
    return factor, title


def _text_of(value):
    return str(value) if isinstance(value, str) else f"{value:.6g}"


def _levels(values):
    """The different values in order: of numbers ascending, of texts as they come."""
    return list(dict.fromkeys(values.tolist())) if values.dtype.kind == "U" else sorted(set(values[np.isfinite(values)].tolist()))


def along(sweep):
    """The key of the horizontal axis: numbers before texts, then that with most values."""
    return max(sweep.keys, key=lambda key: (sweep.values[key].dtype.kind != "U", len(_levels(sweep.values[key]))))


def curves_of(sweep, key):
    """(name, rows) of each curve: rows with equal values of all other keys, in the order of `key`."""
    others, groups = [other for other in sweep.keys if other != key], {}
    for row in np.flatnonzero(sweep.done):
        groups.setdefault(tuple(sweep.values[other][row] for other in others), []).append(row)
    order = {value: k for k, value in enumerate(_levels(sweep.values[key]))}
    for values, rows in groups.items():
        name = ", ".join(f"{other} = {_text_of(value.item() if hasattr(value, 'item') else value)}" for other, value in zip(others, values))
        yield name, np.array(sorted(rows, key=lambda row: order.get(sweep.values[key][row].item(), 0)))


def spread(x, y):
    """Of several values y at each x, in the order of x: the different x, mean, 5th and 95th percentile; of the known values."""
    places, found = list(dict.fromkeys(x.tolist())), []
    for place in places:
        here = y[(x == place) & np.isfinite(y)]
        found.append([here.mean(), *np.quantile(here, [0.05, 0.95])] if len(here) else [np.nan] * 3)
    return np.array(places), *np.array(found).T


def _traces(sweep, key, column, rows, name, colour, named):
    """Of one curve: its points, joined; of an ensemble points alone, their mean and the band of their spread."""
    words, values = sweep.values[key].dtype.kind == "U", column.values * _unit(column)[0]

    def shown(places):
        return [style.plain(str(place)) for place in places] if words else style.numbers(places * axis_of(sweep, key)[0], 8)
    points = {"type": "scatter", "mode": "markers" if sweep.members else "lines+markers", "x": shown(sweep.values[key][rows]),
              "y": style.numbers(values[rows], 7), "name": style.plain(name), "showlegend": named and not (sweep.members and key != "member"),
              "legendgroup": name or "all", "marker": {"size": 5 if sweep.members else 6, "color": colour, "opacity": 0.5 if sweep.members else 1.0},
              "line": {"color": colour, "width": 1.5}, "text": [f"run {row}" for row in rows], "hovertemplate": "%{text}<br>%{x}<br>%{y:.6g}"}
    if not sweep.members or key == "member":
        return [points]
    places, mean, low, high = spread(sweep.values[key][rows], values[rows])
    red, green, blue = (int(colour[k:k + 2], 16) for k in (1, 3, 5))
    band = {"type": "scatter", "mode": "lines", "x": shown(np.concatenate([places, places[::-1]])), "y": style.numbers(np.concatenate([low, high[::-1]]), 7),
            "fill": "toself", "fillcolor": f"rgba({red},{green},{blue},0.2)", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False,
            "legendgroup": name or "all"}
    line = {"type": "scatter", "mode": "lines", "x": shown(places), "y": style.numbers(mean, 7), "line": {"color": colour, "width": 2},
            "name": style.plain(name), "showlegend": named, "legendgroup": name or "all"}
    return [band, points, line]


def _menu(buttons):
    return [{"type": "dropdown", "x": 0, "xanchor": "left", "y": 1.03, "yanchor": "bottom", "buttons": buttons}]


class Curves:
    NAME, TITLE, PLACES = "sweep-curves", "Results over the varied key", {"sweep": Place(1, row=0)}
    MISSING = "No run of the sweep finished with results that differ, so there is nothing to draw."

    @staticmethod
    def _shown(sweep):
        key = along(sweep) if sweep.keys else None
        curves = list(curves_of(sweep, key)) if key else []
        chosen = np.unique(np.linspace(0, len(curves) - 1, min(len(curves), MOST_CURVES)).round().astype(int)) if curves else []
        return key, [curves[k] for k in chosen], len(curves)

    def interactive(self, shown):
        sweep, quantities = shown[0], _quantities(shown[0])
        key, curves, total = self._shown(sweep)
        if not quantities or not curves:
            return self.MISSING, None
        data, buttons = [], []
        _, key_title = axis_of(sweep, key)
        for q, column in enumerate(quantities):
            traces = [trace for k, (name, rows) in enumerate(curves)
                      for trace in _traces(sweep, key, column, rows, name, style.sequence_colour(k, len(curves)), len(curves) > 1)]
            data += [{**trace, "visible": q == 0} for trace in traces]
            buttons.append((style.plain(column.name), style.plain(_unit(column)[1]), len(traces)))
        owners = [q for q, (_, _, count) in enumerate(buttons) for _ in range(count)]
        buttons = [{"label": label, "method": "update", "args": [{"visible": [owner == q for owner in owners]}, {"yaxis.title.text": title}]}
                   for q, (label, title, _) in enumerate(buttons)]
        caption = (f"One point per run, {int(sweep.done.sum())} of {len(sweep.done)} finished. The menu chooses the result; results that are the "
                   f"same in all runs are left out.")
        if sweep.members:
            caption += " Points: the members of an ensemble" + ("." if key == "member" else "; line: their mean; shaded: from the 5th to the 95th percentile.")
        caption += f" One curve per value of the other keys; {len(curves)} of {total} curves are shown." if total > len(curves) else \
            " One curve per value of the other keys." if len(curves) > 1 else ""
        return caption, {"data": data, "layout": style.layout(
            480, xaxis=style.axis(style.plain(key_title)), yaxis=style.axis(style.plain(_unit(quantities[0])[1])), updatemenus=_menu(buttons),
            margin={"l": 75, "r": 20, "t": 60, "b": 55})}

    def static(self, figure, shown):
        axis, sweep = figure.subplots(), shown[0]
        quantities, (key, curves, _) = _quantities(sweep), self._shown(sweep)
        if not quantities or not curves:
            axis.set_axis_off()
            figure.suptitle("no results that differ", fontsize=9)
            return
        factor, title = _unit(quantities[0])
        key_factor, key_title = axis_of(sweep, key)
        for k, (name, rows) in enumerate(curves):
            colour, values = style.sequence_colour(k, len(curves)), quantities[0].values * factor
            x = sweep.values[key][rows] if sweep.values[key].dtype.kind == "U" else sweep.values[key][rows] * key_factor
            if not sweep.members:
                axis.plot(x, values[rows], "o-", ms=3, lw=1.0, label=name or None, color=colour)
                continue
            axis.plot(x, values[rows], "o", ms=2.5, mew=0.0, alpha=0.5, color=colour, label=None if key != "member" else name or None)
            if key != "member":
                places, mean, low, high = spread(sweep.values[key][rows], values[rows])
                places = places if sweep.values[key].dtype.kind == "U" else places * key_factor
                axis.plot(places, mean, "-", lw=1.2, color=colour, label=name or None)
                axis.fill_between(places, low, high, color=colour, alpha=0.2, lw=0.0)
        axis.set(xlabel=key_title, ylabel=title)
        if len(curves) > 1:
            axis.legend(fontsize=6, frameon=False)


class Map:
    NAME, TITLE, PLACES = "sweep-map", "Map over two keys", {"sweep": Place(2)}
    MISSING = "A map needs two varied keys with numbers, at least two values of each, and no other varied key."

    def applies(self, shown):
        return len(shown[0].keys) > 1

    def interactive(self, shown):
        sweep, quantities = shown[0], _quantities(shown[0])
        levels = {key: _levels(sweep.values[key]) for key in sweep.keys}
        numbers = [key for key in sweep.keys if sweep.values[key].dtype.kind != "U" and len(levels[key]) > 1]
        if len(numbers) != 2 or len(sweep.keys) != 2 or not quantities:
            return self.MISSING, None
        across, up = numbers
        data, buttons = [], []
        (x_factor, x_title), (y_factor, y_title) = axis_of(sweep, across), axis_of(sweep, up)
        column_of = {value: k for k, value in enumerate(levels[across])}
        row_of = {value: k for k, value in enumerate(levels[up])}
        for q, column in enumerate(quantities):
            factor, title = _unit(column)
            z = np.full((len(row_of), len(column_of)), np.nan)
            for run in np.flatnonzero(sweep.done):
                z[row_of[sweep.values[up][run]], column_of[sweep.values[across][run]]] = column.values[run] * factor
            data.append({"type": "heatmap", "x": style.numbers(np.array(levels[across]) * x_factor, 8),
                         "y": style.numbers(np.array(levels[up]) * y_factor, 8), "z": [style.numbers(row, 6) for row in z], "colorscale": "Viridis", "visible": q == 0, "name": "",
                         "colorbar": {"title": {"text": style.plain(title), "side": "right"}, "thickness": 16},
                         "hovertemplate": style.plain(across) + " %{x}<br>" + style.plain(up) + " %{y}<br>%{z:.6g}"})
            buttons.append({"label": style.plain(column.name), "method": "restyle", "args": [{"visible": [k == q for k in range(len(quantities))]}]})
        return "The same results by colour. White: a run that failed.", {"data": data, "layout": style.layout(
            480, xaxis=style.axis(style.plain(x_title), showgrid=False), yaxis=style.axis(style.plain(y_title), showgrid=False),
            updatemenus=_menu(buttons), margin={"l": 75, "r": 20, "t": 60, "b": 55})}


PANELS = (Curves(), Map())
