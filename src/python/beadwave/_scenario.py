"""Scenarios that are ready to run."""
from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._progress import ProgressCallback, progress_callback
from ._recorded import Run
from ._settings import Name, file_name, set_options, shown, toml_text, whole_number

Loaded = TypeVar("Loaded", bound="Job")
Scenario = Name | Mapping[str, Any]


def _read(scenario: Scenario, overrides: Mapping[str, Any] | None) -> _beadwave.Job:
    if isinstance(scenario, Mapping):
        return _beadwave.load_text(toml_text(scenario), "scenario", Path.cwd(), set_options(overrides), {})
    if not isinstance(scenario, (str, PathLike)):
        raise _beadwave.InputError(f"scenario: is {shown(scenario)}; expected the name of a file, or a dictionary")
    return _beadwave.load(scenario, set_options(overrides))


def _finished(run: _beadwave.Run, output: Name | None) -> Run:
    return Run(run, None if output is None else Path(output).resolve())


class Job:
    """A scenario that has been read and checked: a Chain, a Packing or a Mechanism. It can run any number of times, also in several
    threads at once. Each run starts from the scenario's initial state."""

    _body = ""
    _kinds: dict[str, type[Job]] = {}

    def __init_subclass__(cls) -> None:
        if cls._body:
            Job._kinds[cls._body] = cls

    def __init__(self, job: _beadwave.Job) -> None:
        self._job = job
        self._stepper: Any = None
        self._making = threading.Lock()  # making a stepper releases the interpreter lock

    @classmethod
    def load(cls: type[Loaded], scenario: Scenario, overrides: Mapping[str, Any] | None = None) -> Loaded:
        """Reads a TOML file, or a dictionary with the same keys. `overrides` changes values by dotted key: {"law.psi": 2.7}. Raises
        InputError with the message of the command line, also if the scenario describes another system."""
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
            ignore_disk_space: bool = False, progress: ProgressCallback | bool | None = None) -> Run:
        """Runs the whole scenario and returns what it recorded.

        `output`: the file for the history, with checkpoints if the scenario has [checkpoint]; by default the history stays in
        memory. `threads`: 0 lets the program choose the number; the results are the same for any number, to the bit. `check`: runs
        again with half the time step; `result` then has the changes. `overwrite`: also replaces a file that is not a history of
        beadwave. `ignore_disk_space`: starts although the disk may not hold the history. `progress`: a function that is called
        several times per second with (steps done, all steps, seconds); a notebook shows the progress itself, unless this is False.

        Other Python threads run during the call. Ctrl-C ends the run with KeyboardInterrupt; resume() can continue it if it writes
        a file. Raises InputError, RunError."""
        with progress_callback(progress) as callback:
            done = self._job.run(file_name("output", output, optional=True), whole_number("threads", threads), check, overwrite, ignore_disk_space, callback)
        return _finished(done, output)

    def __repr__(self) -> str:
        return f"<beadwave.{type(self).__name__}: time step {self.time_step:.3g} s, sensors {self.sensors}>"


