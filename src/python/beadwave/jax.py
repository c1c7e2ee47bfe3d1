"""Runs of chains within JAX: traces of sensors as arrays whose derivatives `jax.grad` finds by the reverse sweep of the run.

JAX is no part of the package and is imported with this module alone. Forward-mode derivatives (`jax.jvp`) are not defined.
"""
from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ._scenario import Job, Scenario
from ._trace_runs import Floats, TraceRuns, as_floats

jax: Any = importlib.import_module("jax")


class Traces(NamedTuple):
    """Arrays. In a batch `force` and `velocity` have the number of the run in front."""
    time: Any  #: [s], one per row
    force: Any  #: mean contact force of each sensor [N], steps x sensors, from the start
    velocity: Any  #: of each sensor [m/s]


def _function(runs: TraceRuns, dtype: Any) -> Any:
    """Inputs to (force, velocity). Within `jax.jit` the program runs on the host, outside of the compiled code; the reverse sweep
    begins with another run, because compiled code can hand on arrays alone."""
    def shapes_of(values: tuple[Any, ...]) -> list[tuple[int, ...]]:
        return [tuple(value.shape) for value in values]

    def numbers(values: tuple[Any, ...]) -> list[Floats]:
        return [as_floats(name, value) for name, value in zip(runs.names, values)]

    def forward_on_host(*values: Any) -> tuple[Any, ...]:
        return tuple(array.astype(dtype) for array in runs.forward(numbers(values))[:2])

    def reverse_on_host(force: Any, velocity: Any, *values: Any) -> tuple[Any, ...]:
        done = runs.forward(numbers(values))[2]
        slopes = runs.reverse(done, np.asarray(force, dtype=np.float64), np.asarray(velocity, dtype=np.float64), shapes_of(values))
        return tuple(slope.astype(value.dtype) for slope, value in zip(slopes, values))

    def traces(*values: Any) -> Any:
        batch = runs.batch(shapes_of(values))
        shape = (runs.rows, runs.sensors) if batch is None else (batch, runs.rows, runs.sensors)
        like = jax.ShapeDtypeStruct(shape, dtype)
        return jax.pure_callback(forward_on_host, (like, like), *values)

    def forward(*values: Any) -> tuple[Any, Any]:
        return traces(*values), values

    def backward(values: tuple[Any, ...], seeds: tuple[Any, Any]) -> Any:
        likes = tuple(jax.ShapeDtypeStruct(value.shape, value.dtype) for value in values)
        return jax.pure_callback(reverse_on_host, likes, *seeds, *values)

    function = jax.custom_vjp(traces)
    function.defvjp(forward, backward)
    return function


def run(scenario: Scenario | Job, overrides: Mapping[str, Any] | None = None, *, inputs: Mapping[str, Any], threads: int = 0) -> Traces:
    """The traces of a chain's sensors for other numbers of its beads, with exact derivatives by these.

    `scenario`: a file, a dictionary, or a Chain; `bw.load` reads a file once for many calls. `inputs`: arrays by the names of
    `bw.gradient`, such as "radius", with one number per bead (gaps: per contact), in SI units; a batch of n x beads makes n runs, on
    `threads` (0: one per core). A radius keeps the mass of its bead. The time step is that of the scenario. The result has JAX's own
    precision: `jax.config.update("jax_enable_x64", True)` keeps 64 bits, and with 32 bits small gaps lose theirs. Raises InputError,
    RunError.
    """
    runs = TraceRuns(scenario, overrides, inputs, threads)
    arrays = [jax.numpy.asarray(value) for value in inputs.values()]
    dtype = np.dtype(jax.numpy.asarray(0.0).dtype)
    floats = [array if jax.numpy.issubdtype(array.dtype, jax.numpy.floating) else array.astype(dtype) for array in arrays]
    force, velocity = _function(runs, dtype)(*floats)
    return Traces(jax.numpy.asarray(runs.time()), force, velocity)
