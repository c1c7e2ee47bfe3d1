"""Rendered pictures of several moments side by side in a still figure."""
import numpy as np

from . import style
from .picture_options import scene_of
from .render import colours

SHARPER = 1.6  # pixels of a picture per pixel of the figure, in case the figure is enlarged
LEAST, MOST = 200, 1600  # pixels of a side of a picture
LETTER = 13.0  # points: the height of a line of the colour bar


def draw(figure, run, chosen, options):
    """`figure`: a (sub)figure of matplotlib; `chosen`: (row, name) of the moments. Returns the scene."""
    places = np.atleast_1d(figure.subplots(1, len(chosen)))
    box = figure.bbox
    width = float(np.clip(SHARPER * box.width / len(chosen), LEAST, MOST))
    height = float(np.clip(SHARPER * 0.8 * box.height, LEAST, MOST))
    scene = scene_of(run, [row for row, _ in chosen], options, (int(width), int(height)), labelled=False)
    flat = run.system == "mechanism" or run.planar
    for place, (row, name) in zip(places, chosen):
        if flat:
            place.imshow(np.asarray(scene.image(row)), extent=_extent(scene, 1e3), interpolation="antialiased")
            place.set_xlabel("x (mm)")
        else:
            place.imshow(np.asarray(scene.image(row)), interpolation="antialiased")
            place.set_axis_off()
        time = style.with_prefix(run.snapshot_time[row], "s")
        place.set_title(f"{time}: {name}" if name else time, fontsize=8)
    if flat:
        places[0].set_ylabel("y (mm)")
        for place in places[1:]:
            place.tick_params(labelleft=False)
    return scene


def _extent(scene, factor):
    """Left, right, bottom and top of the picture of a scene in the plane [m times the factor]."""
    camera = scene.camera
    width, height = scene.size
    left, up = camera.centre[0] - camera.middle[0] / camera.scale, camera.centre[1] + camera.middle[1] / camera.scale
    return factor * left, factor * (left + width / camera.scale), factor * (up - height / camera.scale), factor * up


def colour_bar(figure, scene):
    """Of the quantity of a packing, with its scale: linear or by the square root."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize
    scale, quantity = scene.scale, scene.quantity
    factor, unit = style.scale_of(max(abs(scale.low), abs(scale.high)), quantity.unit) if quantity.unit else (1.0, "")
    bar = figure.colorbar(ScalarMappable(Normalize(0.0, 1.0), ListedColormap(colours.table(scale.signed))), ax=list(figure.axes), shrink=0.8)
    high = bar.ax.get_position().height * figure.bbox.height * 72.0 / figure.figure.dpi  # points
    marks = scale.marks(max(colours.LEAST_GAP, LETTER / high))
    bar.set_ticks([place for _, place in marks], labels=[f"{number * factor:.4g}" for number, _ in marks])
    bar.set_label(quantity.name.replace("-", " ") + (f" ({unit})" if unit else ""))
