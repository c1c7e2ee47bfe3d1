"""Observables that a function computes during a run, and the sample that it gets."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _beadwave
from ._settings import shown

ObservableFunction = Callable[["Sample"], Any]
PACES = ("energy", "snapshots")


class Sample(Mapping[str, Any]):
    """The system at one sample of a run: `step`, `time` [s], and by name everything that the run records, in SI units, such as
    sample["velocity"] or sample["kinetic_energy"]. Numbers are floats, everything else arrays, which are copies. It can be read only
    in the call of the function that gets it."""

    def __init__(self, moment: _beadwave.Moment) -> None:
        self._moment = moment

    @property
    def step(self) -> int:
        """The number of the time step; of a mechanism that of the sample."""
        return self._moment.step

    @property
    def time(self) -> float:
        """[s]"""
        return self._moment.time

    def __getitem__(self, name: str) -> Any:
        try:
            values = self._moment.array(name)
        except KeyError:
            raise KeyError(f"{name}: is not recorded; there are {', '.join(self._moment.names)}") from None
        return float(values) if values.ndim == 0 else values

    def __iter__(self) -> Iterator[str]:
        return iter(self._moment.names)

    def __len__(self) -> int:
        return len(self._moment.names)


class Observable:
    """A function whose value is recorded."""

    def __init__(self, name: str, function: ObservableFunction, every: str, unit: str, description: str,
                 shape: int | Sequence[int]) -> None:
        if not (isinstance(name, str) and name.isidentifier() and name.isascii()):
            raise _beadwave.InputError(f"observe: the name is {shown(name)}; expected letters, digits and _, no digit first")
        if not callable(function):
            raise _beadwave.InputError(f"observe: {name} is {shown(function)}; expected a function of a sample")
        if every not in PACES:
            raise _beadwave.InputError(f"observe: every is {shown(every)}; expected \"energy\" or \"snapshots\"")
        try:
            self.shape = [int(n) for n in np.atleast_1d(np.asarray(shape, dtype=np.int64))]
        except (TypeError, ValueError):
            self.shape = [-1]
        if any(n < 1 for n in self.shape):
            raise _beadwave.InputError(f"observe: shape is {shown(shape)}; expected (), a number of values, or a tuple")
        self.name, self.function, self.every, self.unit, self.description = name, function, every, unit or "1", description

    def __call__(self, moment: _beadwave.Moment) -> Any:
        value = np.asarray(self.function(Sample(moment)))
        if value.shape != tuple(self.shape) or value.dtype.kind not in "bifu":
            raise _beadwave.InputError(f"observe: {self.name} returned {shown(value.tolist())}; expected numbers of shape "
                                       f"{tuple(self.shape)}, as observe() was told")
        return np.asarray(value, dtype=np.float64)

    def entry(self) -> tuple[str, str, str, str, list[int], Callable[[_beadwave.Moment], Any]]:
        """What _beadwave.Job.run() takes."""
        return self.name, self.unit, self.description, self.every, self.shape, self
