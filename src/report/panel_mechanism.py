"""The panels of a mechanism: accelerations, orbits of journals, contact force over time and over overlap, energy."""
from dataclasses import dataclass

import numpy as np

from . import style
from .panels import Place


def _curve(x, y, name, i, shown=True, dash=None, **more):
    return {"type": "scatter", "x": style.numbers(x, 8), "y": style.numbers(y, 6), "name": style.plain(name), "mode": "lines",
            "line": {"color": style.run_colour(i), "dash": dash or "solid", "width": 1.3},
            "visible": True if shown else "legendonly", **more}


def named(run, runs, what):
    return what if len(runs) == 1 else f"{run.label}: {what}"


class Panel:
    """Curves over one x axis and one y axis; a subclass gives them."""
    HEIGHT = 420
    MISSING = "The mechanism has no contact."
    EQUAL = False

    def curves(self, runs):
        """(x, y, name, colour number, shown, dash) of each."""
        raise NotImplementedError

    def axes(self, runs):
        """Titles, and factors of x and y."""
        raise NotImplementedError

    def caption(self, _runs):
        return self.CAPTION

    def interactive(self, runs):
        curves = list(self.curves(runs))
        if not curves:
            return self.MISSING, None
        (x_title, x_factor), (y_title, y_factor) = self.axes(runs)
        data = [_curve(x * x_factor, y * y_factor, name, i, shown, dash) for x, y, name, i, shown, dash in curves]
        equal = {"scaleanchor": "x"} if self.EQUAL else {}
        layout = style.layout(self.HEIGHT, xaxis=style.axis(x_title), yaxis=style.axis(y_title, **equal))
        return self.caption(runs), {"data": data, "layout": layout}

    def has_data(self, runs):
        return any(curve[4] for curve in self.curves(runs))

    def static(self, figure, runs):
        axis = figure.subplots()
        curves = [curve for curve in self.curves(runs) if curve[4]]
        (x_title, x_factor), (y_title, y_factor) = self.axes(runs)
        for x, y, name, i, _, dash in curves:
            axis.plot(x * x_factor, y * y_factor, color=style.run_colour(i), lw=0.8,
                      ls=style.MATPLOTLIB_DASHES[dash or "solid"], label=name)
        axis.set(xlabel=x_title, ylabel=y_title)
        if self.EQUAL:
            axis.set_aspect("equal")
        axis.legend(fontsize=6, frameon=False, ncols=4, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)


def time_axis(runs):
    factor, unit = style.time_scale(runs)
    return f"time ({unit})", factor


class Motion(Panel):
    NAME, TITLE, PLACES = "motion", "Accelerations", {"mechanism": Place(1, row=0)}
    MISSING = "There is no body."
    CAPTION = ("Acceleration of the centre of mass along x or y, whichever is larger. The last body is shown; click the legend to show the others. Spikes "
               "shorter than [time] interval are not visible.")

    def curves(self, runs):
        for i, run in enumerate(runs):
            for k, body in enumerate(run.texts["name"]):
                last = k == run.beads - 1
                colour = i if len(runs) > 1 else k
                acceleration = run["acceleration"][:, k]
                axis = int(np.argmax(np.max(np.abs(acceleration), axis=0)))
                yield run.snapshot_time, acceleration[:, axis], named(run, runs, f"{body}, {'xyz'[axis]}"), colour, last, None

    def axes(self, runs):
        factor, unit = style.scale_of(max((np.max(np.abs(run["acceleration"][:, -1]), initial=0.0) for run in runs), default=0.0), "m/s²")
        return time_axis(runs), (f"acceleration ({unit})", factor)


