"""The energy ledger over time: kinetic, stored, dissipated, and what their sum leaves over."""
import numpy as np

import style

NAME = "energy"
TITLE = "Energy"
MISSING = "The history holds no energy ledger."
PARTS = (("kinetic", "solid"), ("stored", "dot"), ("dissipated", "dash"))


def change_of_sum(energy):
    """The sum's largest change over the run [J]: work of gravity and loads and errors of integration."""
    total = energy.kinetic + energy.stored + energy.dissipated
    return float(np.nanmax(np.abs(total - total[0])))


def _part_colours(i, runs):
    """One run: a colour a part. Several: a colour a run, a dash a part."""
    return [style.RUN_COLOURS[k] for k in (0, 4, 1)] if len(runs) == 1 else [style.run_colour(i)] * 3


def _scale(runs):
    return style.scale_of(max(float(np.nanmax(run.energy.kinetic + run.energy.stored + run.energy.dissipated))
                              for run in runs), "J")


def interactive(runs):
    shown = [run for run in runs if run.energy is not None]
    if not shown:
        return MISSING, None
    (second, s_unit), (joule, j_unit) = style.time_scale(shown), _scale(shown)
    data, words = [], []
    for i, run in enumerate(runs):
        if run.energy is None:
            continue
        start = run.energy.kinetic[0] + run.energy.stored[0] + run.energy.dissipated[0]
        for (part, dash), colour in zip(PARTS, _part_colours(i, runs)):
            data.append({"type": "scatter", "mode": "lines", "x": style.numbers(run.energy.time * second, 7),
                         "y": style.numbers(getattr(run.energy, part) * joule, 6),
                         "name": part if len(runs) == 1 else f"{style.plain(run.label)}: {part}",
                         "line": {"color": colour, "dash": dash, "width": 1.8}, "hovertemplate": "%{x}, %{y:.5g}"})
        if len(runs) == 1:
            total = run.energy.kinetic + run.energy.stored + run.energy.dissipated
            data.append({"type": "scatter", "mode": "lines", "x": style.numbers(run.energy.time * second, 7),
                         "y": style.numbers(total * joule, 6), "name": "sum",
                         "line": {"color": "#666", "width": 1.0}, "hovertemplate": "%{x}, %{y:.5g}"})
        share = f" ({100 * run.energy.dissipated[-1] / start:.2f} %)" if start > 0.0 else ""
        words.append((f"{run.label}: " if len(runs) > 1 else "") +
                     f"{style.with_prefix(start, 'J')} at the start, "
                     f"{style.with_prefix(run.energy.dissipated[-1], 'J')} dissipated{share}; the sum changes by "
                     f"{style.with_prefix(change_of_sum(run.energy), 'J')} at most.")
    layout = style.layout(420, xaxis=style.axis(f"time ({s_unit})", range=[0, max(r.last_time for r in shown) * second]),
                          yaxis=style.axis(f"energy ({j_unit})", rangemode="tozero"))
    return "\n".join(["The change of the sum is the work of gravity and loads, where there are any, and otherwise the error "
                      "of the integration.", *words]), {"data": data, "layout": layout}


def static(figure, runs):
    axis = figure.subplots()
    shown = [run for run in runs if run.energy is not None]
    if not shown:
        axis.set_axis_off()
        figure.suptitle("no energy ledger", fontsize=9)
        return
    (second, s_unit), (joule, j_unit) = style.time_scale(shown), _scale(shown)
    for i, run in enumerate(runs):
        if run.energy is None:
            continue
        for (part, dash), colour in zip(PARTS, _part_colours(i, runs)):
            axis.plot(run.energy.time * second, getattr(run.energy, part) * joule, ls=style.MATPLOTLIB_DASHES[dash],
                      color=colour, lw=1.2, label=part if i == 0 else None)
    axis.set(xlabel=f"time ({s_unit})", ylabel=f"energy ({j_unit})", ylim=(0, None),
             xlim=(0, max(run.last_time for run in shown) * second))
    legend = axis.legend(fontsize=7, frameon=False)
    if len(runs) > 1:
        for handle in legend.legend_handles if hasattr(legend, "legend_handles") else legend.legendHandles:
            handle.set_color("#444")
