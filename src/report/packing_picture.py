"""The moving picture of a packing as arrays for the page: places, colours and contacts at every snapshot.

The page holds places in steps of 1/200 of the smallest radius, of 1/25 in large histories (at least 1/65534 of the packing), and colours in
64 steps. If that is more than BUDGET bytes, first the weakest contacts are left out, then particles (every n-th is shown), then snapshots.
"""
import zlib

import numpy as np

from .periodic_box import Box, box_of, wrapped
from .picture import Picture
from .wall_outlines import outlines

BUDGET = 1_400_000  # compressed; as text 4/3 of it. All else on the page takes 1.1 MB at most
LEAST_FOR_CONTACTS = 70_000  # if the particles leave less
LARGE = 300_000  # particles times snapshots
ABSENT = 65535  # the place of a particle that is not there: it is not drawn
FEWEST_PARTICLES = 3000  # before snapshots are left out
SAMPLE = 1_500_000  # particles times snapshots of a trial
STEPS = 63  # of colours


def _square_root_steps(values, largest):
    """0 to STEPS for the square root of values from 0 to the largest; with sign around STEPS + 1 if there are negative values."""
    root = np.sqrt(np.abs(np.nan_to_num(values)) / (largest or 1.0)).clip(0.0, 1.0)
    return np.round(STEPS * root * np.sign(values)).astype(np.int8)


class _Rows:
    """What is read of each snapshot, once; `chosen` particles and rows."""

    def __init__(self, run, particles, rows):
        self.run, self.particles, self.rows = run, particles, rows
        planar = run.planar
        self.dimension = 2 if planar else 3
        shape = (len(rows), len(particles))
        self.place = np.empty((len(rows), self.dimension, len(particles)))
        self.speed, self.force, self.turning, self.dissipated = (np.zeros(shape, np.float32) for _ in range(4))
        self.contacts = np.zeros(shape, np.uint8)
        self.absent = np.zeros(shape, bool)
        spins = run.get("angular_velocity")
        self.has_contacts = "contacts/pair" in run
        for k, row in enumerate(rows):
            self.absent[k] = ~run.present(row)[particles]
            self.place[k] = wrapped(run, row, np.nan_to_num(run["position"][row][particles].astype(float))).T[:self.dimension]
            self.speed[k] = np.linalg.norm(run["velocity"][row][particles], axis=1)
            if spins is not None:
                spin = spins[row][particles]
                self.turning[k] = spin[:, 2] if planar else np.linalg.norm(spin, axis=1)
            if DISSIPATION[0] in run:
                self.dissipated[k] = dissipated(run, row)[particles]
            if self.has_contacts:
                force, count = of_particles(run, row)
                self.force[k], self.contacts[k] = force[particles], np.minimum(count[particles], 255)


def contact_list(run, row):
    """Pairs and sizes of the force [N] of the contacts of a snapshot."""
    pair, normal, tangential, _ = run.contacts(row)
    return pair, np.linalg.norm(normal + tangential, axis=1)


def of_particles(run, row):
    """Of each particle: its largest contact force [N], and its number of contacts."""
    pair, size = contact_list(run, row)
    largest, count = np.zeros(run.beads), np.zeros(run.beads, int)
    for column in range(2):
        inside = pair[:, column] < run.beads
        np.maximum.at(largest, pair[inside, column], size[inside])
        count += np.bincount(pair[inside, column], minlength=run.beads)
    return largest, count


DISSIPATION = [f"particle_{part}_dissipation" for part in ("normal", "sliding", "rolling", "twisting")]


def dissipated(run, row):
    """What the contacts of each particle dissipated since the start, all parts of its half [J]."""
    return sum(run[name][row] for name in DISSIPATION)


def _quantities(rows):
    """(name, unit, signed, largest, steps) of each colour."""
    found = []
    for name, unit, values in (("speed", "m/s", rows.speed), ("force", "N", rows.force), ("angular velocity", "rad/s", rows.turning),
                               ("dissipated energy", "J", rows.dissipated)):
        largest = float(np.nanmax(np.abs(values), initial=0.0))
        if largest > 0.0:
            found.append((name, unit, bool(np.any(values < 0.0)), largest, _square_root_steps(values, largest)))
    if rows.has_contacts:
        found.insert(2, ("contact number", "", False, int(rows.contacts.max(initial=0)), rows.contacts))
    if not found:
        found.append(("speed", "m/s", False, 0.0, np.zeros(rows.speed.shape, np.int8)))
    return found


