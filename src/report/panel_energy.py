"""The energy ledger over time: kinetic, stored and dissipated energy, sleep loss, and what they should add up to."""
import numpy as np

from . import style
from .panels import Place

NAME = "energy"
TITLE = "Energy"
PLACES = {"chain": Place(5, row=2, column=1), "packing": Place(4, row=3, column=1, height=0.9)}
MISSING = "The history holds no energy ledger."
PARTS = (("kinetic_energy", "solid"), ("stored_energy", "dot"), ("dissipated_energy", "dash"), ("sleep_loss_energy", "dashdot"),
         ("rotational_energy", "solid"), ("friction_dissipation", "dash"), ("rolling_dissipation", "dashdot"))
OPTIONAL = [part for part, _ in PARTS[3:]]  # drawn only if they are not zero throughout


def total(energy):
    """Kinetic, stored and dissipated energy and sleep loss [J]. It equals supplied() plus the energy error."""
    return sum(energy[part] for part, _ in PARTS[:4] if part in energy)


def supplied(energy):
    """The energy at the start, and the external work and the inflow with particles since then [J]."""
    return total(energy)[0] + energy["external_work"] + energy.get("inflow_energy", 0.0)


def _parts(energy):
    """The entries of the ledger that are drawn, each with its dash."""
    return [(part, dash) for part, dash in PARTS
            if part not in OPTIONAL or np.any(energy.get(part, 0.0))]


def _name(part):
    return part.rsplit("_", 1)[0].replace("_", " ")


def _balance_text(energy):
    """How well the ledger balances."""
    error = float(np.nanmax(np.abs(total(energy) - supplied(energy))))
    work = f"; external work {style.with_prefix(energy['external_work'][-1], 'J')}" if np.any(energy["external_work"]) else ""
    flows = np.any(energy.get("inflow_energy", 0.0))
    inflow = f"; inflow with particles that came and left {style.with_prefix(energy['inflow_energy'][-1], 'J')}" if flows else ""
    return f"energy error {style.with_prefix(error, 'J')} at most{work}{inflow}"


def _dissipated_percentage(energy):
    """The dissipated share of the supplied energy at the end."""
    all_supplied = supplied(energy)[-1]
    return f" ({100 * energy['dissipated_energy'][-1] / all_supplied:.2f} %)" if all_supplied > 0.0 else ""


def _part_colours(i, runs):
    """One run: one colour per entry. Several runs: one colour per run, one dash per entry."""
    return [style.RUN_COLOURS[k] for k in (0, 4, 1, 3, 5, 2, 6)] if len(runs) == 1 else [style.run_colour(i)] * len(PARTS)


def _scale(runs):
    return style.scale_of(max(float(np.nanmax(total(run.energy))) for run in runs), "J")


def _caption(runs):
    terms = "Kinetic, stored and dissipated energy"
    if any("sleep_loss_energy" in run.energy for run in runs):
        terms += " and sleep loss"
    flows = any(np.any(run.energy.get("inflow_energy", 0.0)) for run in runs)
    text = terms + (" add up to the energy at the start, the external work and the inflow with particles." if flows else
                    " add up to the energy at the start and the external work.")
    if any("rotational_energy" in run.energy for run in runs):
        text += " Rotational energy is a part of the kinetic energy; friction and rolling are parts of the dissipated energy."
    return text


def has_data(runs):
    return any(run.energy for run in runs)


def interactive(runs):
    shown = [run for run in runs if run.energy]
    if not shown:
        return MISSING, None
    (second, s_unit), (joule, j_unit) = style.time_scale(shown), _scale(shown)
    data, lines = [], []
    for i, run in enumerate(runs):
        if not run.energy:
            continue
        energy, time = run.energy, style.numbers(run["energy_time"] * second, 7)
        for (part, dash), colour in zip(_parts(energy), _part_colours(i, runs)):
            data.append({"type": "scatter", "mode": "lines", "x": time, "y": style.numbers(energy[part] * joule, 6),
                         "name": _name(part) if len(runs) == 1 else f"{style.plain(run.label)}: {_name(part)}",
                         "line": {"color": colour, "dash": dash, "width": 1.8}, "hovertemplate": "%{x}, %{y:.5g}"})
        if len(runs) == 1:
            sums = [("sum", total(energy), "solid", "#666")]
            if np.any(energy["external_work"]):
                label = "start, work, inflow" if np.any(energy.get("inflow_energy", 0.0)) else "start and external work"
                sums.append((label, supplied(energy), "dot", "#222"))
            for name, line, dash, colour in sums:
                data.append({"type": "scatter", "mode": "lines", "x": time, "y": style.numbers(line * joule, 6), "name": name,
                             "line": {"color": colour, "dash": dash, "width": 1.0}, "hovertemplate": "%{x}, %{y:.5g}"})
        sleep_loss = (f", {style.with_prefix(energy['sleep_loss_energy'][-1], 'J')} removed by the sleep speed"
                      if np.any(energy.get("sleep_loss_energy", 0.0)) else "")
        lines.append((f"{run.label}: " if len(runs) > 1 else "") +
                     f"{style.with_prefix(total(energy)[0], 'J')} at the start, "
                     f"{style.with_prefix(energy['dissipated_energy'][-1], 'J')} dissipated{_dissipated_percentage(energy)}{sleep_loss}; "
                     f"{_balance_text(energy)}.")
    layout = style.layout(420, xaxis=style.axis(f"time ({s_unit})", range=[0, max(r.last_time for r in shown) * second]),
                          yaxis=style.axis(f"energy ({j_unit})", rangemode="tozero"))
    return "\n".join([_caption(shown), *lines]), {"data": data, "layout": layout}


def static(figure, runs):
    axis = figure.subplots()
    shown = [run for run in runs if run.energy]
    (second, s_unit), (joule, j_unit) = style.time_scale(shown), _scale(shown)
    for i, run in enumerate(runs):
        if not run.energy:
            continue
        for (part, dash), colour in zip(_parts(run.energy), _part_colours(i, runs)):
            axis.plot(run["energy_time"] * second, run.energy[part] * joule, ls=style.MATPLOTLIB_DASHES[dash],
                      color=colour, lw=1.2, label=_name(part) if i == 0 else None)
    axis.set(xlabel=f"time ({s_unit})", ylabel=f"energy ({j_unit})", ylim=(0, None),
             xlim=(0, max(run.last_time for run in shown) * second))
    legend = axis.legend(fontsize=7, frameon=False)
    if len(runs) > 1:
        for handle in legend.legend_handles if hasattr(legend, "legend_handles") else legend.legendHandles:
            handle.set_color("#444")
