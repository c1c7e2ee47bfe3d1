"""Density of states and participation of the modes of a finite structure, over the frequency."""
import numpy as np

from . import style
from .panel_modes_bands import KHZ, gap_shapes, shade_gaps, shaded_text
from .panels import Place

MOST_POINTS = 5000
ROUNDING = 1e-6  # of the edges of a band


def density(frequency, bins=None, gaps=()):
    """Edges of intervals [Hz], and the share of the modes per Hz in each of them; its integral is 1. No interval reaches over the ends of the
    `gaps` [Hz], so that states show where they are."""
    if bins is None:
        bins = int(np.clip(2.0 * np.sqrt(len(frequency)), 8, 120))
    top = float(frequency[-1]) * (1.0 + 1e-9) or 1.0
    # A mode at the very edge of a band belongs to it.
    ends = sorted({0.0, top, *(end for low, high in gaps for end in (low * (1.0 + ROUNDING), high * (1.0 - ROUNDING)) if 0.0 < end < top)})
    edges = np.concatenate([[0.0], *(np.linspace(low, high, max(1, round(bins * (high - low) / top)) + 1)[1:] for low, high in zip(ends, ends[1:]))])
    share = np.histogram(frequency, edges)[0]
    return edges, share / len(frequency) / np.diff(edges)


def _density_of(modes):
    return density(modes.frequency, gaps=modes.bands.gaps() if modes.bands is not None else ())


def some_text(modes):
    """A sentence if the file holds fewer modes than the structure has."""
    if modes.shape is None or len(modes.frequency) >= modes.shape.shape[1] * modes.shape.shape[2]:
        return ""
    return f" The file holds only {len(modes.frequency)} modes of the structure, so this is not its whole density of states."


def _frequencies(modes):
    return modes.frequency is not None and len(modes.frequency) > 0


class Density:
    NAME, TITLE, PLACES = "modes-density", "Density of states", {"modes": Place(2, row=0, column=1)}
    MISSING = "The file holds no frequencies of modes, so there is no density of states."

    def interactive(self, shown):
        if not _frequencies(shown[0]):
            return self.MISSING, None
        edges, share = _density_of(shown[0])
        data = [{"type": "bar", "x": style.numbers(0.5 * (edges[1:] + edges[:-1]) * KHZ), "y": style.numbers(share / KHZ),
                 "width": style.numbers(np.diff(edges) * KHZ), "marker": {"color": style.run_colour(0)}, "showlegend": False,
                 "hovertemplate": "%{x:.5g} kHz: %{y:.4g} per kHz<extra></extra>"}]
        caption = (f"Share of the {len(shown[0].frequency)} modes per kHz, in intervals of about "
                   f"{style.with_prefix(edges[1] - edges[0], 'Hz')}; the integral over all frequencies is 1.{some_text(shown[0])}"
                   f"{shaded_text(shown[0])}")
        return caption, {"data": data, "layout": style.layout(
            400, shapes=gap_shapes(shown[0], "x"), bargap=0, xaxis=style.axis("frequency (kHz)", rangemode="tozero"),
            yaxis=style.axis("density of states (1/kHz)"))}

    def static(self, figure, shown):
        axes = figure.subplots()
        if not _frequencies(shown[0]):
            axes.set_axis_off()
            figure.suptitle("no modes", fontsize=9)
            return
        edges, share = _density_of(shown[0])
        shade_gaps(axes, shown[0], "x")
        axes.stairs(share / KHZ, edges * KHZ, fill=True, color=style.run_colour(0))
        axes.set(xlabel="frequency (kHz)", ylabel="density of states (1/kHz)", xlim=(0, None))


class Participation:
    NAME, TITLE, PLACES = "modes-participation", "Participation and damping", {"modes": Place(3, row=1, column=0)}
    MISSING = "The file holds no participation ratios."

    def interactive(self, shown):
        modes = shown[0]
        if not _frequencies(modes) or modes.participation_ratio is None:
            return self.MISSING, None
        every = -(-len(modes.frequency) // MOST_POINTS)
        frequency, ratio = modes.frequency[::every], modes.participation_ratio[::every]
        marker, text = {"size": 6, "color": style.run_colour(0)}, [f"mode {k}" for k in range(0, len(modes.frequency), every)]
        caption = "The participation ratio is 1 if all bodies move equally far, and one over their number if one body moves alone."
        if modes.damping_ratio is not None:
            damping = modes.damping_ratio[::every]
            marker.update(color=style.numbers(damping), colorscale="Viridis",
                          colorbar={"title": {"text": "damping ratio", "side": "right"}, "thickness": 16, "outlinewidth": 0})
            text = [f"{name}<br>damping ratio {ratio:.4g}" for name, ratio in zip(text, damping)]
            caption += " Colour: damping ratio, 1 is critical."
        caption += f" One mode in {every} is shown." if every > 1 else ""
        data = [{"type": "scatter", "mode": "markers", "x": style.numbers(frequency * KHZ, 7), "y": style.numbers(ratio), "marker": marker,
                 "text": text, "showlegend": False, "hovertemplate": "%{text}<br>%{x:.6g} kHz<br>participation %{y:.4g}<extra></extra>"}]
        return caption, {"data": data, "layout": style.layout(
            400, shapes=gap_shapes(modes, "x"), xaxis=style.axis("frequency (kHz)", rangemode="tozero"),
            yaxis=style.axis("participation ratio", range=[0, 1.05]))}

    def static(self, figure, shown):
        axes, modes = figure.subplots(), shown[0]
        if not _frequencies(modes) or modes.participation_ratio is None:
            axes.set_axis_off()
            figure.suptitle("no participation ratios", fontsize=9)
            return
        shade_gaps(axes, modes, "x")
        place = (modes.frequency * KHZ, modes.participation_ratio)
        if modes.damping_ratio is None:
            axes.scatter(*place, s=8, color=style.run_colour(0))
        else:
            points = axes.scatter(*place, s=8, cmap="viridis", c=modes.damping_ratio)
            figure.colorbar(points, ax=axes, label="damping ratio")
        axes.set(xlabel="frequency (kHz)", ylabel="participation ratio", xlim=(0, None), ylim=(0, 1.05))


PANELS = (Density(), Participation())
