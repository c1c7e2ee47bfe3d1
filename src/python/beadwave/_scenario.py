"""Scenarios that are ready to run."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from . import _beadwave
from ._observed import Observable, ObservableFunction
from ._progress import LOGGER, ProgressCallback, progress_callback
from ._recorded import Run
from ._settings import Name, file_name, set_options, shown, toml_text, whole_number

Loaded = TypeVar("Loaded", bound="Job")
Observed = TypeVar("Observed", bound=ObservableFunction)
Scenario = Name | Mapping[str, Any]


def _read(scenario: Scenario, overrides: Mapping[str, Any] | None) -> _beadwave.Job:
    if isinstance(scenario, Mapping):
        return _beadwave.load_text(toml_text(scenario), "scenario", Path.cwd(), set_options(overrides), {})
    if not isinstance(scenario, (str, PathLike)):
        raise _beadwave.InputError(f"scenario: is {shown(scenario)}; expected the name of a file, or a dictionary")
    return _beadwave.load(scenario, set_options(overrides))


def finished(run: _beadwave.Run, output: Name | None) -> Run:
    """What a run recorded; `output`: its file, if it wrote one."""
    LOGGER.info("run ended after %.3g s%s", run.wall_seconds, "" if output is None else f"; history: {output}")
    for warning in run.warnings:
        LOGGER.warning("%s", warning)
    return Run(run, None if output is None else Path(output).resolve())


class Job:
    """A scenario that has been read and checked: a Chain, a Packing or a Mechanism. It can run any number of times, also in several
    threads at once. Each run starts from the scenario's initial state."""

    _body = ""
    _kinds: dict[str, type[Job]] = {}

    def __init_subclass__(cls) -> None:
        if cls._body:
            Job._kinds[cls._body] = cls

    def _adopt(self, job: _beadwave.Job) -> None:
        """The part of making an object that all ways have in common."""
        self._job = job
        self._observables: list[Observable] = []

    @classmethod
    def load(cls: type[Loaded], scenario: Scenario, overrides: Mapping[str, Any] | None = None) -> Loaded:
        """Reads a TOML file, or a dictionary with the same keys. `overrides` changes values by dotted key: {"law.psi": 2.7}. Also reads
        a state that save() wrote. Raises InputError with the message of the command line, also if the scenario describes another
        system."""
        job = load(scenario, overrides)
        if not isinstance(job, cls):
            raise _beadwave.InputError(f"{scenario if not isinstance(scenario, Mapping) else 'the scenario'}: is a "
                                       f"{type(job).__name__.lower()}, not a {cls.__name__.lower()}")
        return job

    @property
    def warnings(self) -> list[str]:
        """Keys that are valid but have no effect here, and reasons to doubt the result that are known before a run."""
        return self._job.warnings

    @property
    def time_step(self) -> float:
        """The length of a time step at the start of a run [s]; 0 for a mechanism, whose time step is not fixed."""
        return self._job.time_step

    @property
    def sensors(self) -> list[int]:
        """Numbers of the beads or particles that have a sensor."""
        return self._job.sensors

    def run(self, *, threads: int = 0, output: Name | None = None, check: bool = False, overwrite: bool = False,
            ignore_disk_space: bool = False, yes: bool = False, progress: ProgressCallback | bool | None = None) -> Run:
        """Runs the whole scenario and returns what it recorded.

        `output`: the file for the history, with checkpoints if the scenario has [checkpoint]; by default the history stays in
        memory. `threads`: 0 lets the program choose the number; the results are the same for any number, to the bit. `check`: runs
        again with half the time step; `result` then has the changes. `overwrite`: also replaces a file that is not a history of
        beadwave. `ignore_disk_space`: starts although the disk may not hold the history. `yes`: starts although the run takes more
        than a month at the least. `progress`: a function that is called several times per second with (steps done, all steps, seconds); a notebook shows the progress itself, unless this is False.

        Other Python threads run during the call. Ctrl-C ends the run with KeyboardInterrupt; resume() can continue it if it writes
        a file. Raises InputError, RunError."""
        if self._observables and output is not None:
            raise _beadwave.InputError("run(output=...): a run with observables of observe() stays in memory; Run.save() writes its "
                                       "history")
        observables = list(self._observables)  # they live until the run has ended
        LOGGER.info("run of a %s begins: time step %.3g s", type(self).__name__.lower(), self.time_step)
        with progress_callback(progress) as callback:
            done = self._job.run(file_name("output", output, optional=True), whole_number("threads", threads), check, overwrite, ignore_disk_space, yes,
                                 callback, [each.entry() for each in observables])
        return finished(done, output)

    def to_toml(self) -> str:
        """The scenario as it was read, with overrides applied: load() of this text makes the same object. Files that it names are
        beside it as before. Raises InputError for what a scenario cannot say."""
        text: str = self._job.scenario_text
        if not text:
            raise _beadwave.InputError(f"to_toml: this {type(self).__name__.lower()} was made from arrays; only chains from arrays have a text")
        return text

    def observe(self, name: str, *, every: str = "energy", unit: str = "1", description: str = "",
                shape: int | Sequence[int] = ()) -> Callable[[Observed], Observed]:
        """Records the value of a function as `name` in the runs of this object, beside what the scenario asks for: an array of the
        Run, and /observables/NAME of the history that Run.save() writes. Returns a decorator:

            @chain.observe("spread", unit="m s-1", description="of the velocities", every="snapshots")
            def spread(sample):
                return sample["velocity"].std()

        The function gets a Sample: `step`, `time` and everything that the run records, by name. It must change nothing, and returns
        numbers of shape `shape`; (): one number. `every`: "energy", with the samples of the energy ledger, or "snapshots"; a mechanism
        has "snapshots". `unit`: as H5MD spells it. It stays until unobserve(). A run with observables stays in memory, so no
        checkpoint can resume it; what the function raises ends the run. run(n) calls it too, run() with external forces does not. Raises
        InputError."""
        def add(function: Observed) -> Observed:
            self._refuse_while_recorded("observe")
            if any(each.name == name for each in self._observables):
                raise _beadwave.InputError(f"observe: there is an observable {name}; unobserve() it first")
            self._observables.append(Observable(name, function, every, unit, description, shape))
            return function
        return add

    def _refuse_while_recorded(self, what: str) -> None:
        """Throws if the observables cannot change now."""

    def unobserve(self, name: str) -> None:
        """Removes an observable of observe(), given by its name. Raises InputError if there is none."""
        self._refuse_while_recorded("unobserve")
        kept = [each for each in self._observables if each.name != name]
        if len(kept) == len(self._observables):
            raise _beadwave.InputError(f"unobserve: {name} is no observable of this object")
        self._observables = kept

    def copy(self: Loaded) -> Loaded:
        """Another object of the same system, with the same observables."""
        twin = made(type(self), self._job)
        twin._observables = list(self._observables)
        return twin

    def __copy__(self: Loaded) -> Loaded:
        return self.copy()

    def __deepcopy__(self: Loaded, memo: dict[int, Any]) -> Loaded:
        return self.copy()

    def __repr__(self) -> str:
        return f"<beadwave.{type(self).__name__}: time step {self.time_step:.3g} s, sensors {self.sensors}>"