class Orbit(Panel):
    NAME, TITLE, PLACES = "orbit", "Orbit of the journal", {"mechanism": Place(2, row=1, column=0)}
    EQUAL, HEIGHT = True, 560
    MISSING = "The mechanism has no journal in a bearing."
    CAPTION = ("Position of the pin's centre relative to the centre of the bearing. The pin touches the bearing on the circle; "
               "outside the circle the two overlap.")

    def curves(self, runs):
        angle = np.linspace(0.0, 2.0 * np.pi, 181)
        for i, run in enumerate(runs):
            for k, clearance in enumerate(run.get("clearance", ())):
                if clearance <= 0.0:
                    continue
                colour = i if len(runs) > 1 else k
                x, y = run["journal_displacement"][:, k].T
                yield x, y, named(run, runs, run.points[k]), colour, True, None
                yield clearance * np.cos(angle), clearance * np.sin(angle), named(run, runs, "clearance"), 6, True, "dot"

    def axes(self, runs):
        factor, unit = style.scale_of(max((np.max(run.get("clearance", ()), initial=0.0) for run in runs), default=1.0), "m")
        return (f"x ({unit})", factor), (f"y ({unit})", factor)


def _positive(values):
    return np.where(values > 0.0, values, np.nan)


def _contact_curves(runs, x_of):
    for i, run in enumerate(runs):
        for k, contact in enumerate(run.points):
            yield x_of(run, k), run["contact_force"][:, k], named(run, runs, contact), i if len(runs) > 1 else k, True, None


def _impact_counts(run, runs):
    counts = [f"{len(run.get(f'impacts/{point}/start', ()))} at {point}" for point in run.points]
    return f"{named(run, runs, 'Impacts')}: {style.listed(counts)}."


class Force(Panel):
    NAME, TITLE, PLACES = "force", "Contact force", {"mechanism": Place(3, row=1, column=1)}

    def curves(self, runs):
        return _contact_curves(runs, lambda run, k: run.snapshot_time)

    def axes(self, runs):
        return time_axis(runs), ("normal force (N)", 1.0)

    def interactive(self, runs):
        """Also the peak of each impact: the history's samples may miss it."""
        caption, figure = super().interactive(runs)
        for i, run in enumerate(runs if figure else []):
            for k, point in enumerate(run.points):
                force = run[f"impacts/{point}/peak_force"][:] if f"impacts/{point}/peak_force" in run else np.empty(0)
                known = force > 0.0
                if known.any():
                    time = run[f"impacts/{point}/peak_time"][:][known] * style.time_scale(runs)[0]
                    figure["data"].append({
                        "type": "scatter", "mode": "markers", "x": style.numbers(time, 8), "y": style.numbers(force[known]),
                        "name": style.plain(named(run, runs, f"{point}: peaks of impacts")),
                        "marker": {"symbol": "cross-thin", "size": 8, "line": {"width": 1.5, "color": style.run_colour(i if len(runs) > 1 else k)}}})
        return caption, figure

    def caption(self, runs):
        return "\n".join(["Lines: force at the times of the history. Crosses: the peaks of the impacts, which may be between these times.",
                          *(_impact_counts(run, runs) for run in runs)])


