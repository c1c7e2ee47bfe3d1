"""A picture of shaded bodies: what is drawn into a depth buffer, its light, veils (surfaces that can be seen through), and lines."""
import numpy as np

from . import light
from .buffer import LEAST_RADIUS, Buffer, gauge

BACKGROUND = 1.0  # white


class Canvas:
    """All places are in pixels: right, down, towards the eye. `samples`: per pixel along each side; their mean smooths the edges."""

    def __init__(self, width, height, samples=2):
        self.width, self.height, self.samples = width, height, samples
        self.buffer = Buffer(width * samples, height * samples)
        self._kinds, self._count = [], 0  # (first owner, colours, normals of samples)
        self.pixels = np.full((3, self.buffer.height * self.buffer.width), BACKGROUND, np.float32)

    def _owners(self, colours, normals):
        colours = np.asarray(colours, np.float32)
        self._kinds.append((self._count, colours.T.copy(), normals))
        owners = np.arange(self._count, self._count + len(colours), dtype=np.int32)
        self._count += len(colours)
        return owners

    def spheres(self, place, radius, colours):
        place, radius = np.asarray(place, float) * self.samples, np.asarray(radius, float) * self.samples
        centre, inverse = place.T.astype(np.float32), (1.0 / np.maximum(radius, LEAST_RADIUS)).astype(np.float32)

        def normals(which, points):
            return (points - centre[:, which]) * inverse[which]
        self.buffer.spheres(place, radius, self._owners(colours, normals))

    def ellipsoids(self, place, turns, semi_axes, colours):
        """`turns`: [n, 3, 3], from the body to right, down, towards the eye; `semi_axes`: [n, 3]."""
        place, semi_axes = np.asarray(place, float) * self.samples, np.asarray(semi_axes, float) * self.samples
        form = np.einsum("nik,nk,njk->nij", turns, semi_axes**-2.0, turns).astype(np.float32)
        centre = place.T.astype(np.float32)

        def normals(which, points):
            return _unit(np.einsum("nij,jn->ni", form[which], points - centre[:, which])).T
        self.buffer.ellipsoids(place, turns, semi_axes, self._owners(colours, normals))

    def superellipsoids(self, place, turns, semi_axes, exponents, colours):
        place, semi_axes = np.asarray(place, float) * self.samples, np.asarray(semi_axes, float) * self.samples

        def normals(which, points):
            local = np.einsum("nij,in->jn", turns[which], points - place[which].T)
            slope = gauge(local, semi_axes[which].T, *exponents[which].T)[1]
            return _unit(np.einsum("nij,jn->ni", turns[which], slope)).T
        self.buffer.superellipsoids(place, turns, semi_axes, exponents, self._owners(colours, normals))

    def triangles(self, corners, colours):
        """Triangles [n, 3, 3] that cannot be seen through; both sides are lit."""
        corners = np.asarray(corners, float) * self.samples
        normal = _normals_of(corners)
        self.buffer.triangles(corners, self._owners(colours, lambda which, _: normal[which].T))

    def shade(self, radius):
        """Colours what is drawn so far. `radius`: of the typical body, in pixels."""
        buffer, s = self.buffer, self.samples
        at = np.flatnonzero(buffer.owner >= 0)
        if not len(at):
            return
        depth = buffer.depth.reshape(buffer.height, buffer.width)
        nearest = np.max([depth[i::s, j::s] for i in range(s) for j in range(s)], axis=0)
        beyond = nearest[np.isfinite(nearest)].min() - 100.0 * s * radius
        opened = light.openness(np.where(np.isfinite(nearest), nearest, beyond) / s, radius)
        row, column = np.divmod(at, buffer.width)
        points = np.stack([column + np.float32(0.5), row + np.float32(0.5), buffer.depth[at]]).astype(np.float32)
        opened = opened[row // s, column // s].astype(np.float32)
        owner = buffer.owner[at]
        for first, colours, normals in self._kinds:
            own = slice(None) if len(self._kinds) == 1 else np.flatnonzero((owner >= first) & (owner < first + colours.shape[1]))
            which = owner[own] - first
            if len(which):
                self.pixels[:, at[own]] = light.shaded(colours[:, which], normals(which, points[:, own]).astype(np.float32), opened[own])

    def veil(self, corners, colour, opacity):
        """Lays triangles [n, 3, 3] of one colour over what is behind them. Many layers add up, in any order."""
        corners = np.asarray(corners, float) * self.samples
        normal = _normals_of(corners)
        tone = 0.55 + 0.45 * np.maximum(normal @ light.LIGHT, 0.0)
        count, covered, toned = len(self.buffer.depth), [], []
        for at, depth, which in self.buffer.samples_of(corners):
            front = depth > self.buffer.depth[at]
            covered.append(at[front].astype(np.int32))
            toned.append(tone[which[front]])
        if not covered:
            return
        covered = np.concatenate(covered)
        layers = np.bincount(covered, minlength=count)
        tones = np.bincount(covered, np.concatenate(toned), minlength=count).astype(np.float32)
        at = np.flatnonzero(layers)
        through = (np.float32(1.0 - opacity) ** layers[at]).astype(np.float32)
        self.pixels[:, at] = through * self.pixels[:, at] + (1.0 - through) * (tones[at] / layers[at]) * np.asarray(colour, np.float32)[:, None]

    def lines(self, ends, width, colour, opacity=1.0, nearer=0.5):
        """Lines [n, 2, 3] so many pixels wide, where no body is before them. `nearer`: pixels by which they win against surfaces."""
        if not len(ends):
            return
        s = self.samples
        covered = self.buffer.lines(np.asarray(ends, float) * s, width * s, nearer * s)
        self.pixels[:, covered] = (1.0 - opacity) * self.pixels[:, covered] + opacity * np.asarray(colour, np.float32)[:, None]

    def image(self):
        """[height, width, 3] of whole numbers 0 to 255."""
        s, whole = self.samples, self.pixels.reshape(3, self.buffer.height, self.buffer.width)
        mean = sum(whole[:, i::s, j::s] for i in range(s) for j in range(s))
        return np.moveaxis((mean * (255.0 / (s * s)) + 0.5).astype(np.uint8), 0, -1).copy()


def _unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1), 1e-30)[:, None]


def _normals_of(corners):
    """Towards the eye."""
    normal = _unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    return (normal * np.where(normal[:, 2] < 0.0, -1.0, 1.0)[:, None]).astype(np.float32)
