"""The same panels as one still figure for a paper: SVG or PNG."""
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from . import fit
from . import fit_panels
from . import history
from . import mechanism
from . import mechanism_panels
from . import page
from . import panel_energy
from . import panel_front
from . import panel_loops
from . import panel_packing
from . import panel_peaks
from . import panel_space_time
from . import panel_traces
from . import style

_STYLE = {"font.size": 8, "axes.labelsize": 9, "axes.spines.top": False, "axes.spines.right": False,
         "svg.fonttype": "none", "svg.hashsalt": "beadwave", "figure.dpi": 100}


def _packing(runs):
    figure = plt.figure(figsize=(11, 9.5), layout="constrained")
    top, middle, bottom = figure.subfigures(3, 1, height_ratios=(1.3, 0.9, 0.9))
    lower = bottom.subfigures(1, 2, wspace=0.03)
    panels = ((top, "a", panel_packing), (middle, "b", panel_traces), (lower[0], "c", panel_front), (lower[1], "d", panel_energy))
    for place, letter, module in panels:
        module.static(place, runs)
        place.text(0.004, 0.995, letter, weight="bold", size=11, ha="left", va="top")
    figure.suptitle(f"{page.title_of(runs)} — {runs[0].law}, time step {style.with_prefix(runs[0].time_step, 's')}", size=11)
    return figure


def draw(runs, contacts):
    if runs[0].system == "packing":
        with plt.rc_context(_STYLE):
            return _packing(runs)
    with plt.rc_context(_STYLE):
        figure = plt.figure(figsize=(11, 9.5), layout="constrained")
        top, middle, bottom, keys = figure.subfigures(4, 1, height_ratios=(1.25, 1.0, 1.0, 0.08 if len(runs) > 1 else 1e-3))
        upper, lower = top.subfigures(1, 2, wspace=0.03), bottom.subfigures(1, 2, wspace=0.03, width_ratios=(1.7, 1))
        panels = ((upper[0], "a", panel_traces, {}), (upper[1], "b", panel_space_time, {}),
                  (middle, "c", panel_peaks, {}), (lower[0], "d", panel_loops, {"requested": contacts}),
                  (lower[1], "e", panel_energy, {}))
        for place, letter, module, more in panels:
            module.static(place, runs, **more)
            place.text(0.004, 0.995, letter, weight="bold", size=11, ha="left", va="top")
        law = "" if len(runs) > 1 else f" — {runs[0].law}, time step {style.with_prefix(runs[0].time_step, 's')}"
        figure.suptitle(page.title_of(runs) + law, size=11)
        if len(runs) > 1:
            handles = [Line2D([], [], color=style.run_colour(i), ls=style.MATPLOTLIB_DASHES[style.run_dash(i)],
                              marker=style.SYMBOLS[i % 5][1], ms=4,
                              label=f"{run.label} (time step {style.with_prefix(run.time_step, 's')})")
                       for i, run in enumerate(runs)]
            keys.legend(handles=handles, loc="center", ncols=min(len(runs), 4), frameon=False)
        return figure


def draw_mechanisms(runs):
    with plt.rc_context(_STYLE):
        figure = plt.figure(figsize=(11, 9.5), layout="constrained")
        top, middle, bottom = figure.subfigures(3, 1)
        places = (top, *middle.subfigures(1, 2, wspace=0.03), *bottom.subfigures(1, 2, wspace=0.03))
        for place, letter, panel in zip(places, "abcde", mechanism_panels.PANELS):
            panel.static(place, runs)
            place.text(0.004, 0.995, letter, weight="bold", size=11, ha="left", va="top")
        figure.suptitle(page.title_of(runs) + ("" if len(runs) > 1 else f" — {runs[0].law}"), size=11)
        return figure


def draw_files(paths, contacts=None):
    """The figure of histories of any system, or of one fit."""
    if any(fit.is_fit(path) for path in paths):
        if len(paths) != 1:
            raise history.InputError("a report of a fit shows one fit and no other file")
        return draw_fit(fit.read(paths[0]))
    if any(mechanism.is_mechanism(path) for path in paths):
        runs = mechanism.read_all(paths)
        history.label_runs(runs)
        return draw_mechanisms(runs)
    runs = [history.read_run(path) for path in paths]
    if len({run.system for run in runs}) > 1:
        raise history.InputError("a report shows either chains or packings, not both")
    history.label_runs(runs)
    return draw(runs, contacts)


def draw_fit(fitted):
    with plt.rc_context(_STYLE):
        figure = plt.figure(figsize=(11, 12), layout="constrained")
        top, middle, bottom = figure.subfigures(3, 1, height_ratios=(2.2, 1.0, 1.0))
        for place, letter, panel in zip((*top.subfigures(1, 2, wspace=0.03), middle, bottom), "abcd", fit_panels.PANELS):
            panel.static(place, [fitted])
            place.text(0.004, 0.995, letter, weight="bold", size=11, ha="left", va="top")
        figure.suptitle(f"{page.title_of([fitted])} — {style.listed([law.name for law in fitted.laws])}", size=11)
        return figure


def save(figure, path, form):
    # No date inside, so that the same history gives the same file. The program replaces only files with this creator.
    creator = "beadwave report"
    figure.savefig(path, format=form, dpi=150, metadata={"Date": None, "Creator": creator} if form == "svg" else {"Software": creator})