class Loops(Panel):
    NAME, TITLE, PLACES = "contact-loops", "Force against overlap", {"mechanism": Place(4, row=2, column=0)}
    CAPTION = ("Time runs clockwise along the loop, and the area of the loop is the energy that the contact dissipated. If a loop "
               "has few points, use a shorter [time] interval. Crosses: largest overlap and peak force of each impact, which the run "
               "knows between the samples. The menu chooses one impact.")
    MOST_IMPACTS = 60

    def curves(self, runs):
        return _contact_curves(runs, lambda run, k: _positive(run["overlap"][:, k]))

    def axes(self, runs):
        largest = max((float(np.max(run.get("overlap", ()), initial=0.0)) for run in runs), default=0.0)
        factor, unit = style.scale_of(largest, "m")
        return (f"overlap ({unit})", factor), ("normal force (N)", 1.0)

    def interactive(self, runs):
        caption, figure = super().interactive(runs)
        if figure is None:
            return caption, None
        whole, factor = len(figure["data"]), self.axes(runs)[0][1]
        found = impacts_of(runs)
        chosen = found if len(found) <= self.MOST_IMPACTS else sorted(
            sorted(found, key=lambda impact: -impact.peak[1])[:self.MOST_IMPACTS], key=lambda impact: impact.start)
        buttons = [("all", [True] * whole)]
        for impact in chosen:
            data = [_curve(impact.overlap * factor, impact.force, impact.name, impact.colour, mode="lines+markers", marker={"size": 5}),
                    {"type": "scatter", "mode": "markers", "x": style.numbers([impact.peak[0] * factor], 8),
                     "y": style.numbers([impact.peak[1]], 8), "name": "largest overlap, peak force",
                     "marker": {"symbol": "cross-thin", "size": 11, "line": {"width": 2, "color": "#D55E00"}}}]
            data[0]["visible"], data[1]["showlegend"] = False, False
            figure["data"] += data
            buttons.append((impact.name, impact))
        count = len(figure["data"])
        for number, (name, which) in enumerate(buttons):
            first = whole + 2 * (number - 1)
            visible = [i < whole or (i - whole) % 2 == 1 if number == 0 else first <= i < first + 2 for i in range(count)]
            buttons[number] = {"label": style.plain(name), "method": "restyle", "args": [{"visible": visible}]}
        if len(buttons) > 1:
            figure["layout"]["updatemenus"] = [{"type": "dropdown", "x": 0, "xanchor": "left", "y": 1.03, "yanchor": "bottom",
                                                "buttons": buttons}]
            figure["layout"]["margin"] = {**figure["layout"]["margin"], "t": 60}
        if len(chosen) < len(found):
            caption += f" The menu has the {len(chosen)} impacts of the largest forces, of {len(found)}."
        return caption, figure


@dataclass
class Impact:
    name: str
    colour: int
    start: float  # [s]
    overlap: np.ndarray  # [m], of the samples between start and end
    force: np.ndarray  # [N]
    peak: tuple  # largest overlap [m] and peak force [N]


def impacts_of(runs):
    """Every impact with a force, in the order of the runs, contacts and times."""
    found = []
    for i, run in enumerate(runs):
        for k, point in enumerate(run.points):
            if f"impacts/{point}/start" not in run:
                continue
            time = run.snapshot_time
            columns = [run[f"impacts/{point}/{name}"][:] for name in ("start", "end", "impact_speed", "largest_overlap", "peak_force")]
            for number, (start, end, speed, overlap, force) in enumerate(zip(*columns)):
                if not force > 0.0:
                    continue
                first, last = np.searchsorted(time, start), np.searchsorted(time, end if end == end else time[-1], side="right")
                rows = slice(int(first), int(last))
                name = named(run, runs, f"{point}, impact {number + 1}: {style.with_prefix(start, 's')}, {speed:.4g} m/s")
                found.append(Impact(name, i if len(runs) > 1 else k, float(start), run["overlap"][rows, k], run["contact_force"][rows, k],
                                    (float(overlap), float(force))))
    return found


ENERGIES = ("kinetic_energy", "potential_energy", "stored_energy", "dissipated_energy", "friction_dissipation", "external_work")


class Energy(Panel):
    NAME, TITLE, PLACES = "energy", "Energy", {"mechanism": Place(5, row=2, column=1)}
    CAPTION = ("Kinetic, potential, stored and dissipated energy add up to the energy at the start and the external work. "
               "Friction dissipation is a part of the dissipated energy.")

    def curves(self, runs):
        for i, run in enumerate(runs):
            for k, name in enumerate(ENERGIES):
                values, label = run.energy[name], name.replace("_", " ")
                yield run["energy_time"][:], values, named(run, runs, label), k if len(runs) == 1 else i, bool(np.any(values)), \
                    style.RUN_DASHES[k % 4] if len(runs) > 1 else None

    def axes(self, runs):
        largest = max(float(np.max(np.abs(values), initial=0.0)) for run in runs for values in map(run.energy.get, ENERGIES))
        factor, unit = style.scale_of(largest, "J")
        return time_axis(runs), (f"energy ({unit})", factor)


PANELS = (Motion(), Orbit(), Force(), Loops(), Energy())
