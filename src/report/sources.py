"""From the names of files to what a page shows."""
from . import fit
from .history import InputError
from .run import Run, label_runs


def read(paths, contacts=None):
    """The runs of these histories, all of one system, or one fit. `contacts`: those whose loops are drawn. Raises InputError."""
    if any(fit.is_fit(path) for path in paths):
        if len(paths) != 1:
            raise InputError("a report of a fit shows one fit and no other file")
        return [fit.read(paths[0])]
    runs = [Run(path, contacts) for path in paths]
    systems = {run.system for run in runs}
    if len(systems) > 1:
        raise InputError("some histories are of mechanisms and some are not; make a report for each kind"
                         if "mechanism" in systems else "a report shows either chains or packings, not both")
    label_runs(runs)
    return runs
