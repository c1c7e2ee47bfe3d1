"""More panels of a branch: energy and multipliers over the key."""
import numpy as np

from . import style
from .panel_branch import axis_of, branch_curves, draw_curves
from .panels import Place


class Curve:
    """A quantity over the key."""

    def __init__(self, name, title, quantity, unit, place):
        self.NAME, self.TITLE, self.PLACES, self._quantity, self._unit = name, title, {"branch": place}, quantity, unit

    def _scale(self, branch):
        return style.scale_of(float(np.max(np.abs(getattr(branch, self._quantity)))), self._unit)

    def interactive(self, shown):
        branch = shown[0]
        factor, unit = self._scale(branch)
        return "Kinetic and stored energy at the start of the period, above the rest.", {
            "data": branch_curves(branch, self._quantity, factor),
            "layout": style.layout(420, xaxis=style.axis(axis_of(branch)[1]), yaxis=style.axis(f"{self._quantity} ({unit})"),
                                   legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"})}

    def static(self, figure, shown):
        branch, axis = shown[0], figure.subplots()
        factor, unit = self._scale(branch)
        draw_curves(axis, branch, self._quantity, factor)
        axis.set_ylabel(f"{self._quantity} ({unit})")


class Moduli:
    NAME, TITLE, PLACES = "branch-multipliers", "Multipliers along the branch", {"branch": Place(3, row=1, column=1)}
    SHOWN = 12

    def _rows(self, branch):
        """The largest moduli; of conjugate pairs both have the same."""
        return -np.sort(-np.abs(branch.multipliers), axis=1)[:, :self.SHOWN].T  # not-a-number, where there are fewer, is last

    def interactive(self, shown):
        branch = shown[0]
        scale, title = axis_of(branch)
        x = style.numbers(branch.value * scale, 9)
        rows = self._rows(branch)
        data = [{"type": "scatter", "mode": "lines+markers", "x": x, "y": style.numbers(row, 7), "showlegend": False, "marker": {"size": 4},
                 "line": {"color": style.sequence_colour(k, len(rows)), "width": 1.2}, "hovertemplate": "%{x}<br>%{y}<extra></extra>"}
                for k, row in enumerate(rows)]
        caption = f"Moduli of the {len(rows)} largest Floquet multipliers, in order; above 1 the orbit is unstable."
        shape = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": 1, "y1": 1, "line": {"color": "#999999", "width": 1}}
        return caption, {"data": data, "layout": style.layout(420, xaxis=style.axis(title), yaxis=style.axis("modulus (1)"), shapes=[shape])}

    def static(self, figure, shown):
        branch, axis = shown[0], figure.subplots()
        scale, title = axis_of(branch)
        rows = self._rows(branch)
        for k, row in enumerate(rows):
            axis.plot(branch.value * scale, row, "-", marker=".", ms=3, lw=0.9, color=style.sequence_colour(k, len(rows)))
        axis.axhline(1.0, color="#999999", lw=0.8)
        axis.set(xlabel=title, ylabel="modulus of multipliers (1)")


PANELS = (Curve("branch-energy", "Energy along the branch", "energy", "J", Place(2, row=1)), Moduli())
