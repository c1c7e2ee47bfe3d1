"""Outlines of contacts of the kind "shapes", as points: to draw them, and to find roughly where they touch.

The program finds contact points to rounding; a picture needs no more than the nearest points of the outlines.
"""
import csv
import io
from dataclasses import dataclass

import numpy as np

ARC_POINTS = 48


@dataclass
class Outline:
    shape: str
    points: np.ndarray  # in order, in the frame of the ground at the start [m]
    closed: bool
    corners: np.ndarray  # of a polygon or segment
    ends: np.ndarray  # of an arc that is touched from inside

    @property
    def middle(self):
        return self.points.mean(axis=0)

    @property
    def thin(self):
        return self.shape == "segment" or len(self.ends) > 0 or not self.closed


def _arc(centre, radius, start, width, count=ARC_POINTS):
    angle = start + width * np.linspace(0.0, 1.0, count)
    return np.asarray(centre, float) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _rounded(corners, radius):
    """A convex polygon whose corners are arcs between its sides."""
    after = np.roll(corners, -1, axis=0)
    if np.sum(corners[:, 0] * after[:, 1] - corners[:, 1] * after[:, 0]) < 0.0:
        corners = corners[::-1]
    into, out = corners - np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0) - corners
    into, out = into / np.linalg.norm(into, axis=1)[:, None], out / np.linalg.norm(out, axis=1)[:, None]
    parts = []
    for corner, a, b in zip(corners, into, out):
        centre = corner + radius / (1.0 + a @ b) * np.array([-a[1] - b[1], a[0] + b[0]])
        parts.append(_arc(centre, radius, np.arctan2(-a[0], a[1]), np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b), 7))
    return np.concatenate(parts), corners


def outline_of(table, text=""):
    """`table`: the shape as the scenario has it. `text`: its CSV file."""
    kind, none = table["shape"], np.zeros((0, 2))
    if kind == "circle":
        return Outline(kind, _arc(table["centre"], table["radius"], 0.0, 2.0 * np.pi)[:-1], True, none, none)
    if kind == "arc":
        points = _arc(table["centre"], table["radius"], table["from_angle"], table["to_angle"] - table["from_angle"], 2 * ARC_POINTS)
        socket = table.get("side", "outside") == "inside"
        whole = table["to_angle"] - table["from_angle"] > 2.0 * np.pi * (1.0 - 1e-12)
        return Outline("socket" if socket else kind, points, False, none, points[[0, -1]] if socket and not whole else none)
    if kind == "segment":
        corners = np.array([table["from"], table["to"]], float)
        share = np.linspace(0.0, 1.0, ARC_POINTS)[:, None]
        return Outline(kind, (1.0 - share) * corners[0] + share * corners[1], False, corners, none)
    if kind == "polygon":
        points, corners = _rounded(np.array(table["corners"], float), table["corner_radius"])
        return Outline(kind, points, True, corners, none)
    if kind == "ellipse":
        unit, (a, b) = _arc((0.0, 0.0), 1.0, 0.0, 2.0 * np.pi, 2 * ARC_POINTS)[:-1], table["semi_axes"]
        points = unit * [a, b]
    else:
        rows = csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#"))
        points = np.array([[float(row["x_m"]), float(row["y_m"])] for row in rows])
    c, s = np.cos(table.get("angle", 0.0)), np.sin(table.get("angle", 0.0))
    return Outline(kind, points @ np.array([[c, s], [-s, c]]) + table.get("centre", (0.0, 0.0)), True, none, none)


def places_of(first, second):
    """For each contact point of the pair, in the order of the history: (body, point) of a corner or end, or None if the pair has one
    point only. Body: 0 or 1."""
    if len(first.corners) and len(second.corners):
        return [(k, corner) for k, own in enumerate((first, second)) for corner in own.corners]
    for k, (own, other) in enumerate(((first, second), (second, first))):
        if len(own.corners) and other.shape == "socket":
            return [(k, corner) for corner in own.corners] + [(1 - k, end) for end in other.ends]
    return [None]


def touch(first, second, corner=None):
    """Where two outlines, given as points now, are nearest, and the direction of the force on the first body there."""
    if corner is not None:
        place = corner[1]
        _, _, along = _nearest(place[None], second if corner[0] == 0 else first)
    else:
        here, there = _nearest(first.points, second), _nearest(second.points, first)
        place, along = (here if here[0] <= there[0] else there)[1:]
    normal = np.array([-along[1], along[0]])
    inward = first.middle - place if not first.thin else place - second.middle
    return place, normal if normal @ inward >= 0.0 else -normal


def _nearest(points, outline):
    """The smallest distance of the points from the lines of an outline, the point, and the direction of the line there."""
    line = outline.points if not outline.closed else np.concatenate([outline.points, outline.points[:1]])
    along = np.diff(line, axis=0)
    share = np.clip(((points[:, None] - line[:-1]) * along).sum(axis=2) / (along**2).sum(axis=1), 0.0, 1.0)
    distance = np.linalg.norm(points[:, None] - line[:-1] - share[..., None] * along, axis=2)
    i, k = np.unravel_index(np.argmin(distance), distance.shape)
    return distance[i, k], points[i], along[k] / np.linalg.norm(along[k])
