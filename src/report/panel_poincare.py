"""The panel of a Poincare section: the points of all starts."""
import numpy as np

from . import style
from .panels import Place

NAME, TITLE, PLACES = "poincare", "Poincaré section", {"poincare": Place(1, row=0)}
MOST_POINTS = 40_000


def _scales(section):
    return (style.scale_of(float(np.max(np.abs(section.displacement))), "m"), style.scale_of(float(np.max(np.abs(section.velocity))), "m/s"))


def _titles(section):
    (_, length), (_, speed) = _scales(section)
    return f"displacement of bead {section.bead} ({length})", f"velocity of bead {section.bead} ({speed})"


def interactive(shown):
    section = shown[0]
    (u_factor, _), (v_factor, _) = _scales(section)
    starts, points = section.displacement.shape
    step = max(1, -(-starts * points // MOST_POINTS))
    data = [{"type": "scatter", "mode": "markers", "name": f"start {k}", "showlegend": 1 < starts <= 20,
             "x": style.numbers(u * u_factor, 6), "y": style.numbers(v * v_factor, 6),
             "marker": {"size": 3, "color": style.run_colour(0) if starts == 1 else style.sequence_colour(k, starts)},
             "hovertemplate": "%{x}, %{y}<extra></extra>"} for k, (u, v) in enumerate(zip(section.displacement[:, ::step], section.velocity[:, ::step]))]
    caption = ("One point per period of the drive: few points are a periodic state, a closed curve one with a second frequency, a cloud chaos."
               if section.section is None else f"One point whenever bead {section.section} turns, its velocity passing zero from above.")
    caption += f" One of {step} points is drawn." if step > 1 else ""
    x, y = _titles(section)
    return caption, {"data": data, "layout": style.layout(620, xaxis=style.axis(x), yaxis=style.axis(y))}


def static(figure, shown):
    section, axis = shown[0], figure.subplots()
    (u_factor, _), (v_factor, _) = _scales(section)
    starts = len(section.displacement)
    for k, (u, v) in enumerate(zip(section.displacement, section.velocity)):
        axis.plot(u * u_factor, v * v_factor, ".", ms=2, color=style.run_colour(0) if starts == 1 else style.sequence_colour(k, starts))
    x, y = _titles(section)
    axis.set(xlabel=x, ylabel=y)
