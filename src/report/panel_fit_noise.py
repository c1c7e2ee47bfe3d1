"""The panel of a fit that shows whether the residuals are white normal noise: histogram, spectrum, autocorrelation."""
import numpy as np

from . import residual_noise, style
from .panels import Place

NAME, TITLE, PLACES = "fit-noise", "Residuals as noise", {"fit": Place(3, row=1, height=1.1)}
EXPECTED = "#999999"


def _numbers_of(fit):
    """For each law: histogram, spectrum, autocorrelation."""
    found = []
    for law in fit.laws:
        residual = residual_noise.normalised(fit, law)
        found.append((law, residual_noise.histogram(residual), residual_noise.spectrum(residual, fit.time),
                      residual_noise.autocorrelation(residual)))
    return found


def _beyond(numbers, low, high):
    return f"{np.count_nonzero((numbers < low) | (numbers > high))} of {len(numbers)}"


def _sentence(law, bars, power, rows):
    parts = [f"{100.0 * bars.beyond_three:.2g} % of the rows are more than three rms off"]
    if rows is not None:
        parts.append(f"correlation with the next row {rows.value[0]:+.3f}, {_beyond(rows.value, -rows.band, rows.band)} lags beyond "
                     "their band")
    if power is not None:
        parts.append(f"{_beyond(power.power, *power.band)} frequencies beyond the band")
    return f"\n{law.name}: {'; '.join(parts)}."


def interactive(runs):
    numbers = _numbers_of(runs[0])
    numbers = [each for each in numbers if each[1] is not None]
    if not numbers:
        return "The computed forces equal the measured ones to rounding: there are no residuals.", None
    data = []
    for i, (law, bars, power, rows) in enumerate(numbers):
        curve = {"type": "scatter", "name": style.plain(law.name), "legendgroup": law.name}
        middle = 0.5 * (bars.edges[:-1] + bars.edges[1:])
        if i == 0:
            data += _expected(middle, bars, power, rows)
        data.append({**curve, "mode": "lines", "x": style.numbers(middle), "y": style.numbers(bars.density),
                     "line": {**style.line(i, 1.4), "shape": "hvh"}, "xaxis": "x", "yaxis": "y"})
        if power is not None:
            factor, _ = _frequency_scale(power)
            data.append({**curve, "mode": "lines", "x": style.numbers(power.frequency * factor), "y": style.numbers(power.power),
                         "line": style.line(i, 1.2), "showlegend": False, "xaxis": "x2", "yaxis": "y2"})
        if rows is not None:
            data.append({**curve, "mode": "lines+markers", "x": [int(lag) for lag in rows.lag], "y": style.numbers(rows.value),
                         "line": style.line(i, 1.0), "marker": {"size": 5}, "showlegend": False, "xaxis": "x3", "yaxis": "y3"})
    unit = next((_frequency_scale(power)[1] for _, _, power, _ in numbers if power is not None), "Hz")
    frames = {f"{letter}axis{number}": style.axis(title, **more) for letter, number, title, more in (
        ("x", "", "residual / rms", {"domain": [0.0, 0.28]}), ("y", "", "density", {"rangemode": "tozero"}),
        ("x", "2", f"frequency ({unit})", {"domain": [0.37, 0.65], "anchor": "y2"}),
        ("y", "2", "power / white noise", {"type": "log", "dtick": 1, "anchor": "x2"}),
        ("x", "3", "lag (rows)", {"domain": [0.74, 1.0], "anchor": "y3"}), ("y", "3", "autocorrelation", {"anchor": "x3"}))}
    caption = ("All sensors together, each in units of its own rms; measured minus computed. Grey: white normal noise, and the bands "
               "that hold 95 % of it. The standard errors are those of such noise, unless they are robust.")
    caption += "".join(_sentence(*each) for each in numbers)
    return caption, {"data": data, "layout": style.layout(380, **frames, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})}


def _frequency_scale(power):
    return style.scale_of(0.1 * float(power.frequency[-1]), "Hz") if power.unit == "Hz" else (1.0, power.unit)


def _expected(middle, bars, power, rows):
    """White normal noise in the three frames."""
    line = {"type": "scatter", "mode": "lines", "line": {"color": EXPECTED, "width": 2.2}, "name": "white normal noise",
            "legendgroup": "white normal noise"}
    yield {**line, "x": style.numbers(middle), "y": style.numbers(bars.normal), "xaxis": "x", "yaxis": "y"}
    thin = {**line, "line": {"color": EXPECTED, "width": 1.4, "dash": "dash"}, "showlegend": False}
    if power is not None:
        factor, _ = _frequency_scale(power)
        ends = style.numbers(power.frequency[[0, -1]] * factor)
        for level in power.band:
            yield {**thin, "x": ends, "y": style.numbers([level, level]), "xaxis": "x2", "yaxis": "y2"}
    if rows is not None:
        for sign in (-1.0, 1.0):
            yield {**thin, "x": [int(lag) for lag in rows.lag], "y": style.numbers(sign * rows.band), "xaxis": "x3", "yaxis": "y3"}


def static(figure, runs):
    numbers = [each for each in _numbers_of(runs[0]) if each[1] is not None]
    if not numbers:
        figure.suptitle("no residuals", fontsize=9)
        return
    left, middle, right = figure.subplots(1, 3)
    for i, (law, bars, power, rows) in enumerate(numbers):
        colour = style.run_colour(i)
        if i == 0:
            left.stairs(bars.normal, bars.edges, color=EXPECTED, lw=1.4, label="normal")
        left.stairs(bars.density, bars.edges, color=colour, lw=0.8, label=law.name)
        if power is not None:
            factor, unit = _frequency_scale(power)
            if i == 0:
                middle.axhspan(*power.band, color="#e6e6e6", lw=0)
            middle.semilogy(power.frequency * factor, power.power, color=colour, lw=0.7)
            middle.set_xlabel(f"frequency ({unit})")
        if rows is not None:
            if i == 0:
                right.fill_between(rows.lag, -rows.band, rows.band, color="#e6e6e6", lw=0)
            right.plot(rows.lag, rows.value, "o-", color=colour, lw=0.6, ms=2.0)
    left.set(xlabel="residual / rms", ylabel="density")
    left.legend(fontsize=6, frameon=False)
    middle.set_ylabel("power / white noise")
    right.set(xlabel="lag (rows)", ylabel="autocorrelation")
