"""The packing in motion: particles coloured by a quantity, contacts as lines whose width grows with the force. In the still figure: three
times."""
import numpy as np

from . import packing_picture
from . import style
from .panels import Place

NAME = "packing"
TITLE = "Packing"
PLACES = {"packing": Place(1, row=0, height=1.3)}
MISSING = "The history holds no snapshots, so there is no picture. Add [snapshots] interval = ... (in s) to the scenario."
MOST_TIMES = 6
CLASSES = ((0.05, 0.2, 1.0), (0.2, 0.5, 2.5), (0.5, np.inf, 5.0))  # from and to, relative to the largest force; width


def chosen_rows(run):
    """Snapshots to show: evenly spread, including the last."""
    return np.unique(np.linspace(0, len(run.snapshot_time) - 1, MOST_TIMES).round().astype(int))


def _limits(run):
    rows = chosen_rows(run) if "presence" in run else (0, len(run.snapshot_time) - 1)
    ends = [run["position"][row][run.present(row)] for row in rows]
    both, radius = np.concatenate(ends), run.radius.max()
    if not len(both):
        both = run["position"][0]
    return both.min(axis=0) - radius, both.max(axis=0) + radius


def _lines(run, row, scale):
    """Force chains: for each class the end points of its contacts, and its width. Contacts with periodic images are left out."""
    contacts = run.contacts(row)
    if contacts is None:
        return []
    pair, normal, tangential, point = contacts
    position = run["position"][row]
    force = np.linalg.norm(normal + tangential, axis=1)
    start = position[pair[:, 0]]
    inside = pair[:, 1] < run.beads
    end = np.where(inside[:, None], position[np.where(inside, pair[:, 1], 0)], point)
    near = np.linalg.norm(end - start, axis=1) < 4.0 * run.radius.max()
    return [(start[take] * scale, end[take] * scale, width) for low, high, width in CLASSES
            for take in [near & (force > low * run.largest_force) & (force <= high * run.largest_force)] if take.any()]


def _turns(run, row):
    """The rotation of each particle, from the body to space: 3 x 3 x particles."""
    w, x, y, z = run["orientation"][row].T
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def outlines(run, row, present, axes):
    """Of each particle: width, height [m] and angle [degrees] of its outline in the plane of two axes, seen along the third.

    An ellipsoid reaches sqrt(n.M n) along n, M = R diag(a^2) R^T. So does its outline in the plane, with that part of M."""
    size = 2.0 * run.radius[present]
    if "orientation" not in run:
        return size, size, np.zeros(len(size))
    turn = _turns(run, row)[list(axes)][:, :, present]
    reach = np.einsum("ikp,pk,jkp->pij", turn, run["semi_axes"][present] ** 2, turn)
    squares, direction = np.linalg.eigh(reach)
    half = np.sqrt(squares.clip(0.0))
    return 2.0 * half[:, 1], 2.0 * half[:, 0], np.degrees(np.arctan2(direction[:, 1, 1], direction[:, 0, 1]))


def _is_superellipsoid(run):
    return (run["exponents"][:] != 2.0).any(axis=1) if "exponents" in run else np.zeros(run.beads, bool)


def polygons(run, row, axes):
    """Superellipsoids of a snapshot: the corners of their outlines in the plane of two axes [m], and their numbers.

    The outline is where the surface's normal lies in the plane. The point with the normal n is the gradient of the support function, the
    norm of (a nx, b ny, c nz) with the exponents n/(n - 1) in place of n."""
    particle = np.flatnonzero(_is_superellipsoid(run) & run.present(row))
    around = np.linspace(0.0, 2.0 * np.pi, 720, endpoint=False)  # where it is flat the point runs far with the normal
    normal = np.zeros((3, len(around)))
    normal[list(axes)] = np.cos(around), np.sin(around)
    turns, outlines_of = _turns(run, row), []
    axes_of, exponents, place = run["semi_axes"][:], run["exponents"][:], run["position"][row]
    for i in particle:
        turn, half = turns[:, :, i], axes_of[i]
        plane, axis = (n / (n - 1.0) for n in exponents[i])
        v = half[:, None] * (turn.T @ normal)
        size = np.abs(v)
        rho = (size[0] ** plane + size[1] ** plane) ** (1.0 / plane)
        whole = (rho ** axis + size[2] ** axis) ** (1.0 / axis)
        ratio = np.divide(size[:2], rho, out=np.zeros_like(size[:2]), where=rho > 0.0)
        slope = np.sign(v) * np.vstack([ratio ** (plane - 1.0) * (rho / whole) ** (axis - 1.0), (size[2:] / whole) ** (axis - 1.0)])
        outlines_of.append((place[i][:, None] + turn @ (half[:, None] * slope))[list(axes)].T)
    return outlines_of, particle


