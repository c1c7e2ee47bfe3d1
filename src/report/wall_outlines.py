"""Outlines of the walls of a packing in space: the sharpest edges of meshes; rims and straight lines of cylinders, cones and discs.

Each is lines of two points at the start, relative to the point of the wall. browser/wall_lines.js turns and moves them.
"""
import numpy as np

MOST_EDGES = 1200  # of all meshes on the page: 60 kB
ROUND = 36  # parts of a circle
LINES = 8  # along a cylinder or cone
LEAST_BEND = 1e-3  # [rad]; flat edges are where a plane was cut into triangles


def edges_of_triangles(corners):
    """Edges of triangles [triangle][corner][axis] as [edge][end][axis], and the bend [rad] of each: pi at a rim and where more than two
    triangles meet."""
    places, number = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    triangle = np.asarray(number).reshape(-1, 3)
    ends = np.sort(np.concatenate([triangle[:, [0, 1]], triangle[:, [1, 2]], triangle[:, [2, 0]]]), axis=1)
    opposite = np.concatenate([triangle[:, 2], triangle[:, 0], triangle[:, 1]])
    edge, which, uses = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(np.asarray(which).reshape(-1), kind="stable")
    first = np.concatenate([[0], np.cumsum(uses)[:-1]])
    bend = np.full(len(edge), np.pi)
    two = np.flatnonzero(uses == 2)
    a, b = places[edge[two, 0]], places[edge[two, 1]]
    along = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]

    def away(k):  # from the edge, across it, into its k-th triangle
        to = places[opposite[order[first[two] + k]]] - a
        to -= np.sum(to * along, axis=1)[:, None] * along
        return to / np.linalg.norm(to, axis=1)[:, None]

    one, other = away(0), away(1)
    bend[two] = np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), -np.sum(one * other, axis=1))
    return places[edge], bend


def of_meshes(run):
    """Of each wall its edges [edge][end][axis]; of all meshes the MOST_EDGES with the largest bends."""
    found = {}
    corners, splits = run["wall_triangles"][:], run["wall_triangle_splits"][:].astype(int)
    for wall, (begin, end) in enumerate(zip(splits, splits[1:])):
        if end > begin:
            edges, bend = edges_of_triangles(corners[begin:end])
            bend = np.round(bend, 5)  # so that equal ones are equal: corners are in single precision
            found[wall] = edges[bend > LEAST_BEND], bend[bend > LEAST_BEND]
    bends = np.sort(np.concatenate([bend for _, bend in found.values()]))
    if len(bends) <= MOST_EDGES:
        return {wall: edges for wall, (edges, _) in found.items()}
    least = bends[-MOST_EDGES]
    rest, kept = MOST_EDGES - np.count_nonzero(bends > least), {}
    for wall, (edges, bend) in found.items():
        equal = np.flatnonzero(bend == least)
        if len(equal) > rest:  # evenly among them
            equal = equal[np.linspace(0, len(equal) - 1, rest).round().astype(int)]
        kept[wall] = edges[np.concatenate([np.flatnonzero(bend > least), equal])]
        rest -= len(equal)
    return kept


def of_revolved(axis, radii, length, reach):
    """Rims and lines of a curved wall; `reach`: the stretch along the axis [m] where an endless one is drawn."""
    least = np.eye(3)[np.argmin(np.abs(axis))]
    one = np.cross(axis, least)
    one /= np.linalg.norm(one)
    two = np.cross(axis, one)

    def circle(radius, along, parts):
        angle = 2.0 * np.pi * np.arange(parts) / parts
        return radius * (np.cos(angle)[:, None] * one + np.sin(angle)[:, None] * two) + along * axis

    heights = (0.0, length) if np.isfinite(length) else reach
    rims = [circle(radius, along, ROUND) for radius, along in zip(radii, heights) if radius > 0.0]
    lines = [np.stack([rim, np.roll(rim, -1, axis=0)], axis=1) for rim in rims]
    if heights[1] != heights[0]:
        lines.append(np.stack([circle(radii[0], heights[0], LINES), circle(radii[1], heights[1], LINES)], axis=1))
    return np.concatenate(lines)


def outlines(run, low, high):
    """For the page: of each wall numbers [m], six per line; empty for planes. low, high: corners [m] of the places of particles."""
    shapes = list(run.texts["wall_shape"])
    meshes = of_meshes(run) if "wall_triangles" in run else {}
    lines = []
    for wall, shape in enumerate(shapes):
        drawn = np.zeros((0, 2, 3))
        if shape == "mesh":
            drawn = meshes[wall]
        elif shape == "revolved":
            axis = run["wall_normal"][wall]
            corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
            along = (corners - run["wall_point"][wall]) @ axis
            drawn = of_revolved(axis, run["wall_radius"][wall], run["wall_length"][wall], (along.min(), along.max()))
        lines.append([float(f"{x:.5g}") for x in drawn.reshape(-1)])
    return lines
