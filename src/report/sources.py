"""From the names of files to what a page shows."""
from . import fit
from . import modes
from . import orbits
from . import sweep
from .history import InputError
from .run import Run, label_runs


def read(paths, contacts=None, options=None):
    """The runs of these histories, all of one system, or one fit, one sweep, one branch, or one file of modes. Modes given together with
    histories are the `modes` of each run. `contacts`: those whose loops are drawn. `options`: of pictures (picture_options). Raises
    InputError."""
    linear = [path for path in paths if modes.is_modes(path)]
    if len(linear) > 1:
        raise InputError(f"a report shows one file of modes, not {len(linear)}")
    paths = [path for path in paths if path not in linear]
    if not paths:
        return [modes.read(linear[0])]
    if any(fit.is_fit(path) for path in paths):
        if len(paths) != 1 or linear:
            raise InputError("a report of a fit shows one fit and no other file")
        return [fit.read(paths[0])]
    if any(sweep.is_sweep(path) for path in paths):
        if len(paths) != 1 or linear:
            raise InputError("a report of a sweep shows one table and no other file")
        return [sweep.read(paths[0])]
    if any(orbits.kind_of(path) for path in paths):
        if len(paths) != 1 or linear:
            raise InputError("a report of a branch, of basins or of a Poincare section shows one file and no other")
        return [orbits.read(paths[0])]
    runs = [Run(path, contacts, options) for path in paths]
    systems = {run.system for run in runs}
    if len(systems) > 1:
        raise InputError("some histories are of mechanisms and some are not; make a report for each kind"
                         if "mechanism" in systems else "a report shows either chains or packings, not both")
    label_runs(runs)
    for run in runs if linear else []:
        run.modes = runs[0].modes or modes.read(linear[0])
    return runs
