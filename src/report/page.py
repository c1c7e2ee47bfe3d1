"""The page: one HTML file with plotly.js inside, which needs no other file."""
import html
import json

from . import arrivals
from . import panel_peaks
from . import style
from .panels import panels_of

# The page loads nothing, so that it is the same without a network.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
_STYLE = """
body { font: 16px/1.5 sans-serif; color: #222; background: #fff; max-width: 1160px; margin: 2em auto; padding: 0 1.5em }
h1 { font-size: 1.6em; margin-bottom: .2em } h2 { font-size: 1.2em; margin: 2em 0 .2em }
p { margin: .3em 0; max-width: 62em } .missing { background: #fff4d6; border-left: 4px solid #e69f00; padding: .6em 1em }
.warning { color: #a03000 } table { border-collapse: collapse; margin: .8em 0; font-size: .92em }
th, td { padding: .25em .9em .25em 0; text-align: left; border-bottom: 1px solid #ddd; white-space: nowrap }
.wide { overflow-x: auto } .key { display: inline-block; width: 1.6em; border-top: 4px; margin-right: .5em; vertical-align: middle }
pre { background: #f6f6f6; padding: 1em; overflow-x: auto; font-size: .85em; line-height: 1.4 }
footer { margin: 3em 0 1em; font-size: .85em; color: #666 }
"""
_SETTINGS = {"responsive": True, "displaylogo": False, "toImageButtonOptions": {"format": "svg"}}


def script_safe(value):
    """JSON that cannot end the script element around it."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def _section(panel, runs):
    caption, figure = panel.interactive(runs)
    paragraphs = [html.escape(line) for line in caption.split("\n")]
    head = f'<section id="{panel.NAME}">\n<h2>{html.escape(panel.TITLE)}</h2>\n'
    if figure is None:
        return head + f'<p class="missing">{paragraphs[0]}</p>\n</section>\n'
    name = f"figure-{panel.NAME}"
    return (head + "".join(f"<p>{text}</p>\n" for text in paragraphs) + f"<div id=\"{name}\"></div>\n<script>Plotly.newPlot(\"{name}\","
            f"{script_safe(figure['data'])},{script_safe(figure['layout'])},{script_safe(_SETTINGS)})</script>\n</section>\n")


def _mechanisms_table(runs):
    heads = ("law", "bodies", "contacts", "impacts", "accuracy", "simulated", "history")
    rows = [(run.law, run.beads, len(run.points), sum(len(run.get(f"impacts/{point}/start", ())) for point in run.points),
             f"{run.file['parameters/accuracy'][()]:g}", style.with_prefix(run.last_time, "s"), run.name) for run in runs]
    return _table(heads, rows)


def _runs_table(runs):
    rows = []
    for i, run in enumerate(runs):
        fit = panel_peaks.peaks_and_fit(run)[2] if run.system == "chain" else None
        speed = arrivals.speed_text(fit) if fit is not None else "–"
        key = ""
        if len(runs) > 1:
            border = {"solid": "solid", "dash": "dashed", "dot": "dotted", "dashdot": "dashed"}[style.run_dash(i)]
            key = f'<span class="key" style="border-top-style:{border};border-top-color:{style.run_colour(i)}"></span>'
        cells = [run.law, f"{run.beads}", style.with_prefix(run.time_step, "s"), style.with_prefix(run.last_time, "s"),
                 speed, run.name]
        rows.append(f"<tr><td>{key}{html.escape(cells[0])}</td>" +
                    "".join(f"<td>{html.escape(cell)}</td>" for cell in cells[1:]) + "</tr>")
    heads = ("law", "beads" if runs[0].system == "chain" else "particles", "time step", "simulated", "fitted wave speed", "history")
    return ('<div class="wide"><table><tr>' + "".join(f"<th>{head}</th>" for head in heads) + "</tr>\n" + "\n".join(rows) +
            "</table></div>\n")


def _number(value, digits=8):
    return f"{value:.{digits}g}" if value == value else "–"


def _fit_table(fits):
    """The laws, best first, and the parameters of the best law."""
    fit = fits[0]
    laws = [(law.name, f"{law.rms:.5g} N", f"{law.aicc - fit.laws[0].aicc:.6g}", law.evaluations, f"{law.seconds:.3g} s",
             law.by) for law in fit.laws]
    best = fit.laws[0]
    rows = []
    for k, key in enumerate(best.keys):
        n = {name: column[k] for name, column in best.numbers.items()}
        interval = f"{_number(n['low'])} to {_number(n['high'])}" if n["low"] == n["low"] else "–"
        rows.append((key, _number(n["value"]), _number(n["standard_error"], 2), interval, _number(n["start"]), best.remarks[k]))
    return (_table(("law", "rms", "AIC to best", "evaluations", "time", "derivatives"), laws) +
            _table((f"{best.name}: parameter", "best", "standard error", "95 % interval", "start", ""), rows))


def _table(heads, rows):
    return ('<div class="wide"><table><tr>' + "".join(f"<th>{html.escape(head)}</th>" for head in heads) + "</tr>\n" +
            "\n".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows) +
            "</table></div>\n")


def _modes_table(shown):
    modes = shown[0]
    known = modes.frequency is not None and len(modes.frequency) > 0
    khz = [f"{f * 1e-3:.6g} kHz" for f in modes.frequency[[0, -1]]] if known else ["–", "–"]
    gaps = "–" if modes.bands is None else len(modes.bands.gaps())
    row = ("–" if modes.frequency is None else len(modes.frequency), *khz, gaps, modes.name)
    return _table(("modes", "lowest", "highest", "gaps between bands", "file"), [row])


_TABLES = {"chain": _runs_table, "packing": _runs_table, "mechanism": _mechanisms_table, "fit": _fit_table, "modes": _modes_table}


def title_of(runs):
    """The title of the runs; all titles if they differ."""
    return " / ".join(dict.fromkeys(run.title for run in runs))


def _scenarios(runs):
    text = '<section id="scenario">\n<h2>Scenario</h2>\n'
    shown = {}
    for run in runs:
        shown.setdefault(run.scenario or "The file holds no scenario.", []).append(run.label)
    for scenario, labels in shown.items():
        heading = f"<p>{html.escape(style.listed(labels))}</p>\n" if len(runs) > 1 else ""
        text += f"{heading}<pre>{html.escape(scenario)}</pre>\n"
    return text + "</section>\n"


def page(runs, plotly_js):
    """The whole page of runs of one system, or of one fit, as text."""
    system = runs[0].system
    title = html.escape(title_of(runs))
    warnings = "".join(f'<p class="warning">{html.escape(run.name)}: {html.escape(warning)}</p>\n'
                       for run in runs for warning in run.warnings)
    versions = style.listed(dict.fromkeys(run.version or "of unknown version" for run in runs))
    modes = getattr(runs[0], "modes", None)
    added = [] if modes is None else [(panel, [modes]) for _, panel in panels_of("modes")]
    sections = [(panel, runs) for _, panel in panels_of(system)] + added
    written = "Modes" if system == "modes" else "Histories"
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n<style>{_STYLE}</style>\n'
            f"<script>{plotly_js}</script>\n</head>\n<body>\n<h1>{title}</h1>\n{_TABLES[system](runs)}{warnings}" +
            "".join(_section(panel, shown) for panel, shown in sections) + _scenarios(runs) +
            f"<footer>{written} written by beadwave {html.escape(versions)}.</footer>\n</body>\n</html>\n")
