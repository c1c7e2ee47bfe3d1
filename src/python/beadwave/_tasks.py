"""Sweeps, comparisons, fits, collisions, the catalogue of laws, reports."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave, _figures
from ._progress import Told, told
from ._settings import Name, bounds_of, overrides, toml_text, values_of

Floats = npt.NDArray[np.float64]
Texts = npt.NDArray[Any]


class Sweep:
    """One row a run. Columns by name, as arrays: of what was varied, sweep["law.psi"]; of the run, sweep["dissipated_energy"] [J]; of
    the sensors, runs x sensors, sweep["peak_force"] [N]. Numbers of runs that are not done are NaN (steps: 0)."""

    def __init__(self, sweep: _beadwave.Sweep) -> None:
        self._sweep = sweep

    def names(self) -> list[str]:
        return [*self._sweep.keys, *self._sweep.names]

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        keys = self._sweep.keys
        if name in keys:
            values = self._sweep.values(keys.index(name))
            try:
                return np.array([float(value) for value in values])
            except ValueError:
                return np.array([value.strip("\"'") for value in values])
        if name not in self._sweep.names:
            raise KeyError(f"the sweep has no {name}; it has {', '.join(self.names())}")
        return self._sweep.column(name)

    def grid(self, name: str) -> npt.NDArray[Any]:
        """The same with an axis for each varied key, in their order."""
        column = self[name]
        shape = [len(dict.fromkeys(self[key].tolist())) for key in self._sweep.keys]
        return column.reshape(*shape, *column.shape[1:])

    def unit(self, name: str) -> str:
        return "" if name in self._sweep.keys else self._sweep.unit(name)

    @property
    def sensors(self) -> list[int]:
        """The beads or particles that have one."""
        return self._sweep.sensors

    @property
    def status(self) -> list[str]:
        """Of each run: "done", "failed" or "not_run"."""
        return self._sweep.status

    @property
    def errors(self) -> list[str]:
        """Of each run: why it failed."""
        return self._sweep.errors

    @property
    def notes(self) -> list[str]:
        """Of each run: why it is to be doubted."""
        return self._sweep.notes

    @property
    def trouble(self) -> str:
        """How many runs failed, and the first; empty if all are done."""
        return self._sweep.trouble

    @property
    def result(self) -> dict[str, Any]:
        """What `beadwave sweep --json` says."""
        found: dict[str, Any] = json.loads(self._sweep.json)
        return found

    def __str__(self) -> str:
        return self._sweep.text


def sweep(scenario: Name, vary: Mapping[str, Any], *, set: Mapping[str, Any] | None = None, output: Name | None = None,
          csv: Name | None = None, threads: int = 0, force: bool = False, progress: Told | bool | None = None) -> Sweep:
    """Every combination of values, {"law.psi": [2.6, 2.8, 3.0], "law.name": ["hertz", "ma-liu"]} or {"law.psi": "2.6:3.0:9"}, a run a
    thread. `output`: also writes the tables of `beadwave sweep`, and goes on with one that was killed. Runs that fail stand
    in the table, and in `trouble`. Raises InputError before the first run, KeyboardInterrupt."""
    with told(progress) as told_to:
        return Sweep(_beadwave.sweep(scenario, [values_of(key, values) for key, values in vary.items()], overrides(set),
                                     output or "", csv or "", threads, force, told_to))


def compare(scenario: Name, laws: Sequence[str], *, set: Mapping[str, Any] | None = None, measured: Name | None = None,
            threads: int = 0) -> list[dict[str, Any]]:
    """One scenario under several laws, of which the first is the reference: what `beadwave compare --json` says of each. Raises
    InputError, RunError."""
    found, _ = _beadwave.compare(scenario, list(laws), overrides(set), measured or "", threads)
    compared: list[dict[str, Any]] = json.loads(found)["laws"]
    return compared


class LawFit:
    """What was fitted under one law."""

    def __init__(self, fit: _beadwave.FitResult, number: int, said: dict[str, Any]) -> None:
        self._fit, self._number = fit, number
        self.name: str = said["name"]
        self.rms: float = said["rms"]
        self.result = said

    @property
    def parameters(self) -> dict[str, dict[str, Any]]:
        """By key: value, standard_error, low and high (the 95 % interval), at_bound ..."""
        return {parameter["key"]: parameter for parameter in self.result["parameters"]}

    @property
    def correlation(self) -> Floats:
        """Parameters x parameters; NaN where not known."""
        return np.array(self.result["correlation"], dtype=float)

    @property
    def scenario(self) -> str:
        """TOML with the best values."""
        return self._fit.scenario(self._number)

    @property
    def computed(self) -> list[Floats]:
        """Forces at the measured times [N], one array a sensor."""
        return [self._fit.computed(self._number, sensor) for sensor in range(len(self.result["sensors"]))]


class Fit:
    """The laws that were fitted, best first."""

    def __init__(self, fit: _beadwave.FitResult, output: Path | None) -> None:
        self._fit, self.output = fit, output
        self.result: dict[str, Any] = json.loads(fit.json)
        self.laws = [LawFit(fit, number, said) for number, said in enumerate(self.result["laws"])]

    @property
    def best(self) -> LawFit:
        return self.laws[0]

    @property
    def failed(self) -> dict[str, str]:
        """Why, by law."""
        return {law["name"]: law["error"] for law in self.result["failed"]}

    @property
    def notes(self) -> list[str]:
        return self._fit.notes

    @property
    def time(self) -> Floats:
        """Of the measurement [s], on the laboratory's clock."""
        return self._fit.time

    @property
    def measured(self) -> list[Floats]:
        """[N], one array a sensor."""
        return [self._fit.measured(sensor) for sensor in range(len(self.best.result["sensors"]))]

    def plot(self) -> Any:
        """The report's panels as a figure of matplotlib; of a fit with an output alone."""
        if self.output is None:
            raise _beadwave.InputError("the fit has no file to draw; give fit(..., output=\"NAME.fit.h5\")")
        return _figures.drawn([self.output])

    def __str__(self) -> str:
        return self._fit.text


