"""Where the energy went: by kind over time, and which contacts and walls dissipated most."""
import numpy as np

from . import style
from .panels import Place

KINDS = (("normal_dissipation", "normal forces"), ("friction_dissipation", "sliding"), ("rolling_dissipation", "rolling and twisting"),
         ("damper_dissipation", "dampers"), ("broken_energy", "broken bonds"))
PARTS = ("normal", "sliding", "rolling", "twisting")
MOST = 12  # bars


def kinds(energy):
    """(name, what it dissipated over time [J]) of each kind that dissipated anything; they add up to the dissipated energy and the sleep loss."""
    found = [(name, energy[entry]) for entry, name in KINDS if entry in energy]
    rest = energy["dissipated_energy"] - sum(values for _, values in found)
    found += [("other elements", rest)] if np.max(np.abs(rest), initial=0.0) > 1e-9 * np.max(np.abs(energy["dissipated_energy"]), initial=0.0) else []
    found += [("sleep", energy["sleep_loss_energy"])] if "sleep_loss_energy" in energy else []
    return [(name, values) for name, values in found if np.any(values)]


def _shares(run, parts):
    total = sum(values[-1] for _, values in parts)
    return style.listed([f"{name} {style.with_prefix(values[-1], 'J')} ({100 * values[-1] / total:.3g} %)" for name, values in parts])


def _bars(names, parts, factor):
    """One stack for each name; parts: (name of the part, numbers)."""
    return [{"type": "bar", "x": [style.plain(name) for name in names], "y": style.numbers(values * factor, 6), "name": name_of_part,
             "marker": {"color": style.run_colour(k)}} for k, (name_of_part, values) in enumerate(parts)]


class Kinds:
    """One run: areas over time, one on top of the other. Several: a bar for each at the end."""
    NAME, TITLE = "where-the-energy-went", "Where the energy went"
    PLACES = {"packing": Place(4.5, row=3, column=2, height=0.9), "mechanism": Place(5.5, row=3, column=0)}

    def shown(self, runs):
        return [(run, kinds(run.energy)) for run in runs if run.energy and kinds(run.energy)]

    def applies(self, runs):
        return bool(self.shown(runs))

    def interactive(self, runs):
        shown = self.shown(runs)
        factor, unit = style.scale_of(max(sum(values[-1] for _, values in parts) for _, parts in shown), "J")
        lines = [(f"{run.label}: " if len(runs) > 1 else "") + _shares(run, parts) + "." for run, parts in shown]
        if len(runs) == 1:
            (run, parts), = shown
            second, s_unit = style.time_scale(runs)
            data = [{"type": "scatter", "mode": "lines", "stackgroup": "all", "x": style.numbers(run["energy_time"] * second, 7),
                     "y": style.numbers(values * factor, 6), "name": name, "line": {"color": style.run_colour(k), "width": 1.0}}
                    for k, (name, values) in enumerate(parts)]
            layout = style.layout(420, xaxis=style.axis(f"time ({s_unit})"), yaxis=style.axis(f"dissipated energy ({unit})"))
            return "\n".join(["Dissipated energy since the start by kind, one on top of the other.", *lines]), {"data": data, "layout": layout}
        names = list(dict.fromkeys(name for _, parts in shown for name, _ in parts))
        stacks = [(name, np.array([dict(parts).get(name, [0.0])[-1] for _, parts in shown])) for name in names]
        layout = style.layout(420, barmode="stack", xaxis=style.axis("run", type="category"), yaxis=style.axis(f"dissipated energy ({unit})"))
        return "\n".join(["Dissipated energy at the end of each run by kind.", *lines]), {
            "data": _bars([run.label for run, _ in shown], stacks, factor), "layout": layout}

    def static(self, figure, runs):
        axis = figure.subplots()
        shown = self.shown(runs)
        factor, unit = style.scale_of(max(sum(values[-1] for _, values in parts) for _, parts in shown), "J")
        if len(runs) == 1:
            (run, parts), = shown
            second, s_unit = style.time_scale(runs)
            axis.stackplot(run["energy_time"] * second, *[values * factor for _, values in parts], labels=[name for name, _ in parts],
                           colors=[style.run_colour(k) for k in range(len(parts))], alpha=0.7)
            axis.set(xlabel=f"time ({s_unit})", ylabel=f"dissipated ({unit})", xlim=(0, run.last_time * second))
        else:
            names = list(dict.fromkeys(name for _, parts in shown for name, _ in parts))
            bottom = np.zeros(len(shown))
            for k, name in enumerate(names):
                height = factor * np.array([dict(parts).get(name, [0.0])[-1] for _, parts in shown])
                axis.bar(np.arange(len(shown)), height, bottom=bottom, color=style.run_colour(k), label=name)
                bottom += height
            axis.set_xticks(np.arange(len(shown)), [run.label for run, _ in shown])
            axis.set(ylabel=f"dissipated ({unit})")
        axis.legend(fontsize=7, frameon=False, loc="upper left")


def _pairs(run):
    """Of a packing: the names of the pairs of bodies that have touched by the last snapshot, and what each dissipated."""
    rows = slice(*(int(n) for n in run["dissipation/row_splits"][-2:]))
    count = len(run["radius"])
    names = [f"{a} and {b}" if b < count else f"{a} and wall {b - count}" for a, b in run["dissipation/pair"][rows]]
    return names, {part: run[f"dissipation/{part}"][rows] for part in PARTS}


def ranked(run):
    """Contacts or walls ("contact", "wall"): the names or numbers, and {part: energies [J]}, of those that the history has, the largest first."""
    if "dissipation/pair" in run and len(run["dissipation/row_splits"]) > 1:
        names, parts = _pairs(run)
        order = np.argsort(-sum(parts.values()), kind="stable")[:MOST]
        return "contact", [names[k] for k in order], {part: values[order] for part, values in parts.items()}
    for what in ("contact", "wall"):
        parts = {part: run[f"{what}_{part}_dissipation"][-1] for part in PARTS if f"{what}_{part}_dissipation" in run}
        if not parts:
            continue
        names = run.points if what == "contact" and run.system == "mechanism" else [str(k) for k in range(len(parts["normal"]))]
        order = np.argsort(-sum(parts.values()), kind="stable")[:MOST]
        return what, [names[k] for k in order], {part: values[order] for part, values in parts.items()}
    return None


class Ranking:
    NAME, TITLE = "dissipation-ranking", "What dissipated most"
    PLACES = {"chain": Place(5.5), "packing": Place(4.6), "mechanism": Place(5.6)}

    def applies(self, runs):
        """Of one run, where there is something to compare."""
        found = ranked(runs[0])
        return len(runs) == 1 and found is not None and len(found[1]) > 1

    def interactive(self, runs):
        what, names, parts = ranked(runs[0])
        total = sum(parts.values())
        if not np.any(total):
            return f"No {what} dissipated anything.", None
        factor, unit = style.scale_of(float(np.max(total)), "J")
        half = " A wall has half of what its contacts dissipated." if what == "wall" else ""
        caption = f"Dissipated energy since the start of each {what}, the {len(names)} largest.{half}" if len(names) == MOST else \
            f"Dissipated energy since the start of each {what}.{half}"
        layout = style.layout(420, barmode="stack", xaxis=style.axis(what, type="category"), yaxis=style.axis(f"dissipated energy ({unit})"))
        return caption, {"data": _bars(names, [(part, values) for part, values in parts.items() if np.any(values)], factor), "layout": layout}


PANELS = (Kinds(), Ranking())
