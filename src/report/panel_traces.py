"""Force and velocity of the sensors over time.

One run: all sensors in one frame, coloured along the chain. Several runs: one row per sensor, coloured by run.
"""
import numpy as np

from . import style
from .panels import Place

NAME = "traces"
TITLE = "Force and velocity at the sensors"
PLACES = {"chain": Place(1, row=0, column=0, height=1.25), "packing": Place(3, row=1, height=0.9)}
MISSING = ("The history holds no sensors. Add to the scenario, for example: [sensors] beads = [9, 16, 24] "
           "(in a packing: particles = [9, 16, 24]) and interval = 1e-7 (in s).")
MEANING = {"bead": "A sensor's force is the mean of the contact forces on its bead's two sides. ",
           "particle": "A sensor's force is the magnitude of the net contact force on its particle; its velocity is the particle's "
                       "speed. "}
MOST_POINTS = 20000  # of one curve on the page
MOST_ROWS = 12
MOST_ROWS_ON_PAPER = 4
QUANTITIES = (("force", "force (N)"), ("velocity", "velocity (m/s)"))


def thinned(time, values, most=MOST_POINTS):
    """At most `most` samples, including the smallest and the largest of each interval."""
    if len(time) <= most:
        return time, values
    length = -(-2 * len(time) // most)
    whole = len(time) // length * length
    pieces = np.nan_to_num(values[:whole]).reshape(-1, length)
    starts = np.arange(0, whole, length)
    keep = np.unique(np.concatenate([starts + pieces.argmin(1), starts + pieces.argmax(1), [0, len(time) - 1]]))
    return time[keep], values[keep]


def _some(beads, most):
    beads = sorted(beads)
    if len(beads) <= most:
        return beads
    return [beads[i] for i in np.unique(np.linspace(0, len(beads) - 1, most).round().astype(int))]


def _with_sensors(runs):
    return [run for run in runs if run.traces is not None]


def _all_beads(runs):
    return {int(bead) for run in runs for bead in run.traces.beads}


def _trace(time, values, factor, **more):
    time, values = thinned(time, values)
    trace = {"type": "scatter", "mode": "lines", "y": style.numbers(values),
             "hovertemplate": "%{x:.6g}, %{y:.5g}", **more}
    steps = np.diff(time)
    if len(steps) and np.allclose(steps, steps[0], rtol=1e-6):
        trace.update(x0=time[0] * factor, dx=float(f"{factor * (time[-1] - time[0]) / len(steps):.9g}"))
    else:
        trace["x"] = style.numbers(time * factor, 8)
    return trace


def _domains(rows, gap):
    height = (1.0 - gap * (rows - 1)) / rows
    return [[max(0.0, 1.0 - (r + 1) * height - r * gap), 1.0 - r * (height + gap)] for r in range(rows)]


def applies(runs):
    return any(run.system != "packing" or run.traces is not None for run in runs)


def has_data(runs):
    return bool(_with_sensors(runs))


def interactive(runs):
    shown = _with_sensors(runs)
    if not shown:
        return MISSING, None
    caption = "Drag to zoom, double-click to zoom out; force and velocity always show the same times. "
    caption += "".join(meaning for body, meaning in MEANING.items() if any(run.body == body for run in shown))
    factor, unit = style.time_scale(shown)
    time_axis = style.axis(f"time ({unit})", range=[0, max(run.last_time for run in shown) * factor])
    if len(runs) == 1:
        return caption + f"Click a {shown[0].body} in the legend to hide it.", _one_run(shown[0], factor, time_axis)
    beads = _some(_all_beads(shown), MOST_ROWS)
    hidden = len(_all_beads(shown)) - len(beads)
    caption += "One row per sensor: force on the left, velocity on the right."
    caption += f" {hidden} sensors between these are not shown." if hidden else ""
    caption += "".join(f"\n{run.label} has no sensors." for run in runs if run.traces is None)
    return caption, _several(runs, beads, factor, time_axis)


def _one_run(run, factor, time_axis):
    data = []
    order = np.argsort(run.traces.beads, kind="stable")
    for row, (quantity, _) in enumerate(QUANTITIES):
        for place, s in enumerate(order):
            name = f"{run.body} {run.traces.beads[s]}"
            data.append(_trace(run.traces.time, getattr(run.traces, quantity)[:, s], factor, name=name,
                               legendgroup=name, showlegend=row == 0, yaxis=("y", "y2")[row],
                               line={"color": style.sequence_colour(place, len(order)), "width": 1.6}))
    upper, lower = _domains(2, 0.06)
    return {"data": data, "layout": style.layout(
        640, xaxis={**time_axis, "anchor": "y2"}, yaxis=style.axis(QUANTITIES[0][1], domain=upper,
                                                                **style.from_zero(run.traces.force)),
        yaxis2=style.axis(QUANTITIES[1][1], domain=lower))}


def _frame(runs, quantity, bead):
    """The range of a row that no wave reaches: that of the row with the largest values, so that rounding errors are not
    visible. None for the other rows."""
    largest = {b: max(np.nanmax(np.abs(getattr(run.traces, quantity)[:, run.traces.beads == b]), initial=0.0)
                      for run in runs if run.traces is not None) for b in _all_beads(_with_sensors(runs))}
    overall = max(largest.values())
    return [-0.05 * overall, 1.05 * overall] if largest[bead] < 1e-3 * overall else None


def _several(runs, beads, factor, time_axis):
    data, axes, labels, named = [], {}, [], set()
    domains = _domains(len(beads), 0.25 / len(beads))
    for row, bead in enumerate(beads):
        for column, (quantity, title) in enumerate(QUANTITIES):
            number = 2 * row + column + 1
            suffix = "" if number == 1 else str(number)
            axes["yaxis" + suffix] = style.axis("N" if column == 0 else "m/s", domain=domains[row], nticks=4,
                                                anchor="x" if column == 0 else "x2")
            frame = _frame(runs, quantity, bead)
            if frame:
                axes["yaxis" + suffix]["range"] = frame
            for i, run in enumerate(runs):
                if run.traces is None or bead not in run.traces.beads:
                    continue
                s = int(np.flatnonzero(run.traces.beads == bead)[0])
                data.append(_trace(run.traces.time, getattr(run.traces, quantity)[:, s], factor,
                                   name=style.plain(run.label), legendgroup=str(i), showlegend=i not in named,
                                   xaxis=("x", "x2")[column], yaxis="y" + suffix, line=style.line(i)))
                named.add(i)
        labels.append({"text": f"{runs[0].body} {bead}", "xref": "paper", "yref": "paper", "x": 0.435, "y": domains[row][1],
                       "xanchor": "right", "yanchor": "top", "showarrow": False, "yshift": -3})
    last = 2 * len(beads)
    for column, (_, title) in enumerate(QUANTITIES):
        labels.append({"text": title, "xref": "paper", "yref": "paper", "x": (0.22, 0.78)[column], "y": 1.0,
                       "xanchor": "center", "yanchor": "bottom", "showarrow": False, "yshift": 2})
    below = {"anchor": f"y{last - 1}" if last > 2 else "y", "domain": [0.0, 0.44]}
    axes["xaxis"] = {**time_axis, **below}
    axes["xaxis2"] = {**time_axis, "anchor": f"y{last}", "domain": [0.56, 1.0], "matches": "x"}
    height = 150 * len(beads) + 130
    legend = {"orientation": "h", "y": 1.0 + 30 / height, "yanchor": "bottom", "x": 0}
    return {"data": data, "layout": style.layout(height, annotations=labels, legend=legend, **axes,
                                                 margin={"l": 75, "r": 20, "t": 70, "b": 55})}


def static(figure, runs):
    """One run: force above, velocity below. Several runs: the force at a few sensors, one row each."""
    shown = _with_sensors(runs)
    factor, unit = style.time_scale(shown)
    if len(runs) == 1:
        run, axes = shown[0], figure.subplots(2, 1, sharex=True)
        order = np.argsort(run.traces.beads, kind="stable")
        for axis, (quantity, title) in zip(axes, QUANTITIES):
            for place, s in enumerate(order):
                axis.plot(run.traces.time * factor, getattr(run.traces, quantity)[:, s], lw=1.0,
                          color=style.sequence_colour(place, len(order)), label=f"{run.body} {run.traces.beads[s]}")
            axis.set_ylabel(title)
        if len(order) <= 16:
            axes[0].legend(ncols=8, fontsize=6, frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2,
                           columnspacing=1.0, handlelength=1.2)
    else:
        beads = _some(_all_beads(shown), MOST_ROWS_ON_PAPER)
        axes = figure.subplots(len(beads), 1, sharex=True, squeeze=False)[:, 0]
        for axis, bead in zip(axes, beads):
            for i, run in enumerate(runs):
                if run.traces is not None and bead in run.traces.beads:
                    s = int(np.flatnonzero(run.traces.beads == bead)[0])
                    axis.plot(run.traces.time * factor, run.traces.force[:, s], color=style.run_colour(i),
                              ls=style.MATPLOTLIB_DASHES[style.run_dash(i)], lw=1.1, label=run.label)
            axis.set_ylim(_frame(runs, "force", bead))
            axis.annotate(f"{runs[0].body} {bead}", (1, 1), (-4, -4), xycoords="axes fraction", textcoords="offset points",
                          ha="right", va="top", fontsize=8)
        figure.supylabel("sensor force (N)", fontsize=9)
    axes[-1].set(xlabel=f"time ({unit})", xlim=(0, max(run.last_time for run in shown) * factor))
