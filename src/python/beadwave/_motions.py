"""Basins of attraction and Poincare sections of chains."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._computed import Computed
from ._modes import _job
from ._orbits import Guess, _search
from ._progress import ProgressCallback, progress_callback
from ._scenario import Job, Scenario
from ._settings import Name, file_name, shown, whole_number

Floats = npt.NDArray[np.float64]
Range = tuple[float, float]


class Basins(Computed[_beadwave.BasinsResult]):
    """What `beadwave orbit --basins` finds: a table of starts, one row per value of the second axis, one column per value of the first."""

    @property
    def axes(self) -> list[tuple[str, Floats]]:
        """The name of each axis, "displacement" [m], "velocity" [m/s], "frequency" [Hz] or "drive" [1], and its values."""
        return self._result.axes

    @property
    def along(self) -> str:
        """What starts displaced: "bead 5", or a mode."""
        return self._result.along

    @property
    def frequency(self) -> float:
        """Of the drive, unless it is an axis [Hz]."""
        return self._result.frequency

    @property
    def attractor(self) -> npt.NDArray[np.int64]:
        """The number of the attractor that each start reaches."""
        return self._result.attractor.astype(np.int64)

    @property
    def amplitude(self) -> Floats:
        """The largest displacement of a bead at the end [m]."""
        return self._result.amplitude

    @property
    def periods(self) -> npt.NDArray[np.int64]:
        """Periods of the drive until each motion had settled."""
        return self._result.periods

    @property
    def attractors(self) -> list[dict[str, Any]]:
        """Of each attractor: kind ("periodic", "chaotic", "not settled"), period in periods of the drive, starts that reach it, amplitude
        [m], and of periodic ones displacement [m] and velocity [m/s] at the start of each period, and multipliers."""
        return self._result.attractors

    def __repr__(self) -> str:
        kinds = [f"period {one['period']}" if one["period"] else one["kind"] for one in self.attractors]
        return f"<beadwave.Basins: {self.attractor.size} starts, {len(kinds)} attractors: {', '.join(kinds)}>"


class Section(Computed[_beadwave.SectionsResult]):
    """What `beadwave orbit --poincare` finds: starts x points."""

    @property
    def displacement(self) -> Floats:
        """Of the bead [m]."""
        return self._result.displacement

    @property
    def velocity(self) -> Floats:
        """Of the bead [m/s]."""
        return self._result.velocity

    @property
    def time(self) -> Floats:
        """[s]."""
        return self._result.time

    @property
    def bead(self) -> int:
        """Whose displacement and velocity the points are."""
        return self._result.bead

    @property
    def section(self) -> int | None:
        """The bead whose velocity passes zero at the points; None: they are one period of the drive apart."""
        return self._result.section

    @property
    def frequency(self) -> float:
        """Of the drive [Hz]; 0: nothing drives the chain."""
        return self._result.frequency

    def __repr__(self) -> str:
        starts, points = self.displacement.shape
        return f"<beadwave.Section: {points} points of bead {self.bead} from {starts} start{'' if starts == 1 else 's'}>"


def _axis(name: str, values: Range) -> str:
    try:
        first, last = (float(value) for value in values)
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"{name}: is {shown(values)}; expected (from, to)") from None
    return f"{name}={first!r}:{last!r}"


def _number(name: str, value: int | None) -> int | None:
    return None if value is None else whole_number(name, value)


def basins(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *, displacement: Range | None = None,
           velocity: Range | None = None, frequency: float | Range | None = None, drive: Range | None = None,
           grid: int | tuple[int, int] = 24, bead: int | None = None, mode: int | None = None, guess: Guess | None = None,
           periods: int = 0, transient: int | None = None, steps: int = 0, threads: int = 0, output: Name | None = None,
           overwrite: bool = False, progress: ProgressCallback | bool | None = None) -> Basins:
    """Which of several states the starts of a grid reach, in a chain that is driven and damped.

    One or two axes, in this order: `displacement` [m] and `velocity` [m/s] of a `bead` (the middle one) or along a linear `mode`,
    added to the start of the scenario or of a `guess`; `frequency` [Hz] of the drive; `drive`, a factor of its amplitudes. Each is
    (from, to); a number for `frequency` is that of all starts. `grid`: starts along each axis. A motion has settled when the state at
    the start of a period of the drive comes back after one or several periods; it has `periods` (1000) for it, the first `transient`
    (20) of which are not looked at. `steps`: of a period. `threads`: 0 takes all. `progress`: a function of (starts done, 0, seconds).
    The other arguments are those of orbit(). Ctrl-C ends it with KeyboardInterrupt. Raises InputError, RunError."""
    given: dict[str, Any] = {"displacement": displacement, "velocity": velocity, "drive": drive}
    single: float | None = None
    if isinstance(frequency, (int, float)) or frequency is None:
        single = frequency
    else:
        given["frequency"] = frequency
    axes = [_axis(name, values) for name, values in given.items() if values is not None]
    if not axes:
        raise _beadwave.InputError("basins: has no axis; expected displacement, velocity, frequency or drive = (from, to)")
    if isinstance(grid, tuple):
        size = ",".join(str(whole_number("grid", count, 1)) for count in grid)
    else:
        size = str(whole_number("grid", grid, 1))
    job, name = _job(scenario, overrides)
    place = _beadwave.FileOutput(file_name("output", output, optional=True), bool(overwrite))
    with progress_callback(progress) as callback:
        return Basins(_beadwave.basins(job._job, _search(name, single, guess, 1, steps), axes, size, _number("bead", bead),
                                       _number("mode", mode), whole_number("threads", threads), whole_number("periods", periods),
                                       _number("transient", transient), place, callback))


def poincare(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *, frequency: float | None = None,
             guess: Guess | None = None, bead: int | None = None, section: int | None = None, starts: int = 1, points: int = 0,
             transient: int | None = None, seed: int = 0, steps: int = 0, output: Name | None = None,
             overwrite: bool = False) -> Section:
    """A Poincare section of one or several motions: displacement and velocity of a `bead` (the middle one) once per period of the
    drive or, where nothing drives the chain, whenever the velocity of the bead `section` (the next one) passes zero from above.

    `points`: of each start (1000), after `transient` (100) others. `starts`: the first is that of the scenario or of a `guess`;
    random numbers with this `seed` change the others. `steps`: of a period of the drive. The other arguments are those of orbit().
    Raises InputError, RunError."""
    job, name = _job(scenario, overrides)
    place = _beadwave.FileOutput(file_name("output", output, optional=True), bool(overwrite))
    return Section(_beadwave.poincare(job._job, _search(name, frequency, guess, 1, steps), _number("bead", bead),
                                      _number("section", section), whole_number("starts", starts, 1),
                                      whole_number("points", points), _number("transient", transient), whole_number("seed", seed),
                                      place))
