"""Finds the panels: every panel_NAME.py of this folder has one or several.

A panel is a module, or an object in the PANELS of a module, with

    NAME, TITLE            of its section on the page
    PLACES                 {system: Place}: on the pages of which systems it is, and where
    interactive(shown)     its caption, and its figure for plotly or a Picture (picture.py); what is missing, and None, if there is nothing
                           to draw
    applies(shown)         whether page and still figure have the panel at all; without this function they have
    has_data(shown)        whether a still figure has something to draw; without this function it has
    static(figure, shown)  draws it in a still figure, for SVG and PNG; without this function the figure of the page is drawn there

A still figure has the panels whose Place has a row, or those that are chosen by name,

where `shown` are the runs, or the fit, of one page.
"""
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from .still_figure import can_draw


@dataclass(frozen=True)
class Place:
    number: float  # from the top of the page
    row: int | None = None  # of the still figure; None: the panel is not in it
    column: int = 0
    height: float = 1.0  # of the row, relative to the other rows
    width: float = 1.0  # relative to the other panels of the row


def panels_of(system):
    """(place, panel) of every panel of a chain, packing, mechanism or fit, in the order of the page."""
    modules = [import_module(f".{file.stem}", __package__) for file in sorted(Path(__file__).parent.glob("panel_*.py"))]
    found = [panel for module in modules for panel in getattr(module, "PANELS", (module,)) if system in panel.PLACES]
    return sorted(((panel.PLACES[system], panel) for panel in found), key=lambda each: each[0].number)


def applies(panel, shown):
    return getattr(panel, "applies", lambda _: True)(shown)


def still_rows(shown, names=None):
    """The rows of the still figure of runs of one system, or of one fit: (place, panel) of each panel, from left to right. `names`: of the
    chosen panels; those without a row are below, two in a row."""
    rows, last = {}, []
    for place, panel in sorted(panels_of(shown[0].system), key=lambda each: (each[0].row or 0, each[0].column)):
        if (place.row is None if names is None else panel.NAME not in names) or not applies(panel, shown) or not has_data(panel, shown):
            continue
        if place.row is None:
            last.append((place, panel))
        else:
            rows.setdefault(place.row, []).append((place, panel))
    last.sort(key=lambda each: each[0].number)
    return [*rows.values(), *[last[k:k + 2] for k in range(0, len(last), 2)]]


def has_data(panel, shown):
    if hasattr(panel, "static"):
        return getattr(panel, "has_data", lambda _: True)(shown)
    return can_draw(panel.interactive(shown)[1])
