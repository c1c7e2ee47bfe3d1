"""The panels of a fit: measured and computed traces, residuals, peaks and arrival times, confidence regions."""
import numpy as np

from . import style
from .panel_traces import MOST_POINTS, thinned
from .panels import Place

MEASURED = {"color": "#999999", "width": 2.6}
MOST_ROWS = 12
MOST_OF_FIGURE = 140_000  # points of all curves
CHI_95 = 5.991  # of chi squared with two degrees of freedom: the 95 % region of two parameters


def _shown_sensors(fit):
    """Columns of the sensors that are drawn, evenly chosen if there are many."""
    count = len(fit.sensors)
    return list(range(count)) if count <= MOST_ROWS else [int(i) for i in np.linspace(0, count - 1, MOST_ROWS).round()]


def _curve(time, values, factor, most, **more):
    """A curve of at most `most` points, to a ten-thousandth of its range: noise has no digit that can be left out otherwise."""
    time, values = thinned(time, values, most)
    steps, finite = np.diff(time), values[np.isfinite(values)]
    extent = float(np.ptp(finite)) if len(finite) else 0.0
    if extent > 0.0:
        values = np.round(values, 4 - int(np.floor(np.log10(extent))))
    curve = {"type": "scatter", "mode": "lines", "y": style.numbers(values, 9), **more}
    if len(steps) and np.allclose(steps, steps[0], rtol=1e-6):
        return curve | {"x0": float(f"{time[0] * factor:.9g}"), "dx": float(f"{np.mean(steps) * factor:.9g}")}
    return curve | {"x": style.numbers(time * factor, 8)}


def _most_points(fit, curves):
    """Points of one of so many curves in each frame."""
    return min(MOST_POINTS, MOST_OF_FIGURE // (curves * len(_shown_sensors(fit))))


def _rows(fit, curves, title, row_height=150):
    """One frame per sensor, one below the other; `curves` gives the curves of a frame."""
    places = _shown_sensors(fit)
    factor, unit = style.scale_of(0.1 * fit.last_time, "s")
    data, layout = [], {}
    height = 1.0 / len(places)
    for row, place in enumerate(places):
        suffix = "" if row == 0 else str(row + 1)
        data += curves(place, factor, {"xaxis": "x", "yaxis": f"y{suffix}"}, row == 0)
        top = 1.0 - row * height
        layout[f"yaxis{suffix}"] = style.axis(f"{fit.body} {fit.sensors[place]}<br>{title}",
                                              domain=[top - 0.86 * height, top], anchor="x")
    layout["xaxis"] = style.axis(f"time ({unit})", anchor=f"y{'' if len(places) == 1 else len(places)}")
    return {"data": data, "layout": style.layout(110 + row_height * len(places), **layout,
                                                 legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})}


def _rows_static(figure, fit, curves, title):
    places = _shown_sensors(fit)
    axes = np.atleast_1d(figure.subplots(len(places), 1, sharex=True))
    factor, unit = style.scale_of(0.1 * fit.last_time, "s")
    for axis, place in zip(axes, places):
        curves(axis, place, factor)
        axis.set_ylabel(f"{fit.body} {fit.sensors[place]}\n{title}", fontsize=6)
    axes[-1].set_xlabel(f"time ({unit})")
    axes[0].legend(fontsize=6, frameon=False, ncols=1 + len(fit.laws), loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)


def reading(fit):
    """What the sensors measure."""
    return "force" if fit.unit == "N" else "reading"


class Traces:
    NAME, TITLE, PLACES = "fit-traces", "Measured and computed traces", {"fit": Place(1, row=0, column=0, height=2.2)}

    def interactive(self, runs):
        fit = runs[0]

        most = _most_points(fit, 1 + len(fit.laws))

        def curves(place, factor, axes, first):
            yield _curve(fit.time, fit.measured[:, place], factor, most, name="measured", line=MEASURED, legendgroup="measured",
                         showlegend=first, **axes)
            for i, law in enumerate(fit.laws):
                yield _curve(fit.time, law.computed[:, place], factor, most, name=style.plain(law.name), legendgroup=law.name,
                             line=style.line(i, 1.3), showlegend=first, **axes)
        caption = (f"Grey: {fit.measured_file}. Lines: the best fit under each law. Rows of a saturated sensor, and rows that "
                   f"are left out, are shown, but not fitted.{fit.method}")
        return caption, _rows(fit, lambda *frame: list(curves(*frame)), f"{reading(fit)} ({fit.unit})")

    def static(self, figure, runs):
        fit = runs[0]

        def curves(axis, place, factor):
            axis.plot(fit.time * factor, fit.measured[:, place], color=MEASURED["color"], lw=1.6, label="measured")
            for i, law in enumerate(fit.laws):
                axis.plot(fit.time * factor, law.computed[:, place], color=style.run_colour(i), lw=0.8, label=law.name)
        _rows_static(figure, fit, curves, fit.unit)


