"""Scenarios, ready to run."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._progress import Told, told
from ._recorded import Run
from ._settings import Name, overrides, toml_text

Model = TypeVar("Model", bound="Job")
Scenario = Name | Mapping[str, Any]


def _read(scenario: Scenario, set: Mapping[str, Any] | None) -> _beadwave.Job:
    if isinstance(scenario, Mapping):
        return _beadwave.load_text(toml_text(scenario), "scenario", Path.cwd(), overrides(set))
    return _beadwave.load(scenario, overrides(set))


def _finished(run: _beadwave.Run, history: Name | None) -> Run:
    return Run(run, None if history is None else Path(history).resolve())


class Job:
    """A scenario that was read and checked: a Chain, a Packing or a Mechanism. It can run any number of times, in several threads
    at once, and always from its start."""

    _body = ""
    _kinds: dict[str, type[Job]] = {}

    def __init_subclass__(cls) -> None:
        Job._kinds[cls._body] = cls

    def __init__(self, job: _beadwave.Job) -> None:
        self._job = job
        self._stepper: Any = None

    @classmethod
    def load(cls: type[Model], scenario: Scenario, set: Mapping[str, Any] | None = None) -> Model:
        """From a TOML file, or a dictionary of the same keys; `set` changes values by dotted key, {"law.psi": 2.7}. Raises
        InputError with the sentence of the command line, also for a scenario of another kind."""
        job = load(scenario, set)
        if not isinstance(job, cls):
            raise _beadwave.InputError(f"{scenario if not isinstance(scenario, Mapping) else 'the scenario'}: is a "
                                       f"{type(job).__name__.lower()}, not a {cls.__name__.lower()}")
        return job

    @property
    def notes(self) -> list[str]:
        """Keys that are right but have no effect here, and other doubts before it runs."""
        return self._job.notes

    @property
    def time_step(self) -> float:
        """That a run begins with [s]; 0 for a mechanism, which has no fixed one."""
        return self._job.time_step

    @property
    def sensors(self) -> list[int]:
        """The beads or particles that have one."""
        return self._job.sensors

    def run(self, *, threads: int = 0, history: Name | None = None, check: bool = False, force: bool = False,
            progress: Told | bool | None = None) -> Run:
        """Runs to the end. What it records stays in memory, or goes to the file `history`, with checkpoints if the scenario asks for
        them. threads 0: as many as are worth it; any number gives the same bits. `check`: run again at half the step, and
        say in `result` what that changes. `force`: replace whatever file stands at `history`. `progress`: called with (steps
        done, all steps, seconds) now and then; in a notebook it shows itself, unless False.

        Other Python threads run meanwhile. Ctrl-C ends it: with KeyboardInterrupt, and a history that `resume` goes on with.
        Raises InputError, RunError."""
        with told(progress) as told_to:
            done = self._job.run("" if history is None else history, threads, check, force, told_to)
        return _finished(done, history)

    def _step(self, make: Callable[[_beadwave.Job, int], Any], threads: int) -> Any:
        if self._stepper is None:
            self._stepper = make(self._job, threads)
        return self._stepper

    def reset(self) -> None:
        """Steps begin anew at the start; arrays of the state before stay what they were."""
        self._stepper = None

    def __repr__(self) -> str:
        return f"<beadwave.{type(self).__name__}: time step {self.time_step:.3g} s, sensors {self.sensors}>"


class _Steps:
    """What steps of one length have in common."""

    def _steps(self, threads: int = 0) -> _beadwave.ChainStepper | _beadwave.PackingStepper:
        raise NotImplementedError

    def step(self, steps: int = 1, threads: int = 0) -> None:
        """Advances by so many time steps, from where the last call ended; run() knows nothing of it. The time step is the one that
        a run begins with: nobody looks whether it resolves what then happens. threads counts in the first call. Raises
        RunError if a bead or particle is no longer finite."""
        self._steps(threads).step(steps)

    @property
    def steps(self) -> int:
        """Done by step()."""
        return self._steps().steps

    @property
    def time(self) -> float:
        """After these [s]."""
        return self._steps().time


class ChainState:
    """Between two steps: arrays of the chain's state where it stands. `velocity` may be written until the `with` block ends; the
    energy that this puts in counts as work in the ledger."""

    def __init__(self, stepper: _beadwave.ChainStepper) -> None:
        self._stepper = stepper
        self._velocity: npt.NDArray[np.float64] | None = None

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """[m/s], one a bead."""
        if self._velocity is None:
            raise _beadwave.RunError("the state is closed; open it with `with chain.state() as state:`")
        return self._velocity

    @property
    def displacement(self) -> npt.NDArray[np.float64]:
        """From the start [m], one a bead; read-only."""
        return self._stepper.displacement()

    @property
    def contact_force(self) -> npt.NDArray[np.float64]:
        """[N], beads + 1; read-only."""
        return self._stepper.contact_force()

    def __enter__(self) -> ChainState:
        self._velocity = self._stepper.open()
        return self

    def __exit__(self, *error: object) -> None:
        if self._velocity is not None:
            self._velocity.setflags(write=False)
        self._velocity = None
        self._stepper.close()


class Chain(_Steps, Job):
    """Beads in a row.

    From a scenario by Chain.load(), or from arrays, for callers that have numbers: one each a bead, bead 0 first.

    radius [m], mass [kg], velocity [m/s] (at rest unless given); gap [m], one a contact, beads + 1: negative is compressed,
    infinite at an end is no wall (unless given, beads just touch and there are no walls). `material`: youngs_modulus [Pa],
    poisson_ratio, yield_stress [Pa], each one number or one a bead; walls are of the end bead's. `law`: a name, or a table with its
    parameters. The other tables are those of a scenario: time (end and step, s), sensors (beads, interval), snapshots, energy.
    The chain starts as it is given: nothing is brought into equilibrium. Raises InputError.

    >>> import beadwave as bw, numpy as np
    >>> chain = bw.Chain(radius=np.full(10, 0.01), mass=np.full(10, 0.03), velocity=[1.0] + 9 * [0.0], law="hertz",
    ...                  material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, time={"end": 2e-4}, sensors={"beads": [5]})
    >>> run = chain.run()
    >>> float(abs(run.energy.residual).max()) < 1e-3
    True
    """

    _body = "bead"

    def __init__(self, radius: npt.ArrayLike, mass: npt.ArrayLike, *, velocity: npt.ArrayLike | None = None,
                 gap: npt.ArrayLike | None = None, material: Mapping[str, Any], law: str | Mapping[str, Any],
                 time: Mapping[str, Any], sensors: Mapping[str, Any] | None = None, snapshots: Mapping[str, Any] | None = None,
                 energy: Mapping[str, Any] | None = None, checkpoint: Mapping[str, Any] | None = None, title: str = "",
                 left_fixed: bool = False, right_fixed: bool = False, gravity: float = 0.0) -> None:
        radii = _numbers("radius", radius)
        beads = len(radii)
        unknown = set(material) - {"youngs_modulus", "poisson_ratio", "yield_stress"}
        if unknown or "youngs_modulus" not in material or "poisson_ratio" not in material:
            raise _beadwave.InputError("material: expected youngs_modulus, poisson_ratio and, optionally, yield_stress; found "
                                       + ", ".join(material))
        tables: dict[str, Any] = {"title": title, "law": {"name": law} if isinstance(law, str) else law, "time": time}
        for name, table in (("sensors", sensors), ("snapshots", snapshots), ("energy", energy), ("checkpoint", checkpoint)):
            if table is not None:
                tables[name] = table
        super().__init__(_beadwave.chain_of(
            radii, _numbers("mass", mass, beads), _numbers("velocity", 0.0 if velocity is None else velocity, beads),
            np.empty(0) if gap is None else _numbers("gap", gap, beads + 1),
            _numbers("material.youngs_modulus", material["youngs_modulus"], beads),
            _numbers("material.poisson_ratio", material["poisson_ratio"], beads),
            _numbers("material.yield_stress", material.get("yield_stress", 0.0), beads), left_fixed, right_fixed, gravity,
            toml_text(tables)))

    def run_law(self, force: Callable[[float, float, tuple[float, ...]], Any], *,
                stored_energy: Callable[[float, tuple[float, ...]], float] | None = None, memory: int = 0,
                progress: Told | bool | None = None) -> Run:
        """Runs with a Python function as the law of every contact, in place of the scenario's: to try an idea on a small chain. It
        is slow, about a million calls a second, and the interpreter's lock is held; `tabulate` makes a table of it, which is fast.

        force(overlap [m], approach speed [m/s], memory) -> force [N], or (force, next memory). It is called for closed contacts
        alone and must not remember anything itself: `memory` is a tuple of as many numbers (four at most), zero in a contact that
        was never touched, and is committed once a step. stored_energy(overlap, memory) -> [J] is what the contact would give
        back; without it all of a contact's work counts as dissipated. The time step is the scenario's. Raises what the
        function raises, InputError, RunError."""
        with told(progress) as told_to:
            return _finished(_beadwave.run_law(self._job, force, stored_energy, memory, told_to), None)

    def _steps(self, threads: int = 0) -> _beadwave.ChainStepper:
        stepper: _beadwave.ChainStepper = self._step(_beadwave.ChainStepper, threads)
        return stepper

    def state(self) -> ChainState:
        """The state after these, to be looked at and written: `with chain.state() as state: state.velocity[5] = 0.1`."""
        return ChainState(self._steps())

    @property
    def displacement(self) -> npt.NDArray[np.float64]:
        """From the start [m], one a bead: the engine's own memory, read-only, as it changes from step to step."""
        return self._steps().displacement()

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """[m/s], the like."""
        return self._steps().velocity()

    @property
    def contact_force(self) -> npt.NDArray[np.float64]:
        """[N], beads + 1, the like."""
        return self._steps().contact_force()

    def energy(self) -> dict[str, float]:
        """The ledger after these steps [J]: initial, kinetic, stored, dissipated, work (with what was put in by hand), discarded; and
        their residual, relative."""
        return self._steps().energy()