def fit(scenario: Name, measured: Name, vary: Mapping[str, Any], *, set: Mapping[str, Any] | None = None,
        laws: Sequence[str] = (), of: str = "traces", noise: float | Sequence[float] | None = None,
        arrival_noise: float | None = None, starts: int = 0, profile: Sequence[str] = (), output: Name | None = None,
        threads: int = 0, force: bool = False) -> Fit:
    """A scenario's numbers from measured traces, between bounds: {"law.psi": (2, 4)}. `noise` [N] and `arrival_noise` [s] are standard
    deviations, estimated unless given. `output`: also writes FIT.h5 and the scenario with the best values. Raises InputError,
    RunError, KeyboardInterrupt."""
    sigma = "" if noise is None else ",".join(repr(float(one)) for one in np.atleast_1d(noise))
    done = _beadwave.fit(scenario, measured, [bounds_of(key, bounds) for key, bounds in vary.items()], overrides(set), of,
                         list(laws), sigma, arrival_noise, starts, list(profile), output or "", threads, force)
    return Fit(done, None if output is None else Path(output).resolve())


class Collision(dict[str, Any]):
    """What `beadwave collide --json` says, as a dictionary: restitution, rebound_speed [m/s], max_force [N] ...; and, if asked for,
    its course: arrays of time [s], overlap [m], approach_speed [m/s], force [N]."""

    def __init__(self, collision: _beadwave.CollisionResult) -> None:
        super().__init__(json.loads(collision.json))
        self._collision = collision

    @property
    def notes(self) -> list[str]:
        return self._collision.notes

    @property
    def course(self) -> dict[str, Floats]:
        return {name: self._collision.course(name) for name in ("time", "overlap", "approach_speed", "force")}


def collide(case: Name | Mapping[str, Any], set: Mapping[str, Any] | None = None, *, course: bool = False) -> Collision:
    """One collision of two bodies, of a TOML file or a dictionary of its keys. Raises InputError, RunError.

    >>> import beadwave as bw
    >>> hit = bw.collide({"speed": 1.0, "contact": {"stiffness": 1e9, "effective_mass": 0.1}, "law": {"name": "hertz"}})
    >>> round(hit["restitution"], 6)
    1.0
    """
    if isinstance(case, Mapping):
        if set:
            raise _beadwave.InputError("set: is for files; change the dictionary itself")
        return Collision(_beadwave.collide_text(toml_text(case), "case", course))
    return Collision(_beadwave.collide(case, overrides(set), course))


def laws(name: str | None = None) -> Any:
    """The catalogue, as `beadwave laws --json` has it: a list of laws, each with name, family, equation, parameters (name, unit,
    meaning, lowest, highest, default), validity, source; or one of them, or a line law or restitution formula, by name. Raises
    InputError with the nearest name.

    >>> import beadwave as bw
    >>> bw.laws("hertz")["family"]
    'elastic'
    """
    if name is not None:
        return json.loads(_beadwave.law(name))
    return json.loads(_beadwave.laws())["laws"]


def watch(history: Name) -> dict[str, Any]:
    """One look at a run that another program writes, by its history's name: state ("running", "finished", "stopped", "killed"), step,
    time [s], percent, energy [J] ... Raises InputError, RunError."""
    found: dict[str, Any] = json.loads(_beadwave.look(history))
    return found


def report(histories: Name | Sequence[Name], *, output: Name | None = None, svg: Name | None = None, png: Name | None = None,
           xdmf: Name | None = None, contacts: Sequence[int] | None = None, force: bool = False) -> list[Path]:
    """The page of `beadwave report`, and still figures, of one history or several; returns the names. Raises InputError,
    RunError."""
    named = [histories] if isinstance(histories, (str, Path)) or not isinstance(histories, Sequence) else list(histories)
    if not named:
        raise _beadwave.InputError("report: expected a history")
    files = _beadwave.ReportFiles([str(Path(name)) for name in named], output or "", svg or "", png or "", xdmf or "",
                                  None if contacts is None else ",".join(str(contact) for contact in contacts), force)
    drawn = subprocess.run([sys.executable, "-B", str(_figures.folder()), *files.arguments], capture_output=True, text=True,
                           check=False)
    if drawn.returncode != 0:
        why = drawn.stderr.strip().removeprefix("beadwave: ") or "a library that figures need is missing: h5py, numpy, plotly, matplotlib"
        raise (_beadwave.InputError if drawn.returncode == 2 else _beadwave.RunError)(why)
    files.publish()
    return files.names
