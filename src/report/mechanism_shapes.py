"""What a mechanism looks like, from its scenario: outlines of bodies, joints, contacts. Bodies count from 0; the ground is -1.

Points are in metres: of a body relative to its centre at the start, where every angle is 0; of the ground as they are. The scenario says
little about the outlines of bodies: a body is drawn as the hull of its centre, joints and contacts, with the shapes of its contacts.
"""
from dataclasses import dataclass, replace

import numpy as np

from .mechanism_outlines import outline_of, places_of, touch


@dataclass
class ContactPoint:
    """One of the points that the history counts: its force acts there."""
    kind: str
    bodies: tuple  # first and second
    first: np.ndarray  # place in the first body [m]
    second: np.ndarray
    normal: np.ndarray  # in the second body; point-line and prismatic
    radius: float = 0.0  # journal: of the bearing; sphere-sphere: of the first
    outlines: tuple = ()  # shapes: of both bodies
    corner: tuple = None  # shapes: body 0 or 1, and the corner or end of its outline


class Shapes:
    """`items`: dictionaries for browser/player_mechanism.js. `contacts`: the contact points in the order of the history."""

    def __init__(self, settings, files=None):
        """`files`: the texts of the files that the scenario names, by key."""
        bodies = settings.get("body", [])
        self.names = [str(body["name"]) for body in bodies]
        self.centre = [np.asarray(body["centre"], float) for body in bodies]
        self.items, self.contacts, self._points = [], [], [[np.zeros(2)] for _ in bodies]
        for joint in settings.get("joint", []):
            self._joint(joint)
        for number, contact in enumerate(settings.get("contact", [])):
            if contact["kind"] == "shapes":
                names = [self._number(name) for name in contact["bodies"]]
                self._pair(contact, names, [(files or {}).get(f"contact.{number}.{key}.file", "") for key in ("first", "second")])
                continue
            getattr(self, "_" + contact["kind"].replace("-", "_"))(contact, [self._number(name) for name in contact["bodies"]])
        self.size = self._size()
        self.items = [{"kind": "hull", "body": k, "points": _lists(_hull(points))} for k, points in enumerate(self._points)] + self.items

    def _number(self, name):
        return -1 if name == "ground" else self.names.index(name)

    def _in(self, body, point):
        return np.asarray(point, float) - (self.centre[body] if body >= 0 else 0.0)

    def _touch(self, body, *points):
        """These points belong to the body."""
        if body >= 0:
            self._points[body] += [self._in(body, point) for point in points]

    def _size(self):
        points = [self.centre[k] + point for k, own in enumerate(self._points) for point in own]
        points = np.array(points + [self.centre[item["body"]] + point for item in self.items if item["body"] >= 0
                                    for point in item.get("points", [])])
        return float(np.ptp(points, axis=0).max()) if len(points) else 1.0

    def _item(self, kind, body, **more):
        self.items.append({"kind": kind, "body": body, **more})

    def _joint(self, joint):
        first, second = (self._number(name) for name in joint["bodies"])
        if joint["kind"] == "revolute":
            for body in (first, second):
                self._touch(body, joint["point"])
            body = first if first >= 0 else second
            self._item("pivot", body, at=self._in(body, joint["point"]).tolist(), grounded=-1 in (first, second))
        else:
            axis = _unit(joint["axis"])
            self._item("rail", first, at=self._in(first, self.centre[second] if second >= 0 else (0.0, 0.0)).tolist(), axis=axis.tolist())
            self._item("block", second, axis=axis.tolist())

    def _journal(self, contact, bodies):
        pin, hole = bodies
        centre = contact.get("bearing_centre", contact["point"])
        self._touch(pin, contact["point"])
        self._touch(hole, centre)
        radius, clearance = float(contact["bearing_radius"]), float(contact["clearance"])
        self._item("circle", hole, at=self._in(hole, centre).tolist(), radius=radius, role="bearing")
        self._item("circle", pin, at=self._in(pin, contact["point"]).tolist(), radius=radius - clearance, role="pin")
        self.contacts.append(ContactPoint("journal", (pin, hole), self._in(pin, contact["point"]), self._in(hole, centre), np.zeros(2), radius))

    def _prismatic(self, contact, bodies):
        block, walls = bodies
        middle, along = np.asarray(contact["point"], float), _unit(contact["axis"])
        left, height, clearance = np.array([-along[1], along[0]]), 0.5 * float(contact["height"]), float(contact["clearance"])
        end = 0.5 * float(contact["length"]) * along
        corners = [middle + s * height * left + e * end for s, e in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
        self._item("polygon", block, points=_lists([self._in(block, corner) for corner in corners]))
        for side in (1.0, -1.0):
            self._item("wall", walls, at=self._in(walls, middle + side * (height + clearance) * left).tolist(), axis=along.tolist())
        for corner in range(4):
            side, which = (1.0 if corner < 2 else -1.0), (1.0 if corner % 2 == 0 else -1.0)
            point = middle + which * end + side * height * left
            self._touch(block, point)
            self.contacts.append(ContactPoint("prismatic", (block, walls), self._in(block, point),
                                              self._in(walls, middle + side * (height + clearance) * left), -side * left))

    def _point_line(self, contact, bodies):
        tip, line = bodies
        normal = _unit(contact["normal"])
        self._touch(tip, contact["point"])
        self._item("circle", tip, at=self._in(tip, contact["point"]).tolist(), radius=float(contact.get("radius", 0.0)), role="tip")
        self._item("wall", line, at=self._in(line, contact["line_point"]).tolist(), axis=[-float(normal[1]), float(normal[0])])
        self.contacts.append(ContactPoint("point-line", (tip, line), self._in(tip, contact["point"]), self._in(line, contact["line_point"]),
                                          normal))

    def _sphere_sphere(self, contact, bodies):
        ends = []
        for body, key, radius in zip(bodies, ("first", "second"), contact["radii"]):
            self._touch(body, contact[key])
            self._item("circle", body, at=self._in(body, contact[key]).tolist(), radius=float(radius), role="ball")
            ends.append(self._in(body, contact[key]))
        self.contacts.append(ContactPoint("sphere-sphere", tuple(bodies), *ends, np.zeros(2), float(contact["radii"][0])))

    def _pair(self, contact, bodies, texts):
        outlines = tuple(outline_of(contact[key], text) for key, text in zip(("first", "second"), texts))
        own = tuple(replace(outline, points=self._in(body, outline.points)) for body, outline in zip(bodies, outlines))
        for body, outline in zip(bodies, own):
            self._item("polygon" if outline.closed else "line", body, points=_lists(outline.points))
        for place in places_of(*outlines):
            corner = None if place is None else (place[0], self._in(bodies[place[0]], place[1]))
            middles = [outline.middle for outline in own]
            self.contacts.append(ContactPoint("shapes", tuple(bodies), *middles, np.zeros(2), outlines=own, corner=corner))


def _unit(vector):
    vector = np.asarray(vector, float)
    return vector / np.hypot(*vector)


def _lists(points):
    return [[float(x) for x in point] for point in points]


def _hull(points):
    """Corners of the convex hull, anticlockwise (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return ordered

    def half(each):
        chain = []
        for point in each:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        return chain[:-1]
    return half(ordered) + half(ordered[::-1])


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def rotated(vectors, angle):
    """[..., 2] by the angle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * vectors[..., 0] - s * vectors[..., 1], s * vectors[..., 0] + c * vectors[..., 1]], axis=-1)


