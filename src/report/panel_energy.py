"""The energy ledger over time: kinetic, stored, dissipated, discarded, and what they should add up to."""
import numpy as np

from . import style

NAME = "energy"
TITLE = "Energy"
MISSING = "The history holds no energy ledger."
PARTS = (("kinetic", "solid"), ("stored", "dot"), ("dissipated", "dash"), ("discarded", "dashdot"), ("rotational", "solid"),
         ("friction", "dash"))
OPTIONAL = ("discarded", "rotational", "friction")  # in a ledger only where there is some


def held(energy):
    """What the chain holds and has lost [J]: what was there at the start and the work done on it, but for errors."""
    total = energy.kinetic + energy.stored + energy.dissipated
    for part in OPTIONAL:
        if getattr(energy, part) is not None:
            total = total + getattr(energy, part)
    return total


def given(energy):
    """What was there at the start and the work done since [J]; None where the history does not say."""
    return None if energy.work is None else held(energy)[0] + energy.work


def _parts(energy):
    """Those that the ledger has; discarded only where there is some."""
    return [(part, dash) for part, dash in PARTS
            if part not in OPTIONAL or (getattr(energy, part) is not None and np.any(getattr(energy, part)))]


def _balance(energy):
    """In words, how well the ledger balances."""
    if energy.work is None:
        change = float(np.nanmax(np.abs(held(energy) - held(energy)[0])))
        return (f"the sum changes by {style.with_prefix(change, 'J')} at most, which an earlier beadwave does not tell apart: "
                "work of gravity, loads and driven ends, and the error of the integration")
    error = float(np.nanmax(np.abs(held(energy) - given(energy))))
    work = f"; work of gravity, loads and driven ends {style.with_prefix(energy.work[-1], 'J')}" if np.any(energy.work) else ""
    return f"error of the integration {style.with_prefix(error, 'J')} at most{work}"


def _share(energy):
    """Of what was given, how much is dissipated at the end, in words."""
    all_given = held(energy)[0] if energy.work is None else given(energy)[-1]
    return f" ({100 * energy.dissipated[-1] / all_given:.2f} %)" if all_given > 0.0 else ""


def _part_colours(i, runs):
    """One run: a colour a part. Several: a colour a run, a dash a part."""
    return [style.RUN_COLOURS[k] for k in (0, 4, 1, 3, 5, 2)] if len(runs) == 1 else [style.run_colour(i)] * 6


def _scale(runs):
    return style.scale_of(max(float(np.nanmax(held(run.energy))) for run in runs), "J")


def interactive(runs):
    shown = [run for run in runs if run.energy is not None]
    if not shown:
        return MISSING, None
    (second, s_unit), (joule, j_unit) = style.time_scale(shown), _scale(shown)
    data, words = [], []
    for i, run in enumerate(runs):
        if run.energy is None:
            continue
        energy = run.energy
        for (part, dash), colour in zip(_parts(energy), _part_colours(i, runs)):
            data.append({"type": "scatter", "mode": "lines", "x": style.numbers(energy.time * second, 7),
                         "y": style.numbers(getattr(energy, part) * joule, 6),
                         "name": part if len(runs) == 1 else f"{style.plain(run.label)}: {part}",
                         "line": {"color": colour, "dash": dash, "width": 1.8}, "hovertemplate": "%{x}, %{y:.5g}"})
        if len(runs) == 1:
            sums = [("sum", held(energy), "solid", "#666")]
            if energy.work is not None and np.any(energy.work):
                sums.append(("start and work", given(energy), "dot", "#222"))
            for name, line, dash, colour in sums:
                data.append({"type": "scatter", "mode": "lines", "x": style.numbers(energy.time * second, 7),
                             "y": style.numbers(line * joule, 6), "name": name,
                             "line": {"color": colour, "dash": dash, "width": 1.0}, "hovertemplate": "%{x}, %{y:.5g}"})
        discarded = (f", {style.with_prefix(energy.discarded[-1], 'J')} discarded by the sleep speed"
                     if energy.discarded is not None and np.any(energy.discarded) else "")
        words.append((f"{run.label}: " if len(runs) > 1 else "") +
                     f"{style.with_prefix(held(energy)[0], 'J')} at the start, "
                     f"{style.with_prefix(energy.dissipated[-1], 'J')} dissipated{_share(energy)}{discarded}; "
                     f"{_balance(energy)}.")
    layout = style.layout(420, xaxis=style.axis(f"time ({s_unit})", range=[0, max(r.last_time for r in shown) * second]),
                          yaxis=style.axis(f"energy ({j_unit})", rangemode="tozero"))
    return "\n".join(["Kinetic, stored, dissipated and discarded energy add up to the energy at the start and the work of "
                      "gravity, loads and driven ends.", *words]), {"data": data, "layout": layout}


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
        for (part, dash), colour in zip(_parts(run.energy), _part_colours(i, runs)):
            axis.plot(run.energy.time * second, getattr(run.energy, part) * joule, ls=style.MATPLOTLIB_DASHES[dash],
                      color=colour, lw=1.2, label=part if i == 0 else None)
    axis.set(xlabel=f"time ({s_unit})", ylabel=f"energy ({j_unit})", ylim=(0, None),
             xlim=(0, max(run.last_time for run in shown) * second))
    legend = axis.legend(fontsize=7, frameon=False)
    if len(runs) > 1:
        for handle in legend.legend_handles if hasattr(legend, "legend_handles") else legend.legendHandles:
            handle.set_color("#444")
