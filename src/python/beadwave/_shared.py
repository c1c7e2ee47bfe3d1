"""Runs that several processes share, each of which sees its own bodies."""
from __future__ import annotations

import atexit
import inspect
import sys
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from . import _beadwave
from ._progress import ProgressCallback, progress_callback
from ._recorded import Run
from ._scenario import finished
from ._settings import Name, file_name, set_options, whole_number

EachSnapshot = Callable[["_beadwave.OwnPart"], Any]
_prepared = False


def _prepare() -> None:
    """An exception that ends the script of one process ends all: they would wait for it."""
    global _prepared
    if _prepared:
        return
    _prepared = True
    atexit.register(_beadwave.close_processes)
    before = sys.excepthook

    def end_all(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        before(kind, error, trace)
        _beadwave.end_all_processes(f"{kind.__name__}: {error}")
    sys.excepthook = end_all


class SharedJob:
    """A chain or packing that all processes of a launcher (mpirun, srun) have read and run together. It has the history of one
    process, to the bit."""

    def __init__(self, job: _beadwave.SharedJob) -> None:
        self._job = job

    @property
    def process(self) -> int:
        """The number of this process, from 0."""
        return _beadwave.process()

    @property
    def processes(self) -> int:
        """How many there are; 1 without a launcher."""
        return _beadwave.processes()

    @property
    def warnings(self) -> list[str]:
        """Those of Job.warnings."""
        return self._job.warnings

    @property
    def time_step(self) -> float:
        """The length of a time step at the start of a run [s]."""
        return self._job.time_step

    def run(self, output: Name | None = None, *, each_snapshot: EachSnapshot | None = None, threads: int = 0, overwrite: bool = False,
            ignore_disk_space: bool = False, yes: bool = False, progress: ProgressCallback | bool | None = None) -> Run:
        """Runs the whole scenario into the history `output`; all processes call it together, and each gets the Run.

        `each_snapshot`: a function that every process calls with each snapshot, with the bodies that this process has. Its argument
        has `step`, `time` [s], and `numbers` of the bodies, `position` [m], `velocity` [m/s] and of packings `angular_velocity`
        [rad/s], one row per body; they are copies. No body travels between the processes for it. What it raises stops the run of all
        processes, with a checkpoint; the others get a RunError. Where a run begins anew with a shorter step, it is called anew.
        `threads`: of each process; 0: its share of the machine. The other arguments are those of Job.run(). A resumed run needs no
        `output`. Raises InputError, RunError; if several processes share the run, all of them then end."""
        if each_snapshot is not None and not callable(each_snapshot):
            raise _beadwave.InputError("run(): each_snapshot is no function; expected a function of one argument")
        if inspect.isgeneratorfunction(each_snapshot) or inspect.iscoroutinefunction(each_snapshot):
            raise _beadwave.InputError("run(): each_snapshot yields or waits, so that a call does nothing; expected a plain function")
        with progress_callback(progress) as callback:
            done = self._job.run(file_name("output", output, optional=True), each_snapshot, whole_number("threads", threads), overwrite,
                                 ignore_disk_space, yes, callback)
        return finished(done, done.history)

    def __repr__(self) -> str:
        return f"<beadwave.SharedJob: process {self.process} of {self.processes}, time step {self.time_step:.3g} s>"


def load_shared(scenario: Name, overrides: Mapping[str, Any] | None = None) -> SharedJob:
    """Reads a TOML file of a chain or packing for a run that all processes of a launcher share: each calls this with the same file.
    Without a launcher there is one process. Raises InputError; if several processes share the run, all of them then end."""
    _prepare()
    return SharedJob(_beadwave.SharedJob(file_name("scenario", scenario), set_options(overrides)))


def resume_shared(checkpoint: Name) -> SharedJob:
    """Reads the checkpoint of an interrupted run, of any number of processes; run() continues it. Raises InputError, as
    load_shared() does."""
    _prepare()
    return SharedJob(_beadwave.SharedJob(file_name("checkpoint", checkpoint)))
