"""The panels of what holds a mechanism together: reactions of joints, motors, springs."""
import numpy as np

from .panel_mechanism import Panel, named, time_axis
from .panels import Place


def _texts(run, name):
    return run.texts.get(name, ())


class Joints(Panel):
    NAME, TITLE, PLACES = "joint-forces", "Forces in joints", {"mechanism": Place(6)}
    MISSING = "The mechanism has no joint."
    CAPTION = "Magnitude of the force that the first body of each joint exerts on the second; a motor that pushes along a slider is part of it."

    def curves(self, runs):
        for i, run in enumerate(runs):
            for k, joint in enumerate(_texts(run, "joints")):
                force = np.linalg.norm(run["joint_force"][:, k], axis=1)
                yield run.snapshot_time, force, named(run, runs, joint), i if len(runs) > 1 else k, True, None

    def axes(self, runs):
        return time_axis(runs), ("force (N)", 1.0)


class Torques(Panel):
    NAME, TITLE, PLACES = "joint-torques", "Torques in joints", {"mechanism": Place(7)}
    MISSING = "No joint transmits a torque."
    CAPTION = "Torque of the first body of each joint on the second: of motors about the joint's point, of sliders about the second body's centre."

    def curves(self, runs):
        for i, run in enumerate(runs):
            for k, joint in enumerate(_texts(run, "joints")):
                torque = run["joint_torque"][:, k]
                # A joint that turns freely transmits rounding.
                if np.max(np.abs(torque)) > 1e-9 * np.max(np.abs(run["joint_torque"][:]), initial=0.0):
                    yield run.snapshot_time, torque, named(run, runs, joint), i if len(runs) > 1 else k, True, None

    def axes(self, runs):
        return time_axis(runs), ("torque (N m)", 1.0)


class Springs(Panel):
    NAME, TITLE, PLACES = "springs", "Springs", {"mechanism": Place(8)}
    MISSING = "The mechanism has no spring."
    CAPTION = "Force of each spring and its damper over time; tension is positive."

    def curves(self, runs):
        for i, run in enumerate(runs):
            for k, spring in enumerate(_texts(run, "springs")):
                yield run.snapshot_time, run["spring_force"][:, k], named(run, runs, spring), i if len(runs) > 1 else k, True, None

    def axes(self, runs):
        return time_axis(runs), ("force (N)", 1.0)


PANELS = (Joints(), Torques(), Springs())
