"""What pickled results hold: the same members as the program's own objects."""
from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave
from ._settings import Name

Floats = npt.NDArray[np.float64]


def locked(numbers: Any) -> Any:
    """The same array, read-only as those of the program; pickle does not keep that."""
    numbers.setflags(write=False)
    return numbers


def write_stored(content: bytes, path: Name, overwrite: bool) -> None:
    """A file that a pickle holds, under a new name. An existing file stays, unless `overwrite`."""
    try:
        with open(path, "wb" if overwrite else "xb") as file:
            file.write(content)
    except FileExistsError:
        raise _beadwave.InputError(f"{path}: exists already; choose another name, or give overwrite=True") from None
    except OSError as error:
        raise _beadwave.RunError(f"{path}: cannot be written: {error.strerror}") from error


@dataclass
class StoredFit:
    """A fit from a pickle. Its scenario names the best values; FIT.h5 is kept byte by byte."""
    json: str
    text: str
    warnings: list[str]
    _time: Floats
    _measured: list[Floats]
    _used: list[list[bool]]
    _computed: list[list[Floats]]
    _jacobian: list[list[Floats]]
    _scenario: list[str]
    _files: tuple[bytes, bytes]

    @property
    def time(self) -> Any:
        return locked(self._time)

    def measured(self, sensor: int) -> Any:
        return locked(self._measured[sensor])

    def used(self, sensor: int) -> list[bool]:
        return self._used[sensor]

    def computed(self, law: int, sensor: int) -> Any:
        return locked(self._computed[law][sensor])

    def jacobian(self, law: int, sensor: int) -> Any:
        if not self._jacobian:
            raise _beadwave.InputError("jac: the file of a fit holds no derivatives; fit again")
        return locked(self._jacobian[law][sensor])

    def scenario(self, law: int) -> str:
        return self._scenario[law]

    def save(self, output: Name, overwrite: bool) -> None:
        for content, path in zip(self._files, (Path(output), Path(output).with_suffix(".toml"))):
            write_stored(content, path, overwrite)


def stored_fit(fit: _beadwave.FitResult | StoredFit, laws: int, sensors: int) -> StoredFit:
    if isinstance(fit, StoredFit):
        return fit
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fit.h5"
        fit.save(path, False)
        files = path.read_bytes(), path.with_suffix(".toml").read_bytes()
    each = range(sensors)
    return StoredFit(fit.json, fit.text, fit.warnings, np.array(fit.time), [np.array(fit.measured(sensor)) for sensor in each],
                     [fit.used(sensor) for sensor in each], [[np.array(fit.computed(law, sensor)) for sensor in each] for law in range(laws)],
                     [[np.array(fit.jacobian(law, sensor)) for sensor in each] for law in range(laws)],
                     [fit.scenario(law) for law in range(laws)], files)


@dataclass
class StoredSweep:
    json: str
    text: str
    failure: str
    status: list[str]
    errors: list[str]
    warnings: list[str]
    keys: list[str]
    sensors: list[int]
    names: list[str]
    _values: list[list[str]]
    _units: dict[str, str]
    _columns: dict[str, Floats]
    times: list[float]
    over_time_names: list[str]
    _over_time: dict[str, Floats]

    def values(self, key: int) -> list[str]:
        return self._values[key]

    def unit(self, name: str) -> str:
        return self._units[name]

    def column(self, name: str) -> Any:
        return locked(self._columns[name])

    def over_time(self, name: str) -> Any:
        return locked(self._over_time[name])


def stored_sweep(sweep: _beadwave.Sweep | StoredSweep) -> StoredSweep:
    if isinstance(sweep, StoredSweep):
        return sweep
    return StoredSweep(sweep.json, sweep.text, sweep.failure, sweep.status, sweep.errors, sweep.warnings, sweep.keys, sweep.sensors,
                       sweep.names, [sweep.values(key) for key in range(len(sweep.keys))],
                       {name: sweep.unit(name) for name in [*sweep.names, *sweep.over_time_names]},
                       {name: np.array(sweep.column(name)) for name in sweep.names}, sweep.times, sweep.over_time_names,
                       {name: np.array(sweep.over_time(name)) for name in sweep.over_time_names})


@dataclass
class StoredModes:
    """Linear modes from their file."""
    json: str
    text: str
    warnings: list[str]
    zero_frequencies: int
    frequency: Floats
    damping_ratio: Floats
    participation_ratio: Floats
    body: npt.NDArray[np.int64]
    position: Floats
    shape: npt.NDArray[np.complex128] | None
    bands: Floats | None
    dispersion: dict[str, Any] | None
    grid: dict[str, Any] | None
    density_of_states: tuple[Floats, Floats] | None
    transfer: dict[str, Any] | None

    @property
    def entries(self) -> Any:
        raise _beadwave.InputError("matrices(): the file of linear modes holds no matrices; linearise() computes them")


@dataclass
class StoredCollision:
    json: str
    warnings: list[str]
    _trajectory: dict[str, Floats]

    def trajectory(self, name: str) -> Any:
        return locked(self._trajectory[name])


@dataclass
class StoredRun:
    """A run whose arrays were in memory."""
    json: str
    text: str
    warnings: list[str]
    wall_seconds: float
    names: list[str]
    _units: dict[str, str]
    _arrays: dict[str, Any]
    _history: bytes

    def unit(self, name: str) -> str:
        return self._units[name]

    def array(self, name: str) -> Any:
        return locked(self._arrays[name])

    def save(self, output: Name, overwrite: bool) -> None:
        write_stored(self._history, output, overwrite)


def stored_run(run: _beadwave.Run | StoredRun, in_memory: bool) -> StoredRun:
    """`in_memory`: whether the run has arrays; otherwise they are in its file."""
    if isinstance(run, StoredRun):
        return run
    history = b""
    if in_memory:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.h5"
            run.save(path, False)
            history = path.read_bytes()
    names = list(run.names) if in_memory else []
    return StoredRun(run.json, run.text, run.warnings, run.wall_seconds, names, {name: run.unit(name) for name in names},
                     {name: np.array(run.array(name)) for name in names}, history)
