"""Measured traces, weights and masks from arrays, as a file that the program reads."""
from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._settings import shown

Floats = npt.NDArray[np.float64]


def _numbers(argument: str, values: Any, kind: type = float) -> npt.NDArray[Any]:
    try:
        return np.asarray(values, dtype=kind)
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"{argument}: is {shown(values)}; expected an array of numbers") from None


def _by_row(argument: str, values: Any, shape: tuple[int, int], kind: type = float) -> npt.NDArray[Any]:
    """One number per row, or per row and sensor, as rows x sensors."""
    numbers = _numbers(argument, values, kind)
    if numbers.shape == shape[:1]:
        numbers = numbers[:, None]
    if numbers.shape not in (shape, (shape[0], 1)):
        raise _beadwave.InputError(f"{argument}: has the shape {numbers.shape}; expected {shape[:1]} or {shape}, as the measurement")
    return np.broadcast_to(numbers, shape)


def _traces(measured: Any) -> tuple[Floats, Floats, list[str]]:
    """Times, forces (rows x sensors) and the header of the columns."""
    header: list[str] = []
    if isinstance(measured, Mapping):
        if "time" not in measured or len(measured) < 2:
            raise _beadwave.InputError('measured: expected {"time": times, 9: forces, ...} with the numbers of the sensors')
        keys = [key for key in measured if key != "time"]
        for key in keys:
            if not isinstance(key, (int, np.integer)) or isinstance(key, bool):
                raise _beadwave.InputError(f"measured: {shown(key)} is no sensor; expected the number of a bead or particle")
        header = [f"bead {key}" for key in keys]
        time = _numbers("measured", measured["time"])
        columns = [_numbers("measured", measured[key]) for key in keys]
        if any(column.shape != time.shape or column.ndim != 1 for column in columns):
            raise _beadwave.InputError("measured: the arrays have different lengths; expected one force per time")
        return time, np.column_stack(columns), header
    if isinstance(measured, tuple) and len(measured) == 2:
        time, force = _numbers("measured", measured[0]), _numbers("measured", measured[1])
        force = force[:, None] if force.ndim == 1 else force
        if time.ndim != 1 or force.ndim != 2 or len(time) != len(force):
            raise _beadwave.InputError(f"measured: the times have the shape {time.shape} and the forces {force.shape}; expected (rows,) "
                                       "and (rows, sensors)")
        return time, force, header
    raise _beadwave.InputError(f"measured: is {shown(measured)}; expected the name of a file, (time, force), or a dictionary "
                               '{"time": times, 9: forces, ...}')


def mask_options(mask: Any) -> list[str]:
    """(from, to), or several of them, or {9: [(from, to)]}, as the values of --mask."""
    try:
        if isinstance(mask, Mapping):
            return [f"{sensor}={option}" for sensor, of_sensor in mask.items() for option in mask_options(of_sensor)]
        pairs = [mask] if len(mask) == 2 and np.ndim(mask[0]) == 0 else list(mask)
        return [f"{float(start)!r}:{float(end)!r}" for start, end in pairs]
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"mask: is {shown(mask)}; expected (from, to) in s, a list of these, a dictionary of these by "
                                   "sensor, or an array of truth values") from None


def _is_array_mask(mask: Any) -> bool:
    return isinstance(mask, np.ndarray) and mask.dtype == bool


@contextlib.contextmanager
def measured_file(measured: Any, weights: Any, mask: Any, sensors: Callable[[], list[int]]) -> Iterator[tuple[str, list[str]]]:
    """The name of the file, and the values of --mask. Arrays are written to a temporary file; a force that is NaN has weight 0.
    `sensors`: the numbers of the scenario's."""
    options = [] if mask is None or _is_array_mask(mask) else mask_options(mask)
    if isinstance(measured, (str, PathLike)):
        if weights is not None:
            raise _beadwave.InputError("weights: are for measured arrays; in a file, name a column \"weight\"")
        if _is_array_mask(mask):
            raise _beadwave.InputError("mask: truth values are for measured arrays; for a file, give (from, to) in s")
        yield str(measured), options
        return
    if measured is None or isinstance(measured, Sequence) and not isinstance(measured, tuple):
        raise _beadwave.InputError(f"measured: is {shown(measured)}; expected the name of a file, (time, force), or a dictionary "
                                   '{"time": times, 9: forces, ...}')
    time, force, names = _traces(measured)
    shape = (len(force), force.shape[1])
    weight = np.ones(shape) if weights is None else np.array(_by_row("weights", weights, shape))
    if not np.all(np.isfinite(weight)) or np.any(weight < 0):
        raise _beadwave.InputError("weights: expected finite numbers, 0 or more")
    if _is_array_mask(mask):
        weight[_by_row("mask", mask, shape, bool)] = 0.0
    missing = np.isnan(force)
    weight[missing] = 0.0
    header = ["time (s)", *(names or [f"force {column}" for column in range(shape[1])])]
    table = [time, *np.where(missing, 0.0, force).T]
    if np.any(weight != 1.0):
        if names:
            header += [f"weight {name}" for name in names]
            table += [*weight.T]
        elif np.all(weight == weight[:, :1]):
            header.append("weight")
            table.append(weight[:, 0])
        else:
            numbers = sensors()
            if len(numbers) != shape[1]:
                raise _beadwave.InputError(f"measured: has {shape[1]} columns of forces; the scenario has its sensors at "
                                           f"{', '.join(map(str, numbers))}")
            header = ["time (s)", *(f"bead {number}" for number in numbers), *(f"weight bead {number}" for number in numbers)]
            table += [*weight.T]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "measured.csv"
        np.savetxt(path, np.column_stack(table), delimiter=",", fmt="%.17g", header=",".join(header), comments="")
        try:
            yield str(path), options
        except (_beadwave.InputError, _beadwave.RunError) as error:
            raise type(error)(str(error).replace(str(path), "measured")) from None
