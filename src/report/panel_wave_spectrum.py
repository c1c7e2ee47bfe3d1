"""The space-time spectrum: amplitude of the velocity over wave number and frequency, with the linear bands of a file of modes."""
import numpy as np

from . import style
from .panels import Place
from .sampling import NotPossible, largest_of_groups
from .wave_spectrum import MOST_WAVE_NUMBERS, wave_spectrum

NAME = "wave-spectrum"
TITLE = "Space-time spectrum"
PLACES = {"chain": Place(6), "packing": Place(5)}
MOST_FREQUENCIES = 400
DECADES = 4  # of the colours
KHZ = 1e-3


def _spectra(runs):
    """(run, its spectrum or None, the reason why it has none)."""
    found = []
    for run in runs:
        try:
            found.append((run, wave_spectrum(run, MOST_WAVE_NUMBERS // len(runs)), ""))
        except NotPossible as reason:
            found.append((run, None, str(reason)))
    return found


def _highest(spectrum):
    """The upper end of the frequency axis [Hz]: a little above the last one with a thousandth of the largest amplitude."""
    seen = np.flatnonzero(spectrum.amplitude.max(axis=1) > 1e-3 * spectrum.amplitude.max())
    return min(spectrum.frequency[-1], 1.15 * spectrum.frequency[seen[-1]] + 3.0 * spectrum.frequency_resolution)


def picture(spectrum, highest):
    """Frequencies [Hz], and log10 of the amplitude [m/s], of at most MOST_FREQUENCIES rows."""
    rows = max(2, int(np.searchsorted(spectrum.frequency, highest)) + 1)
    amplitude, group = largest_of_groups(spectrum.amplitude[:rows], MOST_FREQUENCIES)
    first = np.arange(0, min(rows, len(spectrum.frequency)), group)
    last = np.minimum(first + group - 1, len(spectrum.frequency) - 1)
    with np.errstate(divide="ignore"):
        return 0.5 * (spectrum.frequency[first] + spectrum.frequency[last]), np.log10(amplitude)


def _bands(modes, spectrum):
    """Lines (wave numbers, frequencies) of the linear bands; only their edges if the file has no dispersion of a chain."""
    q = spectrum.wave_number
    if modes.dispersion is not None and modes.dispersion.wave_number.ndim == 1:
        return [(q, branch) for branch in modes.dispersion.at(q).T]
    if modes.bands is not None:
        return [(q[[0, -1]], np.full(2, edge)) for edge in np.concatenate([modes.bands.lower, modes.bands.upper])]
    return []


def _sentences(run, spectrum, several):
    name = f"{run.label}: " if several else ""
    along = f" The component along {spectrum.axis}, the longest side." if spectrum.axis else ""
    equal = "" if spectrum.equal_spacing or spectrum.axis else " The spacing varies; the wave numbers end at pi over its mean."
    fewer = f" Of bodies 0 to {spectrum.bodies - 1}." if spectrum.bodies < run.beads and not spectrum.axis else ""
    return (f"{name}Resolution {style.with_prefix(spectrum.frequency_resolution, 'Hz')} and {spectrum.wave_number_resolution:.3g} rad/m; "
            f"the snapshots resolve up to {style.with_prefix(spectrum.frequency[-1], 'Hz')}.{along}{equal}{fewer}{spectrum.note}")


def applies(runs):
    return any(run.system != "packing" or run.has_waves for run in runs)


def interactive(runs):
    found = _spectra(runs)
    shown = [(run, spectrum) for run, spectrum, _ in found if spectrum is not None]
    if not shown:
        return found[0][2], None
    modes = next((run.modes for run in runs if run.modes is not None), None)
    folded = ("" if all(spectrum.axis for _, spectrum in shown) else
              " A line that leaves on one side continues on the other, because a row of beads has no shorter waves.")
    caption = ("Amplitude of the bodies' velocity over wave number and frequency, from all snapshots, with Hann's window over length "
               "and time. A wave A cos(qx - 2 pi f t) that fills both has the amplitude A; waves towards higher x are on the "
               f"right.{folded} The colour is logarithmic over {DECADES} decades.")
    highest = max(_highest(spectrum) for _, spectrum in shown)
    largest = np.log10(max(spectrum.amplitude.max() for _, spectrum in shown))
    exponents = [e for e in range(-40, 40) if largest - DECADES <= e <= largest]
    data, axes, labels, drawn = [], {}, [], False
    width = 1.0 / len(shown)
    for i, (run, spectrum) in enumerate(shown):
        suffix = "" if i == 0 else str(i + 1)
        place = {"xaxis": "x" + suffix, "yaxis": "y" + suffix}
        frequency, z = picture(spectrum, highest)
        data.append({"type": "heatmap", "x": style.numbers(spectrum.wave_number), "y": style.numbers(frequency * KHZ),
                     "z": [style.numbers(row, 3) for row in np.maximum(z, largest - DECADES)], "zmin": float(largest - DECADES),
                     "zmax": float(largest), "colorscale": style.magma_scale(), "showscale": i == 0, "name": "",
                     "colorbar": {"title": {"text": "amplitude (m/s)", "side": "right"}, "thickness": 16, "outlinewidth": 0,
                                  "tickvals": exponents, "ticktext": [f"10<sup>{e}</sup>" for e in exponents]},
                     "hovertemplate": "%{x} rad/m<br>%{y} kHz<br>10^%{z:.2f} m/s", **place})
        for q, f in (_bands(modes, spectrum) if modes is not None else []):
            data.append({"type": "scatter", "mode": "lines", "x": style.numbers(q), "y": style.numbers(f * KHZ), "name": "linear bands",
                         "legendgroup": "bands", "showlegend": not drawn, "hoverinfo": "skip",
                         "line": {"color": "#56B4E9", "width": 1.4, "dash": "dash"}, **place})
            drawn = True
        domain = [i * width + (0.03 if i else 0.0), (i + 1) * width]
        axes["xaxis" + suffix] = style.axis("wave number (rad/m)", domain=domain, anchor="y" + suffix, showgrid=False)
        axes["yaxis" + suffix] = style.axis("frequency (kHz)" if i == 0 else "", anchor="x" + suffix, showgrid=False,
                                            range=[0, float(highest * KHZ)], showticklabels=i == 0, **({"matches": "y"} if i else {}))
        if len(runs) > 1:
            labels.append({"text": style.plain(run.label), "xref": "paper", "yref": "paper", "x": sum(domain) / 2, "y": 1.0,
                           "xanchor": "center", "yanchor": "bottom", "showarrow": False})
        caption += "\n" + _sentences(run, spectrum, len(runs) > 1)
    caption += f" The dashed lines are the linear bands in {modes.name}." if drawn else ""
    caption += "".join(f"\n{run.label}: {reason}" for run, spectrum, reason in found if spectrum is None)
    return caption, {"data": data, "layout": style.layout(
        520, annotations=labels, **axes, legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        margin={"l": 75, "r": 20, "t": 60, "b": 55})}
