"""A depth buffer in numpy: at each sample of the picture the nearest surface, its owner and its normal. No loop over bodies or samples.

Coordinates are samples to the right, down, and towards the eye. Bodies are drawn from the nearest on, in groups of one size; a body that is
hidden behind the depths so far is left out. The result does not depend on the order.
"""
import numpy as np

AT_ONCE = 1 << 18  # samples that are computed together: what fits into the cache
BATCHES = 8  # between which hidden bodies are found
LEAST_RADIUS = 0.6  # samples: a smaller sphere is drawn so large
SMALLEST_TILE = 4
STEPS, NEAR = 12, 2e-3  # of Newton's method; its error in semi-axes


def sizes_of(half):
    """Rounds numbers up to 1, 2, 3, 4, 6, 8, 12, 16 ..., so that there are few groups."""
    half = np.maximum(np.ceil(half), 1.0)
    power = 2.0 ** np.floor(np.log2(half))
    return np.where(half <= power, power, np.where(half <= 1.5 * power, 1.5 * power, 2.0 * power)).astype(int)


def _parts(group, samples):
    """Parts of a group of bodies with so many samples each that are computed together."""
    return np.array_split(group, min(len(group), max(1, -(-len(group) * samples // AT_ONCE))))


class Buffer:
    def __init__(self, width, height):
        self.width, self.height = width, height
        self.depth = np.full(width * height, -np.inf, np.float32)
        self.owner = np.full(width * height, -1, np.int32)

    def put(self, at, depth, owner):
        """Keeps the nearest of surfaces at samples `at`, which may occur several times."""
        near = depth > self.depth[at]
        at, depth, owner = at[near], depth[near], owner[near]
        while len(at):
            self.depth[at] = depth  # of several at one sample one remains
            won = self.depth[at] == depth
            self.owner[at[won]] = owner[won]
            left = depth > self.depth[at]
            at, depth, owner = at[left], depth[left], owner[left]

    def tiles(self, largest):
        """Least depth of tiles of 4, 8, 16 ... samples, up to tiles of `largest` samples."""
        levels, part = {}, self.depth.reshape(self.height, self.width)
        side = 1
        while side < max(largest, SMALLEST_TILE) and min(part.shape) > 1:
            part = np.minimum(part[:-1:2], part[1::2])
            part = np.minimum(part[:, :-1:2], part[:, 1::2])
            side *= 2
            if side >= SMALLEST_TILE:
                levels[side] = part
        return levels

    def hidden(self, place, half, top):
        """Which bodies are behind the depths so far. `half`: half their side; `top`: their nearest depth. Beyond the last whole tile
        nothing counts as hidden."""
        found = np.zeros(len(place), bool)
        wanted = np.maximum(2.0 ** np.ceil(np.log2(np.maximum(2.0 * half, 1.0))), SMALLEST_TILE).astype(int)
        for side, least in self.tiles(int(wanted.max(initial=1))).items():
            which = np.flatnonzero(wanted == side)
            if not len(which):
                continue
            first = np.floor((place[which, :2] - half[which, None]) / side).astype(int)
            last = np.floor((place[which, :2] + half[which, None]) / side).astype(int)
            limits = np.array(least.shape[::-1]) - 1
            inside = np.all(last <= limits, axis=1)
            first, last = np.clip(first, 0, limits), np.clip(last, 0, limits)
            farthest = np.minimum(np.minimum(least[first[:, 1], first[:, 0]], least[first[:, 1], last[:, 0]]),
                                  np.minimum(least[last[:, 1], first[:, 0]], least[last[:, 1], last[:, 0]]))
            found[which] = inside & (top[which] < farthest)
        return found

    def bodies(self, place, half, reach, owner, surface):
        """Draws convex bodies. `place`: [n, 3]; `half`: half the side of the square around each; `reach`: its extent towards the eye.
        `surface(numbers, dx, dy)`: height of their surface above their centres at these distances; NaN beside them."""
        inside = ((place[:, 0] + half > 0) & (place[:, 0] - half < self.width) & (place[:, 1] + half > 0) & (place[:, 1] - half < self.height))
        which = np.flatnonzero(inside)
        which = which[np.argsort(-(place[which, 2] + reach[which]), kind="stable")]
        sizes = sizes_of(half + 0.5)
        for number, batch in enumerate(np.array_split(which, BATCHES if len(which) > 200 else 1)):
            if number:
                batch = batch[~self.hidden(place[batch], half[batch], place[batch, 2] + reach[batch])]
            for size in np.unique(sizes[batch]):
                group = batch[sizes[batch] == size]
                for chunk in _parts(group, (2 * int(size) + 1)**2):
                    self._draw(chunk, int(size), place, owner, surface)

    def _draw(self, which, size, place, owner, surface):
        column, row = np.floor(place[which, 0]).astype(np.int32), np.floor(place[which, 1]).astype(np.int32)
        along = np.arange(-size, size + 1, dtype=np.int32)
        x, y = column[:, None] + along, row[:, None] + along  # [body, sample]
        if len(which) == 1:  # a large one: only what is in the picture
            x, y = x[:, (x[0] >= 0) & (x[0] < self.width)], y[:, (y[0] >= 0) & (y[0] < self.height)]
            if not x.size or not y.size:
                return
        dx = (x + 0.5 - place[which, 0, None]).astype(np.float32)
        dy = (y + 0.5 - place[which, 1, None]).astype(np.float32)
        depth = surface(which, dx[:, None, :], dy[:, :, None])
        ok = depth == depth
        for part, last, shape in ((x, self.width, (slice(None), None)), (y, self.height, (slice(None), slice(None), None))):
            if part.min() < 0 or part.max() >= last:
                ok &= ((part >= 0) & (part < last))[shape]
        depth += place[which, 2].astype(np.float32)[:, None, None]
        at = (y * self.width)[:, :, None] + x[:, None, :]
        self.put(at[ok], depth[ok], np.repeat(owner[which], np.count_nonzero(ok, axis=(1, 2))))

    def spheres(self, place, radius, owner):
        """`place`: [n, 3], `radius`: [n], in samples; `owner`: [n] numbers from 0."""
        drawn = np.maximum(radius, LEAST_RADIUS)
        square = (drawn**2).astype(np.float32)[:, None, None]

        def surface(which, dx, dy):
            with np.errstate(invalid="ignore"):
                return np.sqrt(square[which] - (dx * dx + dy * dy))
        self.bodies(np.asarray(place, float), drawn, drawn, owner, surface)

    def ellipsoids(self, place, turns, semi_axes, owner):
        """`turns`: [n, 3, 3], from the body to the directions of the buffer; `semi_axes`: [n, 3] in samples."""
        extent = np.sqrt(np.einsum("nik,nk->ni", turns**2, semi_axes**2))
        form = np.einsum("nik,nk,njk->nij", turns, semi_axes**-2.0, turns)[:, :, :, None, None].astype(np.float32)

        def surface(which, dx, dy):
            q = form[which]
            b = q[:, 0, 2] * dx + q[:, 1, 2] * dy
            c = q[:, 0, 0] * dx * dx + 2.0 * q[:, 0, 1] * dx * dy + q[:, 1, 1] * dy * dy - 1.0
            with np.errstate(invalid="ignore"):
                return (np.sqrt(b * b - q[:, 2, 2] * c) - b) / q[:, 2, 2]
        self.bodies(np.asarray(place, float), extent[:, :2].max(axis=1), extent[:, 2], owner, surface)

    def superellipsoids(self, place, turns, semi_axes, exponents, owner):
        """As ellipsoids(); `exponents`: [n, 2], n2 and n1. Newton's method comes from the side of the eye: the gauge function is convex."""
        extent = np.einsum("nij,nj->ni", np.abs(turns), semi_axes)

        def surface(which, dx, dy):
            first, last = np.float32(np.inf), np.float32(-np.inf)  # of the box around the body, along the ray
            turn, half = turns[which].astype(np.float32)[:, :, :, None, None], semi_axes[which].astype(np.float32)[:, :, None, None]
            places = [turn[:, 0, k] * dx + turn[:, 1, k] * dy for k in range(3)]
            for k in range(3):
                along = np.where(np.abs(turn[:, 2, k]) < 1e-6, np.float32(1e-6), turn[:, 2, k])
                one, two = (-half[:, k] - places[k]) / along, (half[:, k] - places[k]) / along
                first, last = np.minimum(first, np.maximum(one, two)), np.maximum(last, np.minimum(one, two))
            body, j, i = np.nonzero(first > last)
            local, height = np.stack([place[body, j, i] for place in places]), first[body, j, i]
            found = np.full(np.shape(first), np.nan, np.float32)
            found[body, j, i] = _descend(local, turns[which[body], 2].T, height, semi_axes[which[body]].T, exponents[which[body]].T)
            return found
        self.bodies(np.asarray(place, float), extent[:, :2].max(axis=1), extent[:, 2], owner, surface)

    def triangles(self, corners, owner):
        """`corners`: [n, 3, 3], in samples."""
        for at, depth, which in self.samples_of(corners):
            self.put(at, depth, owner[which])

    def samples_of(self, corners):
        """(samples, depths, numbers of the triangles) of triangles [n, 3, 3], part by part."""
        corners = np.asarray(corners, float)
        ends = np.array([self.width, self.height])
        first = np.clip(np.floor(corners[:, :, :2].min(axis=1) - 0.5), 0, ends).astype(int)
        last = np.clip(np.ceil(corners[:, :, :2].max(axis=1) + 0.5), 0, ends).astype(int)
        count = last - first
        a, b = (corners[:, k, :2] - corners[:, 0, :2] for k in (1, 2))
        area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        which = np.flatnonzero((count > 0).all(axis=1) & (np.abs(area) > 1e-9))
        sizes = sizes_of(count)
        exact = sizes.prod(axis=1) > AT_ONCE // 16  # large ones one by one
        order = which[~exact[which]]
        groups = [order[(sizes[order] == size).all(axis=1)] for size in np.unique(sizes[order], axis=0)] if len(order) else []
        groups += [np.array([k]) for k in which[exact[which]]]
        for group in groups:
            across, down = (count if exact[group[0]] else sizes)[group[0]]
            for chunk in _parts(group, int(across) * int(down)):
                x = first[chunk, 0, None] + np.arange(across)
                y = first[chunk, 1, None] + np.arange(down)
                dx = (x + 0.5 - corners[chunk, 0, 0, None])[:, None, :]
                dy = (y + 0.5 - corners[chunk, 0, 1, None])[:, :, None]
                p, q, whole = a[chunk][:, :, None, None], b[chunk][:, :, None, None], area[chunk, None, None]
                u, v = (dx * q[:, 1] - dy * q[:, 0]) / whole, (dy * p[:, 0] - dx * p[:, 1]) / whole
                ok = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (x < self.width)[:, None, :] & (y < self.height)[:, :, None]
                n, j, i = np.nonzero(ok)
                z = corners[chunk[n], :, 2]
                depth = z[:, 0] + u[n, j, i] * (z[:, 1] - z[:, 0]) + v[n, j, i] * (z[:, 2] - z[:, 0])
                yield y[n, j] * self.width + x[n, i], depth.astype(np.float32), chunk[n]

    def lines(self, ends, width, nearer=0.0):
        """Which samples lines [n, 2, 3] cover that are not behind a surface. `nearer`: they are drawn so much nearer to the eye."""
        covered = np.zeros(self.width * self.height, bool)
        for part in np.array_split(within(np.asarray(ends, float), self.width, self.height), max(1, -(-len(ends) // 2000))):
            if len(part):
                self._lines(part, width, nearer, covered)
        return covered

    def _lines(self, ends, width, nearer, covered):
        way = ends[:, 1] - ends[:, 0]
        steps = np.ceil(np.abs(way[:, :2]).max(axis=1)).astype(int) + 1
        number = np.repeat(np.arange(len(ends)), steps)
        share = (np.arange(len(number)) - np.repeat(np.cumsum(steps) - steps, steps)) / np.maximum(steps - 1, 1)[number]
        point = ends[number, 0] + share[:, None] * way[number]
        flat = np.abs(way[:, 0]) >= np.abs(way[:, 1])  # wide across: up and down
        length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
        across = width * length / np.maximum(np.abs(way[:, :2]).max(axis=1), 1e-9)
        for k in np.arange(-int(np.ceil(across.max() / 2)), int(np.ceil(across.max() / 2)) + 1):
            x = np.floor(point[:, 0] + np.where(flat[number], 0, k)).astype(int)
            y = np.floor(point[:, 1] + np.where(flat[number], k, 0)).astype(int)
            ok = (np.abs(k) <= 0.5 * across[number]) & (x >= 0) & (x < self.width) & (y >= 0) & (y < self.height)
            at = y[ok] * self.width + x[ok]
            covered[at[point[ok, 2] + nearer >= self.depth[at]]] = True


def within(ends, width, height):
    """The parts of lines [n, 2, 3] inside of the picture."""
    start, way = ends[:, 0], ends[:, 1] - ends[:, 0]
    first, last = np.zeros(len(ends)), np.ones(len(ends))
    for axis, end in ((0, width), (1, height)):
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = (-1.0 - start[:, axis]) / way[:, axis], (end + 1.0 - start[:, axis]) / way[:, axis]
        still = way[:, axis] == 0.0
        beside = still & ((start[:, axis] < -1.0) | (start[:, axis] > end + 1.0))
        low, high = np.where(still, 0.0, np.minimum(low, high)), np.where(still, 1.0, np.maximum(low, high))
        first, last = np.maximum(first, low), np.where(beside, -1.0, np.minimum(last, high))
    keep = last >= first
    start, way = start[keep], way[keep]
    return np.stack([start + first[keep, None] * way, start + last[keep, None] * way], axis=1)


def _descend(local, along, height, half, exponents):
    """Where rays from `local` [3, n] in the directions `along` [3, n] enter superellipsoids: Newton's method from `height`, which is outside.
    NaN where they miss."""
    found, rest = np.full(len(height), np.nan), np.arange(len(height))
    height = np.asarray(height, float)
    for _ in range(STEPS):
        value, slope = gauge(local[:, rest] + height * along[:, rest], half[:, rest], *exponents[:, rest])
        rise = np.sum(slope * along[:, rest], axis=0)
        done = value - 1.0 < NEAR
        found[rest[done]] = height[done]
        go = ~done & (rise > 0.0)
        rest, height = rest[go], (height[go] - (value[go] - 1.0) / rise[go])
    return found


def gauge(points, half, plane, axis):
    """The gauge function of superellipsoids (1 on the surface) and its gradient, at points [3, n] in the axes of the bodies. `half`: [3, n]
    semi-axes; `plane`, `axis`: [n] the exponents n2 and n1."""
    size = np.abs(points) / half
    across = np.maximum(size[0]**plane + size[1]**plane, 1e-30)
    total = np.maximum(across**(axis / plane) + size[2]**axis, 1e-30)
    value = total**(1.0 / axis)
    common = value / total
    around = common * across**(axis / plane - 1.0)
    slope = np.stack([around * size[0]**(plane - 1.0), around * size[1]**(plane - 1.0), common * size[2]**(axis - 1.0)])
    return value, slope * np.sign(points) / half