class _FixedStepJob(Job):
    """A system with a fixed time step: it can also run a number of steps and then show its state."""

    def _step_engine(self, threads: int = 0) -> _beadwave.ChainStepper | _beadwave.PackingStepper:
        raise NotImplementedError

    def _first_or_new(self, make: Callable[[_beadwave.Job, int], Any], threads: int) -> Any:
        with self._making:
            if self._stepper is None:
                self._stepper = make(self._job, threads)
            return self._stepper

    @overload
    def run(self, steps: None = None, *, threads: int = 0, output: Name | None = None, check: bool = False,
            overwrite: bool = False, ignore_disk_space: bool = False,
            progress: ProgressCallback | bool | None = None) -> Run: ...

    @overload
    def run(self, steps: int, *, threads: int = 0) -> None: ...

    def run(self, steps: int | None = None, *, threads: int = 0, output: Name | None = None, check: bool = False,
            overwrite: bool = False, ignore_disk_space: bool = False,
            progress: ProgressCallback | bool | None = None) -> Run | None:
        """Runs the whole scenario, run(), or a number of time steps, run(1000).

        run() starts from the initial state, records what the scenario asks for, and returns a Run. `output`: the file for the
        history, with checkpoints if the scenario has [checkpoint]; by default the history stays in memory. `check`: runs again with
        half the time step; `result` then has the changes. `overwrite`: also replaces a file that is not a history of beadwave.
        `ignore_disk_space`: starts although the disk may not hold the history. `progress`: a function that is called several times
        per second with (steps done, all steps, seconds); a notebook shows the progress itself, unless this is False. If the time
        step turns out too long, the run restarts with a shorter one, unless the scenario gives time.step.

        run(n) advances the state of this object by n time steps, from where the last run(n) ended, records nothing and returns
        None. The length of a step is always `time_step`; run(n) does not check whether it is short enough. timestep, time, energy()
        and the arrays show the state after these steps; reset() returns to the initial state. run() neither uses nor changes
        this state. Of the options only `threads` applies, in the first call. If several Python threads use one object, their calls
        run one after the other; but the arrays of a chain are views, which change while another thread runs steps.

        `threads`: 0 lets the program choose the number; the results are the same for any number, to the bit. Other Python threads
        run during the call. Ctrl-C ends it with KeyboardInterrupt; resume() can continue a run that writes a file. Raises
        InputError; RunError, for example if a bead or particle is no longer finite."""
        if steps is None:
            return super().run(threads=threads, output=output, check=check, overwrite=overwrite,
                               ignore_disk_space=ignore_disk_space, progress=progress)
        for name, value in (("output", output), ("check", check), ("overwrite", overwrite),
                            ("ignore_disk_space", ignore_disk_space), ("progress", progress)):
            if value:
                raise _beadwave.InputError(f"run({steps}, {name}=...): {name} is an option of run() without a number of steps")
        try:
            number = operator.index(steps)
        except TypeError:
            raise _beadwave.InputError(f"run({shown(steps)}): expected a whole number of steps, from 0") from None
        self._step_engine(whole_number("threads", threads)).run(number)
        return None

    @property
    def timestep(self) -> int:
        """The number of the current time step: 0 at the start, n after run(n). (`time_step` is the length of a step [s].)"""
        return self._step_engine().timestep

    @property
    def time(self) -> float:
        """The time of the state after run(n) [s]."""
        return self._step_engine().time

    def reset(self) -> None:
        """Returns from the state after run(n) to the initial state. Arrays of the old state keep their values."""
        with self._making:
            self._stepper = None


class ChainState:
    """The state of a chain between two calls of run(n), as arrays. `velocity` may be written until the `with` block ends; the ledger
    counts the energy that this adds as external work."""

    def __init__(self, stepper: _beadwave.ChainStepper) -> None:
        self._stepper = stepper
        self._velocity: npt.NDArray[np.float64] | None = None

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """[m/s], one per bead."""
        if self._velocity is None:
            raise _beadwave.RunError("the state is closed; open it with `with chain.state() as state:`")
        return self._velocity

    @property
    def displacement(self) -> npt.NDArray[np.float64]:
        """Displacement from the start [m], one per bead; read-only."""
        return self._stepper.displacement()

    @property
    def contact_force(self) -> npt.NDArray[np.float64]:
        """[N], one per contact, beads + 1; read-only."""
        return self._stepper.contact_force()

    def __enter__(self) -> ChainState:
        self._velocity = self._stepper.open()
        return self

    def __exit__(self, *error: object) -> None:
        if self._velocity is not None:
            self._velocity.setflags(write=False)
        self._velocity = None
        self._stepper.close()