class Residuals:
    NAME, TITLE, PLACES = "fit-residuals", "Residuals", {"fit": Place(2, row=0, column=1, height=2.2)}

    @staticmethod
    def _residual(fit, law, place):
        return np.where(fit.used[:, place] > 0, fit.measured[:, place] - law.computed[:, place], np.nan)

    def interactive(self, runs):
        fit = runs[0]

        most = _most_points(fit, len(fit.laws))

        def curves(place, factor, axes, first):
            for i, law in enumerate(fit.laws):
                yield _curve(fit.time, self._residual(fit, law, place), factor, most, name=style.plain(law.name), legendgroup=law.name,
                             line=style.line(i, 1.0), showlegend=first and len(fit.laws) > 1, **axes)
        caption = f"Measured minus computed {reading(fit)}. Noise has no pattern; the residuals of a wrong law look like waves."
        caption += "".join(f"\n{law.name}: {law.rms:.4g} {fit.unit} rms over all traces." for law in fit.laws)
        return caption, _rows(fit, lambda *frame: list(curves(*frame)), f"residual ({fit.unit})", 120)

    def static(self, figure, runs):
        fit = runs[0]

        def curves(axis, place, factor):
            for i, law in enumerate(fit.laws):
                axis.plot(fit.time * factor, self._residual(fit, law, place), color=style.run_colour(i), lw=0.6, label=law.name)
        _rows_static(figure, fit, curves, fit.unit)


class Peaks:
    NAME, TITLE, PLACES = "fit-peaks", "Peak forces and arrival times", {"fit": Place(4, row=2)}

    @staticmethod
    def _known(fit):
        return np.isfinite(fit.peak_force)

    def interactive(self, runs):
        fit = runs[0]
        known = self._known(fit)
        if not known.any():
            return "No peak was measured: each sensor is saturated, or its peak is before or after the measurement.", None
        factor, unit = style.scale_of(0.1 * fit.last_time, "s")
        x = [int(sensor) for sensor in fit.sensors[known]]
        data = []
        for axis, measured, scale in (("", fit.peak_force, 1.0), ("2", fit.arrival_time, factor)):
            where = {"xaxis": f"x{axis}", "yaxis": f"y{axis}", "type": "scatter", "mode": "markers"}
            data.append({**where, "x": x, "y": style.numbers(measured[known] * scale, 7), "name": "measured",
                         "legendgroup": "measured", "showlegend": axis == "", "marker": {"color": "#999999", "size": 13}})
            for i, law in enumerate(fit.laws):
                computed = law.peak_force if axis == "" else law.arrival_time
                data.append({**where, "x": x, "y": style.numbers(computed[known] * scale, 7), "name": style.plain(law.name),
                             "legendgroup": law.name, "showlegend": axis == "",
                             "marker": {"color": style.run_colour(i), "size": 7, "symbol": style.SYMBOLS[i % 5][0]}})
        layout = style.layout(420, xaxis=style.axis(fit.body, domain=[0.0, 0.44]), yaxis=style.axis(f"peak {reading(fit)} ({fit.unit})"),
                              xaxis2=style.axis(fit.body, domain=[0.56, 1.0], anchor="y2"),
                              yaxis2=style.axis(f"arrival time ({unit})", anchor="x2"),
                              legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})
        caption = f"Error of the peak {reading(fit)}, |computed - measured| / measured, at each sensor:"
        for law in fit.laws:
            errors = 100.0 * np.abs(law.peak_force[known] / fit.peak_force[known] - 1.0)
            caption += f"\n{law.name}: " + ", ".join(f"{error:.2f}" for error in errors) + f" %, {errors.mean():.2f} % on average."
        return caption, {"data": data, "layout": layout}

    def static(self, figure, runs):
        fit = runs[0]
        known = self._known(fit)
        factor, unit = style.scale_of(0.1 * fit.last_time, "s")
        for axis, measured, name, scale, title in zip(figure.subplots(1, 2), (fit.peak_force, fit.arrival_time),
                                                      ("peak_force", "arrival_time"), (1.0, factor),
                                                      (f"peak {reading(fit)} ({fit.unit})", f"arrival time ({unit})")):
            axis.plot(fit.sensors[known], measured[known] * scale, "o", color="#999999", ms=7, label="measured")
            for i, law in enumerate(fit.laws):
                axis.plot(fit.sensors[known], getattr(law, name)[known] * scale, style.SYMBOLS[i % 5][1], ms=3.5,
                          color=style.run_colour(i), label=law.name)
            axis.set(xlabel=fit.body, ylabel=title)
            axis.legend(fontsize=6, frameon=False)


