"""Force against overlap of chosen contacts: the area of a loop is the energy that the contact dissipated."""
import numpy as np

from .history import InputError, printable
from . import style
from .panels import Place

NAME = "loops"
TITLE = "Force against overlap"
PLACES = {"chain": Place(4, row=2, column=0, width=1.7)}
NO_SNAPSHOTS = ("The history holds no snapshots, so there are no loops. Add to the scenario, for example: "
                "[snapshots] interval = 1e-6 (in s).")
NO_FORCE = "The history holds snapshots without contact forces, so there are no loops."


def overlap_and_force(run, contact):
    """Overlap [m] and force [N] of one contact at every snapshot. Contact c is between bead c-1 and bead c."""
    beads, walls = run["displacement"], run.get("wall_displacement")  # None: neither wall moves
    left = beads[:, contact - 1] if contact > 0 else 0.0 if walls is None else walls[:, 0]
    right = beads[:, contact] if contact < run.beads else 0.0 if walls is None else walls[:, 1]
    return left - right - run["contact_gap"][contact], run["contact_force"][:, contact]


def choose(runs):
    """The contacts to draw: the requested ones; otherwise the first, and those at a quarter and at half of the shortest distance
    that a wave travels."""
    if runs[0].requested is not None:
        return sorted(set(runs[0].requested))
    beads = min((run.reach for run in runs if run.has_contact_force), default=0)
    return sorted({c for c in (1, beads // 4, beads // 2) if 1 <= c < beads})


def check(run):
    gap = run.get("contact_gap")
    for contact in run.requested or []:
        if not 0 <= contact <= run.beads:
            raise InputError(f"--contacts {contact}: no such contact in {printable(run.path)}; allowed are 1 to {run.beads - 1} "
                             "(contact c is between bead c-1 and bead c)")
        if contact in (0, run.beads) and gap is not None and not np.isfinite(gap[contact]):
            raise InputError(f"--contacts {contact}: that end of {printable(run.path)} is free and has no contact; allowed are "
                             f"1 to {run.beads - 1}")


def _loops(runs):
    """(run number, contact, overlap, force) of every loop that the files hold."""
    found = []
    contacts = choose(runs)
    for i, run in enumerate(runs):
        check(run)
        if run.has_contact_force:
            found += [(i, c, *overlap_and_force(run, c)) for c in contacts]
    return found


def _visible(overlap, force):
    """Only the samples during contact and one on each side: with beads far apart the loop would be too small to see."""
    near = overlap > 0.0
    near[:-1] |= near[1:].copy()
    near[1:] |= near[:-1].copy()
    return np.where(near, overlap, np.nan), np.where(near, force, np.nan)


def _left_limit(overlap):
    """Left end of the overlap axis: while the beads are apart the force is zero, so that part may be cut off."""
    return -0.05 * np.nanmax(overlap, initial=0.0)


def interactive(runs):
    found = _loops(runs)
    if not found:
        return (NO_FORCE if any(len(run.snapshot_time) for run in runs) else NO_SNAPSHOTS), None
    contacts = sorted({c for _, c, _, _ in found})
    metre, unit = style.scale_of(max(np.nanmax(o, initial=0.0) for _, _, o, _ in found), "m")
    data, axes, labels, named = [], {}, [], set()
    width = 1.0 / len(contacts)
    for column, contact in enumerate(contacts):
        suffix = "" if column == 0 else str(column + 1)
        domain = [column * width + (0.04 if column else 0.0), (column + 1) * width - (0.02 if len(contacts) > 1 else 0)]
        left = min(_left_limit(o) for _, c, o, _ in found if c == contact)
        right = 1.05 * max(np.nanmax(o, initial=0.0) for _, c, o, _ in found if c == contact)
        axes["xaxis" + suffix] = style.axis(f"overlap ({unit})", domain=domain, anchor="y" + suffix,
                                            range=[left * metre, right * metre], nticks=6)
        axes["yaxis" + suffix] = style.axis("contact force (N)" if column == 0 else "", anchor="x" + suffix,
                                            rangemode="tozero", nticks=7)
        between = _between(contact, runs) if len(contacts) <= 3 else ""
        labels.append({"text": f"contact {contact}{between}", "xref": "paper", "yref": "paper",
                       "x": sum(domain) / 2, "y": 1.0, "xanchor": "center", "yanchor": "bottom", "showarrow": False})
    for i, contact, overlap, force in found:
        suffix = "" if contact == contacts[0] else str(contacts.index(contact) + 1)
        overlap, force = _visible(overlap, force)
        data.append({"type": "scatter", "mode": "lines+markers", "x": style.numbers(overlap * metre),
                     "y": style.numbers(force), "xaxis": "x" + suffix, "yaxis": "y" + suffix,
                     "name": style.plain(runs[i].label), "legendgroup": str(i), "connectgaps": False,
                     "showlegend": len(runs) > 1 and i not in named, "line": style.line(i, 1.3),
                     "marker": {"size": 4, "color": style.run_colour(i)},
                     "text": [f"{t * 1e6:.6g} µs" for t in runs[i].snapshot_time],
                     "hovertemplate": "%{text}<br>%{x} " + unit + ", %{y} N"})
        named.add(i)
    caption = ("One point per snapshot. Time runs clockwise along the loop, and the area of the loop is the energy that the "
               "contact dissipated. If a loop has few points, use a shorter [snapshots] interval. Choose other contacts with, for "
               "example, --contacts 5,20. Contact c is between bead c-1 and bead c.")
    caption += "".join(f"\n{run.label} holds no contact forces." for run in runs if not run.has_contact_force)
    return caption, {"data": data, "layout": style.layout(
        460, annotations=labels, **axes, legend={"orientation": "h", "y": 1.08, "yanchor": "bottom", "x": 0},
        margin={"l": 75, "r": 20, "t": 70 if len(runs) > 1 else 40, "b": 55})}


def _between(contact, runs):
    if contact == 0:
        return ", left end and bead 0"
    if all(contact == run.beads for run in runs):
        return f", bead {contact - 1} and right end"
    return f", beads {contact - 1} and {contact}"


def has_data(runs):
    return bool(_loops(runs))


def static(figure, runs):
    found = _loops(runs)
    contacts = sorted({c for _, c, _, _ in found})
    metre, unit = style.scale_of(max(np.nanmax(o, initial=0.0) for _, _, o, _ in found), "m")
    axes = figure.subplots(1, len(contacts), squeeze=False)[0]
    for axis, contact in zip(axes, contacts):
        for i, c, overlap, force in found:
            if c == contact:
                overlap, force = _visible(overlap, force)
                axis.plot(overlap * metre, force, ls=style.MATPLOTLIB_DASHES[style.run_dash(i)], lw=1.0, marker=".", ms=2.5,
                          color=style.run_colour(i), label=runs[i].label)
        left = min(_left_limit(o) for _, c, o, _ in found if c == contact) * metre
        axis.set(xlabel=f"overlap ({unit})", xlim=(left, None), ylim=(0, None))
        axis.set_title(f"contact {contact}", fontsize=8)
    axes[0].set_ylabel("contact force (N)")
