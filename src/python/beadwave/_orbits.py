"""Periodic orbits of chains, their branches, and Lyapunov exponents."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._computed import Computed
from ._modes import _job
from ._progress import ProgressCallback, progress_callback
from ._scenario import Job, Scenario
from ._settings import Name, file_name, set_options, shown, toml_text, whole_number

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]


class Orbit(Computed[_beadwave.OrbitResult]):
    """What `beadwave orbit` finds, as arrays. The state is that at the start of the period: of beads that forces move, then of the
    masses inside beads, from the static equilibrium. Without drive and damping it is a turning point, with all velocities zero."""

    @property
    def displacement(self) -> Floats:
        """[m]."""
        return self._result.displacement

    @property
    def velocity(self) -> Floats:
        """[m/s]."""
        return self._result.velocity

    @property
    def bead(self) -> list[int]:
        """The bead of each number of the state; a mass inside a bead has the number of the bead."""
        return self._result.bead

    @property
    def frequency(self) -> float:
        """[Hz]."""
        return self._result.frequency

    @property
    def periods(self) -> int:
        """Of the drive, after which the orbit repeats."""
        return self._result.periods

    @property
    def speed(self) -> float | None:
        """Of a wave that travels [m/s]; None: an orbit."""
        return self._result.speed

    @property
    def energy(self) -> float:
        """Kinetic and stored at the start of the period, above the rest, less the work of constant loads [J]."""
        return self._result.energy

    @property
    def amplitude(self) -> float:
        """The largest displacement of a bead during the period [m]."""
        return self._result.amplitude

    @property
    def least_overlap(self) -> float:
        """Of all contacts during the period [m]; below zero: contacts open."""
        return self._result.least_overlap

    @property
    def multipliers(self) -> Complexes:
        """Floquet's, largest modulus first [1]."""
        return self._result.multipliers

    @property
    def instabilities(self) -> list[tuple[str, complex]]:
        """The kind ("tangent", "period-doubling", "neimark-sacker"; without damping "real", "period-doubling", "oscillatory") and the
        multiplier of each, largest modulus first."""
        return self._result.instabilities

    @property
    def stable(self) -> bool:
        """Whether there are none."""
        return self._result.stable

    @property
    def periodicity_error(self) -> float:
        """Distance from the start after a period, over the size of the orbit [1]."""
        return self._result.periodicity_error

    @property
    def newton(self) -> Floats:
        """The errors of the steps of Newton's method [1]."""
        return self._result.newton

    def __repr__(self) -> str:
        return (f"<beadwave.Orbit: {self.frequency:.6g} Hz, amplitude {self.amplitude:.4g} m, "
                f"{'stable' if self.stable else 'unstable'}>")


class Branch(Computed[_beadwave.BranchResult]):
    """What `beadwave orbit --continue` finds: one number per orbit, in the order along the branch."""

    @property
    def value(self) -> Floats:
        """Of the key, in its unit."""
        return self._result.value

    @property
    def frequency(self) -> Floats:
        """[Hz]."""
        return self._result.frequency

    @property
    def energy(self) -> Floats:
        """As Orbit.energy [J]."""
        return self._result.energy

    @property
    def amplitude(self) -> Floats:
        """The largest displacement of a bead during the period [m]."""
        return self._result.amplitude

    @property
    def stable(self) -> npt.NDArray[np.bool_]:
        """Whether no multiplier is outside of the unit circle."""
        return self._result.stable

    @property
    def multipliers(self) -> Complexes:
        """Orbits x multipliers, largest modulus first [1]; NaN where those of a very long chain are not known."""
        return self._result.multipliers

    @property
    def periods(self) -> int:
        """Of the drive, after which the orbits repeat."""
        return self._result.periods

    @property
    def bifurcations(self) -> list[dict[str, Any]]:
        """Of each place where the branch turns or its stability changes: kind (also "fold"), value, frequency [Hz], multiplier,
        amplitude [m], energy [J], displacement [m], velocity [m/s], and the number of the orbit before it (after)."""
        return self._result.bifurcations

    @property
    def key(self) -> str:
        """"frequency", or the key of a number of the scenario."""
        return self._result.key

    @property
    def least_overlap(self) -> Floats:
        """Of all contacts during the period [m]; below zero: contacts open."""
        return self._result.least_overlap

    @property
    def displacement(self) -> Floats:
        """Orbits x freedoms, at the start of the period, as Orbit.displacement [m]."""
        return self._result.displacement

    @property
    def velocity(self) -> Floats:
        """Orbits x freedoms, at the start of the period [m/s]."""
        return self._result.velocity

    @property
    def bead(self) -> list[int]:
        """As Orbit.bead."""
        return self._result.bead

    @property
    def motion(self) -> Floats:
        """Orbits x times x beads, displacements at equal times of one period [m]; without a file there are none."""
        return self._result.motion

    @property
    def resumed(self) -> int:
        """How many orbits an earlier, stopped continuation had found."""
        return self._result.resumed

    @classmethod
    def load(cls, file: Name) -> Branch:
        """The branch of a file that `beadwave orbit --continue -o` or continuation() wrote. Raises InputError."""
        return cls(_beadwave.read_branch(file_name("file", file)))

    @property
    def ended(self) -> str:
        """Why the branch ends early; empty: it reached the end of the range."""
        return self._result.ended

    def __repr__(self) -> str:
        return f"<beadwave.Branch: {len(self.value)} orbits, {len(self.bifurcations)} bifurcations>"


