"""The dispersion of the linear waves of a periodic structure, with its gaps shaded."""
import numpy as np

from . import style
from .panels import Place

NAME = "modes-bands"
TITLE = "Bands"
PLACES = {"modes": Place(1, row=0, column=0)}
MISSING = "The file holds neither a dispersion nor bands, which belong to a periodic structure."
KHZ = 1e-3
SHADE = "#f0e0c0"
MOST_POINTS = 1000


def gap_shapes(modes, axis="y", **more):
    """Rectangles of plotly over the gaps, along the axis of the frequency (kHz)."""
    across = {"x": "y", "y": "x"}[axis]
    return [{"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": SHADE, f"{axis}0": low * KHZ, f"{axis}1": high * KHZ,
             f"{across}0": 0, f"{across}1": 1, f"{across}ref": "paper", **more}
            for low, high in (modes.bands.gaps() if modes.bands is not None else [])]


def shaded_text(modes):
    return " Shaded: the gaps between the bands." if gap_shapes(modes) else ""


def shade_gaps(axes, modes, along="y"):
    """The same for matplotlib."""
    for low, high in modes.bands.gaps() if modes.bands is not None else []:
        (axes.axhspan if along == "y" else axes.axvspan)(low * KHZ, high * KHZ, color=SHADE, zorder=0)


def _curves(modes):
    """Wave numbers [rad/m] and frequencies [q, branch] [Hz]; of bands alone, their edges over a wave number without numbers."""
    if modes.dispersion is not None:
        every = -(-len(modes.dispersion.wave_number) // MOST_POINTS)
        return modes.dispersion.path[::every], modes.dispersion.frequency[::every], _name_of_axis(modes.dispersion)
    if modes.bands is not None:
        edges = np.sort(np.concatenate([modes.bands.lower, modes.bands.upper]))
        return np.array([0.0, 1.0]), np.tile(edges, (2, 1)), "wave number (the file has none; lines: edges of the bands)"
    return None


def _name_of_axis(dispersion):
    if dispersion.wave_number.ndim == 1:
        return "wave number (rad/m)"
    return "path of wave vectors" if dispersion.lattice is not None else "along the path of wave numbers (rad/m)"


def corner_axis(modes):
    """Ticks at the corners of a path in space, for the axis of the wave number: their places [rad/m] and labels."""
    corners = modes.dispersion.corners() if modes.dispersion is not None else []
    return ([place for place, _ in corners], [label for _, label in corners]) if corners and all(label for _, label in corners) else None


def caption_of(modes):
    text = "Frequency of the linear waves over their wave number."
    if corner_axis(modes) is not None:
        text += (f" The wave vector follows a path of {modes.dispersion.path[-1]:.4g} rad/m; its corners are named as points of the zone, "
                 "or are in units of the reciprocal vectors.")
    if modes.dispersion is not None and np.isfinite(modes.dispersion.cell_length):
        cell = modes.dispersion.cell_length
        text += f" The cell is {style.with_prefix(cell, 'm')} long, so the zone ends at pi over it, {np.pi / cell:.5g} rad/m."
    if modes.bands is None:
        return text + " The file holds no bands, so no gaps are shaded."
    gaps = [f"{low * KHZ:.5g} to {high * KHZ:.5g} kHz" for low, high in modes.bands.gaps()]
    return text + (f" Shaded: the gaps, {style.listed(gaps)}." if gaps else " There is no gap below the highest band.") + \
        f" No waves above {modes.bands.upper.max() * KHZ:.6g} kHz."


def interactive(shown):
    modes = shown[0]
    curves = _curves(modes)
    if curves is None:
        return MISSING, None
    q, frequency, name = curves
    data = [{"type": "scatter", "mode": "lines", "x": style.numbers(q), "y": style.numbers(branch * KHZ), "name": f"branch {k}",
             "line": {"color": style.run_colour(0) if frequency.shape[1] > 7 else style.run_colour(k), "width": 1.6},
             "showlegend": 1 < frequency.shape[1] <= 7 and modes.dispersion is not None, "hovertemplate": "%{x:.5g} rad/m, %{y:.6g} kHz"}
            for k, branch in enumerate(frequency.T)]
    corners = corner_axis(modes)
    ticks = {} if corners is None else {"tickvals": style.numbers(corners[0], 7), "ticktext": corners[1], "gridcolor": "#999999"}
    return caption_of(modes), {"data": data, "layout": style.layout(
        460, shapes=gap_shapes(modes), xaxis=style.axis(name, range=[float(q.min()), float(q.max())], **ticks),
        yaxis=style.axis("frequency (kHz)", rangemode="tozero"))}


def static(figure, shown):
    axes, curves = figure.subplots(), _curves(shown[0])
    if curves is None:
        axes.set_axis_off()
        figure.suptitle("no bands", fontsize=9)
        return
    q, frequency, name = curves
    shade_gaps(axes, shown[0])
    axes.plot(q, frequency * KHZ, color=style.run_colour(0), lw=1.0)
    axes.set(xlabel=name, ylabel="frequency (kHz)", xlim=(q.min(), q.max()), ylim=(0, None))
    corners = corner_axis(shown[0])
    if corners is not None:
        axes.set_xticks(*corners, fontsize=6 if any("," in label for label in corners[1]) else 9)
        axes.grid(axis="x", lw=0.6)
