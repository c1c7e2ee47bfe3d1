"""The transfer function of the linear structure: force at sensors in dB over the frequency of the drive."""
import numpy as np

from . import style
from .panel_modes_bands import KHZ, gap_shapes, shade_gaps, shaded_text
from .panels import Place
from .sampling import largest_of_groups

NAME = "modes-transfer"
TITLE = "Transfer function"
PLACES = {"modes": Place(5, row=2)}
MISSING = "The file holds no transfer function."
MOST_CURVES, MOST_POINTS = 12, 2000
RANGE = 200.0  # dB


def decibels(transfer):
    """20 log10 |force|, relative to 1 of its unit; -inf where it is zero."""
    with np.errstate(divide="ignore"):
        return 20.0 * np.log10(np.abs(transfer.force))


def _range(curves):
    """Of the level (dB): what is weaker by more than RANGE than the strongest response is below the picture."""
    levels = np.concatenate([level[np.isfinite(level)] for _, _, level in curves] or [[0.0]])
    if not len(levels):
        return 0.0, 1.0
    top, bottom = float(levels.max()), float(max(levels.min(), levels.max() - RANGE))
    return bottom - 0.03 * (top - bottom + 1.0), top + 0.05 * (top - bottom + 1.0)


def _relative(transfer):
    return f"force (dB relative to 1 {transfer.unit})" if transfer.unit != "1" else "force (dB)"


def _curves(transfer):
    """(sensor, frequencies [kHz], dB); of many points the largest of neighbours."""
    order = np.argsort(transfer.sensors, kind="stable")
    chosen = order[np.unique(np.linspace(0, len(order) - 1, min(MOST_CURVES, len(order))).round().astype(int))] if len(order) else []
    level, group = largest_of_groups(decibels(transfer), MOST_POINTS)
    ends = np.minimum(np.arange(0, len(transfer.frequency), group) + group - 1, len(transfer.frequency) - 1)
    frequency = 0.5 * (transfer.frequency[::group] + transfer.frequency[ends])
    return [(int(transfer.sensors[s]), frequency * KHZ, level[:, s]) for s in chosen]


def interactive(shown):
    modes = shown[0]
    if modes.transfer is None or not modes.transfer.force.size:
        return MISSING, None
    curves = _curves(modes.transfer)
    data = [{"type": "scatter", "mode": "lines", "x": style.numbers(frequency, 7), "y": style.numbers(level), "name": f"sensor {sensor}",
             "line": {"color": style.sequence_colour(k, len(curves)), "width": 1.5}, "hovertemplate": "%{x:.6g} kHz, %{y:.2f} dB"}
            for k, (sensor, frequency, level) in enumerate(curves)]
    caption = (f"20 log10 of the size of the force at each sensor over the frequency of the drive, relative to 1 {modes.transfer.unit}."
               f"{shaded_text(modes)} Click the legend to hide a sensor.")
    return caption, {"data": data, "layout": style.layout(
        440, shapes=gap_shapes(modes, "x"), xaxis=style.axis("frequency (kHz)"), yaxis=style.axis(_relative(modes.transfer), range=list(_range(curves))))}


def static(figure, shown):
    axes, modes = figure.subplots(), shown[0]
    if modes.transfer is None or not modes.transfer.force.size:
        axes.set_axis_off()
        figure.suptitle("no transfer function", fontsize=9)
        return
    shade_gaps(axes, modes, "x")
    curves = _curves(modes.transfer)
    for k, (sensor, frequency, level) in enumerate(curves):
        axes.plot(frequency, level, color=style.sequence_colour(k, len(curves)), lw=1.0, label=f"sensor {sensor}")
    axes.set(xlabel="frequency (kHz)", ylabel=_relative(modes.transfer), ylim=_range(curves))
    axes.legend(fontsize=7, frameon=False)
