"""Linear modes, bands and transfer functions of a scenario about its static equilibrium."""
from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._computed import Computed
from ._opened import read_modes
from ._scenario import Job, Scenario, load
from ._settings import Name, file_name, shown, whole_number
from ._stored import StoredModes

Floats = npt.NDArray[np.float64]
Complexes = npt.NDArray[np.complex128]


def _matrices(entries: Any) -> tuple[Any, Any, Any]:
    sparse = importlib.import_module("scipy.sparse")
    mass, row, column, stiffness, damping = entries
    size = (len(mass), len(mass))
    return (sparse.diags(mass).tocsr(), sparse.csr_matrix((stiffness, (row, column)), size),
            sparse.csr_matrix((damping, (row, column)), size))


class LinearSystem:
    """A chain or a packing linearised about its static equilibrium, without its modes: m q'' + c q' + k q = 0. The freedoms q are those
    of one body after another: displacements, then, where friction acts, rotations times radius; all in m. The masses inside the beads of a
    chain are bodies behind all beads."""

    def __init__(self, system: _beadwave.LinearSystem) -> None:
        self._system = system

    @property
    def body(self) -> npt.NDArray[np.int64]:
        """Numbers of the beads or particles that move; a mass inside a bead has the number of the bead."""
        return self._system.body

    @property
    def position(self) -> Floats:
        """Of these bodies, bodies x 3 [m]."""
        return self._system.position

    @property
    def warnings(self) -> list[str]:
        """What the linear system leaves out."""
        return self._system.warnings

    def matrices(self) -> tuple[Any, Any, Any]:
        """Mass, stiffness and damping as sparse matrices of SciPy [kg, N/m, N s/m]. In a periodic box they are those of the wave vector 0.
        Raises ImportError without SciPy."""
        return _matrices(self._system.entries)

    def __repr__(self) -> str:
        return f"<beadwave.LinearSystem: {len(self.body)} bodies>"


class Modes(Computed[_beadwave.ModesResult | StoredModes]):
    """What `beadwave modes` computes, as arrays; Modes("modes.h5") opens its file. With damping a mode moves as exp(lambda t): `frequency` is |lambda| / (2 pi),
    `damping_ratio` is -Re(lambda) / |lambda|; an overdamped mode is listed twice, each time with the ratio 1."""

    def __init__(self, result: _beadwave.ModesResult | StoredModes | Name) -> None:
        if isinstance(result, (str, PathLike)):
            result = read_modes(result)
        elif not isinstance(result, (_beadwave.ModesResult, StoredModes)):
            raise _beadwave.InputError(f"Modes: is {shown(result)}; expected the name of a file that `beadwave modes -o` wrote")
        super().__init__(result)

    @property
    def frequency(self) -> Floats:
        """Ascending [Hz]."""
        return self._result.frequency

    @property
    def damping_ratio(self) -> Floats:
        """One per mode [-]; empty if nothing is damped."""
        return self._result.damping_ratio

    @property
    def participation_ratio(self) -> Floats:
        """(sum e)^2 / (n sum e^2) of the n bodies' kinetic energies e [-]: 1 if all share equally, 1/n for one alone. Empty if shapes
        are not computed."""
        return self._result.participation_ratio

    @property
    def shape(self) -> Complexes | None:
        """Modes x bodies x freedoms; the largest number of a mode is 1. Displacements, then rotations times radius."""
        return self._result.shape

    @property
    def body(self) -> npt.NDArray[np.int64]:
        """Numbers of the beads or particles that move; a mass inside a bead has the number of the bead."""
        return self._result.body

    @property
    def position(self) -> Floats:
        """Of these bodies, bodies x 3 [m]."""
        return self._result.position

    @property
    def zero_frequencies(self) -> int:
        """How many modes have zero frequency; they come first."""
        return self._result.zero_frequencies

    @property
    def bands(self) -> Floats | None:
        """Lower and upper edges, bands x 2 [Hz]; None if the system does not repeat a cell."""
        return self._result.bands

    @property
    def dispersion(self) -> dict[str, Any] | None:
        """Of the repeated cell: cell_bodies, lattice [m], wave_vector [rad/m], frequency (points x branches) [Hz] and group_velocity
        (points x branches, in packings x 3) [m/s]; None if the system does not repeat a cell."""
        return self._result.dispersion

    @property
    def grid(self) -> dict[str, Any] | None:
        """Of the repeated cell over the whole zone: wave_vector, frequency and group_velocity, nx x ny x nz x their numbers; None if it
        was not asked for."""
        return self._result.grid

    @property
    def density_of_states(self) -> tuple[Floats, Floats] | None:
        """Edges of equal intervals of frequency [Hz], and the share of all modes per Hz in each [1/Hz]; None if only the lowest modes
        are computed."""
        return self._result.density_of_states

    @property
    def transfer(self) -> dict[str, Any] | None:
        """The response of the sensors per unit of the input: input, input_unit, sensors, frequency [Hz], displacement and force
        (frequencies x sensors, in packings x 3, complex); None if it was not asked for."""
        return self._result.transfer

    def matrices(self) -> tuple[Any, Any, Any]:
        """Mass, stiffness and damping as sparse matrices of SciPy [kg, N/m, N s/m]; their freedoms are those of `shape`, one body
        after another. In a periodic box they are those of the wave vector 0. Raises ImportError without SciPy."""
        return _matrices(self._result.entries)

    def __repr__(self) -> str:
        bands = "" if self.bands is None else f", {len(self.bands)} bands"
        highest = f" to {self.frequency[-1]:.6g} Hz" if len(self.frequency) else ""
        return f"<beadwave.Modes: {len(self.frequency)} frequencies{highest}{bands}>"


