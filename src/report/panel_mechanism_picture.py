"""The mechanism in motion: its bodies, joints and contacts, contact forces, and the orbit of each pin in its clearance."""
import numpy as np

from . import moments
from . import still_moments
from . import style
from .mechanism_shapes import Shapes
from .panels import Place
from .picture import Picture

NAME = "mechanism"
TITLE = "The mechanism in motion"
PLACES = {"mechanism": Place(0, row=-1)}
MISSING = "The scenario of the history cannot be read, so the mechanism is not drawn."
MOST_NUMBERS = 400_000  # coordinates of bodies and contacts on the page


def steps_of(values):
    """Whole numbers 0 to 65535 for the values, their lower end and their step."""
    low, high = float(np.min(values, initial=np.inf)), float(np.max(values, initial=-np.inf))
    if not high > low:
        return np.zeros(np.shape(values), np.uint16), low if np.isfinite(low) else 0.0, 1.0
    step = (high - low) / 65535.0
    return np.round((values - low) / step).astype(np.uint16), low, step


def _add(picture, name, values):
    """Adds an array whose first axis is the time."""
    values = np.nan_to_num(np.asarray(values, float))
    steps, low, step = steps_of(values)
    picture.pack.add(name, steps, stride=steps[0].size if len(steps) and steps[0].size else 1)
    picture.settings["scales"][name] = [low, step, int(np.prod(values.shape[1:]))]


def picture_of(run):
    """None if the scenario does not describe the bodies of the history."""
    try:
        shapes = Shapes(run.settings, run.files)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    if shapes.names != list(run.texts.get("name", [])):
        return None
    count = len(run.snapshot_time)
    numbers = 3 * run.beads + 7 * len(run.points)
    every = -(-count * numbers // MOST_NUMBERS)
    rows = np.unique(np.append(np.arange(0, count, every), count - 1))
    position, angle = run["position"][:][rows], run["angle"][:][rows]
    position = position.reshape(len(rows), run.beads, -1)[..., :2]
    result = Picture("mechanism", {"scales": {}})
    _add(result, "position", position)
    _add(result, "angle", angle)
    force = run["contact_force"][:][rows] if run.points else np.zeros((len(rows), 0))
    if run.points:
        _add(result, "contact", run["contact_position"][:][rows])
        _add(result, "normal", run["contact_normal"][:][rows])
        _add(result, "force", np.sqrt(np.maximum(force, 0.0)))
        _add(result, "orbit", run["journal_displacement"][:][rows])
    result.settings.update({
        "time": [float(f"{t:.9g}") for t in run.snapshot_time[rows]], "snapshots": count, "every": every, "items": shapes.items,
        "names": shapes.names, "contacts": list(run.points),
        "size": shapes.size,
        "clearance": [float(c) for c in run.get("clearance", ())], "largest": float(np.max(force, initial=0.0))})
    result.summary = (f"{run.title}: {style.listed(shapes.names)}, with contacts at {style.listed(run.points)}, at {len(rows)} times.")
    return result


def interactive(runs):
    run = runs[0]
    picture = picture_of(run)
    if picture is None:
        return MISSING, None
    caption = ("Bodies are drawn as the hulls of their centre, joints and contacts; outlines are drawn where a contact gives them. Circles: pivots; "
               "pins, holes and balls at their size. Arrows: contact forces on the first body of a contact; their length goes with the "
               "square root of the force.")
    if any(clearance > 0.0 for clearance in picture.settings["clearance"]):
        caption += (" Small pictures: the pin's centre in the clearance, enlarged; the pin touches the bearing on the circle. Line: the orbit so "
                    "far.")
    caption += " Below: the contact forces over time; click to go there."
    if picture.settings["every"] > 1:
        caption += f" One in {picture.settings['every']} of the {picture.settings['snapshots']} samples is here."
    if len(runs) > 1:
        caption += f" This is {run.label}."
    return caption, picture


def has_data(runs):
    return picture_of(runs[0]) is not None


def static(figure, runs):
    """The mechanism at the moments where something happens, or at those of --at."""
    run = runs[0]
    still_moments.draw(figure, run, moments.shown(run), run.options)
