"""Runs of a chain with other numbers, whose traces are functions with derivatives: what `torch` and `jax` share."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._modes import _job
from ._scenario import Job, Scenario
from ._settings import shown, table, whole_number

Floats = npt.NDArray[np.float64]
Result = TypeVar("Result")


class TraceRuns:
    """The traces of a chain's sensors as a function of some of its inputs.

    An input is one array with as many numbers as the scenario has, or a batch of them: then there is one run per row, on threads, and
    inputs without a batch are those of every run. Results do not depend on the number of threads."""

    def __init__(self, scenario: Scenario | Job, overrides: Mapping[str, Any] | None, inputs: Any, threads: int) -> None:
        self._job, self._name = _job(scenario, overrides)
        self.names = list(table("inputs", inputs))
        if not self._job.sensors:
            raise _beadwave.InputError("the scenario has no sensors, whose traces are the result; expected sensors.beads")
        if not self.names:
            raise _beadwave.InputError("inputs: is empty; expected a dictionary of arrays, such as {\"mass\": ...}")
        self._text = ",".join(self.names)
        self._threads = whole_number("threads", threads) or os.cpu_count() or 1
        steps, own = _beadwave.numbers_of_inputs(self._job._job, self._name, self._text)
        self.rows = steps + 1  # of a trace: the start, and one per step
        self._counts = [len(numbers) for numbers in own]

    @property
    def sensors(self) -> int:
        return len(self._job.sensors)

    def batch(self, shapes: Sequence[tuple[int, ...]]) -> int | None:
        """How many runs inputs of these shapes ask for; None: one run, without a batch."""
        batch: int | None = None
        for name, count, shape in zip(self.names, self._counts, shapes):
            single = shape == (count,) or (shape == () and count == 1)
            if not single and (len(shape) != 2 or shape[1] != count or shape[0] < 1 or batch not in (None, shape[0])):
                raise _beadwave.InputError(f"inputs: {name} has the shape {shape}; expected ({count},), or a batch of such rows, as many "
                                           "for all inputs")
            batch = batch if single else shape[0]
        return batch

    def forward(self, values: Sequence[Floats]) -> tuple[Floats, Floats, list[_beadwave.TraceRun]]:
        """Force [N] and velocity [m/s], steps x sensors, in a batch one such array per run, and the runs."""
        batch = self.batch([array.shape for array in values])

        def row(array: Floats, count: int, k: int) -> Floats:
            return np.ascontiguousarray(array[k] if array.ndim == 2 else array.reshape(count), dtype=np.float64)

        def run(k: int) -> _beadwave.TraceRun:
            rows = [row(array, count, k) for array, count in zip(values, self._counts)]
            return _beadwave.TraceRun(self._job._job, self._name, self._job.sensors, self._text, rows)
        runs = self._spread(run, range(batch or 1))
        traces = [one.traces for one in runs]
        if batch is None:
            return *traces[0], runs
        return np.stack([force for force, _ in traces]), np.stack([velocity for _, velocity in traces]), runs

    def reverse(self, runs: Sequence[_beadwave.TraceRun], force: Floats, velocity: Floats,
                shapes: Sequence[tuple[int, ...]]) -> list[Floats]:
        """The derivatives by the inputs, in their shapes, from those by the traces."""
        forces, velocities = (array.reshape(len(runs), -1, self.sensors) for array in (force, velocity))
        for array in (forces, velocities):
            if not np.all(np.isfinite(array)):
                raise _beadwave.RunError("the derivatives by the traces are not finite")
        by_run = self._spread(lambda k: runs[k].reverse(forces[k], velocities[k]), range(len(runs)))
        slopes = []
        for k, shape in enumerate(shapes):
            of_runs = [by_input[k] for by_input in by_run]
            slopes.append(np.stack(of_runs) if len(shape) == 2 else np.sum(of_runs, axis=0).reshape(shape))
        return slopes

    def time(self) -> Floats:
        """Times of the rows of a trace [s]."""
        return np.arange(self.rows) * self._job.time_step

    def _spread(self, work: Callable[[int], Result], items: Sequence[int]) -> list[Result]:
        if len(items) == 1 or self._threads == 1:
            return [work(k) for k in items]
        with ThreadPoolExecutor(min(self._threads, len(items))) as pool:
            return list(pool.map(work, items))


def as_floats(name: str, value: Any) -> Floats:
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"inputs: {name} is {shown(value)}; expected an array of numbers") from None
