"""Structure and stress of a packing: contact numbers, pair distribution, stress over time and along the packing."""
import numpy as np

from . import packing_analysis as analysis
from . import style
from .panels import Place

NO_CONTACTS = "The history holds no contacts of snapshots. Add [snapshots] interval = ... (in s) to the scenario."
MOST_ROWS = 200
NAMES = ("xx", "yy", "zz")


def _with_contacts(runs):
    return [run for run in runs if len(run.snapshot_time) and "contacts/pair" in run]


def _rows(run):
    return np.unique(np.linspace(0, len(run.snapshot_time) - 1, MOST_ROWS).round().astype(int))


def _name(run, runs, what):
    return style.plain(what if len(runs) == 1 else f"{run.label}: {what}")


def _line(x, y, name, i, **more):
    return {"type": "scatter", "mode": "lines", "x": style.numbers(x, 7), "y": style.numbers(y, 6), "name": name,
            "line": style.line(i, 1.5), **more}


_TWO = {"legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}, "margin": {"l": 75, "r": 20, "t": 50, "b": 55}}


def _have_snapshots(runs):
    """Without any, the panel of the picture says so."""
    return any(len(run.snapshot_time) for run in runs)


class Contacts:
    NAME, TITLE, PLACES = "contact-numbers", "Contact numbers", {"packing": Place(3.2)}
    applies = staticmethod(_have_snapshots)

    def interactive(self, runs):
        shown = _with_contacts(runs)
        if not shown:
            return NO_CONTACTS, None
        (second, unit), data, caption = style.time_scale(shown), [], ""
        for i, run in enumerate(shown):
            numbers = [analysis.contact_numbers(run, row) for row in _rows(run)]
            time = run.snapshot_time[_rows(run)] * second
            data.append(_line(time, [n.mean for n in numbers], _name(run, runs, "all particles"), i))
            data.append(_line(time, [n.without_rattlers for n in numbers], _name(run, runs, "without rattlers"), i,
                              line={**style.line(i, 1.5), "dash": "dot"}))
            last = numbers[-1]
            data.append({"type": "bar", "x": list(range(len(last.share))), "y": style.numbers(last.share), "xaxis": "x2", "yaxis": "y2",
                         "marker": {"color": style.run_colour(i)}, "showlegend": False,
                         "hovertemplate": "%{x} contacts: %{y:.4g} of the particles<extra></extra>"})
            caption += (f"\n{run.label + ': ' if len(runs) > 1 else ''}At the end {last.mean:.4g} contacts per particle, "
                        f"{last.without_rattlers:.4g} without rattlers.")
        held = "two" if shown[0].planar else "three"
        layout = style.layout(400, xaxis=style.axis(f"time ({unit})", domain=[0.0, 0.44]), yaxis=style.axis("contacts per particle", rangemode="tozero"),
                              xaxis2=style.axis("contacts of a particle, at the end", domain=[0.56, 1.0], anchor="y2"),
                              yaxis2=style.axis("share of the particles", anchor="x2"), **_TWO)
        return (f"Contacts with particles and walls. Rattlers: particles with fewer than {held} contacts.{caption}",
                {"data": data, "layout": layout})


class Pairs:
    NAME, TITLE, PLACES = "pair-distribution", "Pair distribution", {"packing": Place(3.6)}
    applies = staticmethod(_have_snapshots)
    MISSING = "Too few particles have neighbours on all sides within two and a half diameters, so there is no pair distribution."

    def interactive(self, runs):
        shown = [run for run in runs if len(run.snapshot_time)]
        data, caption = [], ""
        for i, run in enumerate(shown):
            for row, dash in {0: "dot", len(run.snapshot_time) - 1: "solid"}.items():
                found = analysis.pair_distribution(run, row)
                time = style.with_prefix(run.snapshot_time[row], "s")
                if found is None:
                    caption += f"\n{_name(run, runs, f'At {time}')}: too few particles have neighbours on all sides."
                    continue
                middle = 0.5 * (found.edges[1:] + found.edges[:-1]) / found.diameter
                data.append(_line(middle, found.density, _name(run, runs, f"at {time}"), i, line={**style.line(i, 1.4), "dash": dash},
                                  customdata=style.numbers(found.neighbours, 5),
                                  hovertemplate="r = %{x:.4g} d<br>g = %{y:.4g}<br>%{customdata:.4g} neighbours in this interval"))
                caption += f"\n{_name(run, runs, f'At {time}')}: around {found.references} particles."
        if not data:
            return self.MISSING, None
        return (f"g(r): number density of centres at the distance r from a centre, over the mean density up to the largest distance; 1 is no "
                f"order. r in mean diameters d, intervals of d/{analysis.BINS_PER_DIAMETER}. Only particles that have neighbours on all sides "
                f"are counted around.{caption}",
                {"data": data, "layout": style.layout(400, xaxis=style.axis("r / d", rangemode="tozero"),
                                                      yaxis=style.axis("g(r)", rangemode="tozero"), **_TWO)})


class Stress:
    NAME, TITLE, PLACES = "stress", "Stress", {"packing": Place(3.4)}
    applies = staticmethod(_have_snapshots)

    def interactive(self, runs):
        shown = _with_contacts(runs)
        if not shown:
            return NO_CONTACTS, None
        (second, s_unit), data, caption, largest, curves = style.time_scale(shown), [], "", 0.0, []
        for i, run in enumerate(shown):
            tensors = np.array([analysis.stress(run, row) for row in _rows(run)])
            low, high = analysis.extent_of(run, len(run.snapshot_time) - 1)
            axis = int(np.argmax((high - low)[:2 if run.planar else 3]))
            axis = self._along_gravity(run, axis)
            place, profile = analysis.stress_profile(run, len(run.snapshot_time) - 1, axis)
            curves.append((i, run, tensors, axis, place, profile))
            largest = max(largest, float(np.nanmax(np.abs(tensors))), float(np.nanmax(np.abs(profile))))
        factor, unit = style.scale_of(largest, "N/m" if shown[0].planar else "Pa")
        for i, run, tensors, axis, place, profile in curves:
            for k in range(tensors.shape[1]):
                colour = k if len(runs) == 1 else i
                line = {**style.line(colour, 1.5), "dash": style.RUN_DASHES[k % 4] if len(runs) > 1 else "solid"}
                data.append(_line(run.snapshot_time[_rows(run)] * second, tensors[:, k, k] * factor, _name(run, runs, NAMES[k]), i, line=line,
                                  legendgroup=f"{i}-{k}"))
                data.append(_line(profile[:, k] * factor, place * 1e3, _name(run, runs, NAMES[k]), i, line=line, xaxis="x2", yaxis="y2",
                                  showlegend=False, legendgroup=f"{i}-{k}"))
            plain, last = ("N/m" if run.planar else "Pa"), tensors[-1]
            pressure, shear = -np.trace(last) / len(last), float(np.abs(last - np.diag(np.diag(last))).max())
            shear = shear if shear > 1e-9 * abs(pressure) else 0.0  # rounding
            of = " of the contacts" if "bond" in run.settings else ""
            caption += (f"\n{run.label + ': ' if len(runs) > 1 else ''}At the end the pressure{of} is {style.with_prefix(pressure, plain)}, the "
                        f"largest shear component {style.with_prefix(shear, plain)}.")
        axis = "xyz"[curves[0][3]]
        volume = "area (so in N/m)" if shown[0].planar else "volume"
        layout = style.layout(420, xaxis=style.axis(f"time ({s_unit})", domain=[0.0, 0.44]), yaxis=style.axis(f"mean normal stress ({unit})"),
                              xaxis2=style.axis(f"normal stress at the end ({unit})", domain=[0.56, 1.0], anchor="y2"),
                              yaxis2=style.axis(f"{axis} (mm)", anchor="x2"), **_TWO)
        bonded = any("bond" in run.settings for run in shown)
        without = " The forces of bonds are not in it; those of [measure] have them." if bonded else ""
        return (f"Love and Weber's stress from the contacts: the sum of force times branch vector over the {volume}; compression is "
                f"negative.{without} The {volume.split(' ')[0]} is the periodic box, and along other axes reaches from the lowest to the highest point "
                f"of any particle, so space above a pile and beside a slope counts. Left: mean over the packing. Right: in 20 slices across "
                f"{axis}.{caption}", {"data": data, "layout": layout})

    @staticmethod
    def _along_gravity(run, axis):
        """The axis of gravity, if there is one."""
        gravity = run.settings.get("gravity", {})
        vector = np.abs(np.asarray(gravity.get("acceleration", ()) if isinstance(gravity, dict) else (), float))
        return int(np.argmax(vector)) if len(vector) and vector.max() > 0.0 else axis


PANELS = (Contacts(), Pairs(), Stress())
