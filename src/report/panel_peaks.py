"""Peak force along the chain, and the arrival time of the wave with the fitted wave speed."""
import numpy as np

from . import arrivals
from . import style
from .panels import Place

NAME = "peaks"
TITLE = "Peak force and arrival time along the chain"
PLACES = {"chain": Place(3, row=1)}
MISSING = ("The history holds neither sensors nor contact forces, so there are no peaks. Add to the scenario, for "
           "example: [sensors] beads = [9, 16, 24], interval = 1e-7; or [snapshots] interval = 1e-6 (in s).")


def peaks_and_fit(run):
    """The run's peaks at sensors and at all beads (either may be None) and the fitted wave speed."""
    sensors, beads = arrivals.sensor_peaks(run), arrivals.snapshot_peaks(run)
    return sensors, beads, arrivals.fit_speed(run, sensors, beads)


def _units(found):
    peaks = [p for sensors, beads, _ in found for p in (sensors, beads) if p is not None]
    times = np.concatenate([p.time for p in peaks])
    metres = max(float(p.position[-1]) for p in peaks)
    latest = float(np.nanmax(times)) if np.isfinite(times).any() else 0.0
    return style.scale_of(0.1 * latest, "s"), style.scale_of(metres, "m")


def fit_line(fit, run):
    """Position [m] and time [s] of the two ends of the fitted line."""
    x = run.position[[fit.first, fit.last]]
    return x, fit.start + x / fit.speed


def fit_sentence(fit):
    if fit is None:
        return arrivals.speed_text(None) + "."
    towards = "" if fit.speed > 0 else ", towards lower bead numbers"
    return (f"wave speed {arrivals.speed_text(fit)}{towards}: straight line through {fit.count} arrival times from {fit.source}, "
            f"beads {fit.first} to {fit.last}; their root mean square deviation from the line is "
            f"{style.with_prefix(fit.scatter, 's')}.")


def interactive(runs):
    found = [peaks_and_fit(run) for run in runs]
    if not any(sensors or beads for sensors, beads, _ in found):
        return MISSING, None
    (second, s_unit), (metre, m_unit) = _units(found)
    data, speeds = [], []
    for i, (run, (sensors, beads, fit)) in enumerate(zip(runs, found)):
        colour, group = style.run_colour(i), {"legendgroup": str(i), "name": style.plain(run.label)}
        for column in range(2):
            axes = {"xaxis": ("x", "x2")[column], "yaxis": ("y", "y2")[column], "showlegend": False}
            for peaks in (beads, sensors):
                if peaks is None:
                    continue
                x = peaks.beads if column == 0 else peaks.position * metre
                y = peaks.force if column == 0 else peaks.time * second
                kind = "bead" if peaks is beads else "sensor at bead"
                marks = ({"mode": "lines", "line": {**style.line(i, 1.2)}} if peaks is beads else
                         {"mode": "markers", "marker": {"color": colour, "size": 9, "symbol": style.SYMBOLS[i % 5][0],
                                                        "line": {"color": "#fff", "width": 1}}})
                if column == 1 and peaks is beads and fit is not None and fit.source == "sensors":
                    continue  # a second line would hide the fitted line
                data.append({"type": "scatter", "x": style.numbers(x, 7), "y": style.numbers(y, 7),
                             "text": [f"{kind} {bead}" for bead in peaks.beads],
                             "hovertemplate": "%{text}<br>%{y}", **marks, **axes, **group})
        data[-1 if data else 0]["showlegend"] = len(runs) > 1
        if fit is not None:
            x, t = fit_line(fit, run)
            data.append({"type": "scatter", "mode": "lines", "x": style.numbers(x * metre, 8),
                         "y": style.numbers(t * second, 8), "xaxis": "x2", "yaxis": "y2", "showlegend": False,
                         "line": {"color": colour, "width": 1.2, "dash": "dash"}, "hoverinfo": "skip", **group})
        speeds.append(f"<span style='color:{colour}'>{style.plain(run.label) + ': ' if len(runs) > 1 else ''}"
                      f"{arrivals.speed_text(fit)}</span>")
    label = {"text": "fitted wave speed<br>" + "<br>".join(speeds), "xref": "paper", "yref": "paper", "x": 0.57, "y": 0.97,
             "xanchor": "left", "yanchor": "top", "showarrow": False, "align": "left", "bgcolor": "rgba(255,255,255,0.85)"}
    layout = style.layout(
        460, annotations=[label], xaxis=style.axis("bead", domain=[0.0, 0.44]),
        yaxis=style.axis("peak force (N)", rangemode="tozero"),
        xaxis2=style.axis(f"position along the chain ({m_unit})", domain=[0.56, 1.0], anchor="y2"),
        yaxis2=style.axis(f"arrival time ({s_unit})", anchor="x2", rangemode="tozero"),
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})
    caption = ("Markers: sensors. Thin lines: every bead, from the snapshots. The wave arrives at the peak of the first hump of "
               "the force that no later hump clearly exceeds. The dashed line is the fit, over the beads that it uses: beads within "
               f"{arrivals.EDGE_BEADS} beads of an end (within a fifth of a shorter chain) are left out.")
    caption += "".join(f"\n{run.label}: {fit_sentence(fit)}" if len(runs) > 1 else f"\n{_capital(fit_sentence(fit))}"
                       for run, (_, _, fit) in zip(runs, found))
    return caption, {"data": data, "layout": layout}


def _capital(sentence):
    return sentence[0].upper() + sentence[1:]


def has_data(runs):
    return any(sensors or beads for sensors, beads, _ in (peaks_and_fit(run) for run in runs))


def static(figure, runs):
    found = [peaks_and_fit(run) for run in runs]
    left, right = figure.subplots(1, 2)
    (second, s_unit), (metre, m_unit) = _units(found)
    for i, (run, (sensors, beads, fit)) in enumerate(zip(runs, found)):
        colour, marker = style.run_colour(i), style.SYMBOLS[i % 5][1]
        if beads is not None:
            left.plot(beads.beads, beads.force, color=colour, lw=0.8)
        if sensors is not None:
            left.plot(sensors.beads, sensors.force, marker, color=colour, ms=4)
            right.plot(sensors.position * metre, sensors.time * second, marker, color=colour, ms=4)
        if beads is not None and (fit is None or fit.source == "snapshots"):
            right.plot(beads.position * metre, beads.time * second, color=colour, lw=0.8)
        if fit is not None:
            x, t = fit_line(fit, run)
            label = f"{abs(fit.speed):.1f} m/s" + (f", {run.label}" if len(runs) > 1 else " (fit)")
            right.plot(x * metre, t * second, "--", color=colour, lw=1.0, label=label)
    left.set(xlabel="bead", ylabel="peak force (N)", ylim=(0, None))
    right.set(xlabel=f"position ({m_unit})", ylabel=f"arrival time ({s_unit})", xlim=(0, None), ylim=(0, None))
    if right.get_legend_handles_labels()[0]:
        right.legend(fontsize=7, frameon=False, loc="upper left")