def drawn(run, row, axes):
    """What stands for the particles of a snapshot but superellipsoids: of each outline the place [m], its width, height [m] and angle
    [degrees], and the number of its particle. Clumps are drawn sphere by sphere."""
    particle = np.flatnonzero(run.present(row) & ~_is_superellipsoid(run))
    place = run["position"][row][particle]
    shape = np.array(outlines(run, row, particle, axes))
    if "clump_spheres" not in run:
        return place, *shape, particle
    of, spheres = run["clump_particle"][:].astype(int), run["clump_spheres"][:]
    whole, shown = ~np.isin(particle, of), np.isin(of, particle)
    of, spheres = of[shown], spheres[shown]
    centre = run["position"][row][of] + np.einsum("ijp,pj->pi", _turns(run, row)[:, :, of], spheres[:, :3])
    round_ = np.array([2.0 * spheres[:, 3], 2.0 * spheres[:, 3], np.zeros(len(of))])
    return (np.concatenate([place[whole], centre]), *np.concatenate([shape[:, whole], round_], axis=1),
            np.concatenate([particle[whole], of]))


def _kept(settings, run):
    """What the page leaves out of the history."""
    text = ""
    if "clump_spheres" in run:
        text += "\nThere are clumps among the particles; the spheres drawn here are those around them."
    elif "semi_axes" in run:
        kind = "There are superellipsoids among the particles;" if "exponents" in run else "The particles are ellipsoids;"
        size = "" if "exponents" in run else ", of their largest semi-axis"
        text += f"\n{kind} the spheres drawn here are those around them{size}."
    if settings["shown"] < settings["count"]:
        text += (f"\nThe history is too large for a page: one particle in {settings['every']} is shown, {settings['shown']} of "
                 f"{settings['count']}, without force lines.")
    if len(settings["time"]) < settings["snapshots"]:
        text += f"\n{len(settings['time'])} of the {settings['snapshots']} snapshots are shown."
    if settings["contacts"] and settings["contacts"]["share"] < 1.0:
        text += (f"\nOf each snapshot the {100 * settings['contacts']['share']:.2g} % strongest contacts are on the page; the force and the "
                 "contact number of a particle count all of them.")
    if len(run.radius) and run.radius.max() > 200.0 * run.radius.min():
        text += "\nThe smallest particles are drawn smaller than a pixel."
    return text


def interactive(runs):
    run = next((run for run in runs if len(run.snapshot_time)), None)
    if run is None:
        return MISSING, None
    shown = packing_picture.picture(run)
    settings = shown.settings
    caption = (f"{run.beads} particles at {len(settings['time'])} snapshots. The slider and Play choose the time. Colour: speed, the largest "
               "contact force on a particle, the number of its contacts, or its angular velocity; the square root of the value sets the "
               "colour, except for the contact number. ")
    if settings["contacts"]:
        caption += (f"Force lines join the centres of particles in contact and grow with the force; the largest in the run is "
                    f"{style.with_prefix(run.largest_force, 'N')}. Their slider hides the weak ones. ")
    caption += ("Drag to move, + and - to zoom." if run.planar else "Drag to rotate, + and - to zoom.") + \
        f" Places are exact to {style.with_prefix(0.5 * settings['step'], 'm')}, colours to 1/64 of their scale."
    if len(runs) > 1:
        caption += f" This is {run.label}."
    shown.summary = (f"{run.title}: {run.beads} particles {'in the plane' if run.planar else 'in space'} at {len(settings['time'])} snapshots, "
                     f"from 0 to {style.with_prefix(run.snapshot_time[-1], 's')}.")
    return caption + _kept(settings, run), shown


def static(figure, runs):
    run = next((run for run in runs if len(run.snapshot_time)), None)
    if run is None:
        figure.subplots().set_axis_off()
        figure.suptitle("no snapshots", fontsize=9)
        return
    from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection
    rows = chosen_rows(run)[-3:] if len(run.snapshot_time) > 2 else [len(run.snapshot_time) - 1]
    low, high = _limits(run)
    across, up = (0, 1) if run.planar else (0, 2)
    fastest = max(float(np.linalg.norm(run["velocity"][row], axis=1).max()) for row in rows) or 1.0
    places = np.atleast_1d(figure.subplots(1, len(rows), sharey=True))
    for place, row in zip(places, rows):
        position, width, height, angle, particle = drawn(run, row, (across, up))
        speed = np.linalg.norm(run["velocity"][row][particle], axis=1)
        circles = EllipseCollection(1e3 * width, 1e3 * height, angle, units="x", offsets=1e3 * position[:, [across, up]],
                                    offset_transform=place.transData, array=speed, cmap="viridis", clim=(0, fastest))
        place.add_collection(circles)
        corners, number = polygons(run, row, (across, up)) if "exponents" in run else ([], [])
        if len(number):
            place.add_collection(PolyCollection([1e3 * outline for outline in corners], cmap="viridis", clim=(0, fastest),
                                                array=np.linalg.norm(run["velocity"][row][number], axis=1)))
        for start, end, width in _lines(run, row, 1e3):
            ends = np.stack([start[:, [across, up]], end[:, [across, up]]], axis=1)
            place.add_collection(LineCollection(ends, colors="#D55E00", linewidths=0.5 * width))
        place.set(aspect="equal", xlim=(low[across] * 1e3, high[across] * 1e3), ylim=(low[up] * 1e3, high[up] * 1e3),
                  xlabel=f"{'xyz'[across]} (mm)", title=style.with_prefix(run.snapshot_time[row], "s"))
    places[0].set_ylabel(f"{'xyz'[up]} (mm)")
    figure.colorbar(circles, ax=list(places), label="speed (m/s)", shrink=0.8)
