"""Arrays that a person gives, checked: one sentence says what is wrong with them."""
from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._settings import shown

Floats = npt.NDArray[np.float64]


def vectors(name: str, values: npt.ArrayLike, count: int | None = None) -> Floats:
    """One row of three components per particle; in the plane two suffice."""
    try:
        given = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise _beadwave.InputError(f"{name}: expected numbers ({error})") from error
    if count is not None and given.ndim == 1 and given.shape[0] in (2, 3):
        given = np.tile(given, (count, 1))
    if given.ndim != 2 or given.shape[1] not in (2, 3) or (count is not None and len(given) != count):
        rows = "particles" if count is None else count
        raise _beadwave.InputError(f"{name}: has the shape {given.shape}; expected {rows} x 3")
    return np.pad(given, ((0, 0), (0, 3 - given.shape[1])))


def quaternions(name: str, values: npt.ArrayLike, count: int) -> Floats:
    """One row of four components per particle; a single row stands for all."""
    try:
        given = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise _beadwave.InputError(f"{name}: expected numbers ({error})") from error
    if given.shape == (4,):
        given = np.tile(given, (count, 1))
    if given.shape != (count, 4):
        raise _beadwave.InputError(f"{name}: has the shape {given.shape}; expected {count} x 4")
    return given


def pairs(name: str, values: npt.ArrayLike, count: int) -> Floats:
    """One row of two numbers per particle; a single row stands for all."""
    try:
        given = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise _beadwave.InputError(f"{name}: expected numbers ({error})") from error
    if given.shape == (2,):
        given = np.tile(given, (count, 1))
    if given.shape != (count, 2):
        raise _beadwave.InputError(f"{name}: has the shape {given.shape}; expected {count} x 2")
    return given


def numbers(name: str, values: npt.ArrayLike, count: int | None = None) -> Floats:
    """One number per bead or particle; a single number stands for all."""
    try:
        given = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise _beadwave.InputError(f"{name}: expected numbers ({error})") from error
    if count is not None and given.ndim == 0:
        given = np.full(count, float(given))
    if given.ndim != 1 or (count is not None and len(given) != count):
        expected = "a row of numbers" if count is None else f"one number, or a row of {count}"
        raise _beadwave.InputError(f"{name}: has the shape {given.shape}; expected {expected}")
    return np.ascontiguousarray(given)


def bodies(name: str, values: Any, count: int) -> list[int]:
    """The numbers of some of `count` bodies, none twice; None: all."""
    if values is None:
        return list(range(count))
    chosen: list[int] = []
    for value in values if isinstance(values, Iterable) and not isinstance(values, str) else [values]:
        try:
            number = operator.index(value)
        except TypeError:
            number = -1
        if not 0 <= number < count:
            raise _beadwave.InputError(f"{name}: {shown(value)} is none of the numbers 0 to {count - 1}")
        if number in chosen:
            raise _beadwave.InputError(f"{name}: {number} is given twice")
        chosen.append(number)
    return chosen
