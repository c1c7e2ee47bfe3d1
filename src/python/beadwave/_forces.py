"""External forces: what a function of a person returns, as numbers for the engine."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._settings import shown

Floats = npt.NDArray[np.float64]
ForceFunction = Callable[[float, Floats, Floats], npt.ArrayLike]


class ExternalForce:
    """A force on some bodies. The engine refers to it weakly; the chain or packing owns it."""

    def __init__(self, function: ForceFunction, bodies: list[int], width: int, in_plane: bool) -> None:
        self.function = function
        self.bodies = bodies
        self._shape: tuple[int, ...] = (len(bodies),) if width == 1 else (len(bodies), width)
        self._in_plane = in_plane

    def __call__(self, time: float, displacement: Floats, velocity: Floats) -> Floats:
        returned = self.function(time, displacement, velocity)
        try:
            force: Floats = np.broadcast_to(np.asarray(returned, dtype=float), self._shape)
        except (TypeError, ValueError):
            self._refuse(time, returned)
        if not np.isfinite(force).all() or (self._in_plane and force[:, 2].any()):
            self._refuse(time, returned)
        return force

    def _refuse(self, time: float, returned: Any) -> None:
        each = "a finite force [N]" if len(self._shape) == 1 else "a finite force [N] of three components"
        plane = ", the third of them 0" if self._in_plane else ""
        shape = " x ".join(str(length) for length in self._shape)
        raise _beadwave.InputError(f"external_force: the function returned {shown(returned)} at {time:.6g} s; expected {each}{plane}, "
                                   f"for all bodies or as an array {shape}")