class Lyapunov(Computed[_beadwave.LyapunovResult]):
    """What `beadwave orbit --lyapunov` finds."""

    @property
    def exponents(self) -> Floats:
        """Largest first [1/s]."""
        return self._result.exponents

    @property
    def standard_errors(self) -> Floats:
        """Of these [1/s]."""
        return self._result.standard_errors

    @property
    def largest_of_starts(self) -> Floats:
        """The largest exponent of each start [1/s]."""
        return self._result.largest_of_starts

    @property
    def frequency(self) -> float:
        """Whose period the sums are taken over [Hz]."""
        return self._result.frequency

    @property
    def least_overlap(self) -> float:
        """Of all contacts at any time [m]; below zero: contacts open."""
        return self._result.least_overlap

    def __repr__(self) -> str:
        return f"<beadwave.Lyapunov: {self.exponents[0]:.6g} +- {self.standard_errors[0]:.2g} 1/s>"


Guess = int | str | PathLike[str] | Orbit | tuple[Sequence[float] | Floats, Sequence[float] | Floats]


def _numbers(values: Any) -> list[float]:
    try:
        return [float(value) for value in values]
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"guess: has {shown(values)}; expected displacements in m and velocities in m/s") from None


def _search(name: str, frequency: float | None, guess: Guess | None, which: int, steps: int,
            periods: int = 0) -> _beadwave.OrbitSearch:
    text, displacement, velocity = "", [], []
    if isinstance(guess, Orbit):
        displacement, velocity = _numbers(guess.displacement), _numbers(guess.velocity)
    elif isinstance(guess, tuple) and len(guess) == 2:
        displacement, velocity = _numbers(guess[0]), _numbers(guess[1])
    elif isinstance(guess, str) and (guess == "zero" or guess.startswith(("mode:", "history:"))):
        text = guess
    elif isinstance(guess, (str, PathLike)):
        text = f"history:{Path(guess)}"
    elif guess is not None:
        text = f"mode:{whole_number('guess', guess)}"
    return _beadwave.OrbitSearch(name, None if frequency is None else float(frequency), text, displacement, velocity,
                                 whole_number("which", which, 1), whole_number("steps", steps), whole_number("periods", periods))


def orbit(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *, frequency: float | None = None,
          guess: Guess | None = None, which: int = 1, steps: int = 0, accuracy: float = 0.0, output: Name | None = None,
          overwrite: bool = False, travelling: int = 0, periods: int = 1) -> Orbit:
    """A periodic orbit of a chain, with its stability; or a wave that keeps its shape.

    `scenario`: a file, a dictionary, or a Chain. `frequency`: of the orbit and, if something drives the chain, of the drive [Hz]; by
    default that of the drive. `guess`: where the search begins, the number of a linear mode, the name of a history or of an orbit's
    file, an Orbit, (displacements, velocities), or "zero", the rest of a driven chain; by default it is chosen. `which`: of several
    orbits of this frequency, in the order of the search. `steps`: the orbit of this number of steps per period; by default it is
    extrapolated until the state changes by less than `accuracy` (1e-9, of chains up to 16 beads 1e-11). `output`: a file for the
    orbit, a history of one period. `travelling`: a wave that is so many beads further on after each period, 1 of equal beads.
    `periods`: of the drive, after which the orbit repeats; its frequency is that part of the drive's.
    Ctrl-C ends the search with KeyboardInterrupt. Raises InputError, RunError.

    >>> import beadwave as bw
    >>> steel = {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 7850}
    >>> bead = {"material": {"steel": steel}, "segment": [{"beads": 1, "radius": 5e-3, "material": "steel"}],
    ...         "boundary": {"left": "wall", "right": "wall"}, "law": {"name": "hertz"}, "time": {"end": 1e-3},
    ...         "precompression": {"force": 20.0}}
    >>> bw.orbit(bead, frequency=14954.699546)
    <beadwave.Orbit: 14954.7 Hz, amplitude 1.588e-06 m, stable>
    """
    job, name = _job(scenario, overrides)
    return Orbit(_beadwave.orbit(job._job, _search(name, frequency, guess, which, steps, whole_number("periods", periods, 1)),
                                 whole_number("travelling", travelling), float(accuracy),
                                 file_name("output", output, optional=True), bool(overwrite)))