def made(kind: type[Loaded], job: _beadwave.Job) -> Loaded:
    """An object of a class, without the arguments of its constructor."""
    new = kind.__new__(kind)
    new._adopt(job)
    return new


def load(scenario: Scenario, overrides: Mapping[str, Any] | None = None) -> Job:
    """Reads a scenario and returns a Chain, Packing or Mechanism, according to what it describes; see Job.load(). Also reads a state
    that save() wrote: the object is then in that state."""
    if isinstance(scenario, (str, PathLike)) and _beadwave.is_state(scenario):
        if overrides:
            raise _beadwave.InputError(f"{scenario}: is a saved state; overrides apply to scenarios only")
        saved, stepper = _beadwave.load_state(scenario)
        continued = made(Job._kinds[saved.body], saved)
        vars(continued)["_stepper"] = stepper
        return continued
    read = _read(scenario, overrides)
    return made(Job._kinds[read.body], read)


def resume(checkpoint: Name, *, output: Name | None = None, threads: int = 0, overwrite: bool = False,
           ignore_disk_space: bool = False, progress: ProgressCallback | bool | None = None) -> Run:
    """Continues an interrupted run from its checkpoint, the file next to its history. The result is the same as without the
    interruption, to the bit. `output`: the file for the history; default: the history of the interrupted run. The other arguments
    are those of Job.run(). Raises InputError, RunError."""
    with progress_callback(progress) as callback:
        done = _beadwave.resume(file_name("checkpoint", checkpoint), file_name("output", output, optional=True),
                                whole_number("threads", threads), overwrite, ignore_disk_space, callback)
    return finished(done, done.history)
