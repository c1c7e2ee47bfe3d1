"""The moving picture of a packing or a mechanism as GIF or MP4, by matplotlib's writers (Pillow, ffmpeg)."""
import shutil

import numpy as np

from . import style
from .history import InputError, printable
from .mechanism_shapes import Shapes, rotated
from .packing_picture import contact_list

MOST_FRAMES = {"gif": 100, "mp4": 250}
SECONDS = 10.0  # of a film of many frames
MOST_PER_SECOND = 25.0
CREATOR = "beadwave report"  # the program replaces only films with this comment
CLASSES = ((0.05, 0.2, 0.5), (0.2, 0.5, 1.2), (0.5, np.inf, 2.4))  # of force over the largest: from, to, width of the line


def _axes(azimuth=-0.6, elevation=0.35):
    """To the right, up and towards the eye, as the page starts."""
    c, s, e, f = np.cos(azimuth), np.sin(azimuth), np.cos(elevation), np.sin(elevation)
    return np.array([[c, s, 0.0], [-s * f, c * f, e], [s * e, -c * e, f]])


def check(shown, option):
    """Raises InputError unless there is a moving picture and a program that writes it."""
    run = shown[0]
    if run.system not in ("packing", "mechanism"):
        kind = {"modes": "a file of modes", "fit": "a fit", "sweep": "a sweep"}.get(run.system, "a " + run.system)
        raise InputError(f"{option}: is for packings and mechanisms; this is {kind}")
    if len(shown) > 1:
        raise InputError(f"{option}: takes one history, not several")
    if not len(run.snapshot_time):
        raise InputError(f"{option}: {printable(run.path)} holds no snapshots; add [snapshots] interval = ... (in s) to the scenario")
    if option == "--mp4" and shutil.which("ffmpeg") is None:
        raise InputError("--mp4: needs ffmpeg, which is not here (on Debian or Ubuntu: apt-get install ffmpeg); --gif needs no other program")


def _rows(run, form):
    return np.unique(np.linspace(0, len(run.snapshot_time) - 1, MOST_FRAMES[form]).round().astype(int))


class _PackingFilm:
    def __init__(self, figure, run):
        from matplotlib.collections import EllipseCollection, LineCollection
        self.run, self.lines_of = run, LineCollection
        self.axes = np.eye(3) if run.planar else _axes()
        rows = _rows(run, "gif")
        corners = np.concatenate([self._seen(row)[run.present(row), :2] for row in rows])
        if not len(corners):
            corners = self._seen(rows[0])[:, :2]
        margin = float(run.radius.max())
        low, high = 1e3 * (corners.min(axis=0) - margin), 1e3 * (corners.max(axis=0) + margin)
        self.axis = figure.subplots()
        self.axis.set(aspect="equal", xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="x (mm)" if run.planar else "",
                      ylabel="y (mm)" if run.planar else "")
        if not run.planar:
            self.axis.set_axis_off()
        fastest = max(float(np.linalg.norm(run["velocity"][row], axis=1).max()) for row in rows) or 1.0
        size = 2e3 * run.radius
        self.discs = EllipseCollection(size, size, np.zeros(run.beads), units="x", offsets=np.zeros((run.beads, 2)),
                                       offset_transform=self.axis.transData, cmap="viridis", clim=(0.0, fastest), linewidths=0.2,
                                       edgecolors="#222")
        self.axis.add_collection(self.discs)
        self.lines = []
        figure.colorbar(self.discs, ax=self.axis, label="speed (m/s)", shrink=0.8)
        self.largest = run.largest_force

    def _seen(self, row):
        """Right, up and towards the eye of each centre [m]."""
        return self.run["position"][row] @ self.axes.T

    def show(self, row):
        run, seen = self.run, self._seen(row)
        order = np.argsort(seen[:, 2], kind="stable") if not run.planar else slice(None)
        size = 2e3 * np.where(run.present(row), run.radius, 0.0)[order]
        self.discs._widths = self.discs._heights = 0.5 * size  # has no setter in older versions of matplotlib
        self.discs.set_offsets(1e3 * seen[order, :2])
        self.discs.set_array(np.linalg.norm(run["velocity"][row], axis=1)[order])
        self.axis.set_title(style.with_prefix(run.snapshot_time[row], "s"), fontsize=9)
        for old in self.lines:
            old.remove()
        self.lines = list(self._force_lines(row, seen)) if run.planar and self.largest > 0.0 and "contacts/pair" in run else []

    def _force_lines(self, row, seen):
        pair, force = contact_list(self.run, row)
        inside = pair[:, 1] < self.run.beads
        pair, share = pair[inside], force[inside] / self.largest
        ends = 1e3 * seen[pair][:, :, :2]
        near = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) < 4e3 * self.run.radius.max()
        for low, high, width in CLASSES:
            lines = self.lines_of(ends[near & (share > low) & (share <= high)], colors="#D55E00", linewidths=width)
            self.axis.add_collection(lines)
            yield lines