def contact_places(contact, position, angle):
    """Where the force of a contact point acts [m], and its direction on the first body, at each time. `position` [t, body, 2]."""
    if contact.kind == "shapes":
        return _touches(contact, position, angle)
    first, second = (_placed(point, body, position, angle) for point, body in zip((contact.first, contact.second), contact.bodies))
    if contact.kind in ("point-line", "prismatic"):
        turn = angle[:, contact.bodies[1]] if contact.bodies[1] >= 0 else np.zeros(len(position))
        return first, rotated(np.broadcast_to(contact.normal, first.shape), turn)
    between = first - second
    distance = np.linalg.norm(between, axis=1, keepdims=True)
    outward = np.where(distance > 0.0, between / np.where(distance > 0.0, distance, 1.0), [1.0, 0.0])
    if contact.kind == "journal":
        return second + contact.radius * outward, -outward
    return first - contact.radius * outward, outward


def _touches(contact, position, angle):
    def at(points, body, row):
        return points if body < 0 else position[row, body] + rotated(points, angle[row, body])

    found = []
    for row in range(len(position)):
        outlines = [replace(outline, points=at(outline.points, body, row)) for outline, body in zip(contact.outlines, contact.bodies)]
        corner = contact.corner
        found.append(touch(*outlines, None if corner is None else (corner[0], at(corner[1], contact.bodies[corner[0]], row))))
    return np.array([place for place, _ in found]).reshape(-1, 2), np.array([normal for _, normal in found]).reshape(-1, 2)


def _placed(point, body, position, angle):
    if body < 0:
        return np.broadcast_to(point, (len(position), 2)).astype(float)
    return position[:, body] + rotated(np.broadcast_to(point, (len(position), 2)), angle[:, body])
