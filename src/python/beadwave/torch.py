"""Runs of chains within PyTorch: traces of sensors as tensors whose derivatives `backward` finds by the reverse sweep of the run.

PyTorch is no part of the package and is imported with this module alone.
"""
from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from ._scenario import Job, Scenario
from ._trace_runs import TraceRuns, as_floats

torch: Any = importlib.import_module("torch")


class Traces(NamedTuple):
    """Tensors of 64-bit numbers. In a batch `force` and `velocity` have the number of the run in front."""
    time: Any  #: [s], one per row
    force: Any  #: mean contact force of each sensor [N], steps x sensors, from the start
    velocity: Any  #: of each sensor [m/s]


class _Slopes(torch.autograd.Function):  # type: ignore[misc]
    """The derivatives by the inputs, as a function of these, so that a derivative of a derivative is not missed in silence."""

    @staticmethod
    def forward(context: Any, reverse: Any, force: Any, velocity: Any, *values: Any) -> tuple[Any, ...]:
        slopes = reverse(force.detach().cpu().double().numpy(), velocity.detach().cpu().double().numpy(),
                         [tuple(value.shape) for value in values])
        return tuple(torch.from_numpy(slope).to(device=value.device, dtype=value.dtype) for slope, value in zip(slopes, values))

    @staticmethod
    def backward(context: Any, *slopes: Any) -> tuple[Any, ...]:
        raise RuntimeError("bw.torch.run: its traces have no second derivatives; expected first ones alone")


class _Run(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(context: Any, runs: TraceRuns, *values: Any) -> tuple[Any, Any]:
        arrays = [as_floats(name, value.detach().cpu().numpy()) for name, value in zip(runs.names, values)]
        force, velocity, done = runs.forward(arrays)
        context.reverse = functools.partial(runs.reverse, done)
        context.save_for_backward(*values)
        return torch.from_numpy(force), torch.from_numpy(velocity)

    @staticmethod
    def backward(context: Any, force: Any, velocity: Any) -> tuple[Any, ...]:
        return None, *_Slopes.apply(context.reverse, force, velocity, *context.saved_tensors)


def run(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *, inputs: Mapping[str, Any], threads: int = 0) -> Traces:
    """The traces of a chain's sensors for other numbers of its beads, with exact derivatives by these.

    `scenario`: a file, a dictionary, or a Chain; `bw.load` reads a file once for many calls. `inputs`: tensors by the names of
    `bw.gradient`, such as "radius", with one number per bead (gaps: per contact), in SI units; a batch of n x beads makes n runs, on
    `threads` (0: one per core). A radius keeps the mass of its bead. The time step is that of the scenario. Traces have no second
    derivatives; `backward` of a derivative raises RuntimeError. Raises InputError, RunError.
    """
    runs = TraceRuns(scenario, overrides, inputs, threads)
    tensors = [value if torch.is_tensor(value) else torch.as_tensor(value, dtype=torch.float64) for value in inputs.values()]
    force, velocity = _Run.apply(runs, *tensors)
    return Traces(torch.from_numpy(runs.time()), force, velocity)