class _MechanismFilm:
    def __init__(self, figure, run):
        self.run = run
        try:
            self.shapes = Shapes(run.settings, run.files)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{printable(run.path)}: its scenario does not describe the bodies") from error
        position = run["position"][:].reshape(len(run.snapshot_time), run.beads, -1)[..., :2]
        self.position, self.angle = position, run["angle"][:]
        self.axis = figure.subplots()
        margin = 0.6 * self.shapes.size
        low, high = position.min(axis=(0, 1)) - margin, position.max(axis=(0, 1)) + margin
        self.frame = dict(aspect="equal", xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="x (m)", ylabel="y (m)")

    def _at(self, row, body, point):
        point = np.asarray(point, float)
        return point if body < 0 else self.position[row, body] + rotated(point, self.angle[row, body])

    def show(self, row):
        axis = self.axis
        axis.clear()
        axis.set(**self.frame)
        axis.set_title(style.with_prefix(self.run.snapshot_time[row], "s"), fontsize=9)
        for item in self.shapes.items:
            body, colour = item["body"], style.run_colour(item["body"]) if item["body"] >= 0 else "#888"
            if item["kind"] in ("hull", "polygon"):
                x, y = np.array([self._at(row, body, point) for point in [*item["points"], item["points"][0]]]).T
                axis.plot(x, y, color=colour, lw=4 if item["kind"] == "hull" else 1, solid_capstyle="round", label="_")
            elif item["kind"] == "line":
                x, y = np.array([self._at(row, body, point) for point in item["points"]]).T
                axis.plot(x, y, color=colour, lw=1.5, label="_")
            elif item["kind"] == "circle":
                turn = np.linspace(0.0, 2.0 * np.pi, 61)
                centre = self._at(row, body, item["at"])
                axis.plot(centre[0] + item["radius"] * np.cos(turn), centre[1] + item["radius"] * np.sin(turn), color=colour, lw=1)
            elif item["kind"] == "pivot":
                axis.plot(*self._at(row, body, item["at"]), "o", color="#222", mfc="#fff", ms=4)
            elif item["kind"] in ("wall", "rail"):
                centre = self._at(row, body, item["at"])
                along = np.asarray(item["axis"]) if body < 0 else rotated(np.asarray(item["axis"]), self.angle[row, body])
                reach = 4.0 * self.shapes.size if body < 0 else 0.7 * self.shapes.size
                x, y = np.array([centre - reach * along, centre + reach * along]).T
                axis.plot(x, y, color=colour, lw=1, ls="--" if item["kind"] == "rail" else "-")


def write(run, path, form):
    """`form`: "gif" or "mp4"."""
    import matplotlib.pyplot as plt
    from matplotlib.animation import FFMpegWriter
    rows = _rows(run, form)
    rate = min(MOST_PER_SECOND, max(2.0, len(rows) / SECONDS))
    figure = plt.figure(figsize=(7.2, 5.4), dpi=100, layout="constrained")
    film = {"packing": _PackingFilm, "mechanism": _MechanismFilm}[run.system](figure, run)
    if form == "mp4":
        # bitexact: no date and no version inside, so that the same history gives the same file.
        writer = FFMpegWriter(fps=rate, codec="h264", metadata={"comment": CREATOR},
                              extra_args=["-f", "mp4", "-pix_fmt", "yuv420p", "-threads", "1", "-fflags", "+bitexact", "-flags", "+bitexact"])
    else:
        writer = _gif_writer(rate)
    film.show(int(rows[0]))
    figure.canvas.draw()
    figure.set_layout_engine("none")  # arranged once, so that nothing jumps
    with writer.saving(figure, path, dpi=100):
        for row in rows:
            film.show(int(row))
            writer.grab_frame()
    plt.close(figure)


def _gif_writer(fps):
    from matplotlib.animation import PillowWriter

    class Gif(PillowWriter):
        """With the comment, and whatever the ending of the temporary name."""

        def finish(self):
            self._frames[0].save(self.outfile, format="GIF", save_all=True, append_images=self._frames[1:], comment=CREATOR.encode(),
                                 duration=int(1000 / self.fps), loop=0)
    return Gif(fps=fps)
