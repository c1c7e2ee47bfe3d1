"""Amplitude spectra of the force and the velocity at the sensors."""
import numpy as np

from . import style
from .panels import Place
from .sampling import NotPossible, largest_of_groups
from .sensor_spectrum import QUANTITIES, see_waves, sentences, spectrum_of

NAME = "sensor-spectrum"
TITLE = "Spectra at the sensors"
PLACES = {"chain": Place(7), "packing": Place(6)}
MOST_CURVES, MOST_POINTS = 12, 1200
DECADES = 5
KHZ = 1e-3
applies = see_waves
KINDS = (("pulse", "{}/Hz"), ("vibration", "{}"))
CAPTION = ("As a pulse: the size of the Fourier transform of the change since the start, without a window. As a vibration: with Hann's "
           "window over the record and without the mean; a sine of amplitude A that lasts through the record has the amplitude A. "
           "The buttons choose; click the legend to hide a curve.")


def _spectra(runs):
    """(run, {quantity: Spectrum}, reason) of each run."""
    found = []
    for run in runs:
        try:
            found.append((run, {quantity: spectrum_of(run, quantity, MOST_CURVES // len(runs) or 1) for quantity in QUANTITIES}, ""))
        except NotPossible as reason:
            found.append((run, None, str(reason)))
    return found


def _highest(spectra):
    """The upper end of the frequency axis [Hz]: a little above the last one with a thousandth of a largest amplitude. As a
    vibration, because a pulse that is cut off has no upper end."""
    ends = []
    for found in spectra:
        seen = np.flatnonzero(found.vibration.max(axis=1) > 1e-3 * found.vibration.max())
        ends.append(found.frequency[min(len(found.frequency) - 1, int(1.2 * seen[-1]) + 3)] if len(seen) else 0.0)
    return max(ends) or spectra[0].frequency[-1]


def interactive(runs):
    found = _spectra(runs)
    shown = [(run, spectra) for run, spectra, _ in found if spectra is not None]
    if not shown:
        return found[0][2], None
    highest = max(_highest(list(spectra.values())) for _, spectra in shown)
    combinations = [(quantity, kind, unit) for quantity in QUANTITIES for kind, unit in KINDS]
    data, of, tops = [], [], [0.0] * len(combinations)
    for i, (run, spectra) in enumerate(shown):
        sensors = spectra["force"].sensors
        for s, sensor in enumerate(sensors):
            name = f"{run.body} {sensor}"
            line = {"color": style.sequence_colour(s, len(sensors)), "width": 1.5} if len(shown) == 1 else style.line(i, 1.4)
            first = len(shown) == 1 or s == len(sensors) // 2
            for c, (quantity, kind, _) in enumerate(combinations):
                rows = max(2, int(np.searchsorted(spectra[quantity].frequency, highest)) + 1)
                values, group = largest_of_groups(getattr(spectra[quantity], kind)[:rows, s], MOST_POINTS)
                tops[c] = max(tops[c], float(values.max()))
                step = spectra[quantity].frequency[1] * KHZ
                data.append({"type": "scatter", "mode": "lines", "x0": float(f"{0.5 * (group - 1) * step:.9g}"),
                             "dx": float(f"{group * step:.9g}"), "y": style.numbers(values, 4),
                             "name": name if len(shown) == 1 else f"{style.plain(run.label)}: {name}", "line": line,
                             "visible": (True if first else "legendonly") if c == 0 else False,
                             "hovertemplate": "%{x:.5g} kHz, %{y:.4g}"})
                of.append((c, first))
    buttons = []
    for c, (quantity, kind, unit) in enumerate(combinations):
        visible = [(True if first else "legendonly") if k == c else False for k, first in of]
        buttons.append({"label": f"{quantity}, as a {kind}", "method": "update",
                        "args": [{"visible": visible}, _axis(quantity, unit, tops[c])]})
    quantity, _, unit = combinations[0]
    axis = _axis(quantity, unit, tops[0])
    menu = {"type": "buttons", "direction": "right", "x": 0, "xanchor": "left", "y": 1.03, "yanchor": "bottom", "buttons": buttons}
    layout = style.layout(
        460, xaxis=style.axis("frequency (kHz)", range=[0, float(highest * KHZ)]), updatemenus=[menu],
        yaxis=style.axis(axis["yaxis.title.text"], type="log", range=axis["yaxis.range"], dtick=1),
        margin={"l": 85, "r": 20, "t": 70, "b": 55})
    caption = CAPTION
    for run, spectra in shown:
        resolution = f"The resolution is {style.with_prefix(spectra['force'].frequency[1], 'Hz')}."
        caption += f"\n{run.label + ': ' if len(runs) > 1 else ''}{resolution}{sentences(run, spectra['force'])}"
    caption += "".join(f"\n{run.label}: {reason}" for run, spectra, reason in found if spectra is None)
    return caption, {"data": data, "layout": layout}


def _axis(quantity, unit, top):
    """Title and range of the amplitude's axis."""
    top = np.log10(top) if top > 0.0 else 0.0
    return {"yaxis.title.text": f"amplitude of the {quantity} ({_over_hertz(unit, QUANTITIES[quantity])})",
            "yaxis.range": [float(f"{top - DECADES:.4g}"), float(f"{top + 0.2:.4g}")]}


def _over_hertz(unit, quantity):
    return unit.format(f"({quantity})" if "/" in unit and "/" in quantity else quantity)