def lyapunov(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *, frequency: float | None = None,
             guess: Guess | None = None, exponents: int = 0, starts: int = 0, periods: int = 0, transient: int | None = None,
             seed: int = 0, steps: int = 0) -> Lyapunov:
    """The largest Lyapunov exponents of a chain's motion, with their standard errors.

    `frequency`: that of the drive by default; of a chain that nothing drives, that over whose period the sums are taken [Hz].
    `guess`: where the motion starts, as of orbit(); by default as the scenario does. `exponents`: how many (4). `starts`: how many
    starts are averaged, the first one and others that random numbers with this `seed` change (16 if there is damping and no guess,
    otherwise 1). `periods`: of each start (6400 in all), after `transient` (100) others. `steps`: of a period. Ctrl-C ends it with
    KeyboardInterrupt. Raises InputError, RunError."""
    job, name = _job(scenario, overrides)
    return Lyapunov(_beadwave.lyapunov(job._job, _search(name, frequency, guess, 1, steps), whole_number("exponents", exponents),
                                       whole_number("starts", starts), whole_number("periods", periods),
                                       None if transient is None else whole_number("transient", transient),
                                       whole_number("seed", seed)))


def continuation(scenario: Scenario | Job, key: str, values: tuple[float, float], overrides: Mapping[str, Any] | None = None, *,
                 frequency: float | None = None, guess: Guess | None = None, which: int = 1, steps: int = 0,
                 points: int = 0, periods: int = 1, switch: int = 0, output: Name | None = None, overwrite: bool = False,
                 progress: ProgressCallback | bool | None = None) -> Branch:
    """The branch of orbits of a chain along "frequency", or the dotted key of a number of the scenario, through folds, with its
    bifurcations. `values`: of the key, from and to. `scenario`: a file or a dictionary; a Chain along "frequency". `steps`: of a
    period (1024). `points`: the most orbits (1000). `switch`: in place of the branch that which leaves it at its bifurcation of this
    number, from 1, where a period doubles or a symmetry breaks; -1: in the opposite direction there. `output`: a file for the branch;
    what was stopped or killed before it was complete goes on when the same is asked for again, unless `overwrite`. `progress`: a
    function of (orbits so far, the most that there can be, seconds). The other arguments are those of orbit(). Ctrl-C ends it with
    KeyboardInterrupt. Raises InputError, RunError."""
    try:
        first, last = (float(value) for value in values)
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"values: is {shown(values)}; expected (from, to)") from None
    if not isinstance(key, str):
        raise _beadwave.InputError(f"key: is {shown(key)}; expected \"frequency\" or the key of a number")
    read: Any
    name = "scenario" if isinstance(scenario, (Job, Mapping)) else str(scenario)
    if isinstance(scenario, Job):
        read = _job(scenario, overrides)[0]._job
    elif isinstance(scenario, Mapping):
        read = toml_text(scenario)
    else:
        read = file_name("scenario", scenario)
    path = file_name("output", output, optional=True)
    with progress_callback(progress) as callback:
        return Branch(_beadwave.continuation(read, isinstance(scenario, Mapping), set_options(overrides),
                                             _search(name, frequency, guess, which, steps, whole_number("periods", periods, 1)),
                                             f"{key}={first!r}:{last!r}",
                                             whole_number("points", points), whole_number("switch", switch, -1000),
                                             _beadwave.BranchOutput(path, bool(overwrite), callback)))
