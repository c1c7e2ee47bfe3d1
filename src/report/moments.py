"""The snapshots of a packing or a mechanism where something happens: start, extremes, end."""
import numpy as np

from .history import InputError

NEAR = 0.005  # of all snapshots: moments nearer to each other are one
FEWEST = 3


def nearest_row(run, time):
    return int(np.abs(run.snapshot_time - time).argmin())


def largest_forces(run):
    """The largest contact force [N] of each snapshot; None without contacts."""
    if run.system == "mechanism":
        return np.abs(run["contact_force"][:]).max(axis=1) if run.points else None
    if "contacts/pair" not in run or not len(run["contacts/pair"]):
        return None
    size = np.linalg.norm(run["contacts/normal_force"][:] + run["contacts/tangential_force"][:], axis=1)
    splits = run["contacts/row_splits"][:].astype(int)
    return np.array([size[begin:end].max(initial=0.0) for begin, end in zip(splits, splits[1:])])


def named(run):
    """Name and row of each moment that this history has."""
    last, found = len(run.snapshot_time) - 1, {"start": 0}
    kinetic = run.energy.get("kinetic_energy")
    if kinetic is not None and np.nanmax(kinetic, initial=0.0) > 0.0:
        found["largest-kinetic-energy"] = nearest_row(run, run["energy_time"][:][int(np.nanargmax(kinetic))])
    force = largest_forces(run)
    if force is not None and len(force) and force.max() > 0.0:
        found["largest-force"] = int(force[:last + 1].argmax())
    if run.system == "packing":
        ratio = _stress_ratio(run)
        if ratio is not None:
            found["largest-stress-ratio"] = nearest_row(run, run["measure_time"][:][int(np.nanargmax(ratio))])
    found["end"] = last
    return found


def _stress_ratio(run):
    from .panel_stress_strain import strained_runs
    shown = strained_runs([run])
    ratio = shown[0][2].ratio() if shown else np.empty(0)
    return ratio if np.isfinite(ratio).any() else None


def shown(run):
    """(row, name) of the moments of --at, or of chosen()."""
    return at(run, run.options.at) if run.options.at else chosen(run)


def chosen(run):
    """(row, name) of the moments that a still figure shows, in the order of time. Moments that are close to an earlier one are left out;
    the middle of the run is added where fewer than three are left."""
    all_, last = named(run), len(run.snapshot_time) - 1
    order = ["start", "end", *[name for name in ("largest-stress-ratio", "largest-kinetic-energy", "largest-force") if name in all_]]
    kept = {}
    for name in order:
        if all(abs(all_[name] - other) > NEAR * last for other in kept):
            kept[all_[name]] = name.replace("-", " ")
    if len(kept) < FEWEST and last > 1 and last // 2 not in kept:
        kept[last // 2] = ""
    return sorted(kept.items())


def at(run, words):
    """(row, name) of the moments of the option --at: times [s] or names. A time shows the nearest snapshot."""
    all_, found = named(run), []
    for word in words:
        if word in all_:
            found.append((all_[word], word.replace("-", " ")))
            continue
        try:
            time = float(word)
        except ValueError:
            raise InputError(f"--at {word}: expected a time in s, or one of {', '.join(all_)}") from None
        first, last = run.snapshot_time[0], run.snapshot_time[-1]
        slack = 1e-6 * (last - first)
        if not first - slack <= time <= last + slack:
            raise InputError(f"--at {word}: the snapshots are from {first:.6g} s to {last:.6g} s")
        found.append((nearest_row(run, time), ""))
    return found