def _grid(place, radius, large):
    """Lower corner and step of the places' numbers [m]."""
    low = place.min(axis=(0, 2)) if place.size else np.zeros(place.shape[1])
    extent = float((place.max(axis=(0, 2)) - low).max()) if place.size else 0.0
    return low, max(extent / 65534.0, float(radius.min()) / (25.0 if large else 200.0), 1e-300)


def _add_particles(pack, rows, radius, large):
    low, step = _grid(rows.place, radius, large)
    steps = np.round((rows.place - low[None, :, None]) / step).clip(0, 65534).astype(np.uint16)
    steps[np.broadcast_to(rows.absent[:, None], steps.shape)] = ABSENT
    pack.add("place", steps, stride=steps[0].size if len(steps) else 1)
    quantities = _quantities(rows)
    for k, (_, _, _, _, values) in enumerate(quantities):
        pack.add(f"colour{k}", values.view(np.uint8))
    return low, step, [{"name": name, "unit": unit, "signed": signed, "largest": largest, "linear": name == "contact number"}
                       for name, unit, signed, largest, _ in quantities]


def _contacts(run, rows, limit):
    """Pairs, steps of force, and rows of the contacts; of each snapshot its strongest, so that they take at most `limit` bytes. Also the
    share that is kept."""
    total = len(run["contacts/pair"])
    share = min(1.0, limit / (2.0 * total)) if total else 1.0  # a contact takes 2 to 5 bytes
    while True:
        pairs, sizes, splits = [], [], [0]
        for row in rows:
            pair, size = contact_list(run, row)
            kept = np.sort(np.argsort(-size, kind="stable")[:int(np.ceil(share * len(size)))])
            pairs.append(pair[kept])
            sizes.append(size[kept])
            splits.append(splits[-1] + len(kept))
        pair = np.concatenate(pairs).astype(np.int64) if pairs else np.zeros((0, 2), np.int64)
        steps = np.round(255.0 * np.sqrt(np.concatenate(sizes) / (run.largest_force or 1.0))).clip(0, 255).astype(np.uint8)
        bytes_ = _contact_bytes(pair, steps)
        if bytes_ <= limit or share < 1e-3:
            return pair, steps, splits, share
        share *= 0.95 * limit / bytes_


def _contact_bytes(pair, steps):
    trial = Picture("", {})
    _pack_contacts(trial.pack, pair, steps)
    return len(zlib.compress(trial.pack.data(), 6))


def _pack_contacts(pack, pair, steps):
    pack.add("first", pair[:, 0].astype(np.uint32), stride=1)
    pack.add("offset", (pair[:, 1] - pair[:, 0]).astype(np.int32).view(np.uint32))
    pack.add("size", steps)


def _large(run):
    return run.beads * len(run.snapshot_time) > LARGE


def _bytes(run, particles, rows):
    trial = Picture("", {})
    _add_particles(trial.pack, _Rows(run, particles, rows), run.radius[particles], _large(run))
    return len(zlib.compress(trial.pack.data(), 6))


