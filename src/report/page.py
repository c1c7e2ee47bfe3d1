"""The page: one HTML file that holds its figures and the scripts that draw them, and needs no other file.

Scripts, figures and moving pictures are compressed inside (array_bytes.py); browser/*.js unpack and draw them.
"""
import functools
import html
import json
from pathlib import Path

from . import style
from .array_bytes import text_of
from .panels import applies, panels_of
from .picture import Picture
from .plotly_parts import needed_part
from .tables import TABLES

# The page loads nothing, so that it is the same without a network.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
_BROWSER = Path(__file__).parent / "browser"
_SCRIPTS = ("arrays", "text", "colours", "raster", "view", "webgl", "player", "wall_lines", "player_packing", "player_mechanism", "figures", "start")
_NO_SCRIPTS = "The figures need JavaScript, which this browser does not run."


def script_safe(value):
    """JSON that cannot end the script element around it."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _packed(name, data):
    """An element that no browser runs or shows."""
    data = data if isinstance(data, bytes) else data.encode("utf-8")
    return f'<script type="application/gzip" id="{name}">{text_of(data)}</script>\n'


@functools.lru_cache(maxsize=1)
def _plotly(script):
    """Found and compressed once for all pages of a process: this takes a fifth of the time of a page."""
    return _packed("plotly", needed_part(script))


def _script():
    """The scripts in one scope, so that they share names with nothing else."""
    text = "\n".join((_BROWSER / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    return f'<script>"use strict";\n(() => {{\n{text}\n}})();</script>\n'


class _Sections:
    """The sections of the page, and what they unpack."""

    def __init__(self):
        self.figures, self.packed, self.titles = {}, "", []

    def of(self, panel, runs):
        caption, figure = panel.interactive(runs)
        self.titles.append((panel.NAME, panel.TITLE))
        paragraphs = [html.escape(line) for line in caption.split("\n")]
        named = f"heading-{panel.NAME}"
        head = f'<section id="{panel.NAME}" aria-labelledby="{named}">\n<h2 id="{named}">{html.escape(panel.TITLE)}</h2>\n'
        if figure is None:
            return head + f'<p class="missing">{paragraphs[0]}</p>\n</section>\n'
        told = f"caption-{panel.NAME}"
        head += f'<div id="{told}">' + "".join(f"<p>{text}</p>\n" for text in paragraphs) + "</div>\n"
        return head + self._place_of(panel.NAME, figure, f'role="group" aria-labelledby="{named}" aria-describedby="{told}"') + "</section>\n"

    def _place_of(self, name, figure, spoken):
        if isinstance(figure, Picture):
            settings = {**figure.settings, "arrays": figure.pack.arrays, "summary": figure.summary}
            self.packed += _packed(f"settings-{name}", script_safe(settings)) + _packed(f"arrays-{name}", figure.pack.data())
            return (f'<div class="picture" id="figure-{name}" data-kind="{figure.kind}" data-settings="settings-{name}" '
                    f'data-arrays="arrays-{name}" {spoken}></div>\n')
        self.figures[name] = figure
        return f'<div class="figure" id="figure-{name}" {spoken}></div>\n'

    def contents(self):
        entries = "".join(f'<li><a href="#{name}">{html.escape(title)}</a></li>' for name, title in self.titles)
        return f'<nav aria-label="figures"><ul>{entries}<li><a href="#scenario">Scenario</a></li></ul></nav>\n'

    def data(self, plotly_js):
        packed = self.packed
        if self.figures:
            packed += _packed("figures", script_safe(self.figures)) + _plotly(plotly_js)
        return packed


def title_of(runs):
    """The title of the runs; all titles if they differ."""
    return " / ".join(dict.fromkeys(run.title for run in runs))


def _scenarios(runs):
    text = '<section id="scenario" aria-labelledby="heading-scenario">\n<h2 id="heading-scenario">Scenario</h2>\n'
    shown = {}
    for run in runs:
        shown.setdefault(run.scenario or "The file holds no scenario.", []).append(run.label)
    for scenario, labels in shown.items():
        heading = f"<p>{html.escape(style.listed(labels))}</p>\n" if len(runs) > 1 else ""
        text += f'{heading}<pre tabindex="0">{html.escape(scenario)}</pre>\n'
    return text + "</section>\n"


def page(runs, plotly_js, names=None):
    """The whole page of runs of one system, or of one fit, as text. `names`: of the panels that are chosen."""
    system = runs[0].system
    title = html.escape(title_of(runs))
    warnings = "".join(f'<p class="warning">{html.escape(run.name)}: {html.escape(warning)}</p>\n'
                       for run in runs for warning in run.warnings)
    versions = style.listed(dict.fromkeys(run.version or "of unknown version" for run in runs))
    modes = getattr(runs[0], "modes", None)
    drawn = [(panel, runs) for _, panel in panels_of(system) if applies(panel, runs)]
    drawn += [] if modes is None else [(panel, [modes]) for _, panel in panels_of("modes") if applies(panel, [modes])]
    parts = _Sections()
    sections = "".join(parts.of(panel, shown) for panel, shown in drawn if names is None or panel.NAME in names)
    written = {"modes": "Modes", "sweep": "Sweep", "branch": "Branch", "basins": "Basins", "poincare": "Section"}.get(system, "Histories")
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
            f'<style>\n{(_BROWSER / "page.css").read_text(encoding="utf-8")}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n'
            f'<p id="notice" role="alert" hidden></p>\n<noscript><p class="missing">{_NO_SCRIPTS}</p></noscript>\n'
            f'{TABLES[system](runs)}{warnings}{parts.contents()}{sections}{_scenarios(runs)}</main>\n'
            f'{parts.data(plotly_js)}{_script()}'
            f"<footer>{written} written by beadwave {html.escape(versions)}.</footer>\n</body>\n</html>\n")
