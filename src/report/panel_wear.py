"""The worn profile of the bearings of a mechanism."""
import numpy as np

from . import style
from .panel_mechanism import Panel, named
from .panels import Place


class Profile(Panel):
    NAME, TITLE, PLACES = "wear", "Worn bearings", {"mechanism": Place(5.7)}
    CAPTION = ("Depth of the wear of each bearing at the end, over the angle in the frame of the bearing's body, anticlockwise from the x axis at the "
               "start; constant in each part of the circle.")
    MISSING = "No bearing has a worn depth."

    def applies(self, runs):
        return any("wear_depth" in run for run in runs)

    def curves(self, runs):
        """Steps: the edges of the parts, each twice."""
        for i, run in enumerate(runs):
            if "wear_depth" not in run:
                continue
            for k, journal in enumerate(run.texts["worn_journals"]):
                depth = run["wear_depth"][-1, k]
                edges = np.linspace(0.0, 360.0, len(depth) + 1)
                yield np.repeat(edges, 2)[1:-1], np.repeat(depth, 2), named(run, runs, journal), i if len(runs) > 1 else k, True, None

    def axes(self, runs):
        largest = max(float(np.max(run["wear_depth"][-1])) for run in runs if "wear_depth" in run)
        factor, unit = next(((factor, unit) for factor, unit in ((1e3, "mm"), (1e6, "µm"), (1e9, "nm")) if largest * factor >= 1.0), (1e12, "pm"))
        return ("angle (degrees)", 1.0), (f"worn depth ({unit})", factor)

    def caption(self, runs):
        lines = []
        for run in (run for run in runs if "wear_depth" in run):
            worn = dict(zip(run.points, run["contact_wear"][-1]))
            lines += [f"{named(run, runs, journal)}: {worn[journal]:.4g} m³ worn, at most {style.with_prefix(np.max(depth), 'm')} deep."
                      for journal, depth in zip(run.texts["worn_journals"], run["wear_depth"][-1])]
        return "\n".join([self.CAPTION, *lines])


PANELS = (Profile(),)
