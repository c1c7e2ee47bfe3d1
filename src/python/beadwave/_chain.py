"""Chains: beads in a row."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._progress import ProgressCallback, progress_callback
from ._recorded import Run
from ._scenario import finished
from ._chain_toml import chain_toml
from ._settings import shown, toml_text, whole_number
from ._stepped import FixedStepJob, Force
from ._values import numbers, quaternions, vectors

Floats = npt.NDArray[np.float64]


class ChainState:
    """The state of a chain between two calls of run(n), as arrays. `velocity` may be written until the `with` block ends; the ledger
    counts the energy that this adds as external work."""

    def __init__(self, stepper: _beadwave.ChainStepper) -> None:
        self._stepper = stepper
        self._velocity: Floats | None = None

    @property
    def velocity(self) -> Floats:
        """[m/s], one per bead."""
        if self._velocity is None:
            raise _beadwave.RunError("the state is closed; open it with `with chain.state() as state:`")
        return self._velocity

    @property
    def displacement(self) -> Floats:
        """Displacement from the start [m], one per bead; read-only."""
        return self._stepper.displacement()

    @property
    def contact_force(self) -> Floats:
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


def _sizes(radius: npt.ArrayLike | None, mass: npt.ArrayLike, semi_axes: npt.ArrayLike | None, orientation: npt.ArrayLike | None,
           angle: npt.ArrayLike | None) -> tuple[Floats, dict[str, Floats]]:
    """Radii of spheres; of ellipsoids zeros, and what gives their shapes."""
    if (radius is None) == (semi_axes is None):
        raise _beadwave.InputError("Chain: expected either radius, of spheres, or semi_axes, of ellipsoids")
    if semi_axes is None:
        for name, value in (("orientation", orientation), ("angle", angle)):
            if value is not None:
                raise _beadwave.InputError(f"Chain: {name} is of ellipsoids; expected semi_axes too")
        return numbers("radius", radius if radius is not None else []), {}
    # One row is that of all beads: their number is that of the masses.
    beads = max(np.size(mass), np.shape(semi_axes)[0] if np.ndim(semi_axes) == 2 else 1)
    shape = {"semi_axes": vectors("semi_axes", semi_axes, beads)}
    if orientation is not None:
        shape["orientation"] = quaternions("orientation", orientation, beads)
    if angle is not None:
        shape["angle"] = numbers("angle", angle, beads)
    return np.zeros(beads), shape


class Chain(FixedStepJob):
    """Beads in a row.

    Chain.load() reads a scenario; Chain(...) makes a chain from arrays with one number per bead, bead 0 first.

    radius [m], mass [kg], velocity [m/s] (default: at rest). Ellipsoids have `semi_axes` [m], beads x 3 or one row for all, in place of radius;
    `orientation`, beads x 4: unit quaternions, scalar first, that turn vectors of the body into space, where the chain is along x (default: the
    first semi-axis is along it); `angle` [rad], by which each is turned about the chain from the one before it, besides. gap [m], one per contact, beads + 1: a negative gap is a compressed
    contact, an infinite gap at an end means that there is no wall (default: beads just touch, no walls). `material`: youngs_modulus
    [Pa], poisson_ratio, yield_stress [Pa], bulk_viscosity and shear_viscosity [Pa s], each one number or one per bead; a wall has the material of the end bead. `law`: a name,
    or a table with its parameters, each one number or one per contact, beads + 1. The other arguments, `title` and `tables`, are keys of a scenario, such as time={"end": 1e-3} (needed)
    and sensors={"beads": [5]}; keys("chain") describes them. What beads carry are lists of tables, such as
    resonator=[{"beads": [0, 4], "mass": 1e-4, "stiffness": 1e5}]. The chain starts exactly as the arrays give it; only
    pair_force=[{..., "equilibrium": True}] moves the beads to where all forces balance. Raises InputError.

    >>> import beadwave as bw, numpy as np
    >>> chain = bw.Chain(radius=np.full(10, 0.01), mass=np.full(10, 0.03), velocity=[1.0] + 9 * [0.0], law="hertz",
    ...                  material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, time={"end": 2e-4}, sensors={"beads": [5]})
    >>> run = chain.run()
    >>> float(abs(run.energy.relative_energy_error).max()) < 1e-3
    True
    """

    _body = "bead"

    def __init__(self, radius: npt.ArrayLike | None = None, mass: npt.ArrayLike | None = None, *, velocity: npt.ArrayLike | None = None,
                 semi_axes: npt.ArrayLike | None = None, orientation: npt.ArrayLike | None = None, angle: npt.ArrayLike | None = None,
                 gap: npt.ArrayLike | None = None, material: Mapping[str, Any], law: str | Mapping[str, Any],
                 left_fixed: bool = False, right_fixed: bool = False, gravity: float = 0.0, title: str = "",
                 **tables: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None) -> None:
        if mass is None:
            raise _beadwave.InputError("Chain: mass is missing; expected one number per bead, in kg")
        radii, shape = _sizes(radius, mass, semi_axes, orientation, angle)
        beads = len(radii)
        optional = ("yield_stress", "bulk_viscosity", "shear_viscosity")
        unknown = set(material) - {"youngs_modulus", "poisson_ratio", *optional}
        if unknown or "youngs_modulus" not in material or "poisson_ratio" not in material:
            raise _beadwave.InputError(f"material: expected youngs_modulus, poisson_ratio and, optionally, {', '.join(optional)}; found "
                                       + ", ".join(material))
        given: dict[str, Any] = {"name": law} if isinstance(law, str) else dict(law)
        own = {name: numbers(f"law.{name}", value, beads + 1) for name, value in given.items()
               if not isinstance(value, str) and np.ndim(value) > 0}
        settings: dict[str, Any] = {"title": title, "law": given | {name: float(values[0]) for name, values in own.items()}}
        settings |= {name: table for name, table in tables.items() if table is not None}
        yields, bulk, shear = (numbers(f"material.{name}", material.get(name, 0.0), beads) for name in optional)
        self._arrays = {"radius": radii, "shape": shape, "mass": numbers("mass", mass, beads),
                        "velocity": numbers("velocity", 0.0 if velocity is None else velocity, beads),
                        "gap": None if gap is None else numbers("gap", gap, beads + 1), "gravity": gravity, "own": own, "settings": settings,
                        "fixed": (left_fixed, right_fixed), "material": {name: numbers(f"material.{name}", value, beads)
                                                                         for name, value in material.items()}}
        self._adopt(_beadwave.chain_of(
            radii, numbers("mass", mass, beads), numbers("velocity", 0.0 if velocity is None else velocity, beads),
            np.empty(0) if gap is None else numbers("gap", gap, beads + 1),
            numbers("material.youngs_modulus", material["youngs_modulus"], beads),
            numbers("material.poisson_ratio", material["poisson_ratio"], beads),
            yields, bulk, shear, left_fixed, right_fixed, gravity, toml_text(settings), own,
            {name: np.ascontiguousarray(values).ravel() for name, values in shape.items()}))

    def to_toml(self) -> str:
        """The scenario: of a chain from arrays one segment per bead, with its numbers to the last digit. Raises InputError for what a
        scenario cannot say: parameters of a law per contact, and walls that overlap their bead at the start."""
        arrays = vars(self).get("_arrays")
        return super().to_toml() if arrays is None else chain_toml(arrays)

    def copy(self) -> Chain:
        """Another object of the same system, with the same observables."""
        twin = super().copy()
        if "_arrays" in vars(self):
            twin._arrays = self._arrays
        return twin

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
        if self._forces or self._actions:
            raise _beadwave.InputError("run_with_law: external forces and actions of every() do not act here; remove() them")
        if self._observables:
            raise _beadwave.InputError("run_with_law: does not call observables of observe(); unobserve() them")
        with progress_callback(progress) as callback:
            return finished(_beadwave.run_with_law(self._job, force, stored_energy, whole_number("memory", memory), callback), None)

    def _make_stepper(self, threads: int) -> _beadwave.ChainStepper:
        return _beadwave.ChainStepper(self._job, threads)

    def state(self) -> ChainState:
        """The state after run(n), for reading and writing: `with chain.state() as state: state.velocity[5] = 0.1`."""
        return ChainState(self._steps())

    @property
    def displacement(self) -> Floats:
        """Displacement from the start after run(n) [m], one per bead. A read-only view of the engine's memory: it changes with each
        call of run(n)."""
        column: Floats = self._steps().displacement()
        return column

    @property
    def velocity(self) -> Floats:
        """Velocity after run(n) [m/s], one per bead; a view, like displacement."""
        column: Floats = self._steps().velocity()
        return column

    @property
    def contact_force(self) -> Floats:
        """Contact force after run(n) [N], one per contact, beads + 1; a view, like displacement."""
        column: Floats = self._steps().contact_force()
        return column

    def external_force(self, beads: Sequence[int] | int | None = None) -> Callable[[Force], Force]:
        """Adds a force on beads, as a function of time and state. It stays until remove(). Returns a decorator:

            @chain.external_force(beads=[0])
            def drive(time, displacement, velocity):
                return 5.0 * np.sin(2e4 * time)

        The function gets the time [s] and, in the order of `beads` (default: all), displacements from the start [m] and velocities
        [m/s]. It returns the force [N] towards higher bead numbers, one for all of these beads or one each. It is called once per step,
        with the state at its end, in run(n) and in run(). As in any velocity Verlet step, half of the force at the old step and half of
        that at the new one act in between, so the run stays of second order. (The velocity of the call is predicted with the
        old force.) The ledger counts the work as external_work. A bead that is held fixed does not move. Raises InputError; what the
        function raises ends the run."""
        return self._external_force("beads", beads)

    @property
    def gap(self) -> Floats:
        """Gaps at the start [m], one per contact, beads + 1; negative: compressed; infinite: never closes. Read-only."""
        gaps: Floats = self._constant("gap")
        return gaps

    @property
    def position(self) -> Floats:
        """Positions of the centres after run(n) [m], one per bead; bead 0 starts at 0. A copy."""
        centres: Floats = self._position()
        return centres