def _numbers(argument: str, values: Any, count: int | None, expected: str) -> list[float]:
    try:
        numbers = [float(value) for value in values]
    except (TypeError, ValueError):
        numbers = []
    if not numbers or (count is not None and len(numbers) != count):
        raise _beadwave.InputError(f"{argument}: is {shown(values)}; expected {expected}")
    return numbers


def _job(scenario: Scenario | Job, overrides: Mapping[str, Any] | None) -> tuple[Job, str]:
    """The job, and its name in messages."""
    job = scenario if isinstance(scenario, Job) else load(scenario, overrides)
    if isinstance(scenario, Job) and overrides:
        raise _beadwave.InputError("overrides: is for files and dictionaries; load the scenario with them")
    return job, "scenario" if isinstance(scenario, (Job, Mapping)) else str(scenario)


def linearise(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None) -> LinearSystem:
    """Mass, stiffness and damping of small motions about the static equilibrium of a chain or a packing of any size, for solvers of
    others. `scenario`: a file, a dictionary, or a Chain or Packing. Raises InputError."""
    job, name = _job(scenario, overrides)
    return LinearSystem(_beadwave.linearise(job._job, name))


def modes(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *, output: Name | None = None,
          transfer: Sequence[float] | None = None, input: str | int | None = None,
          path: Sequence[Sequence[float]] | None = None, grid: int | Sequence[int] | None = None, lowest: int = 0,
          no_modes: bool = False, threads: int = 0, overwrite: bool = False) -> Modes:
    """Frequencies, shapes, damping ratios and bands of small motions about the static equilibrium of a chain or a packing.

    `scenario`: a file, a dictionary, or a Chain or Packing. `transfer`: (lowest, highest, count) of frequencies [Hz] at which the
    response of the sensors is computed; `input`: what moves them, "left" or "right" (the displacement of that wall) or the number of
    a bead (a force on it), in packings "wall 0", or "12 x" (a force on a particle along an axis), by default the driven wall. `path`:
    corners of the wave vectors of a packing's bands, in units of the reciprocal vectors; `grid`: how many wave vectors over the whole
    zone along each of them, one number or up to three. `lowest`: only so many modes, of a packing of any size, without damping.
    `no_modes`: only bands and the transfer function. `output`: an HDF5 file for the results. Ctrl-C ends the work with KeyboardInterrupt, but not within a decomposition of LAPACK. Raises
    InputError, RunError.

    >>> import beadwave as bw
    >>> steel = {"youngs_modulus": 193e9, "poisson_ratio": 0.3}
    >>> beads = {"beads": 12, "radius": 5e-3, "mass": 4e-3, "material": "steel"}
    >>> chain = {"material": {"steel": steel}, "segment": [beads], "law": {"name": "hertz"}, "time": {"end": 1e-3},
    ...          "boundary": {"left": "fixed", "right": "fixed"}, "precompression": {"force": 20.0}}
    >>> bw.modes(chain)
    <beadwave.Modes: 10 frequencies to 19292.7 Hz, 1 bands>
    """
    job, name = _job(scenario, overrides)
    range_text = ""
    if transfer is not None:
        low, high, count = _numbers("transfer", transfer, 3, "(lowest, highest, count), frequencies in Hz and how many")
        range_text = f"{low!r}:{high!r}:{count!r}"
    corners = ""
    if path is not None:
        corners = ":".join(",".join(repr(x) for x in _numbers("path", corner, None, "wave vectors of up to three numbers"))
                           for corner in path)
    points = ""
    if grid is not None:
        points = ",".join(str(whole_number("grid", n, 1)) for n in (grid if isinstance(grid, Sequence) else [grid]))
        if not points:
            raise _beadwave.InputError("grid: is empty; expected one to three whole numbers")
    return Modes(_beadwave.modes(job._job, name, file_name("output", output, optional=True), range_text,
                                 "" if input is None else str(input), corners, points, whole_number("lowest", lowest), bool(no_modes),
                                 whole_number("threads", threads), overwrite))
