"""A figure of the page drawn by matplotlib: panels without a still figure of their own have this one."""
import re
import textwrap

import numpy as np

from . import style
from .picture import Picture

_DASHES = {**style.MATPLOTLIB_DASHES, "longdash": "--", "longdashdot": "-."}
_SYMBOLS = dict(style.SYMBOLS)
LONGEST = 24  # letters of a line beside an axis
MOST_TICKS = 5
_COLOURS = re.compile("#[0-9a-fA-F]{3,8}$")


def can_draw(figure):
    return figure is not None and not isinstance(figure, Picture)


def draw(place, title, figure):
    """Draws data and layout of plotly: lines, markers, bars, areas, heat maps. `place`: a (sub)figure of matplotlib. Traces that a menu of the
    page shows later are left out."""
    from matplotlib.ticker import AutoLocator
    layout, axes, stacks = figure["layout"], {}, {}
    place.suptitle(title, fontsize=9)
    shown = [trace for trace in figure["data"] if trace.get("visible", True) is True]
    _add_axes(place, layout, {(trace.get("xaxis", "x"), trace.get("yaxis", "y")) for trace in shown}, axes)
    for trace in shown:
        axis = axes[trace.get("xaxis", "x"), trace.get("yaxis", "y")]
        {"scatter": _scatter, "bar": _bar, "heatmap": _heatmap}[trace["type"]](place, axis, trace, stacks)
    for (x, y), axis in axes.items():
        for side, name in (("x", x), ("y", y)):
            if layout.get(_key(name), {}).get("rangemode") == "tozero":
                low, high = getattr(axis, f"get_{side}lim")()
                getattr(axis, f"set_{side}lim")(min(low, 0.0), max(high, 0.0))
        if isinstance(axis.xaxis.get_major_locator(), AutoLocator):  # long numbers must not run into each other
            axis.locator_params(axis="x", nbins=MOST_TICKS)
    _add_keys(axes)


def _add_keys(axes):
    """One list of names for axes that share a frame, in the uppermost, so that no line runs over it."""
    frames = {}
    for axis in axes.values():
        frames.setdefault(tuple(np.round(axis.get_subplotspec().get_position(axis.figure).bounds, 6)), []).append(axis)
    for frame in frames.values():
        handles, labels = (sum(both, []) for both in zip(*[axis.get_legend_handles_labels() for axis in frame]))
        if len(labels) > 1 and len(frame) > 1:  # "best" knows the lines of one of them only
            frame[-1].legend(handles, labels, fontsize=6.5, frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=len(labels),
                             borderaxespad=0.0)
        elif len(labels) > 1:
            frame[-1].legend(handles, labels, fontsize=6.5, frameon=False, loc="best")


def _key(name):
    return f"{name[0]}axis{name[1:]}"


def _add_axes(place, layout, used, axes):
    """One pair of axes for each pair of x and y; a y axis that lies over another shares its frame."""
    base = sorted(pair for pair in used if not layout.get(_key(pair[1]), {}).get("overlaying"))

    def domain(name):
        return tuple(layout.get(_key(name), {}).get("domain", (0.0, 1.0)))
    columns = sorted({domain(x) for x, _ in base})
    rows = sorted({domain(y) for _, y in base}, reverse=True)
    grid = place.add_gridspec(len(rows), len(columns), width_ratios=[max(b - a, 0.05) for a, b in columns])
    for x, y in base:
        axis = axes[x, y] = place.add_subplot(grid[rows.index(domain(y)), columns.index(domain(x))])
        _set_axis(axis, "x", layout.get(_key(x), {}))
        _set_axis(axis, "y", layout.get(_key(y), {}))
    for x, y in sorted(used - set(base)):
        under = layout[_key(y)]["overlaying"]
        axis = axes[x, y] = axes[x, under].twinx() if (x, under) in axes else place.add_subplot(grid[0, columns.index(domain(x))])
        axis.spines["right"].set_visible(True)
        _set_axis(axis, "y", layout[_key(y)])


def _set_axis(axis, side, layout):
    title = _plain(layout.get("title", {}).get("text", ""))
    getattr(axis, f"set_{side}label")("\n".join(textwrap.wrap(title, LONGEST if side == "y" else 60)))
    if layout.get("type") == "log":
        getattr(axis, f"set_{side}scale")("log")
    if layout.get("autorange") == "reversed":
        getattr(axis, f"invert_{side}axis")()
    limits = layout.get("range")
    if limits:
        getattr(axis, f"set_{side}lim")([10.0**end for end in limits] if layout.get("type") == "log" else limits)


def _plain(text):
    return re.sub("<[^>]*>", " ", str(text)).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _numbers(values):
    return np.array([np.nan if value is None else value for value in values], float)


def _label(trace):
    return _plain(trace["name"]) if trace.get("showlegend", True) and trace.get("name") else "_"


def _scatter(_place, axis, trace, stacks):
    y = _numbers(trace["y"])
    x = trace["x"] if "x" in trace else trace.get("x0", 0.0) + trace.get("dx", 1.0) * np.arange(len(y))
    x = list(x) if len(x) and isinstance(x[0], str) else _numbers(x)
    line, marker, mode = trace.get("line", {}), trace.get("marker", {}), trace.get("mode", "lines")
    colour = line.get("color") or marker.get("color")
    colour = colour if isinstance(colour, str) and _COLOURS.match(colour) else None
    if "stackgroup" in trace:
        before = stacks.get(id(axis), np.zeros(len(y)))
        stacks[id(axis)] = before + y
        axis.fill_between(x, before, before + y, color=colour, alpha=0.7, lw=0.0, label=_label(trace))
        return
    axis.plot(x, y, color=colour, lw=0.8 * line.get("width", 1.5) if "lines" in mode else 0.0, ls=_DASHES.get(line.get("dash", "solid"), "-"),
              marker=_SYMBOLS.get(marker.get("symbol", "circle"), "o") if "markers" in mode else "", ms=3.5, label=_label(trace))


def _bar(_place, axis, trace, stacks):
    y = _numbers(trace["y"])
    colour = trace.get("marker", {}).get("color")
    bottom = stacks.get(id(axis), np.zeros(len(y))) if len(stacks.get(id(axis), y)) == len(y) else 0.0
    stacks[id(axis)] = bottom + y
    axis.bar(trace["x"], y, bottom=bottom, color=colour if isinstance(colour, str) else None, label=_label(trace), width=0.8)


def _heatmap(place, axis, trace, _stacks):
    values = np.array([_numbers(row) for row in trace["z"]])
    from matplotlib.colors import LinearSegmentedColormap
    scale = trace.get("colorscale", "Viridis")
    colours = scale.lower() if isinstance(scale, str) else LinearSegmentedColormap.from_list("page", [tuple(each) for each in scale])
    mesh = axis.pcolormesh(_numbers(trace["x"]), _numbers(trace["y"]), values, cmap=colours, shading="nearest", rasterized=True,
                           vmin=trace.get("zmin"), vmax=trace.get("zmax"))
    if trace.get("showscale", True):
        bar = place.colorbar(mesh, ax=axis, label=_plain(trace.get("colorbar", {}).get("title", {}).get("text", "")))
        marks = trace.get("colorbar", {}).get("tickvals")
        if marks:
            bar.set_ticks(marks, labels=[re.sub("<sup>(.*?)</sup>", r"$^{\1}$", text) for text in trace["colorbar"]["ticktext"]])