class Chain(_FixedStepJob):
    """Beads in a row.

    Chain.load() reads a scenario; Chain(...) makes a chain from arrays with one number per bead, bead 0 first.

    radius [m], mass [kg], velocity [m/s] (default: at rest). gap [m], one per contact, beads + 1: a negative gap is a compressed
    contact, an infinite gap at an end means that there is no wall (default: beads just touch, no walls). `material`: youngs_modulus
    [Pa], poisson_ratio, yield_stress [Pa], each one number or one per bead; a wall has the material of the end bead. `law`: a name,
    or a table with its parameters. The other arguments, `title` and `tables`, are keys of a scenario, such as time={"end": 1e-3} (needed)
    and sensors={"beads": [5]}; keys("chain") describes them. The chain starts exactly as the arrays give it; no static equilibrium
    is computed. Raises InputError.

    >>> import beadwave as bw, numpy as np
    >>> chain = bw.Chain(radius=np.full(10, 0.01), mass=np.full(10, 0.03), velocity=[1.0] + 9 * [0.0], law="hertz",
    ...                  material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, time={"end": 2e-4}, sensors={"beads": [5]})
    >>> run = chain.run()
    >>> float(abs(run.energy.relative_energy_error).max()) < 1e-3
    True
    """

    _body = "bead"

    def __init__(self, radius: npt.ArrayLike, mass: npt.ArrayLike, *, velocity: npt.ArrayLike | None = None,
                 gap: npt.ArrayLike | None = None, material: Mapping[str, Any], law: str | Mapping[str, Any],
                 left_fixed: bool = False, right_fixed: bool = False, gravity: float = 0.0, title: str = "",
                 **tables: Mapping[str, Any] | None) -> None:
        radii = _numbers("radius", radius)
        beads = len(radii)
        unknown = set(material) - {"youngs_modulus", "poisson_ratio", "yield_stress"}
        if unknown or "youngs_modulus" not in material or "poisson_ratio" not in material:
            raise _beadwave.InputError("material: expected youngs_modulus, poisson_ratio and, optionally, yield_stress; found "
                                       + ", ".join(material))
        settings: dict[str, Any] = {"title": title, "law": {"name": law} if isinstance(law, str) else law}
        settings |= {name: table for name, table in tables.items() if table is not None}
        super().__init__(_beadwave.chain_of(
            radii, _numbers("mass", mass, beads), _numbers("velocity", 0.0 if velocity is None else velocity, beads),
            np.empty(0) if gap is None else _numbers("gap", gap, beads + 1),
            _numbers("material.youngs_modulus", material["youngs_modulus"], beads),
            _numbers("material.poisson_ratio", material["poisson_ratio"], beads),
            _numbers("material.yield_stress", material.get("yield_stress", 0.0), beads), left_fixed, right_fixed, gravity,
            toml_text(settings)))

    def run_with_law(self, force: Callable[[float, float, tuple[float, ...]], Any], *,
                     stored_energy: Callable[[float, tuple[float, ...]], float] | None = None, memory: int = 0,
                     progress: ProgressCallback | bool | None = None) -> Run:
        """Runs the whole scenario with a Python function as the law of every contact, in place of the scenario's law: for trying an
        idea on a small chain. It is slow, about a million calls per second, and holds the interpreter lock; tabulate_law() makes a
        table from a function, which is fast.

        force(overlap [m], approach speed [m/s], memory) -> force [N], or (force, next memory). The function is called only for
        closed contacts and must not keep any state itself. `memory` is the number of values that a contact remembers, four at
        most; the function gets them as a tuple. They are zero in a contact that has never closed, and change once per time step.
        stored_energy(overlap, memory) -> [J] is the energy that the contact can return; without it all work of a contact counts as
        dissipated. The time step is that of the scenario. Raises what the function raises, InputError, RunError."""
        for name, function in (("force", force), ("stored_energy", stored_energy)):
            if not callable(function) and not (name == "stored_energy" and function is None):
                raise _beadwave.InputError(f"run_with_law: {name}: is {shown(function)}; expected a function")
        with progress_callback(progress) as callback:
            return _finished(_beadwave.run_with_law(self._job, force, stored_energy, whole_number("memory", memory), callback), None)

    def _step_engine(self, threads: int = 0) -> _beadwave.ChainStepper:
        stepper: _beadwave.ChainStepper = self._first_or_new(_beadwave.ChainStepper, threads)
        return stepper

    def state(self) -> ChainState:
        """The state after run(n), for reading and writing: `with chain.state() as state: state.velocity[5] = 0.1`."""
        return ChainState(self._step_engine())

    @property
    def displacement(self) -> npt.NDArray[np.float64]:
        """Displacement from the start after run(n) [m], one per bead. A read-only view of the engine's memory: it changes with each
        call of run(n)."""
        return self._step_engine().displacement()

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """Velocity after run(n) [m/s], one per bead; a view, like displacement."""
        return self._step_engine().velocity()

    @property
    def contact_force(self) -> npt.NDArray[np.float64]:
        """Contact force after run(n) [N], one per contact, beads + 1; a view, like displacement."""
        return self._step_engine().contact_force()

    def energy(self) -> dict[str, float]:
        """The energy ledger after run(n) [J]: initial, kinetic, stored, dissipated, external_work (including energy added through
        state()), sleep_loss, energy_error; and relative_energy_error, which is divided by the largest entry so far."""
        return self._step_engine().energy()


