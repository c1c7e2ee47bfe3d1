"""The impacts of a packing: how many dissipated which energy, and the restitution over the speed of impact."""
import numpy as np

from . import style
from .panels import Place

MOST = 5000  # points
HIGHEST = 1.5  # restitution


def known(run):
    """Speed [m/s] and restitution of the impacts that have both."""
    speed, restitution = run["impacts/impact_speed"][:], run["impacts/restitution"][:]
    there = np.isfinite(speed) & np.isfinite(restitution) & (speed > 0.0)
    return speed[there], restitution[there]


class Impacts:
    NAME, TITLE, PLACES = "packing-impacts", "Impacts", {"packing": Place(4.65)}

    def applies(self, runs):
        return any("impact_spectrum" in run for run in runs)

    def interactive(self, runs):
        data, lines, all_counts = [], [], [run["impact_spectrum"][-1] for run in runs if "impact_spectrum" in run]
        if not any(np.any(counts) for counts in all_counts):
            return "No impact has ended.", None
        filled = np.flatnonzero(sum(all_counts))
        shown = slice(max(filled[0] - 1, 0), filled[-1] + 2)
        for i, run in enumerate(run for run in runs if "impact_spectrum" in run):
            counts, edges = run["impact_spectrum"][-1], run["impact_spectrum_edges"][:]
            label = run.label if len(runs) > 1 else "impacts"
            # A bar lies between two decades; the first interval begins at 0.
            middles = np.log10(np.maximum(edges[1:], 1e-30)) - 0.5
            data.append({"type": "bar", "x": style.numbers(middles[shown]), "y": style.numbers(counts[shown]), "name": style.plain(label),
                         "marker": {"color": style.run_colour(i)}})
            speed, restitution = known(run)
            lines.append((f"{run.label}: " if len(runs) > 1 else "") + f"{int(counts.sum())} impacts"
                         + (f", of which {MOST} evenly chosen ones are drawn" if len(speed) > MOST else "")
                         + (f"; {beyond} parted faster than {HIGHEST} times their impact speed" if (beyond := int(np.sum(restitution > HIGHEST))) else "")
                         + ".")
            chosen = np.linspace(0, len(speed) - 1, min(MOST, len(speed))).astype(int) if len(speed) else []
            data.append({"type": "scatter", "mode": "markers", "x": style.numbers(speed[chosen]), "y": style.numbers(restitution[chosen]),
                         "name": style.plain(label), "showlegend": False, "xaxis": "x2", "yaxis": "y2",
                         "marker": {"color": style.run_colour(i), "size": 4, "opacity": 0.6}})
        layout = style.layout(420, xaxis=style.axis("dissipated energy, power of ten of J", domain=[0.0, 0.44]),
                              yaxis=style.axis("impacts"), showlegend=len(runs) > 1,
                              xaxis2=style.axis("impact speed (m/s)", domain=[0.56, 1.0], anchor="y2", type="log"),
                              yaxis2=style.axis("restitution", anchor="x2", range=[0.0, HIGHEST]))
        return "\n".join(["Left: impacts that ended, by the energy that each dissipated, in decades. Right: separation over impact speed of each, along "
                          "the normal; above 1 where others push the bodies apart.", *lines]), {"data": data, "layout": layout}


PANELS = (Impacts(),)
