"""The picture of a packing at a snapshot: particles, walls, the periodic box; colour bar, time, scale."""
import numpy as np
from PIL import Image

from ..history import InputError
from ..packing_picture import contact_list
from ..periodic_box import Box, edges_of, nearest_images, wrapped
from .bodies import is_superellipsoid, turns_of
from . import colours, labels
from .camera import VIEWS, Camera, rotation
from .canvas import Canvas
from .quantities import available, scale_of
from .walls import Walls

WALL, LINE = colours.rgb("8a97a8"), colours.rgb("3c4654")
FAINT = 0.16  # opacity of one layer of a wall
WALL_STYLES = ("faint", "solid", "hidden")
STRIP = 7.5  # width of the part with the colour bar, in letters
CLASSES = 12  # of the widths of force lines
LEAST_FORCE = 0.05  # of the largest: of a force line
SIDES = [(a, a | 1 << k) for a in range(8) for k in range(3) if not a >> k & 1]  # of a box, from corner to corner


class PackingScene:
    """Pictures of these snapshots (`rows`) of a run, all with one view and one colour bar.

    `camera`: azimuth, elevation [degrees], zoom; None: as the page starts. `colour`: a name of quantities.QUANTITIES. `walls`: "faint", "solid",
    "hidden". `labelled`: with time, colour bar, and scale."""

    def __init__(self, run, rows, size, camera=None, colour=None, walls="faint", colour_range=None, labelled=True):
        self.run, self.rows, self.size, self.labelled, self.wall_style = run, [int(row) for row in rows], size, labelled, walls
        self.planar = run.planar
        self.quantity = available(run)[colour or "speed"]
        self.scale = scale_of(run, self.quantity, self.rows)
        if colour_range is not None:
            low, high = colour_range
            # The palette follows from the range, so that the bars of two runs compare.
            self.scale.signed = self.quantity.from_zero and low < 0.0 < high
            most = max(abs(low), abs(high))
            self.scale.low, self.scale.high = (-most, most) if self.scale.signed else (low, high)
        self.table = colours.table(self.scale.signed)
        self.shown_forces = run.planar and "contacts/pair" in run and run.largest_force > 0.0
        self._fit(camera)
        self.clock = labels.clock(run.snapshot_time)

    def _fit(self, camera):
        run = self.run
        azimuth, elevation, zoom = camera or (*VIEWS["page"], 1.0)
        turn = np.eye(3) if self.planar else rotation(azimuth, elevation)
        self.low, self.high = np.full(3, np.inf), np.full(3, -np.inf)
        low, high = np.full(3, np.inf), np.full(3, -np.inf)
        for row in self.rows:
            places, radius = self._places(row)
            if len(places):
                self.low, self.high = np.minimum(self.low, (places - radius).min(axis=0)), np.maximum(self.high, (places + radius).max(axis=0))
                seen = places @ turn.T
                low, high = np.minimum(low, (seen - radius).min(axis=0)), np.maximum(high, (seen + radius).max(axis=0))
        if not np.isfinite(self.low).all():
            raise InputError("no particle is there in these snapshots, so there is no picture")
        self.periodic = bool(np.any(np.diag(edges_of(run, self.rows[0])) != 0.0))
        self.walls = Walls(run, self.low, self.high)
        more = [] if self.planar or self.wall_style == "hidden" else [self.walls.corners(self.rows)]
        self._ends = self.low, self.high  # of the box along axes that are not periodic: those of the particles
        boxes = [self.box(row) for row in self.rows] if self.periodic else []
        more += [box.corners() for box in boxes]
        for points in more:
            if len(points):
                low, high = np.minimum(low, (points @ turn.T).min(axis=0)), np.maximum(high, (points @ turn.T).max(axis=0))
                self.low, self.high = np.minimum(self.low, points.min(axis=0)), np.maximum(self.high, points.max(axis=0))
        if not self.planar:  # walls end at the sides of a periodic box
            ends = np.array([box.corners() for box in boxes] or [[self.low, self.high]])
            self.walls.low = np.where(boxes[0].periodic, ends.min(axis=(0, 1)), self.low) if boxes else self.low
            self.walls.high = np.where(boxes[0].periodic, ends.max(axis=(0, 1)), self.high) if boxes else self.high
        width, height = self.size
        letter = self.letter = labels.font_size(width, height)
        frame = (letter, 2.2 * letter, width - STRIP * letter, height - 2.5 * letter) if self.labelled else (0, 0, width, height)
        self.camera = Camera.fitted(turn, low, high, frame, zoom)

    def box(self, row):
        return Box(self.run, row, *self._ends)

    def _places(self, row):
        """Places [m] in the box and radii [n, 1] of the particles that are there."""
        run, present = self.run, self.run.present(row)
        return wrapped(run, row, np.nan_to_num(run["position"][row][present].astype(float))), run.radius[present][:, None]

    def image(self, row):
        """An image of Pillow."""
        row = int(row)
        canvas = Canvas(*self.size)
        self._particles(canvas, row)
        if self.wall_style == "solid" and not self.planar and self.walls.count:
            triangles = self.camera.seen(self.walls.in_space(row)[0])
            canvas.triangles(triangles, np.broadcast_to(WALL, (len(triangles), 3)))
        canvas.shade(max(1.0, float(np.median(self.run.radius)) * self.camera.scale))
        self._surroundings(canvas, row)
        picture = Image.fromarray(canvas.image())
        if self.labelled:
            self._label(picture, row)
        return picture

    def _particles(self, canvas, row):
        run, camera = self.run, self.camera
        number = np.flatnonzero(run.present(row))
        places, radius = self._places(row)
        tints = self.table[np.round(255 * self.scale.places(self.quantity.values(run, row)[number])).astype(int)]
        seen, drawn = camera.seen(places), radius[:, 0] * camera.scale
        if "orientation" not in run:
            canvas.spheres(seen, drawn, tints)
            return
        turns = np.einsum("ij,jkn->nik", camera.to_view(), turns_of(run, row)[:, :, number])
        clumps = run["clump_particle"][:].astype(int) if "clump_spheres" in run else np.zeros(0, int)
        rounded = is_superellipsoid(run)[number]
        whole = ~np.isin(number, clumps) & ~rounded
        semi_axes = run["semi_axes"][:][number] * camera.scale
        canvas.ellipsoids(seen[whole], turns[whole], semi_axes[whole], tints[whole])
        if rounded.any():
            canvas.superellipsoids(seen[rounded], turns[rounded], semi_axes[rounded], run["exponents"][:][number][rounded].astype(float), tints[rounded])
        if len(clumps):
            spheres, at = run["clump_spheres"][:][np.isin(clumps, number)], np.searchsorted(number, clumps[np.isin(clumps, number)])
            centre = seen[at] + camera.scale * np.einsum("nij,nj->ni", turns[at], spheres[:, :3])
            canvas.spheres(centre, spheres[:, 3] * camera.scale, tints[at])

    def _surroundings(self, canvas, row):
        camera, width = self.camera, max(1.0, self.letter / 13.0)
        if self.periodic:
            corners = camera.seen(self.box(row).corners())
            if self.planar:
                corners = corners[:4] * [1.0, 1.0, 0.0] + [0.0, 0.0, 1e6]
                sides = [side for side in SIDES if max(side) < 4]
            else:
                sides = SIDES
            canvas.lines(np.array([[corners[a], corners[b]] for a, b in sides]), width, LINE, 0.8)
        if self.planar:
            if self.wall_style != "hidden" and self.walls.count:
                reach = 2.0 * max(self.size) / camera.scale + float(np.linalg.norm(self.high - self.low))
                canvas.lines(camera.seen(self.walls.in_plane(row, reach)), 1.6 * width, LINE)
            if self.shown_forces:
                self._forces(canvas, row)
        elif self.walls.count and self.wall_style != "hidden":
            triangles, lines = self.walls.in_space(row)
            if self.wall_style == "faint":
                canvas.veil(camera.seen(triangles), WALL, FAINT)
            canvas.lines(camera.seen(lines), width, LINE, 0.55)

    def _forces(self, canvas, row):
        """Lines between the centres of particles in contact, to the foot on a wall: as the page, wider for a larger force."""
        run = self.run
        pair, force = contact_list(run, row)
        share = force / run.largest_force
        strong = share > LEAST_FORCE
        pair, share = pair[strong], share[strong]
        places = np.nan_to_num(run["position"][row].astype(float))
        moved = wrapped(run, row, places)
        second = np.minimum(pair[:, 1], run.beads - 1)
        points = run.contacts(row)[3][strong]
        way = nearest_images(np.where((pair[:, 1] < run.beads)[:, None], places[second], points) - places[pair[:, 0]], edges_of(run, row))
        ends = self.camera.seen(np.stack([moved[pair[:, 0]], moved[pair[:, 0]] + way], axis=1))
        ends[:, :, 2] = 1e6
        unit = min(self.letter / 14.0, 0.3 * float(np.median(run.radius)) * self.camera.scale)  # lines do not hide the particles
        kind = np.minimum((CLASSES * share).astype(int), CLASSES - 1)
        for k in np.unique(kind):
            middle = (k + 0.5) / CLASSES
            colour = (1.0 - middle) * colours.rgb("f28b2e") + middle * colours.rgb("d81b1b")
            canvas.lines(ends[kind == k], max(0.5, unit * (0.7 + 5.3 * middle)), colour)

    def _label(self, picture, row):
        width, height = self.size
        on, letter = labels.Labels(picture, self.letter), self.letter
        on.text(0.8 * letter, 0.6 * letter, self.clock(self.run.snapshot_time[row]))
        on.colour_bar(width - (STRIP - 1.2) * letter, 0.2 * height, 0.8 * height, self.scale, self.quantity.name.replace("-", " "), self.quantity.unit)
        if not self.planar:
            on.axes(0.6 * letter, height - 1.9 * letter, self.camera.rows)
        on.scale_bar(letter * (6.0 if not self.planar else 1.0), height - 0.9 * letter, self.camera.scale, 0.2 * width)