class Ellipses:
    NAME, TITLE, PLACES = "fit-ellipses", "Confidence regions", {"fit": Place(5, row=3)}
    MOST_PAIRS = 9

    def _pairs(self, law):
        known = [k for k in range(len(law.keys)) if np.isfinite(law.numbers["standard_error"][k]) and
                 law.numbers["standard_error"][k] > 0]
        return [(a, b) for i, a in enumerate(known) for b in known[i + 1:]][:self.MOST_PAIRS]

    @staticmethod
    def _ellipse(law, a, b):
        turn = np.linspace(0.0, 2.0 * np.pi, 121)
        c = law.correlation[a, b]
        size = np.sqrt(CHI_95)
        x, y = size * np.cos(turn), size * (c * np.cos(turn) + np.sqrt(max(1.0 - c * c, 0.0)) * np.sin(turn))
        value, error = law.numbers["value"], law.numbers["standard_error"]
        return value[a] + error[a] * x, value[b] + error[b] * y

    @staticmethod
    def _scaled(law, k, values):
        """Numbers of a parameter and its best value as an axis shows them, and the title of the axis."""
        best = law.numbers["value"][k]
        factor, offset, title = style.scaled(values, law.keys[k], law.units[k], best)
        return (values - offset) * factor, (best - offset) * factor, title

    def interactive(self, runs):
        law = runs[0].laws[0]
        pairs, profiles = self._pairs(law), [p for p in law.profiles if len(p["value"]) > 1]
        frames = len(pairs) + len(profiles)
        if frames == 0:
            return ("Fewer than two parameters have a standard error, so there is no pair to draw. --profile-likelihood KEY adds "
                    "a profile likelihood."), None
        columns = min(frames, 3)
        rows = -(-frames // columns)
        data, layout = [], {}
        for i in range(frames):
            suffix = "" if i == 0 else str(i + 1)
            left, top = (i % columns) / columns, 1.0 - (i // columns) / rows
            axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "type": "scatter", "showlegend": False}
            if i < len(pairs):
                a, b = pairs[i]
                x, y = self._ellipse(law, a, b)
                (x, best_x, x_title), (y, best_y, y_title) = self._scaled(law, a, x), self._scaled(law, b, y)
                titles = x_title, y_title
                data.append({**axes, "mode": "lines", "x": style.numbers(x, 12), "y": style.numbers(y, 12), "line": style.line(0)})
                data.append({**axes, "mode": "markers", "x": style.numbers([best_x], 12),
                             "y": style.numbers([best_y], 12), "marker": {"color": style.run_colour(0), "size": 7}})
            else:
                profile = profiles[i - len(pairs)]
                rise = (profile["chi_squared"] - profile["chi_squared"].min()) / law.noise ** 2
                values, _, title = self._scaled(law, law.keys.index(profile["key"]), profile["value"])
                titles = title, "increase of chi squared"
                data.append({**axes, "mode": "lines+markers", "x": style.numbers(values, 12), "y": style.numbers(rise),
                             "line": style.line(0)})
            layout[f"xaxis{suffix}"] = style.axis(titles[0], domain=[left, left + 1.0 / columns - 0.11], anchor=f"y{suffix}",
                                                  nticks=4, tickangle=0)
            layout[f"yaxis{suffix}"] = style.axis(titles[1], domain=[top - 0.72 / rows, top], anchor=f"x{suffix}")
        caption = (f"{law.name}: the true values of a pair are inside its ellipse with 95 % probability, if the law is right and "
                   "the noise is white.")
        if profiles:
            caption += ("\nProfile likelihoods: one parameter is held at each value and the others are fitted again. The curve is "
                        "a parabola if the standard errors are right.")
        return caption, {"data": data, "layout": style.layout(60 + 330 * rows, **layout)}

    def has_data(self, runs):
        return bool(self._pairs(runs[0].laws[0]))

    def static(self, figure, runs):
        law = runs[0].laws[0]
        pairs = self._pairs(law)[:3]
        for axis, (a, b) in zip(np.atleast_1d(figure.subplots(1, len(pairs))), pairs):
            (x, best_x, x_title), (y, best_y, y_title) = (self._scaled(law, k, ends) for k, ends in zip((a, b), self._ellipse(law, a, b)))
            axis.plot(x, y, color=style.run_colour(0), lw=0.9)
            axis.plot(best_x, best_y, "o", color=style.run_colour(0), ms=3)
            axis.set(xlabel=x_title, ylabel=y_title)
            axis.locator_params(nbins=4)
            axis.ticklabel_format(useOffset=False)


PANELS = (Traces(), Residuals(), Peaks(), Ellipses())
