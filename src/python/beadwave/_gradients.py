"""Derivatives of numbers of a run of a chain or packing with respect to many inputs."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._computed import Computed
from ._modes import _job
from ._scenario import Job, Scenario
from ._settings import shown, texts, toml_text

Floats = npt.NDArray[np.float64]
TraceFunction = Callable[[Floats, dict[str, Floats]], tuple[float, Mapping[str, npt.ArrayLike]]]


class Gradient(Computed[_beadwave.GradientResult]):
    """What `beadwave gradient` computes, as arrays."""

    @property
    def value(self) -> float:
        """The sum of the objectives, each times its weight."""
        return self._result.value

    @property
    def gradient(self) -> dict[str, Floats]:
        """For each input the derivatives of the value: one number per bead or particle; of gaps one per contact, beads + 1; of vectors of
        a packing particles x 3, of its gravity 1 x 3; of a parameter of the law one. Read-only."""
        return self._result.gradient

    @property
    def objectives(self) -> list[float]:
        """Each without its weight; empty if the objective is a function."""
        return self._result.objectives

    def __repr__(self) -> str:
        return f"<beadwave.Gradient: {self.value:.9g}, by {', '.join(self.gradient)}>"


def _checked(function: TraceFunction, sensors: int) -> Callable[[Floats, Floats, Floats], tuple[Any, ...]]:
    """The function with arrays, whose result has been checked."""
    def call(time: Floats, force: Floats, velocity: Floats) -> tuple[Any, ...]:
        given = function(time, {"force": force, "velocity": velocity})
        try:
            value, by = given
            number = float(value)
        except (TypeError, ValueError):
            raise _beadwave.InputError(f"objective: returned {shown(given)}; expected (value, derivatives), where derivatives is a "
                                       "dictionary of arrays by \"force\" or \"velocity\"") from None
        if not isinstance(by, Mapping) or not set(by) <= {"force", "velocity"}:
            raise _beadwave.InputError(f"objective: returned the derivatives {shown(by)}; expected a dictionary of arrays by \"force\" "
                                       "or \"velocity\"")
        arrays: list[Floats | None] = []
        for name in ("force", "velocity"):
            array = None if name not in by else np.array(by[name], dtype=np.float64)
            if array is not None and (array.shape != (len(time), sensors) or not np.all(np.isfinite(array))):
                raise _beadwave.InputError(f"objective: returned derivatives by {name} of shape {array.shape}; expected {len(time)} x "
                                           f"{sensors} finite numbers, steps x sensors")
            arrays.append(array)
        if not np.isfinite(number):
            raise _beadwave.InputError(f"objective: returned the value {number}; expected a finite number")
        return number, *arrays
    return call


def gradient(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *,
             objective: Sequence[Mapping[str, Any]] | TraceFunction, inputs: Sequence[str], check: bool = False,
             states: int = 0) -> Gradient:
    """The derivatives of a number of a run by masses, radii, gaps or places ... from one run and one reverse sweep of its steps.

    `scenario`: a chain or a packing as a file, a dictionary, or a Chain or Packing, whose run starts from the scenario's initial state. `objective`: a list of dictionaries
    with the keys of [[objective]] (docs/GRADIENTS.md), or a function of (time, traces): time [s] at every step from 0, traces["force"]
    [N] and traces["velocity"] [m/s], steps x sensors, of the sensors of the scenario, a chain. It returns the value and a dictionary of its
    derivatives by the traces, arrays of the same shapes. `inputs`: some of "mass", "radius", "youngs_modulus", "gap", "velocity",
    parameters of the law, such as "restitution", of packings "position" or "friction.coefficient", and others that docs/GRADIENTS.md lists. `check`: compares with central
    differences; `json` then has the largest deviation. `states`: the most states stored at the same time, at least 2 (0:
    2 sqrt(steps)); with fewer, more steps are computed again.
    Raises InputError, RunError.

    >>> import beadwave as bw, numpy as np
    >>> chain = bw.Chain(radius=np.full(10, 0.01), mass=np.full(10, 0.03), velocity=[1.0] + 9 * [0.0], law="hertz",
    ...                  material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, time={"end": 2e-4}, sensors={"beads": [5]})
    >>> slopes = bw.gradient(chain, objective=[{"kind": "peak", "sensor": 5}], inputs=["mass", "gap"]).gradient
    >>> slopes["mass"].shape, slopes["gap"].shape
    ((10,), (11,))
    """
    job, name = _job(scenario, overrides)
    names = ",".join(texts("inputs", inputs))
    if isinstance(states, bool) or not isinstance(states, int) or states < 0:
        raise _beadwave.InputError(f"states: is {shown(states)}; expected 0, or a whole number of at least 2")
    if callable(objective):
        if not job.sensors:
            raise _beadwave.InputError("objective: is a function of the sensors' traces, and the scenario has no sensors; expected "
                                       "sensors.beads")
        return Gradient(_beadwave.gradient_of_function(job._job, name, job.sensors, _checked(objective, len(job.sensors)), names, check, states))
    if isinstance(objective, (str, Mapping)) or not isinstance(objective, Sequence):
        raise _beadwave.InputError(f"objective: is {shown(objective)}; expected a list of dictionaries, such as "
                                   "[{\"kind\": \"peak\", \"sensor\": 5}], or a function")
    return Gradient(_beadwave.gradient(job._job, name, toml_text({"objective": list(objective)}), Path.cwd(), names, check, states))
