"""Mechanisms: bodies with joints and clearance."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from . import _beadwave
from ._progress import ProgressCallback
from ._recorded import Run
from ._scenario import Job
from ._settings import Name, shown, toml_text


class Mechanism(Job):
    """Bodies with joints, and contacts with clearance. Its time step is not fixed, so it cannot run a number of steps.

    Mechanism.load() reads a scenario; Mechanism(...) takes its tables: `body`, `joint` and `contact` are lists of tables, the other
    arguments are keys of a scenario, such as time={"end": 1, "interval": 1e-3} (needed); keys("mechanism") describes them. Raises
    InputError.

    >>> import beadwave as bw
    >>> fall = bw.Mechanism(body=[{"name": "ball", "mass": 1.0, "inertia": 1e-3, "centre": [0.0, 0.0]}],
    ...                     gravity={"acceleration": [0.0, -10.0]}, time={"end": 1.0, "interval": 0.5})
    >>> fall.run().snapshots.velocity[-1, 0].round(6).tolist()
    [0.0, -10.0]
    """

    _body = "body"

    def __init__(self, body: Sequence[Mapping[str, Any]], *, joint: Sequence[Mapping[str, Any]] = (),
                 contact: Sequence[Mapping[str, Any]] = (), title: str = "", **tables: Any) -> None:
        lists = {name: list(given) for name, given in (("body", body), ("joint", joint), ("contact", contact)) if given}
        settings = {"title": title} | lists | {name: table for name, table in tables.items() if table is not None}
        self._adopt(_beadwave.load_text(toml_text(settings), "Mechanism", Path.cwd(), [], {}))

    def run(self, steps: None = None, *, threads: int = 0, output: Name | None = None, check: bool = False, overwrite: bool = False,
            ignore_disk_space: bool = False, yes: bool = False, progress: ProgressCallback | bool | None = None) -> Run:
        if steps is not None:
            raise _beadwave.InputError(f"run({shown(steps)}): a mechanism has no fixed time step, so it has no number of steps; run() "
                                       "runs the whole scenario")
        return super().run(threads=threads, output=output, check=check, overwrite=overwrite, ignore_disk_space=ignore_disk_space,
                           yes=yes, progress=progress)

    run.__doc__ = Job.run.__doc__

    def state(self) -> NoReturn:
        """Not possible: raises InputError, which says why."""
        raise _beadwave.InputError("state: a mechanism has no fixed time step, so there is no state between steps; its run() records "
                                   "the state once per time.interval")