class Packing(_FixedStepJob):
    """Particles in the plane or in space.

    Packing.load() reads a scenario; Packing(...) makes a packing from arrays, particle 0 first.

    position [m], particles x 3 (in the plane, dimension=2, also particles x 2). radius [m], velocity [m/s] and angular_velocity
    [rad/s], particles x 3: one row per particle, or one value for all (default: at rest). `material`: youngs_modulus [Pa],
    poisson_ratio, density [kg/m^3], yield_stress [Pa]; a wall names it "material". `law`: a name, or a table with its parameters.
    The other arguments are keys of a scenario, such as time={"end": 1e-3} (needed), wall=[{"point": [0, 0, 0], "normal": [0, 0, 1],
    "material": "material"}], friction={"law": "mindlin", "coefficient": 0.3}; keys("packing") describes them. Its histories hold the
    arrays, so `beadwave resume` continues it. Raises InputError.

    >>> import beadwave as bw, numpy as np
    >>> packing = bw.Packing(position=[[0, 0, 0], [0.0201, 0, 0]], radius=0.01, velocity=[[1, 0, 0], [0, 0, 0]], law="hertz",
    ...                      material={"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800}, time={"end": 3e-4})
    >>> float(abs(packing.run().energy.relative_energy_error).max()) < 1e-3
    True
    """

    _body = "particle"

    def __init__(self, position: npt.ArrayLike, radius: npt.ArrayLike, *, velocity: npt.ArrayLike | None = None,
                 angular_velocity: npt.ArrayLike | None = None, material: Mapping[str, Any], law: str | Mapping[str, Any],
                 title: str = "", **tables: Any) -> None:
        centres = _vectors("position", position)
        particles = len(centres)
        columns = [*zip(("x_m", "y_m", "z_m"), centres.T), ("radius_m", _numbers("radius", radius, particles))]
        for name, values, unit in (("velocity", velocity, "v{}_m_per_s"), ("angular_velocity", angular_velocity, "w{}_rad_per_s")):
            if values is not None:
                columns += [(unit.format(axis), column) for axis, column in zip("xyz", _vectors(name, values, particles).T)]
        text = StringIO()
        np.savetxt(text, np.column_stack([column for _, column in columns]), fmt="%.17g", delimiter=",", comments="",
                   header=",".join(name for name, _ in columns))
        settings: dict[str, Any] = {"title": title, "law": {"name": law} if isinstance(law, str) else law,
                                    "material": {"material": material}, "particles": [{"file": "arrays", "material": "material"}]}
        settings |= {name: table for name, table in tables.items() if table is not None}
        super().__init__(_beadwave.load_text(toml_text(settings), "Packing", Path.cwd(), [], {"particles.0.file": text.getvalue()}))

    def _step_engine(self, threads: int = 0) -> _beadwave.PackingStepper:
        stepper: _beadwave.PackingStepper = self._first_or_new(_beadwave.PackingStepper, threads)
        return stepper

    @property
    def displacement(self) -> npt.NDArray[np.float64]:
        """Displacement from the start after run(n) [m], particles x 3; a copy."""
        return self._step_engine().displacement()

    @property
    def velocity(self) -> npt.NDArray[np.float64]:
        """Velocity after run(n) [m/s], particles x 3; a copy."""
        return self._step_engine().velocity()

    @property
    def angular_velocity(self) -> npt.NDArray[np.float64]:
        """Angular velocity after run(n) [rad/s], particles x 3; a copy."""
        return self._step_engine().angular_velocity()

    def energy(self) -> dict[str, float]:
        """The energies after run(n) [J]: kinetic, with its parts translational and rotational; stored; dissipated, with its parts
        normal, friction and rolling; external_work."""
        return self._step_engine().energy()


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
        super().__init__(_beadwave.load_text(toml_text(settings), "Mechanism", Path.cwd(), [], {}))


