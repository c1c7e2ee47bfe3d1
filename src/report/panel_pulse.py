"""The leading pulse along the chain: its height with the fitted decays, its width, and its share of the energy."""
import numpy as np

from . import style
from .decay import evidence
from .panels import Place
from .pulse import fit_pulse
from .sampling import NotPossible

NAME = "pulse"
TITLE = "The leading pulse"
PLACES = {"chain": Place(9)}
CAPTION = ("Height: of the force above the force at the start. Width: full width of the force over time at half of the height, times the "
           "local speed of the pulse, in bead spacings. Share: the energy that the pulse carries past the bead (the integral of force "
           "times velocity), of the energy at the start and the external work until then. Bead numbers count from the end where the "
           "wave starts. Solid: power law, dashed: exponential.")


def _pulses(runs):
    """(run, its Pulse or None, the reason why it has none)."""
    found = []
    for run in runs:
        try:
            found.append((run, fit_pulse(run), ""))
        except NotPossible as reason:
            found.append((run, None, str(reason)))
    return found


def sentence(run, pulse):
    """The numbers of one run."""
    middle = len(pulse.beads) // 2
    digits = int(np.clip(1 - np.floor(np.log10(pulse.speed_error)), 0, 6)) if pulse.speed_error > 0.0 else 6
    text = (f"Speed {abs(pulse.speed):.{digits}f} ± {pulse.speed_error:.{digits}f} m/s by a straight line through the times of the "
            f"maximum at {len(pulse.beads)} beads from {pulse.source}, {pulse.beads[0]} to {pulse.beads[-1]}. At bead "
            f"{pulse.beads[middle]}: height {pulse.height[middle]:.5g} N, duration {style.with_prefix(pulse.duration[middle], 's')}, "
            f"width {pulse.width[middle]:.4g} bead spacings.")
    first, last = (0, -1) if pulse.speed > 0.0 else (-1, 0)
    if pulse.share is not None:
        text += (f" The pulse carries {100 * pulse.share[first]:.4g} % of the energy at bead {pulse.beads[first]} and "
                 f"{100 * pulse.share[last]:.4g} % at bead {pulse.beads[last]}.")
    elif np.any(pulse.static_force > 0.0):
        text += (f" The force at the start is up to {pulse.static_force.max():.4g} N, so the energy at the start is not that of the "
                 "wave, and no share is given.")
    else:
        text += " The history holds no energy ledger from which a share would follow."
    return text + (" " + evidence(pulse.decay) if pulse.decay is not None else " Too few beads to tell how the height decays.")


def interactive(runs):
    found = _pulses(runs)
    shown = [(i, run, pulse) for i, (run, pulse, _) in enumerate(found) if pulse is not None]
    if not shown:
        return found[0][2], None
    data = []
    for i, run, pulse in shown:
        n, group = pulse.numbers_from_start(run.beads), {"name": style.plain(run.label), "legendgroup": str(i)}
        marker = {"color": style.run_colour(i), "size": 6, "symbol": style.SYMBOLS[i % 5][0]}
        curves = [(pulse.height, "N"), (pulse.width, "bead spacings")] + ([] if pulse.share is None else [(100.0 * pulse.share, "%")])
        for k, (values, unit) in enumerate(curves):
            suffix = "" if k == 0 else str(k + 1)
            data.append({"type": "scatter", "mode": "markers", "x": style.numbers(n, 8), "y": style.numbers(values, 7), "marker": marker,
                         "xaxis": "x" + suffix, "yaxis": "y" + suffix, "showlegend": k == 0 and len(runs) > 1,
                         "text": [f"bead {bead}" for bead in pulse.beads], "hovertemplate": "%{text}<br>%{y:.6g} " + unit, **group})
        if pulse.decay is not None and pulse.decay.law != "none":
            x = np.geomspace(n.min(), n.max(), 60)
            for curve, dash in ((pulse.decay.power, "solid"), (pulse.decay.exponential, "dash")):
                data.append({"type": "scatter", "mode": "lines", "x": style.numbers(x), "y": style.numbers(curve(x)), "showlegend": False,
                             "line": {"color": style.run_colour(i), "width": 1.3, "dash": dash}, "hoverinfo": "skip", **group})
    axes = {}
    titles = ["height (N)", "width (bead spacings)"]
    if any(pulse.share is not None for _, _, pulse in shown):
        titles.append("share of the energy (%)")
    for k, title in enumerate(titles):
        domain = [k / len(titles) + (0.05 if k else 0.0), (k + 1) / len(titles) - (0.05 if k + 1 < len(titles) else 0.0)]
        suffix = "" if k == 0 else str(k + 1)
        scale = _logarithmic([pulse.numbers_from_start(run.beads) for _, run, pulse in shown]) if k == 0 else {}
        axes["xaxis" + suffix] = style.axis("bead from the start of the wave", domain=domain, anchor="y" + suffix, **scale)
        scale = _logarithmic([pulse.height for _, _, pulse in shown]) if k == 0 else {"rangemode": "tozero"}
        axes["yaxis" + suffix] = style.axis(title, anchor="x" + suffix, **scale)
    caption = CAPTION + "".join(f"\n{run.label + ': ' if len(runs) > 1 else ''}{sentence(run, pulse)}" for _, run, pulse in shown)
    caption += "".join(f"\n{run.label}: {reason}" for run, pulse, reason in found if pulse is None)
    if any(pulse.decay is not None for _, _, pulse in shown):
        caption += "\nThe evidence is for one of these two laws against the other; neither may be exact."
    return caption, {"data": data, "layout": style.layout(
        440, **axes, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}, margin={"l": 75, "r": 20, "t": 60, "b": 55})}


def _logarithmic(lists):
    """A logarithmic axis around these numbers, with a few round numbers as ticks."""
    low, high = 0.93 * min(values.min() for values in lists), 1.07 * max(values.max() for values in lists)
    powers = 10.0**np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1.0)
    for mantissas in ((1.0,), (1.0, 2.0, 5.0), np.arange(1.0, 10.0), np.arange(1.0, 10.0, 0.2), np.arange(1.0, 10.0, 0.05)):
        ticks = np.outer(powers, mantissas).ravel()
        ticks = ticks[(ticks > low) & (ticks < high)]
        if len(ticks) > 2:
            break
    return {"type": "log", "range": [float(np.log10(low)), float(np.log10(high))], "tickvals": style.numbers(ticks),
            "ticktext": [f"{tick:.4g}" for tick in ticks]}
