"""The picture of a mechanism at a time: what browser/player_mechanism.js draws, with Pillow, smoothed by drawing it larger."""
import numpy as np
from PIL import Image, ImageDraw

from .. import style
from ..history import InputError, printable
from ..mechanism_shapes import Shapes, rotated
from . import colours, labels
from .camera import Camera

LARGER = 3  # the picture is drawn so many times as large
FORCE = (214, 39, 40)
ORBIT = (59, 143, 196)
GROUND = (110, 118, 130)
MOST_ORBITS = 3
STRIP = 0.17  # height of the forces over time, as a part of the picture
MARGIN = 0.06  # around the bodies, in parts of their size
SAMPLES = 200  # times that are looked at for the extent


def mixed(colour, share):
    """A colour on white."""
    return tuple(int(round(255 - share * (255 - c))) for c in colour)


def body_colour(body):
    return GROUND if body < 0 else tuple(int(round(255 * c)) for c in colours.rgb(colours.BODIES[body % len(colours.BODIES)]))


class MechanismScene:
    """Pictures of a run, all with one view. `zoom`: about the middle. `labelled`: with time, names, orbits of pins, forces over time."""

    def __init__(self, run, rows, size, zoom=1.0, labelled=True):
        self.run, self.size, self.labelled = run, size, labelled
        try:
            self.shapes = Shapes(run.settings, run.files)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{printable(run.path)}: its scenario does not describe the bodies") from error
        self.position = run["position"][:].reshape(len(run.snapshot_time), run.beads, -1)[..., :2]
        self.angle = run["angle"][:]
        self.force = np.abs(np.nan_to_num(run["contact_force"][:])) if run.points else np.zeros((len(run.snapshot_time), 0))
        self.largest = float(self.force.max(initial=0.0))
        self.orbits = [c for c, clearance in enumerate(run.get("clearance", ())) if clearance > 0.0][:MOST_ORBITS] if labelled else []
        self.letter = labels.font_size(*size)
        self.clock = labels.clock(run.snapshot_time)
        self._fit(zoom)

    def _fit(self, zoom):
        low, high, margin = np.full(2, np.inf), np.full(2, -np.inf), MARGIN * self.shapes.size
        for row in np.unique(np.linspace(0, len(self.position) - 1, SAMPLES).round().astype(int)):
            for item in self.shapes.items:
                points = self._at(row, item["body"], item.get("points") or [item.get("at", (0.0, 0.0))])
                reach = item.get("radius", 0.0) + margin
                low, high = np.minimum(low, points.min(axis=0) - reach), np.maximum(high, points.max(axis=0) + reach)
        width, height, letter = *self.size, self.letter
        right = width - (0.34 * height + letter if self.orbits else 0)
        self.strip = STRIP * height + 1.4 * letter if self.labelled and self.largest > 0.0 else 0.0
        top = 2.4 * letter if self.labelled else 0
        bottom = height - self.strip - (2.6 * letter if self.labelled else 0)
        self.camera = Camera.fitted(np.eye(3), (*low, 0.0), (*high, 0.0), (0, top, right, bottom), zoom)
        self.scale, self.centre, self.middle = self.camera.scale, self.camera.centre, self.camera.middle

    def _at(self, row, body, points):
        points = np.asarray(points, float)
        return points if body < 0 else self.position[row, body] + rotated(points, self.angle[row, body])

    def _pixels(self, points):
        points = np.asarray(points, float)
        return np.stack([self.middle[0] + self.scale * (points[..., 0] - self.centre[0]),
                         self.middle[1] - self.scale * (points[..., 1] - self.centre[1])], axis=-1) * LARGER

    def image(self, row):
        row = int(row)
        whole = Image.new("RGB", tuple(LARGER * side for side in self.size), "white")
        self.draw, self.unit = ImageDraw.Draw(whole), LARGER * self.letter / 13.0
        for item in self.shapes.items:
            getattr(self, "_" + item["kind"])(row, item)
        self._forces(row)
        if self.labelled:
            for place, contact in enumerate(self.orbits):
                self._orbit(row, contact, place)
            if self.strip:
                self.draw.rectangle([0, LARGER * (self.size[1] - self.strip), *whole.size], fill="white")
                self._over_time(row)
        picture = whole.resize(self.size, Image.BOX)
        if self.labelled:
            self._label(picture, row)
        return picture

    def _closed(self, points, fill, edge, width):
        points = [tuple(point) for point in points]
        if len(points) > 2:
            self.draw.polygon(points, fill=fill)
        self._path([*points, points[0]], edge, width)

    def _path(self, points, colour, width):
        """With round ends and corners."""
        width = max(1, int(round(width)))
        points = [tuple(point) for point in points]
        self.draw.line(points, fill=colour, width=width, joint="curve")
        if width > 3:
            for x, y in points:
                self.draw.ellipse([x - width / 2, y - width / 2, x + width / 2, y + width / 2], fill=colour)

    def _disc(self, centre, radius, fill, edge, width):
        """PIL draws the edge inside; here it is on the circle."""
        (x, y), w = centre, max(1, int(round(width)))
        self.draw.ellipse([x - radius - w / 2, y - radius - w / 2, x + radius + w / 2, y + radius + w / 2], fill=fill, outline=edge, width=w)

    def _hull(self, row, item):
        points = self._pixels(self._at(row, item["body"], item["points"]))
        colour = mixed(body_colour(item["body"]), 0.8)
        self._closed(points, colour, colour, np.clip(0.035 * self.shapes.size * self.scale * LARGER, 4 * self.unit, 16 * self.unit))
        (x, y), r = self._pixels(self._at(row, item["body"], (0.0, 0.0))), 3 * self.unit
        self._path([(x - r, y), (x + r, y)], labels.TEXT, self.unit)
        self._path([(x, y - r), (x, y + r)], labels.TEXT, self.unit)

    def _polygon(self, row, item):
        self._closed(self._pixels(self._at(row, item["body"], item["points"])), mixed(body_colour(item["body"]), 0.5), labels.TEXT, 1.2 * self.unit)

    def _line(self, row, item):
        self._path(self._pixels(self._at(row, item["body"], item["points"])), body_colour(item["body"]), 2 * self.unit)

    def _direction(self, row, item):
        """Of its axis in pixels, of length 1."""
        x, y = np.asarray(item["axis"], float) if item["body"] < 0 else rotated(np.asarray(item["axis"], float), self.angle[row, item["body"]])
        return np.array([x, -y])

    def _block(self, row, item):
        centre, along = self._pixels(self._at(row, item["body"], (0.0, 0.0))), self._direction(row, item)
        across = np.array([along[1], -along[0]])
        round_ = max((other["radius"] for other in self.shapes.items if other["body"] == item["body"] and other["kind"] == "circle"), default=0.0)
        wide, high = max(22 * self.unit, 2.2 * round_ * self.scale * LARGER), max(13 * self.unit, 1.5 * round_ * self.scale * LARGER)
        corners = [centre + e * wide * along + s * high * across for s, e in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
        self._closed(corners, mixed(body_colour(item["body"]), 0.5), labels.TEXT, 1.2 * self.unit)

    def _rail(self, row, item):
        self._endless(row, item, 5 * self.unit)

    def _wall(self, row, item):
        self._endless(row, item, 0.0)

    def _endless(self, row, item, dash):
        centre, along = self._pixels(self._at(row, item["body"], item["at"])), self._direction(row, item)
        reach = LARGER * sum(self.size) if item["body"] < 0 else 0.7 * self.shapes.size * self.scale * LARGER
        colour = body_colour(item["body"])
        starts = np.arange(-reach, reach, 2.0 * dash) if dash else [-reach]
        for start in starts:
            self._path([centre + start * along, centre + (start + dash if dash else reach) * along], colour, 1.5 * self.unit)

    def _pivot(self, row, item):
        centre, r = self._pixels(self._at(row, item["body"], item["at"])), 4.5 * self.unit
        if item["grounded"]:
            self._closed([centre + [-2 * r, 3 * r], centre, centre + [2 * r, 3 * r]], mixed(GROUND, 0.25), labels.TEXT, 1.5 * self.unit)
        self._disc(centre, r, "white", labels.TEXT, 1.5 * self.unit)

    def _circle(self, row, item):
        centre = self._pixels(self._at(row, item["body"], item["at"]))
        radius = max(item["radius"] * self.scale * LARGER, 3 * self.unit)
        colour = body_colour(item["body"])
        if item["role"] == "bearing":
            self._disc(centre, 1.25 * radius, mixed(colour, 0.5), labels.TEXT, self.unit)
            self._disc(centre, radius, "white", labels.TEXT, 1.6 * self.unit)
            return
        self._disc(centre, radius, mixed(colour, 0.85), labels.TEXT, self.unit)

    def _forces(self, row):
        for contact, force in enumerate(self.force[row]):
            if force > 1e-6 * self.largest:
                start = self._pixels(self.run["contact_position"][row][contact][:2])
                x, y = self.run["contact_normal"][row][contact][:2]
                self._arrow(start, np.array([x, -y]), 0.16 * LARGER * self.size[0] * np.sqrt(force / self.largest))

    def _arrow(self, start, direction, length):
        head = min(9 * self.unit, 0.6 * length)
        tip, across = start + length * direction, np.array([direction[1], -direction[0]])
        self._path([start, tip - head * direction], FORCE, 2.5 * self.unit)
        self.draw.polygon([tuple(point) for point in (tip, tip - head * direction + 0.45 * head * across, tip - head * direction - 0.45 * head * across)],
                          fill=FORCE)

    def _orbit_frame(self, place):
        """Centre and half the side of the square of an orbit, in pixels of the picture."""
        side = min(0.32 * self.size[1], (self.size[1] - self.strip - 3.0 * self.letter) / max(len(self.orbits), 1) - 2.2 * self.letter)
        top = 2.2 * self.letter + place * (side + 2.2 * self.letter)
        return (self.size[0] - 0.17 * self.size[1] - 0.5 * self.letter, top + 1.4 * self.letter + 0.5 * side), 0.5 * side

    def _orbit(self, row, contact, place):
        """The way of a pin's centre so far, in its clearance, and the force that pushes it back."""
        (x, y), half = self._orbit_frame(place)
        way = self.run["journal_displacement"][:][:, contact, :2] * [1.0, -1.0]
        clearance = float(self.run["clearance"][contact])
        scale = 0.92 * half * LARGER / max(clearance, float(np.linalg.norm(way, axis=1).max(initial=0.0)))
        centre = LARGER * np.array([x, y])
        self._disc(centre, scale * clearance, None, labels.TEXT, 1.2 * self.unit)
        if row:
            self.draw.line([tuple(centre + scale * point) for point in way[:row + 1]], fill=ORBIT, width=max(1, round(0.9 * self.unit)), joint="curve")
        force = self.force[row, contact]
        if force > 1e-6 * self.largest:
            nx, ny = self.run["contact_normal"][row][contact][:2]
            self._arrow(centre + scale * way[row], np.array([nx, -ny]), 0.84 * half * LARGER * np.sqrt(force / self.largest))
        self._disc(centre + scale * way[row], 4 * self.unit, labels.TEXT, labels.TEXT, 1)

    def _over_time(self, row):
        """The contact forces, and a line at the present time."""
        left, right, bottom = 0.8 * self.letter * LARGER, LARGER * (self.size[0] - 0.8 * self.letter), LARGER * (self.size[1] - 0.8 * self.letter)
        last = max(len(self.force) - 1, 1)
        across = left + (right - left) * np.arange(len(self.force)) / last
        height = LARGER * (self.strip - 2.6 * self.letter)
        self._path([(left, bottom), (right, bottom)], mixed(GROUND, 0.6), 0.8 * self.unit)
        for contact in range(self.force.shape[1]):
            values = bottom - height * self.force[:, contact] / self.largest
            self.draw.line(list(zip(across, values)), fill=body_colour(contact), width=max(1, round(1.2 * self.unit)), joint="curve")
        self._path([(across[row], bottom), (across[row], bottom - height)], FORCE, 1.4 * self.unit)

    def _label(self, picture, row):
        on, letter = labels.Labels(picture, self.letter), self.letter
        on.text(0.8 * letter, 0.6 * letter, self.clock(self.run.snapshot_time[row]))
        x = 10.5 * letter
        for body, name in enumerate(self.shapes.names):
            wide = 1.3 * letter + on.font.getlength(name) + 1.2 * letter
            if x + wide > self.size[0]:
                break
            on.draw.rounded_rectangle([x, 0.75 * letter, x + 0.9 * letter, 1.5 * letter], radius=0.2 * letter, fill=mixed(body_colour(body), 0.8))
            on.text(x + 1.3 * letter, 0.6 * letter, name)
            x += wide
        for place, contact in enumerate(self.orbits):
            (middle, y), half = self._orbit_frame(place)
            name = f"{self.run.points[contact]}: clearance {style.with_prefix(float(self.run['clearance'][contact]), 'm')}"
            room = self.size[0] - 0.5 * letter - on.font.getlength(name)
            on.text(min(middle - 0.5 * on.font.getlength(name), room), y - half - 1.5 * letter, name)
        on.scale_bar(letter, self.size[1] - self.strip - 0.9 * letter, self.scale, 0.2 * self.size[0])
        if self.strip:
            on.text(0.8 * letter, self.size[1] - self.strip, f"contact force, largest {style.with_prefix(self.largest, 'N')}")
