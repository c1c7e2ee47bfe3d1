"""The periodic box of a packing in a snapshot: its edges, its corners, places within it. SI units."""
import numpy as np

SLACK = 0.1  # of the smallest radius


def box_of(run, row=0):
    """Edge lengths of a periodic box in one snapshot, 0 along axes that are not periodic [m]; of a tilted box those along the axes."""
    return np.diag(edges_of(run, row)).copy()


def edges_of(run, row=0):
    """The edges of a periodic box in one snapshot, one per row [m]; 0 for an axis that is not periodic."""
    edges = np.zeros((3, 3))
    box = next((group["box"] for group in run.file["particles"].values() if "box" in group), None)
    if box is None or "edges" not in box:
        return edges
    stored = box["edges"]
    values = np.asarray(stored["value"][row] if "value" in stored else stored[()], float)
    values = values if values.ndim == 2 else np.diag(values)
    boundary = [text.decode() if isinstance(text, bytes) else str(text) for text in box.attrs["boundary"]]
    return np.where(np.array([kind == "periodic" for kind in boundary])[:, None], values, 0.0)


def nearest_images(between, edges):
    """Separations, to the nearest image, in place. `edges` as those of edges_of()."""
    for axis in (2, 1, 0):
        if axis < between.shape[1] and edges[axis, axis]:
            between -= np.round(between[:, axis] / edges[axis, axis])[:, None] * edges[axis, :between.shape[1]]
    return between


class Box:
    """`low`, `high`: the corners [m] along axes that are not periodic."""

    def __init__(self, run, row, low, high):
        self.edges = edges_of(run, row)
        self.periodic = np.diag(self.edges) != 0.0
        group = next((group["box"] for group in run.file["particles"].values() if "box" in group and "lower" in group["box"]), None)
        self.lower = np.where(self.periodic, group["lower"][:], low) if group is not None else np.asarray(low, float)
        for k in np.flatnonzero(~self.periodic):
            self.edges[k, k] = high[k] - low[k]

    def corners(self):
        """[8, 3]: corner a is at the end of the edges whose bits are in a."""
        return np.array([self.lower + sum((self.edges[k] for k in range(3) if a >> k & 1), np.zeros(3)) for a in range(8)])

    def wrapped(self, places, slack=0.0):
        """Places [n, 3] moved by whole edges into the box. `slack` [m]: so far beyond its lower sides they stay."""
        places = np.array(places, float)
        for k in (2, 1, 0):
            if self.periodic[k]:
                places -= np.floor((places[:, k] - self.lower[k] + slack) / self.edges[k, k])[:, None] * self.edges[k]
        return places


def wrapped(run, row, places):
    """Places [n, 3] of a snapshot in the periodic box, if there is one. A layer of a crystal that trembles on its side stays together."""
    if not np.any(edges_of(run, row)):
        return places
    return Box(run, row, np.zeros(3), np.ones(3)).wrapped(places, SLACK * float(run.radius.min()))