def load(scenario: Scenario, overrides: Mapping[str, Any] | None = None) -> Job:
    """Reads a scenario and returns a Chain, Packing or Mechanism, according to what it describes; see Job.load()."""
    read = _read(scenario, overrides)
    kind = Job._kinds[read.body]
    job = kind.__new__(kind)
    Job.__init__(job, read)
    return job


def resume(checkpoint: Name, *, output: Name | None = None, threads: int = 0, overwrite: bool = False,
           ignore_disk_space: bool = False, progress: ProgressCallback | bool | None = None) -> Run:
    """Continues an interrupted run from its checkpoint, the file next to its history. The result is the same as without the
    interruption, to the bit. `output`: the file for the history; default: the history of the interrupted run. The other arguments
    are those of Job.run(). Raises InputError, RunError."""
    with progress_callback(progress) as callback:
        done = _beadwave.resume(file_name("checkpoint", checkpoint), file_name("output", output, optional=True),
                                whole_number("threads", threads), overwrite, ignore_disk_space, callback)
    return _finished(done, done.history)


def _vectors(name: str, values: npt.ArrayLike, count: int | None = None) -> npt.NDArray[np.float64]:
    """One row of three components per particle; in the plane two suffice."""
    try:
        vectors = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise _beadwave.InputError(f"{name}: expected numbers ({error})") from error
    if count is not None and vectors.ndim == 1 and vectors.shape[0] in (2, 3):
        vectors = np.tile(vectors, (count, 1))
    if vectors.ndim != 2 or vectors.shape[1] not in (2, 3) or (count is not None and len(vectors) != count):
        rows = "particles" if count is None else count
        raise _beadwave.InputError(f"{name}: has the shape {vectors.shape}; expected {rows} x 3")
    return np.pad(vectors, ((0, 0), (0, 3 - vectors.shape[1])))


def _numbers(name: str, values: npt.ArrayLike, count: int | None = None) -> npt.NDArray[np.float64]:
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise _beadwave.InputError(f"{name}: expected numbers ({error})") from error
    if count is not None and numbers.ndim == 0:
        numbers = np.full(count, float(numbers))
    if numbers.ndim != 1 or (count is not None and len(numbers) != count):
        expected = "a row of numbers" if count is None else f"one number, or a row of {count}"
        raise _beadwave.InputError(f"{name}: has the shape {numbers.shape}; expected {expected}")
    return np.ascontiguousarray(numbers)
