"""What a mechanism looks like, from its scenario: outlines of bodies, joints, contacts. Bodies count from 0; the ground is -1.

Points are in metres: of a body relative to its centre at the start, where every angle is 0; of the ground as they are. The scenario says
little about the outlines of bodies: a body is drawn as the hull of its centre, joints and contacts, with the shapes of its contacts.
"""
import numpy as np

from .mechanism_outlines import outline_of


class Shapes:
    """`items`: dictionaries for browser/player_mechanism.js."""

    def __init__(self, settings, files=None):
        """`files`: the texts of the files that the scenario names, by key."""
        bodies = settings.get("body", [])
        self.names = [str(body["name"]) for body in bodies]
        self.centre = [np.asarray(body["centre"], float) for body in bodies]
        self.items, self._points = [], [[np.zeros(2)] for _ in bodies]
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

    def _point_line(self, contact, bodies):
        tip, line = bodies
        normal = _unit(contact["normal"])
        self._touch(tip, contact["point"])
        self._item("circle", tip, at=self._in(tip, contact["point"]).tolist(), radius=float(contact.get("radius", 0.0)), role="tip")
        self._item("wall", line, at=self._in(line, contact["line_point"]).tolist(), axis=[-float(normal[1]), float(normal[0])])

    def _sphere_sphere(self, contact, bodies):
        for body, key, radius in zip(bodies, ("first", "second"), contact["radii"]):
            self._touch(body, contact[key])
            self._item("circle", body, at=self._in(body, contact[key]).tolist(), radius=float(radius), role="ball")

    def _pair(self, contact, bodies, texts):
        for body, key, text in zip(bodies, ("first", "second"), texts):
            points, closed = outline_of(contact[key], text)
            self._item("polygon" if closed else "line", body, points=_lists(self._in(body, points)))


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
