"""Outlines of contacts of the kind "shapes", as points to draw."""
import csv
import io

import numpy as np

ARC_POINTS = 48


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
    return np.concatenate(parts)


def outline_of(table, text=""):
    """Points in order, in the frame of the ground at the start [m], and whether the last joins the first. `table`: the shape as the
    scenario has it. `text`: its CSV file."""
    kind = table["shape"]
    if kind == "circle":
        return _arc(table["centre"], table["radius"], 0.0, 2.0 * np.pi)[:-1], True
    if kind == "arc":
        return _arc(table["centre"], table["radius"], table["from_angle"], table["to_angle"] - table["from_angle"], 2 * ARC_POINTS), False
    if kind == "segment":
        return np.array([table["from"], table["to"]], float), False
    if kind == "polygon":
        return _rounded(np.array(table["corners"], float), table["corner_radius"]), True
    if kind == "ellipse":
        points = _arc((0.0, 0.0), 1.0, 0.0, 2.0 * np.pi, 2 * ARC_POINTS)[:-1] * table["semi_axes"]
    else:
        rows = csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#"))
        points = np.array([[float(row["x_m"]), float(row["y_m"])] for row in rows])
    c, s = np.cos(table.get("angle", 0.0)), np.sin(table.get("angle", 0.0))
    return points @ np.array([[c, s], [-s, c]]) + table.get("centre", (0.0, 0.0)), True
