"""Spectrograms: amplitude over time and frequency at one sensor, which a menu chooses."""
import numpy as np

from . import style
from .panels import Place
from .sampling import NotPossible
from .sensor_spectrum import QUANTITIES, see_waves, series_of, spectrogram

NAME = "spectrogram"
TITLE = "Spectrogram of a sensor"
PLACES = {"chain": Place(8), "packing": Place(7)}
MOST = 8  # pictures
DECADES = 3  # of the colours
KHZ = 1e-3
applies = see_waves


def _pictures(runs):
    """(name, unit, Spectrogram) of a few sensors, and the reason if there are none."""
    found, reason = [], ""
    each = max(1, MOST // (len(QUANTITIES) * len(runs)))
    for quantity, unit in QUANTITIES.items():
        for run in runs:
            try:
                samples, columns, values = series_of(run, quantity, each)
            except NotPossible as missing:
                reason = str(missing)
                continue
            for s, column in enumerate(columns):
                picture = spectrogram(samples.interval, values[:, s])
                if picture.amplitude.max() > 0.0:  # squares of the smallest forces, far ahead of a wave, are zero
                    name = f"{quantity}, {run.body} {run.traces.beads[column]}"
                    found.append((name if len(runs) == 1 else f"{run.label}: {name}", unit, picture))
    return found, reason or "Nothing moves at the sensors, so there is no spectrogram."


def interactive(runs):
    found, reason = _pictures(runs)
    if not found:
        return reason, None
    factor, unit_of_time = style.time_scale(runs)
    data, buttons = [], []
    for k, (name, unit, picture) in enumerate(found):
        largest = float(np.log10(picture.amplitude.max()))
        exponents = [e for e in range(-40, 40) if largest - DECADES <= e <= largest]
        with np.errstate(divide="ignore"):
            z = np.maximum(np.log10(picture.amplitude), largest - DECADES)
        data.append({"type": "heatmap", "x": style.numbers(picture.time * factor), "y": style.numbers(picture.frequency * KHZ),
                     "z": [style.numbers(row, 3) for row in z], "zmin": largest - DECADES, "zmax": largest, "visible": k == 0,
                     "colorscale": style.magma_scale(), "name": "",
                     "colorbar": {"title": {"text": f"amplitude ({unit})", "side": "right"}, "thickness": 16, "outlinewidth": 0,
                                  "tickvals": exponents, "ticktext": [f"10<sup>{e}</sup>" for e in exponents]},
                     "hovertemplate": "%{x} " + unit_of_time + "<br>%{y} kHz<br>10^%{z:.2f} " + unit})
        buttons.append({"label": style.plain(name), "method": "update",
                        "args": [{"visible": [k == other for other in range(len(found))]},
                                 {"yaxis.range": [0, float(picture.frequency[-1] * KHZ)]}]})
    first = found[0][2]
    caption = (f"Amplitude as of a vibration: Hann's window of {style.with_prefix(first.window, 's')}, without its mean, moves over the "
               f"record; its resolution is {style.with_prefix(first.frequency[1], 'Hz')}. A sine of amplitude A has the amplitude A. The "
               f"colour is logarithmic over {DECADES} decades. The menu chooses the sensor, and force or velocity.")
    return caption, {"data": data, "layout": style.layout(
        460, xaxis=style.axis(f"time ({unit_of_time})", showgrid=False),
        yaxis=style.axis("frequency (kHz)", showgrid=False, range=[0, float(first.frequency[-1] * KHZ)]),
        margin={"l": 75, "r": 20, "t": 70, "b": 55},
        updatemenus=[{"type": "dropdown", "x": 0, "xanchor": "left", "y": 1.03, "yanchor": "bottom", "buttons": buttons}])}
