"""Walls of a packing as triangles and lines in metres, at the time of a snapshot."""
import numpy as np

from ..packing_picture import walls_of
from ..wall_outlines import edges_of_triangles

ROUND = 96  # parts of a circle
SHARP = np.radians(30.0)  # the least bend of an edge that is drawn on a shaded surface


def turned(points, axis, angle):
    """Points [..., 3] turned about an axis of length 1 through the origin."""
    if angle == 0.0:
        return points
    c, s = np.cos(angle), np.sin(angle)
    return c * points + s * np.cross(axis, points) + (1.0 - c) * (points @ axis)[..., None] * axis


def plane_in_box(point, normal, low, high, others):
    """Corners, in order, of the part of a plane inside of a box and on the free side of other planes (point, normal)."""
    one = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    one /= np.linalg.norm(one)
    two, centre = np.cross(normal, one), 0.5 * (low + high)
    centre = centre - ((centre - point) @ normal) * normal
    reach = np.linalg.norm(high - low)
    corners = centre + reach * np.array([one + two, two - one, -one - two, one - two])
    sides = [(low, axis) for axis in np.eye(3)] + [(high, -axis) for axis in np.eye(3)] + list(others)
    for at, inward in sides:
        height = (corners - at) @ inward
        slack = 1e-6 * reach
        kept = []
        for k in range(len(corners)):
            after = (k + 1) % len(corners)
            if height[k] >= -slack:
                kept.append(corners[k])
            if (height[k] >= -slack) != (height[after] >= -slack):
                share = (height[k] + slack) / (height[k] - height[after])
                kept.append(corners[k] + share * (corners[after] - corners[k]))
        if len(kept) < 3:
            return np.zeros((0, 3))
        corners = np.array(kept)
    return corners


def _fan(corners):
    return np.stack([np.repeat(corners[:1], len(corners) - 2, axis=0), corners[1:-1], corners[2:]], axis=1) if len(corners) > 2 else np.zeros((0, 3, 3))


def _outline(corners):
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1) if len(corners) else np.zeros((0, 2, 3))


def revolved(axis, radii, length, reach):
    """Triangles and rims of a curved wall; `reach`: the stretch along the axis [m] where an endless one is drawn."""
    one = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    one /= np.linalg.norm(one)
    angle = 2.0 * np.pi * np.arange(ROUND) / ROUND
    around = np.cos(angle)[:, None] * one + np.sin(angle)[:, None] * np.cross(axis, one)
    heights = (0.0, length) if np.isfinite(length) else reach
    a, b = (radius * around + along * axis for radius, along in zip(radii, heights))
    after_a, after_b = np.roll(a, -1, axis=0), np.roll(b, -1, axis=0)
    rims = [np.stack(each, axis=1) for each, radius in zip(((a, after_a), (b, after_b)), radii) if radius > 0.0]
    return np.concatenate([np.stack([a, after_a, b], axis=1), np.stack([after_a, after_b, b], axis=1)]), np.concatenate(rims)


class Walls:
    """`low`, `high`: corners [m] of what is shown; planes and endless walls end there."""

    def __init__(self, run, low, high):
        self.run, self.low, self.high = run, low, high
        found = walls_of(run, np.arange(len(run.snapshot_time)))
        self.count = 0 if found is None else len(found[1])
        if not self.count:
            return
        self.place, self.normal = found
        self.shapes = list(run.texts.get("wall_shape", ["plane"] * self.count))
        self.spin = run["wall_angular_velocity"][:] if "wall_angular_velocity" in run else np.zeros(self.count)
        self.meshes, self.edges = {}, {}
        if "wall_triangles" in run:
            splits = run["wall_triangle_splits"][:].astype(int)
            corners = run["wall_triangles"][:]
            self.meshes = {w: corners[splits[w]:splits[w + 1]] for w in range(self.count) if splits[w + 1] > splits[w]}
            for w, mesh in self.meshes.items():
                edges, bend = edges_of_triangles(mesh)
                self.edges[w] = edges[bend > SHARP]

    def corners(self, rows):
        """Points [m] of all meshes and curved walls of limited length: what a picture should hold."""
        found = [np.zeros((0, 3))]
        for row in {int(rows[0]), int(rows[-1])} if self.count else ():
            for w in range(self.count):
                if self.shapes[w] == "mesh" or self.shapes[w] == "revolved" and np.isfinite(self.run["wall_length"][w]):
                    found.append(self.of(w, row)[0].reshape(-1, 3))
        return np.concatenate(found)

    def of(self, w, row):
        """Triangles [n, 3, 3] and lines [m, 2, 3] of a wall in space."""
        point, normal = self.place[row][w], self.normal[w]
        if self.shapes[w] == "mesh":
            angle = self.spin[w] * self.run.snapshot_time[row]
            return tuple(turned(part, normal, angle) + point for part in (self.meshes[w], self.edges[w]))
        if self.shapes[w] == "revolved":
            box = np.array([[x, y, z] for x in (self.low[0], self.high[0]) for y in (self.low[1], self.high[1]) for z in (self.low[2], self.high[2])])
            along = (box - point) @ normal
            return tuple(part + point for part in revolved(normal, self.run["wall_radius"][w], self.run["wall_length"][w], (along.min(), along.max())))
        others = [(self.place[row][k], self.normal[k]) for k in range(self.count) if k != w and self.shapes[k] == "plane"]
        corners = plane_in_box(point, normal, self.low, self.high, others)
        return _fan(corners), _outline(corners)

    def in_space(self, row):
        """Triangles and lines of all walls."""
        parts = [self.of(w, row) for w in range(self.count)]
        return tuple(np.concatenate([np.zeros((0, 3 - k, 3)), *[part[k] for part in parts]]) for k in (0, 1))

    def in_plane(self, row, reach):
        """Lines [m, 2, 3] of all walls of a packing in the plane, as long as `reach` [m]."""
        lines = [np.zeros((0, 2, 3))]
        planes = [w for w in range(self.count) if self.shapes[w] == "plane"]
        middle = 0.5 * (self.low + self.high)
        for w in range(self.count):
            point, normal = self.place[row][w], self.normal[w]
            if self.shapes[w] == "revolved":
                angle = 2.0 * np.pi * np.arange(ROUND) / ROUND
                radius = self.run["wall_radius"][w][0]
                lines.append(_outline(point + radius * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)))
                continue
            along = np.array([-normal[1], normal[0], 0.0])
            foot = point + ((middle - point) @ along) * along
            first, last = -reach, reach
            for other in planes:
                rise, height = self.normal[other] @ along, self.normal[other] @ (foot - self.place[row][other])
                if other != w and rise > 1e-9:
                    first = max(first, -height / rise)
                elif other != w and rise < -1e-9:
                    last = min(last, -height / rise)
            if first < last:
                lines.append(np.array([[foot + first * along, foot + last * along]]))
        return np.concatenate(lines)
