"""Colours, line styles and number formats of all panels."""
import html

import numpy as np

# Okabe and Ito's colours, which colour-blind readers can distinguish; one per run or contact.
RUN_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
RUN_DASHES = ("solid", "dash", "dot", "dashdot")
MATPLOTLIB_DASHES = {"solid": "-", "dash": "--", "dot": ":", "dashdot": "-."}
SYMBOLS = (("circle", "o"), ("square", "s"), ("diamond", "D"), ("triangle-up", "^"), ("cross", "P"))

# viridis without its pale end, which is invisible on white: first to last sensor.
_VIRIDIS = ((68, 1, 84), (71, 45, 123), (59, 82, 139), (44, 114, 142), (33, 145, 140), (40, 174, 128),
            (94, 201, 98), (160, 205, 40))

# magma, readable without colour vision
MAGMA = ("#000004", "#180f3d", "#440f76", "#721f81", "#9e2f7f", "#cd4071", "#f1605d", "#fd9668", "#feca8d", "#fcfdbf")


def magma_scale():
    """For a heat map of plotly."""
    return [[float(f"{k / (len(MAGMA) - 1):.4f}"), colour] for k, colour in enumerate(MAGMA)]


def run_colour(i):
    return RUN_COLOURS[i % len(RUN_COLOURS)]


def run_dash(i):
    return RUN_DASHES[i % len(RUN_DASHES)]


def sequence_colour(i, count):
    place = i / max(count - 1, 1) * (len(_VIRIDIS) - 1)
    low = min(int(place), len(_VIRIDIS) - 2)
    mixed = [a + (place - low) * (b - a) for a, b in zip(_VIRIDIS[low], _VIRIDIS[low + 1])]
    return "#" + "".join(f"{round(c):02x}" for c in mixed)


def numbers(values, digits=5):
    """Numbers for JSON: few digits, but more for numbers that differ by little; null if not finite."""
    values = np.asarray(values, float).ravel()
    finite = values[np.isfinite(values)]
    spread = float(np.ptp(finite)) if len(finite) else 0.0
    if spread > 0.0:
        digits = min(15, digits + max(0, int(np.log10(np.abs(finite).max() / spread))))
    form = f".{digits}g"
    return [float(format(v, form)) if known else None for v, known in zip(values.tolist(), np.isfinite(values).tolist())]


def from_zero(*curves):
    """For an axis: begins at zero, unless that would press curves that differ by little into one line."""
    sizes = np.abs(np.concatenate([np.ravel(curve) for curve in curves]))
    sizes = sizes[np.isfinite(sizes)]
    return {"rangemode": "tozero"} if not len(sizes) or np.ptp(sizes) >= 0.1 * sizes.max() else {}


def with_prefix(value, unit):
    """12.3 µs, 4.56 mJ."""
    if not np.isfinite(value) or value == 0.0:
        return f"{value:g} {unit}"
    prefixes = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M"}
    power = int(np.clip(3 * np.floor(np.log10(abs(value)) / 3), -12, 6))
    return f"{value / 10.0 ** power:.4g} {prefixes[power]}{unit}"


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PREFIXED = ("m", "s", "N", "J", "Pa", "Hz", "m s-1")  # a prefix before such a unit changes its first factor alone


def scale_of(largest, unit):
    """A factor and a unit for an axis without powers of ten: 1e6, "µJ"."""
    if not np.isfinite(largest) or largest <= 0.0:
        return 1.0, unit
    for factor, prefix in ((1e-3, "k"), (1.0, ""), (1e3, "m"), (1e6, "µ")):
        if largest * factor >= 1.0:
            return factor, prefix + unit
    return 1e9, "n" + unit


def time_scale(runs):
    return scale_of(0.1 * max(run.last_time for run in runs), "s")


def line(i, width=1.6):
    return {"color": run_colour(i), "dash": run_dash(i), "width": width}


def layout(height, **more):
    """The layout of an interactive figure."""
    return {"height": height, "template": None, "font": {"family": "sans-serif", "size": 13, "color": "#222"},
            "margin": {"l": 75, "r": 20, "t": 36, "b": 55}, "paper_bgcolor": "#fff", "plot_bgcolor": "#fff",
            "hoverlabel": {"font": {"size": 12}}, "legend": {"bgcolor": "rgba(255,255,255,0.8)"}, **more}


def axis(title, **more):
    return {"title": {"text": title, "standoff": 8}, "showline": True, "linecolor": "#444", "mirror": True,
            "ticks": "outside", "gridcolor": "#e6e6e6", "zerolinecolor": "#ccc", "exponentformat": "power", "automargin": True, **more}


def unit_text(unit):
    """"m s-1" of H5MD as "m/s": for one unit with the exponent -1 behind others."""
    parts = unit.split()
    if len(parts) > 1 and parts[-1][-2:] == "-1" and not any("-" in part for part in parts[:-1]):
        return f"{' '.join(parts[:-1])}/{parts[-1][:-2]}"
    if len(parts) > 1 and parts[-1][-2:] in ("-2", "-3") and not any("-" in part for part in parts[:-1]):
        return f"{' '.join(parts[:-1])}/{parts[-1][:-2]}{'²' if parts[-1][-1] == '2' else '³'}"
    return unit


def scaled(values, name, unit, centre=None):
    """Factor, what is subtracted, and the title of an axis of numbers of a key: with a prefix before its unit, a power of ten where it has
    none, and as the difference from `centre` if the numbers differ from it by less than a thousandth: their labels would overlap."""
    finite = np.asarray(values, float)
    finite = finite[np.isfinite(finite)]
    if not len(finite):
        return 1.0, 0.0, name
    middle = 0.0 if centre is None or not np.isfinite(centre) else float(centre)
    offset = middle if np.max(np.abs(finite - middle)) < 1e-3 * abs(middle) else 0.0
    largest, shown = float(np.max(np.abs(finite - offset))), unit_text(unit)
    title = name if offset == 0.0 else f"{name} − {with_prefix(offset, shown) if shown else f'{offset:.6g}'}"
    if unit in PREFIXED:
        factor, shown = scale_of(largest, unit)
        shown = unit_text(shown)
    else:
        power = 3 * int(np.floor(np.log10(largest) / 3)) if largest > 0.0 else 0
        plain_as_it_is = -3 <= power <= 3 if unit else 1e-2 <= largest < 1e6
        power = 0 if plain_as_it_is else power
        factor = 10.0**-power
        shown = f"10{str(power).translate(_SUPERSCRIPT)} {shown}".strip() if power else shown
    return factor, offset, f"{title} ({shown})" if shown else title


def plain(text):
    """Text from a file, escaped for plotly's labels."""
    return html.escape(text, quote=False)


def _list(items):
    items = [str(item) for item in items]
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def listed(items):
    return _list(items) if items else "none"
