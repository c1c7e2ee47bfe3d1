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
        key, curves, count = self._shown(sweep)
        if not quantities or not curves:
            return self.MISSING, None
        values, data, buttons = sweep.values[key], [], []
        for q, column in enumerate(quantities):
            factor, title = _unit(column)
            for k, (name, rows) in enumerate(curves):
                x = [style.plain(str(v)) for v in values[rows]] if values.dtype.kind == "U" else style.numbers(values[rows], 8)
                data.append({"type": "scatter", "mode": "lines+markers", "x": x, "y": style.numbers(column.values[rows] * factor, 7),
                             "name": style.plain(name), "showlegend": len(curves) > 1, "visible": q == 0, "marker": {"size": 6},
                             "line": {"color": style.sequence_colour(k, len(curves)), "width": 1.5},
                             "text": [f"run {row}" for row in rows], "hovertemplate": "%{text}<br>%{x}<br>%{y:.6g}"})
            buttons.append({"label": style.plain(column.name), "method": "update",
                            "args": [{"visible": [k // len(curves) == q for k in range(len(quantities) * len(curves))]},
                                     {"yaxis.title.text": style.plain(title)}]})
        caption = (f"One point per run, {int(sweep.done.sum())} of {len(sweep.done)} finished. The menu chooses the result; results that are the "
                   f"same in all runs are left out.")
        caption += f" One curve per value of the other keys; {len(curves)} of {count} curves are shown." if count > len(curves) else \
            " One curve per value of the other keys." if len(curves) > 1 else ""
        return caption, {"data": data, "layout": style.layout(
            480, xaxis=style.axis(style.plain(key)), yaxis=style.axis(style.plain(_unit(quantities[0])[1])), updatemenus=_menu(buttons),
            margin={"l": 75, "r": 20, "t": 60, "b": 55})}

    def static(self, figure, shown):
        axis, sweep = figure.subplots(), shown[0]
        quantities, (key, curves, _) = _quantities(sweep), self._shown(sweep)
        if not quantities or not curves:
            axis.set_axis_off()
            figure.suptitle("no results that differ", fontsize=9)
            return
        factor, title = _unit(quantities[0])
        for k, (name, rows) in enumerate(curves):
            axis.plot(sweep.values[key][rows], quantities[0].values[rows] * factor, "o-", ms=3, lw=1.0, label=name or None,
                      color=style.sequence_colour(k, len(curves)))
        axis.set(xlabel=key, ylabel=title)
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
        column_of = {value: k for k, value in enumerate(levels[across])}
        row_of = {value: k for k, value in enumerate(levels[up])}
        for q, column in enumerate(quantities):
            factor, title = _unit(column)
            z = np.full((len(row_of), len(column_of)), np.nan)
            for run in np.flatnonzero(sweep.done):
                z[row_of[sweep.values[up][run]], column_of[sweep.values[across][run]]] = column.values[run] * factor
            data.append({"type": "heatmap", "x": style.numbers(levels[across], 8), "y": style.numbers(levels[up], 8),
                         "z": [style.numbers(row, 6) for row in z], "colorscale": "Viridis", "visible": q == 0, "name": "",
                         "colorbar": {"title": {"text": style.plain(title), "side": "right"}, "thickness": 16},
                         "hovertemplate": style.plain(across) + " %{x}<br>" + style.plain(up) + " %{y}<br>%{z:.6g}"})
            buttons.append({"label": style.plain(column.name), "method": "restyle", "args": [{"visible": [k == q for k in range(len(quantities))]}]})
        return "The same results by colour. White: a run that failed.", {"data": data, "layout": style.layout(
            480, xaxis=style.axis(style.plain(across), showgrid=False), yaxis=style.axis(style.plain(up), showgrid=False),
            updatemenus=_menu(buttons), margin={"l": 75, "r": 20, "t": 60, "b": 55})}


PANELS = (Curves(), Map())