class Packing(_Steps, Job):
    """Particles in the plane or in space."""

    _body = "particle"

    def _steps(self, threads: int = 0) -> _beadwave.PackingStepper:
        stepper: _beadwave.PackingStepper = self._step(_beadwave.PackingStepper, threads)
        return stepper

    @property
    def displacement(self) -> npt.NDArray[np.float64]:
        """From the start [m], particles x 3; a copy, as are the next two."""
        return self._steps().displacement()

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """[m/s], particles x 3."""
        return self._steps().velocity()

    @property
    def spin(self) -> npt.NDArray[np.float64]:
        """[rad/s], particles x 3."""
        return self._steps().spin()

    def energy(self) -> dict[str, float]:
        """kinetic, rotational, stored, dissipated, friction, work [J]."""
        return self._steps().energy()


class Mechanism(Job):
    """Bodies with joints and contacts that have clearance. Its steps have no fixed length: it runs, but does not step."""

    _body = "body"


def load(scenario: Scenario, set: Mapping[str, Any] | None = None) -> Job:
    """A Chain, Packing or Mechanism, whichever the scenario describes; see Job.load()."""
    read = _read(scenario, set)
    kind = Job._kinds[read.body]
    job = kind.__new__(kind)
    Job.__init__(job, read)
    return job


def resume(checkpoint: Name, *, history: Name | None = None, threads: int = 0, force: bool = False,
           progress: Told | bool | None = None) -> Run:
    """Goes on with a run that was interrupted, from the checkpoint beside its history, with the same bits. `history`: unless
    given, the run's own. Raises InputError, RunError."""
    with told(progress) as told_to:
        done = _beadwave.resume(checkpoint, "" if history is None else history, threads, force, told_to)
    return _finished(done, done.history)


def _numbers(name: str, values: npt.ArrayLike, count: int | None = None) -> npt.NDArray[np.float64]:
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise _beadwave.InputError(f"{name}: expected numbers ({error})") from error
    if count is not None and numbers.ndim == 0:
        numbers = np.full(count, float(numbers))
    if numbers.ndim != 1 or (count is not None and len(numbers) != count):
        wanted = "a row of numbers" if count is None else f"one number, or a row of {count}"
        raise _beadwave.InputError(f"{name}: has the shape {numbers.shape}; expected {wanted}")
    return np.ascontiguousarray(numbers)
