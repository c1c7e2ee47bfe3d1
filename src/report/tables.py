"""The tables at the top of the page: one row per run, or the laws and parameters of a fit, or what a file of modes holds."""
import html

from . import arrivals
from . import panel_peaks
from . import style


def _accuracy(parameters):
    """The accuracy of an event-driven run, or the step of a time-stepping one."""
    if "integration_step" in parameters:
        return "step " + style.with_prefix(parameters["integration_step"][()], "s")
    return f"{parameters['accuracy'][()]:g}"


def _mechanisms_table(runs):
    heads = ("law", "bodies", "contacts", "impacts", "accuracy", "simulated", "history")
    rows = [(run.law, run.beads, len(run.points), sum(len(run.get(f"impacts/{point}/start", ())) for point in run.points),
             _accuracy(run.file["parameters"]), style.with_prefix(run.last_time, "s"), run.name) for run in runs]
    return _table(heads, rows)


def _key(i):
    """The line that a run has in the figures."""
    border = {"solid": "solid", "dash": "dashed", "dot": "dotted", "dashdot": "dashed"}[style.run_dash(i)]
    return f'<span class="key" style="border-top-style:{border};border-top-color:{style.run_colour(i)}"></span>'


def _runs_table(runs):
    """Chains with their wave speed; packings with their number of snapshots."""
    chain, rows = runs[0].system == "chain", []
    for i, run in enumerate(runs):
        fit = panel_peaks.peaks_and_fit(run)[2] if chain else None
        last = (arrivals.speed_text(fit) if fit is not None else "–") if chain else f"{len(run.snapshot_time)}"
        cells = [run.law, f"{run.beads}", style.with_prefix(run.time_step, "s"), style.with_prefix(run.last_time, "s"), last, run.name]
        rows.append(f"<tr><td>{_key(i) if len(runs) > 1 else ''}{html.escape(cells[0])}</td>" +
                    "".join(f"<td>{html.escape(cell)}</td>" for cell in cells[1:]) + "</tr>")
    heads = ("law", *(("beads", "time step", "simulated", "fitted wave speed") if chain else
                      ("particles", "time step", "simulated", "snapshots")), "history")
    return ('<div class="wide"><table><tr>' + "".join(f"<th>{head}</th>" for head in heads) + "</tr>\n" + "\n".join(rows) +
            "</table></div>\n")


def _number(value, digits=8):
    return f"{value:.{digits}g}" if value == value else "–"


def _fit_table(fits):
    """The laws, best first, and the parameters of the best law."""
    fit = fits[0]
    laws = [(law.name, f"{law.rms:.5g} {fit.unit}", f"{law.aicc - fit.laws[0].aicc:.6g}", law.evaluations, f"{law.seconds:.3g} s",
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


def _sweep_table(shown):
    sweep = shown[0]
    varied = ", ".join(f"{key} ({len(set(sweep.values[key].tolist()))} values)" for key in sweep.keys)
    if sweep.ensemble is not None:
        varied += f"; disturbed: {', '.join(sweep.ensemble.disturbed)} ({sweep.ensemble.members} members)"
    return _table(("varied", "runs", "finished", "table"), [(varied, len(sweep.done), int(sweep.done.sum()), sweep.name)])


def _branch_table(shown):
    branch = shown[0]
    kinds = [each.kind for each in branch.bifurcations]
    places = ", ".join(f"{kind} ({kinds.count(kind)})" for kind in dict.fromkeys(kinds))
    return _table(("key", "orbits", "stable", "bifurcations", "file"),
                  [(branch.key, len(branch.value), int(branch.stable.sum()), places or "none", branch.name)])


def _basins_table(shown):
    basins = shown[0]
    rows = [(k, each.text, each.count, style.with_prefix(each.amplitude, "m"), _number(each.largest)) for k, each in enumerate(basins.attractors)]
    return _table(("attractor", "kind", "starts", "amplitude", "largest multiplier"), rows)


def _sections_table(shown):
    section = shown[0]
    where = f"once per period of {section.frequency * 1e-3:.6g} kHz" if section.section is None else f"where bead {section.section} turns"
    return _table(("points of bead", "taken", "starts", "points of each", "file"),
                  [(section.bead, where, *section.displacement.shape, section.name)])


TABLES = {"chain": _runs_table, "packing": _runs_table, "mechanism": _mechanisms_table, "fit": _fit_table, "modes": _modes_table,
          "sweep": _sweep_table, "branch": _branch_table, "basins": _basins_table, "poincare": _sections_table}
