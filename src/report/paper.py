"""The same panels as one still figure for a paper: SVG or PNG."""
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from . import page
from . import still_figure
from . import style
from .history import InputError
from .panels import panels_of, still_rows
from .picture_options import Options, check_panels

WIDTH, DENSITY = 11.0, 150  # inches, pixels per inch

_STYLE = {"font.size": 8, "axes.labelsize": 9, "axes.spines.top": False, "axes.spines.right": False,
         "svg.fonttype": "none"}


def _heading(shown):
    """What is below the title of the page: only if it is the same for all that is shown."""
    first = shown[0]
    if first.system == "fit":
        return f" — {style.listed([law.name for law in first.laws])}"
    if len(shown) > 1 and first.system != "packing":
        return ""
    if first.system in ("modes", "sweep", "branch", "basins", "poincare"):
        return ""
    step = "" if first.system == "mechanism" else f", time step {style.with_prefix(first.time_step, 's')}"
    return f" — {first.law}{step}"


def _keys(figure, runs):
    handles = [Line2D([], [], color=style.run_colour(i), ls=style.MATPLOTLIB_DASHES[style.run_dash(i)],
                      marker=style.SYMBOLS[i % 5][1], ms=4,
                      label=f"{run.label} (time step {style.with_prefix(run.time_step, 's')})")
               for i, run in enumerate(runs)]
    figure.legend(handles=handles, loc="center", ncols=min(len(runs), 4), frameon=False)


def _height(shown, rows):
    """Of the figure [inches]: as much less as it has fewer rows than all panels would have."""
    usual = {"fit": 12, "sweep": 5, "branch": 7, "basins": 5, "poincare": 5, "packing": 10.5, "mechanism": 11.5}.get(shown[0].system, 9.5)
    places = {place.row: place.height for place, _ in reversed(panels_of(shown[0].system)) if place.row is not None}
    share = sum(row[0][0].height for row in rows) / sum(places.values())
    return usual if share == 1.0 else max(3.5, usual * share)


def _draw_panel(place, panel, shown):
    if hasattr(panel, "static"):
        panel.static(place, shown)
    else:
        still_figure.draw(place, panel.TITLE, panel.interactive(shown)[1])


def draw(shown, options=None):
    """The figure of runs of one system, or of one fit. `options`: Options of picture_options. Raises InputError if there is nothing to draw."""
    options = options or Options()
    check_panels(options, shown)
    system, rows = shown[0].system, still_rows(shown, options.panels)
    if not rows:
        missing = [panel.interactive(shown)[0] for panel in check_panels(options, shown)]
        raise InputError("the still figure has nothing to draw: " + (missing[0].split("\n")[0] if missing else "no panel applies to this history"))
    heights = [row[0][0].height for row in rows]
    several_chains = system == "chain" and len(shown) > 1
    height = _height(shown, rows)
    if system == "chain":
        heights.append(0.08 if several_chains else 1e-3)  # of the keys
    density, sides = DENSITY, (WIDTH, height)
    if options.size:  # a hundredth of a pixel more: matplotlib cuts off what is not whole
        density = options.size[0] / WIDTH
        sides = tuple((pixels + 0.01) / density for pixels in options.size)
    with plt.rc_context(_STYLE):
        figure = plt.figure(figsize=sides, layout="constrained", dpi=density)
        parts, letters = figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0], iter("abcdefghijklmnopqrstuvwxyz")
        for part, row in zip(parts, rows):
            widths = [place.width for place, _ in row]
            places = part.subfigures(1, len(row), wspace=0.03, width_ratios=widths) if len(row) > 1 else [part]
            for place, (_, panel) in zip(places, row):
                _draw_panel(place, panel, shown)
                place.text(0.004, 0.995, next(letters), weight="bold", size=11, ha="left", va="top")
        figure.suptitle(page.title_of(shown) + _heading(shown), size=11)
        if several_chains:
            _keys(parts[-1], shown)
        return figure


def save(figure, path, form):
    # No date and no random names inside, so that the same history gives the same file. The program replaces only files with
    # this creator.
    creator = "beadwave report"
    with plt.rc_context({"svg.hashsalt": creator}):
        figure.savefig(path, format=form, dpi="figure",
                       metadata={"Date": None, "Creator": creator} if form == "svg" else {"Software": creator})