def chosen(run, budget):
    """Numbers of the particles and of the snapshots that are shown."""
    rows, particles = np.arange(len(run.snapshot_time)), np.arange(run.beads)
    every = max(1, -(-len(rows) * len(particles) // SAMPLE))
    trial = particles[::every] if every < len(particles) / 100 else particles[::max(1, len(particles) // 100)]
    size = _bytes(run, trial, rows) * len(particles) / len(trial)
    if size <= budget:
        return particles, rows
    stride = int(min(np.ceil(size / budget), max(1, len(particles) // FEWEST_PARTICLES)))
    over = size / stride / budget
    if over > 1.0:
        rows = np.unique(np.linspace(0, len(rows) - 1, max(2, int(len(rows) / over))).round().astype(int))
    return particles[::stride], rows


def walls_of(run, rows):
    """Points [m] of the walls at each snapshot, and their normals; None without walls."""
    if "wall_point" not in run or not len(run["wall_point"]):
        return None
    point = np.repeat(run["wall_point"][:][None], len(rows), axis=0)
    if "wall_displacement" in run:
        point = point + run["wall_displacement"][:][rows]
    return point, run["wall_normal"][:]


def cylinder_radii(run):
    """Of the walls [m]; 0: a plane, -1: another shape, which is not drawn."""
    radii, shapes = run["wall_radius"][:], np.array(list(run.texts["wall_shape"]))
    cylinders = (shapes == "revolved") & (radii[:, 0] == radii[:, 1])
    return np.where(shapes == "plane", 0.0, np.where(cylinders, radii[:, 0], -1.0))


def _cells(run, shown, places):
    """Corners [m] of the periodic box at each snapshot, or once if it does not move: 24 numbers, see Box.corners(). None without one."""
    if not np.any(box_of(run)) or not places.size:
        return None
    reach = float(run.radius.max())
    low, high = np.zeros(3), np.zeros(3)
    low[:places.shape[1]], high[:places.shape[1]] = places.min(axis=(0, 2)) - reach, places.max(axis=(0, 2)) + reach
    corners = np.array([Box(run, row, low, high).corners().ravel() for row in shown])
    kept = corners[:1] if np.all(corners == corners[0]) else corners
    return [[float(f"{x:.6g}") for x in each] for each in kept]


def picture(run, budget=BUDGET):
    """The Picture of a packing with snapshots."""
    particles, shown = chosen(run, budget)
    rows, result = _Rows(run, particles, shown), Picture("packing", {})
    radius = run.radius[particles]
    low, step, quantities = _add_particles(result.pack, rows, radius, _large(run))
    sizes, which = np.unique(radius.astype(np.float32), return_inverse=True)
    if len(sizes) > 256:
        sizes = np.linspace(float(radius.min()), float(radius.max()), 256)
        which = np.abs(radius[:, None] - sizes[None]).argmin(axis=1) if len(radius) < 1e5 else \
            np.round((radius - sizes[0]) / (sizes[1] - sizes[0])).astype(int)
    result.pack.add("radius", which.astype(np.uint8))
    settings = {"planar": run.planar, "count": run.beads, "shown": len(particles), "every": int(particles[1]) if len(particles) > 1 else 1,
                "snapshots": len(run.snapshot_time), "time": [float(f"{t:.9g}") for t in run.snapshot_time[shown]],
                "low": low.tolist(), "step": step, "radii": [float(f"{r:.6g}") for r in sizes], "quantities": quantities,
                "box": box_of(run)[:2 if run.planar else 3].tolist(), "cell": _cells(run, shown, rows.place), "contacts": None, "walls": None}
    if rows.has_contacts and len(particles) == run.beads:
        used = len(zlib.compress(result.pack.data(), 6))
        pair, steps, splits, share = _contacts(run, shown, max(budget - used, LEAST_FOR_CONTACTS))
        _pack_contacts(result.pack, pair, steps)
        settings["contacts"] = {"splits": splits, "largest": run.largest_force, "share": share}
    walls = walls_of(run, shown)
    if walls is not None:
        settings["walls"] = {"point": [[[float(f"{x:.6g}") for x in p] for p in each] for each in
                                       (walls[0] if np.any(walls[0] != walls[0][:1]) else walls[0][:1])],
                             "normal": np.round(walls[1], 9).tolist()}
        if "wall_radius" in run:
            settings["walls"]["radius"] = [float(f"{x:.6g}") for x in cylinder_radii(run)]
        if "wall_shape" in run.texts and not run.planar:
            high = rows.place.max(axis=(0, 2)) if rows.place.size else low
            settings["walls"]["lines"] = outlines(run, low, high)
            if "wall_angular_velocity" in run:
                meshes = np.array([shape == "mesh" for shape in run.texts["wall_shape"]])
                settings["walls"]["spin"] = np.where(meshes, run["wall_angular_velocity"][:], 0.0).tolist()
    result.settings = settings
    return result
