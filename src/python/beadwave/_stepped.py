"""Systems with a fixed time step: runs of a number of steps, and what acts between the steps."""
from __future__ import annotations

import operator
import threading
from collections.abc import Callable
from typing import Any, TypeVar, overload

import numpy as np

from . import _beadwave
from ._forces import ExternalForce, ForceFunction
from ._progress import ProgressCallback, progress_callback
from ._observed import Observable
from ._recorded import Run, StepRecording
from ._scenario import Job, finished
from ._settings import Name, file_name, shown, whole_number
from ._values import bodies

System = TypeVar("System", bound="FixedStepJob")
Action = TypeVar("Action", bound=Callable[[Any], object])
Force = TypeVar("Force", bound=ForceFunction)


class FixedStepJob(Job):
    """A system with a fixed time step: it can also run a number of steps and then show its state."""

    _width = 1  # numbers of a vector

    def _adopt(self, job: _beadwave.Job) -> None:
        super()._adopt(job)
        self._constants = _beadwave.constants(job)
        self._stepper: Any = None
        # Making a stepper releases the interpreter lock, and calls the functions of forces.
        self._making = threading.RLock()
        self._turn = threading.RLock()  # of run(n), reset() and copy()
        self._acting = False
        self._actions: list[tuple[int, Callable[[Any], object]]] = []
        self._forces: list[ExternalForce] = []
        self._recorded_observables: list[Observable] | None = None  # of run(n); they live as long as the stepper

    def _make_stepper(self, threads: int) -> Any:
        raise NotImplementedError

    def _steps(self, threads: int = 0) -> Any:
        """The stepper, which is made when it is first needed."""
        with self._making:
            if self._stepper is None:
                self._stepper = self._make_stepper(threads)
                try:
                    for force in self._forces:
                        self._stepper.add_force(force.bodies, force)
                except BaseException:
                    self._stepper = None
                    raise
            return self._stepper

    @overload
    def run(self, steps: None = None, *, threads: int = 0, output: Name | None = None, check: bool = False,
            overwrite: bool = False, ignore_disk_space: bool = False, yes: bool = False,
            progress: ProgressCallback | bool | None = None) -> Run: ...

    @overload
    def run(self, steps: int, *, threads: int = 0) -> None: ...

    def run(self, steps: int | None = None, *, threads: int = 0, output: Name | None = None, check: bool = False,
            overwrite: bool = False, ignore_disk_space: bool = False, yes: bool = False,
            progress: ProgressCallback | bool | None = None) -> Run | None:
        """Runs the whole scenario, run(), or a number of time steps, run(1000).

        run() starts from the initial state, records what the scenario asks for, and returns a Run. `output`: the file for the
        history, with checkpoints if the scenario has [checkpoint]; by default the history stays in memory. `check`: runs again with
        half the time step; `result` then has the changes. `overwrite`: also replaces a file that is not a history of beadwave.
        `ignore_disk_space`: starts although the disk may not hold the history. `yes`: starts although the run takes more than a month
        at the least. `progress`: a function that is called several times
        per second with (steps done, all steps, seconds); a notebook shows the progress itself, unless this is False. If the time
        step turns out too long, the run restarts with a shorter one, unless the scenario gives time.step. Forces from external_force()
        act; then the history stays in memory (Run.save() writes it), and one thread runs. Actions from every() need run(n).

        run(n) advances the state of this object by n time steps, from where the last run(n) ended, and returns None. Up to time.end it
        records what the scenario and observe() ask for, as run() does, to the bit: see `recorded`. The length of a step is always
        `time_step`; run(n) raises RunError if it is not stable, and does not check whether it is accurate. timestep, time, energy()
        and the arrays show the state after these steps; reset() returns to the initial state. run() neither uses nor changes
        this state. Of the options only `threads` applies, in the first call. If several Python threads use one object, their calls
        run one after the other; but the arrays of a chain are views, which change while another thread runs steps.

        `threads`: 0 lets the program choose the number; the results are the same for any number, to the bit. Other Python threads
        run during the call. Ctrl-C ends it with KeyboardInterrupt; resume() can continue a run that writes a file. Raises
        InputError; RunError, for example if a bead or particle is no longer finite; and what a function raises."""
        if steps is None:
            if self._actions:
                raise _beadwave.InputError("run(): actions of every() are called in run(n), a number of steps; use run(n), or "
                                           "remove() them")
            if self._forces and self._observables:
                raise _beadwave.InputError("run(): a run with external forces does not call observables; unobserve() them")
            if self._forces:
                return self._run_with_forces(output, check, progress)
            return super().run(threads=threads, output=output, check=check, overwrite=overwrite,
                               ignore_disk_space=ignore_disk_space, yes=yes, progress=progress)
        for name, value in (("output", output), ("check", check), ("overwrite", overwrite),
                            ("ignore_disk_space", ignore_disk_space), ("yes", yes), ("progress", progress)):
            if value:
                raise _beadwave.InputError(f"run({steps}, {name}=...): {name} is an option of run() without a number of steps")
        try:
            number = operator.index(steps)
        except TypeError:
            raise _beadwave.InputError(f"run({shown(steps)}): expected a whole number of steps, from 0") from None
        with self._turn:
            self._refuse_in_action("run")
            stepper = self._steps(whole_number("threads", threads))
            if self._recorded_observables is None and number > 0:
                self._recorded_observables = list(self._observables)
            self._run_steps(stepper, number)
        return None

    def _run_with_forces(self, output: Name | None, check: bool, progress: ProgressCallback | bool | None) -> Run:
        for name, value in (("output", output), ("check", check)):
            if value:
                raise _beadwave.InputError(f"run({name}=...): a run with external forces stays in memory; Run.save() writes its "
                                           "history")
        with progress_callback(progress) as callback:
            forces = list(self._forces)  # they live until the run has ended
            return finished(_beadwave.run_with_forces(self._job, [(force.bodies, force) for force in forces], callback), None)

    def _run_steps(self, stepper: Any, number: int) -> None:
        observed = [each.entry() for each in self._recorded_observables or []]
        if not self._actions or number <= 0:
            stepper.run(number, observed)
            return
        now = stepper.timestep
        end = now + number
        while now < end:
            now = min([end, *(now - now % interval + interval for interval, _ in self._actions)]) if self._actions else end
            stepper.run(now - stepper.timestep, observed)
            for interval, action in list(self._actions):
                if now % interval:
                    continue
                self._acting = True
                try:
                    action(self)
                finally:
                    self._acting = False

    def _refuse_in_action(self, what: str) -> None:
        if self._acting:
            raise _beadwave.InputError(f"{what}: not possible in an action of every(), which is a part of run(n)")

    @property
    def timestep(self) -> int:
        """The number of the current time step: 0 at the start, n after run(n). (`time_step` is the length of a step [s].)"""
        number: int = self._steps().timestep
        return number

    @property
    def time(self) -> float:
        """The time of the state after run(n) [s]."""
        now: float = self._steps().time
        return now

    def reset(self) -> None:
        """Returns from the state after run(n) to the initial state. Arrays of the old state keep their values; actions and forces
        stay. The next run(n) records anew; a `recorded` of before keeps its numbers."""
        with self._turn:
            self._refuse_in_action("reset")
            with self._making:
                self._stepper = None
                self._recorded_observables = None

    @property
    def recorded(self) -> StepRecording:
        """What run(n) has recorded up to now: sensors, snapshots, measures and energy of the scenario and the functions of
        observe(), with the bits of run(), however the steps were divided. It follows later calls of run(n), up to time.end; its
        save() writes a history. Raises InputError before the first run(n)."""
        if self._stepper is None:
            raise _beadwave.InputError("recorded: run(n) has not run yet")
        return StepRecording(self._stepper)

    def _refuse_while_recorded(self, what: str) -> None:
        if self._recorded_observables is not None:
            raise _beadwave.InputError(f"{what}: run(n) records already; reset() first")

    def energy(self) -> dict[str, float]:
        """The energy ledger after run(n) [J]: initial, kinetic, stored, dissipated, external_work, energy_error, and
        relative_energy_error [-], which is divided by the largest entry so far. Chains also have sleep_loss; packings have the parts
        of kinetic, translational and rotational, and of dissipated, normal, friction and rolling. Both have broken, the part of
        dissipated that bonds had stored when they broke. external_work contains the energy that was added through state() and the work of external forces."""
        entries: dict[str, float] = self._steps().energy()
        return entries

    def every(self, steps: int) -> Callable[[Action], Action]:
        """Calls a function with this object during run(n), whenever the number of the time step is a multiple of `steps`. The function
        may read and, through state(), change the state. It stays until remove(). Returns a decorator:

            @chain.every(1000)
            def watch(chain):
                print(chain.time, chain.energy()["kinetic"])

        Functions of the same step are called in the order in which they were added. What a function raises ends run(n); the state is
        that of its step. Raises InputError."""
        interval = whole_number("every", steps, 1)

        def add(action: Action) -> Action:
            if not callable(action):
                raise _beadwave.InputError(f"every: is {shown(action)}; expected a function")
            self._actions.append((interval, action))
            return action
        return add

    def _external_force(self, name: str, chosen: Any) -> Callable[[Force], Force]:
        numbers = bodies(name, chosen, len(self._constants["radius"]))

        def add(function: Force) -> Force:
            if not callable(function):
                raise _beadwave.InputError(f"external_force: is {shown(function)}; expected a function")
            force = ExternalForce(function, numbers, self._width, self._constants.get("dimension", 3) == 2)
            with self._turn:
                with self._making:
                    if self._stepper is not None:
                        self._stepper.add_force(numbers, force)
                    self._forces.append(force)
            return function
        return add

    def remove(self, function: Callable[..., object]) -> None:
        """Removes an action of every() or an external force, given by its function. Its work stays in the ledger. Raises InputError if
        there is none."""
        with self._turn, self._making:
            actions = [action for action in self._actions if action[1] is not function]
            kept = [force for force in self._forces if force.function is not function]
            if len(actions) + len(kept) == len(self._actions) + len(self._forces):
                raise _beadwave.InputError(f"remove: {shown(function)} is neither an action nor an external force of this object")
            for index in reversed(range(len(self._forces))):
                if self._forces[index].function is function and self._stepper is not None:
                    self._stepper.remove_force(index)
            self._actions, self._forces = actions, kept

    def copy(self: System) -> System:
        """Another object in the same state, with the same actions, forces and observables. From there on both are independent; the
        same steps give the same bits in both. What the other one records begins with this state."""
        twin = super().copy()
        with self._turn, self._making:
            if self._stepper is not None:
                twin._stepper = self._stepper.copy()
            twin._actions = list(self._actions)
            twin._forces = list(self._forces)
        return twin

    def save(self, path: Name, overwrite: bool = False) -> None:
        """Writes the state after run(n), with the scenario or the arrays that this object was made from, into one file. load() reads it
        and continues to the bit. Actions and external forces are functions, which a file cannot hold: add them again. The work that
        they did is kept. `overwrite`: also replaces a file that is neither a saved state nor a checkpoint. Raises InputError,
        RunError."""
        self._steps().save(file_name("path", path), overwrite)

    def _constant(self, name: str) -> Any:
        return self._constants[name]

    @property
    def radius(self) -> Any:
        """Radii [m], one per bead or particle; read-only."""
        return self._constant("radius")

    @property
    def mass(self) -> Any:
        """Masses [kg], one per bead or particle; read-only."""
        return self._constant("mass")

    def _position(self) -> Any:
        return np.asarray(self._constant("start")) + self._steps().displacement()
