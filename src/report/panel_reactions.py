"""The panels of what holds a mechanism together: reactions of joints, motors, springs."""
import numpy as np

from .panel_mechanism import Panel, named, time_axis
from .panels import Place


class OverTime(Panel):
    """One curve for each name of a list of the history; `of(run, k)` gives its values, or None if it is not drawn."""

    def __init__(self, number, name, title, missing, caption, names, of, axis):
        self.NAME, self.TITLE, self.PLACES = name, title, {"mechanism": Place(number)}
        self.MISSING, self.CAPTION = missing, caption
        self._names, self._of, self._axis = names, of, axis

    def applies(self, runs):
        return any(len(run.texts.get(self._names, ())) for run in runs)

    def curves(self, runs):
        for i, run in enumerate(runs):
            for k, name in enumerate(run.texts.get(self._names, ())):
                values = self._of(run, k)
                if values is not None:
                    yield run.snapshot_time, values, named(run, runs, name), i if len(runs) > 1 else k, True, None

    def axes(self, runs):
        return time_axis(runs), (self._axis, 1.0)


def _torque(run, k):
    """None for a joint that turns freely: it transmits rounding."""
    torque, largest = run["joint_torque"][:, k], np.max(np.abs(run["joint_torque"][:]), initial=0.0)
    return torque if np.max(np.abs(torque), initial=0.0) > 1e-9 * largest else None


PANELS = (
    OverTime(6, "joint-forces", "Forces in joints", "The mechanism has no joint.",
             "Magnitude of the force that the first body of each joint exerts on the second; a motor that pushes along a slider is part of it.",
             "joints", lambda run, k: np.linalg.norm(run["joint_force"][:, k], axis=1), "force (N)"),
    OverTime(7, "joint-torques", "Torques in joints", "No joint transmits a torque.",
             "Torque of the first body of each joint on the second: of motors about the joint's point, of sliders about the second body's centre.",
             "joints", _torque, "torque (N m)"),
    OverTime(8, "springs", "Springs", "The mechanism has no spring.", "Force of each spring and its damper over time; tension is positive.",
             "springs", lambda run, k: run["spring_force"][:, k], "force (N)"))
