"""Packings: particles in the plane or in space."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._settings import toml_text
from ._stepped import FixedStepJob, Force
from ._values import numbers, pairs, quaternions, vectors

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contacts:
    """The closed contacts of a packing (overlap above 0), one row each, ordered by `pair`."""

    pair: npt.NDArray[np.int64]
    """Contacts x 2: a particle, and a second particle with a higher number. Numbers from the number of particles on are walls."""
    overlap: Floats
    """[m]"""
    point: Floats
    """Contacts x 3: where the forces act, from the centre of the first particle [m]."""
    branch: Floats
    """Contacts x 3: from the centre of the first particle to that of the second, or to the surface of the wall [m]."""
    normal_force: Floats
    """Contacts x 3, on the first particle [N]; on the second acts the opposite."""
    tangential_force: Floats
    """Contacts x 3, on the first particle [N]."""

    def __len__(self) -> int:
        return len(self.pair)

    def __repr__(self) -> str:
        return f"<{len(self)} contacts: {', '.join(field.name for field in fields(self))}>"


@dataclass(frozen=True, eq=False)
class Region:
    """The cuboid over which stress() averages. Along each axis it is bounded by the periodic box, else by plane walls across this axis,
    else by the outermost surfaces of the particles. In the plane its thickness is the largest diameter."""

    lower: Floats
    """Its corner with the lowest coordinates [m], three."""
    upper: Floats
    """Its corner with the highest coordinates [m], three."""
    bounds: tuple[tuple[str, str], ...]
    """For each axis what bounds it below and above: "box", "wall", "particles" or, across the plane, "thickness"."""

    @property
    def volume(self) -> float:
        """[m^3]"""
        return float(np.prod(self.upper - self.lower))


class PackingState:
    """The state of a packing between two calls of run(n). `velocity` and `angular_velocity` may be written until the `with` block ends.
    They are copies, because the engine keeps its particles in an order of its own; the end of the block gives them back. The ledger
    counts the kinetic energy that this adds as external work."""

    def __init__(self, packing: Packing, stepper: _beadwave.PackingStepper) -> None:
        self._packing = packing
        self._stepper = stepper
        self._open: tuple[Floats, Floats] | None = None

    def _written(self) -> tuple[Floats, Floats]:
        if self._open is None:
            raise _beadwave.RunError("the state is closed; open it with `with packing.state() as state:`")
        return self._open

    @property
    def velocity(self) -> Floats:
        """[m/s], particles x 3."""
        return self._written()[0]

    @velocity.setter
    def velocity(self, values: npt.ArrayLike) -> None:
        self.velocity[...] = values

    @property
    def angular_velocity(self) -> Floats:
        """[rad/s], particles x 3."""
        return self._written()[1]

    @angular_velocity.setter
    def angular_velocity(self, values: npt.ArrayLike) -> None:
        self.angular_velocity[...] = values

    @property
    def displacement(self) -> Floats:
        """Displacement from the start [m], particles x 3; a copy, which is not given back."""
        return self._stepper.displacement()

    @property
    def position(self) -> Floats:
        """Centres [m], particles x 3; a copy, which is not given back."""
        return self._packing.position

    def __enter__(self) -> PackingState:
        self._stepper.open()
        self._open = (self._stepper.velocity(), self._stepper.angular_velocity())
        return self

    def __exit__(self, *error: object) -> None:
        velocity, angular_velocity = self._written()
        self._open = None
        velocity.setflags(write=False)
        angular_velocity.setflags(write=False)
        self._stepper.close(velocity, angular_velocity)


class Packing(FixedStepJob):
    """Particles in the plane or in space.

    Packing.load() reads a scenario; Packing(...) makes a packing from arrays, particle 0 first.

    position [m], particles x 3 (in the plane, dimension=2, also particles x 2). radius [m], velocity [m/s] and angular_velocity
    [rad/s], particles x 3: one row per particle, or one value for all (default: at rest). `semi_axes` [m], particles x 3 or one row for
    all, makes ellipsoids, then without radius, and with `exponents` [n2, n1], particles x 2 or one row for all, superellipsoids;
    `orientation`, particles x 4 or one row for all, turns them: unit quaternions, scalar first, body to space. `material`: youngs_modulus [Pa],
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
    _width = 3

    def __init__(self, position: npt.ArrayLike, radius: npt.ArrayLike | None = None, *, velocity: npt.ArrayLike | None = None,
                 angular_velocity: npt.ArrayLike | None = None, semi_axes: npt.ArrayLike | None = None,
                 exponents: npt.ArrayLike | None = None, orientation: npt.ArrayLike | None = None, material: Mapping[str, Any],
                 law: str | Mapping[str, Any], title: str = "", **tables: Any) -> None:
        centres = vectors("position", position)
        particles = len(centres)
        columns = [*zip(("x_m", "y_m", "z_m"), centres.T)]
        group: dict[str, Any] = {"file": "arrays", "material": "material"}
        if radius is not None and semi_axes is None:
            columns.append(("radius_m", numbers("radius", radius, particles)))
        elif radius is not None or semi_axes is None:
            raise _beadwave.InputError("Packing: expected either radius, of spheres, or semi_axes, of ellipsoids")
        else:
            group["shape"] = "ellipsoid"
            columns += zip(("a_m", "b_m", "c_m"), vectors("semi_axes", semi_axes, particles).T)
        if exponents is not None:
            if semi_axes is None:
                raise _beadwave.InputError("Packing: exponents are of superellipsoids; expected semi_axes too")
            group["shape"] = "superellipsoid"
            columns += zip(("n2", "n1"), pairs("exponents", exponents, particles).T)
        if orientation is not None:
            if semi_axes is None:
                raise _beadwave.InputError("Packing: orientation is of ellipsoids; expected semi_axes too")
            columns += zip(("qw", "qx", "qy", "qz"), quaternions("orientation", orientation, particles).T)
        for name, values, unit in (("velocity", velocity, "v{}_m_per_s"), ("angular_velocity", angular_velocity, "w{}_rad_per_s")):
            if values is not None:
                columns += [(unit.format(axis), column) for axis, column in zip("xyz", vectors(name, values, particles).T)]
        text = StringIO()
        np.savetxt(text, np.column_stack([column for _, column in columns]), fmt="%.17g", delimiter=",", comments="",
                   header=",".join(name for name, _ in columns))
        settings: dict[str, Any] = {"title": title, "law": {"name": law} if isinstance(law, str) else law,
                                    "material": {"material": material}, "particles": [group]}
        settings |= {name: table for name, table in tables.items() if table is not None}
        self._adopt(_beadwave.load_text(toml_text(settings), "Packing", Path.cwd(), [], {"particles.0.file": text.getvalue()}))

    def _make_stepper(self, threads: int) -> _beadwave.PackingStepper:
        return _beadwave.PackingStepper(self._job, threads)

    def state(self) -> PackingState:
        """The state after run(n), for reading and writing: `with packing.state() as state: state.velocity[5] = [0.1, 0, 0]`."""
        return PackingState(self, self._steps())

    @property
    def displacement(self) -> Floats:
        """Displacement from the start after run(n) [m], particles x 3; a copy."""
        column: Floats = self._steps().displacement()
        return column

    @property
    def position(self) -> Floats:
        """Centres after run(n) [m], particles x 3; a copy. They are not moved back into a periodic box."""
        centres: Floats = self._position()
        return centres

    @property
    def velocity(self) -> Floats:
        """Velocity after run(n) [m/s], particles x 3; a copy."""
        column: Floats = self._steps().velocity()
        return column

    @property
    def angular_velocity(self) -> Floats:
        """Angular velocity after run(n) [rad/s], particles x 3; a copy."""
        column: Floats = self._steps().angular_velocity()
        return column

    @property
    def orientation(self) -> Floats:
        """Orientation of ellipsoids and clumps after run(n), unit quaternions, scalar first, body to space: particles x 4; of spheres 0 x 4;
        a copy."""
        column: Floats = self._steps().orientation()
        return column

    @property
    def temperature(self) -> Floats:
        """Temperature of each particle after run(n) [K]; without [heat] empty; a copy."""
        column: Floats = self._steps().temperature()
        return column

    @property
    def semi_axes(self) -> Floats:
        """Semi-axes of ellipsoids along x, y and z of the body [m], particles x 3; of spheres 0 x 3; read-only."""
        axes: Floats = self._constant("semi_axes")
        return axes

    @property
    def exponents(self) -> Floats:
        """Exponents [n2, n1] of superellipsoids, particles x 2, 2 of all others; without superellipsoids 0 x 2; read-only."""
        numbers_of_all: Floats = self._constant("exponents")
        return numbers_of_all

    @property
    def presence(self) -> npt.NDArray[np.int8]:
        """Of each particle after run(n) 0: it waits to be poured, 1: it is there, 2: it left; a copy."""
        column: npt.NDArray[np.int8] = self._steps().presence()
        return column

    @property
    def drive_force(self) -> Floats:
        """Force of each [[drive]] on its particle after run(n) [N], drives x 3, 0 along free axes; a copy.

        Forces of add_force are not in it: the drive holds against them too."""
        column: Floats = self._steps().drive_force()
        return column

    @property
    def drive_torque(self) -> Floats:
        """Torque of each [[drive]] on its particle after run(n) [N m], drives x 3, 0 without `rotation`; a copy."""
        column: Floats = self._steps().drive_torque()
        return column

    @property
    def inertia(self) -> Floats:
        """Moments of inertia about a diameter [kg m^2], one per particle; of packings with ellipsoids about the axes of the body,
        particles x 3; read-only."""
        moments: Floats = self._constant("inertia")
        return moments

    def external_force(self, particles: Sequence[int] | int | None = None) -> Callable[[Force], Force]:
        """Adds a force on the centres of particles, as a function of time and state. It stays until remove(). Returns a decorator:

            @packing.external_force(particles=[0])
            def lift(time, displacement, velocity):
                return [0.0, 0.0, 2.0]

        The function gets the time [s] and, in the order of `particles` (default: all), displacements from the start [m] and velocities
        [m/s], particles x 3. It returns the force [N], three components for all of these particles or particles x 3. It is called once
        per step, with the state at its end, in run(n) and in run(). As in any velocity Verlet step, half of the force at the old
        step and half of that at the new one act in between, so the run stays of second order. (The velocity of the call is predicted
        with the old force.) The ledger counts the work as external_work. Raises InputError; what the function raises ends the run."""
        return self._external_force("particles", particles)

    def contacts(self) -> Contacts:
        """The closed contacts after run(n), as arrays."""
        return Contacts(**self._steps().contacts())

    def coordination(self) -> npt.NDArray[np.int64]:
        """The number of closed contacts of each particle after run(n), those with walls included. Its mean is the coordination
        number of the packing, if all particles are there (presence)."""
        count = len(self.radius)
        pair = self.contacts().pair
        return np.bincount(pair[pair < count], minlength=count)

    def _present(self) -> npt.NDArray[np.bool_]:
        """Those that are there; all, if none is."""
        present: npt.NDArray[np.bool_] = np.equal(self.presence, 1)
        every: npt.NDArray[np.bool_] = np.ones(len(present), np.bool_)
        return present if present.any() else every

    def region(self) -> Region:
        """The cuboid over which stress() averages after run(n), and what bounds it."""
        lower, upper = np.array(self._constant("box"))
        periodic = self._constant("periodic")
        with self._turn:  # one state, also if another thread runs steps
            present = self._present()
            position, radius = self.position[present], self.radius[present][:, None]
            points, normals = self._steps().walls()
            edges = self._steps().box()[0]
        bounds: list[tuple[str, str]] = []
        for axis in range(3):
            if self._constant("dimension") == 2 and axis == 2:
                lower[axis], upper[axis] = -self.radius.max(), self.radius.max()
                bounds.append(("thickness", "thickness"))
                continue
            if periodic[axis]:
                if edges[axis, axis] != upper[axis] - lower[axis]:  # it strains
                    upper[axis] = lower[axis] + edges[axis, axis]
                bounds.append(("box", "box"))
                continue
            across = np.abs(np.delete(normals, axis, axis=1)).max(axis=1, initial=0.0) < 1e-9
            below = points[across & (normals[:, axis] > 0.0), axis]
            above = points[across & (normals[:, axis] < 0.0), axis]
            lower[axis] = below.max() if len(below) else (position - radius)[:, axis].min()
            upper[axis] = above.min() if len(above) else (position + radius)[:, axis].max()
            bounds.append(("wall" if len(below) else "particles", "wall" if len(above) else "particles"))
        return Region(lower, upper, tuple(bounds))

    @property
    def box(self) -> Floats:
        """The edges of the periodic box after run(n) [m], one per row, with all of its tilt; 1 along an axis that is not periodic."""
        edges: Floats = self._steps().box()[0]
        return edges

    def stress(self, *, volume: float | None = None, kinetic: bool = False) -> Floats:
        """The mean stress after run(n) [Pa], 3 x 3, negative in compression (Love and Weber): the sum over all contacts, those with
        walls included, and all intact bonds, of branch times force on the first body, over the volume. `volume` [m^3]: by default that of region(); for a
        packing that does not fill this cuboid give your own. `kinetic`: also minus the sum of mass times velocity times velocity,
        relative to the mean velocity and to the affine motion of a box that strains, over the volume. Love-Weber's stress is that of the region if the contacts are in balance."""
        with self._turn:  # one state, also if another thread runs steps
            present = self._present()
            contacts, velocity, mass = self.contacts(), self.velocity[present], self.mass[present]
            bonds = self._steps().bonds()
            (edges, rate), place = self._steps().box(), self.position[present] - np.array(self._constant("box"))[0]
            averaged = self.region().volume if volume is None else float(volume)
        total: Floats = np.einsum("ci,cj->ij", contacts.branch, contacts.normal_force + contacts.tangential_force)
        total = total + np.einsum("bi,bj->ij", bonds["branch"], bonds["force"])
        if kinetic:
            own = velocity - np.linalg.solve(edges.T, place.T).T @ rate
            fluctuation = own - mass @ own / mass.sum()
            total = total - np.einsum("p,pi,pj->ij", mass, fluctuation, fluctuation)
        if not averaged > 0.0:
            raise _beadwave.InputError(f"stress: the volume is {averaged:.6g} m^3; expected a volume above 0")
        return total / averaged
