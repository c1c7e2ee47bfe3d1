"""Sweeps, comparisons, fits, collisions, the catalogue of laws, the state of a run, reports."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave, _figures
from ._progress import ProgressCallback, progress_callback
from ._settings import (Name, bounds_option, file_name, set_options, shown, table, texts, toml_text, vary_option,
                        whole_number)

Floats = npt.NDArray[np.float64]
Texts = npt.NDArray[Any]


class Sweep:
    """A table with one row per run. Each column is an array with a name: the values of a varied key, sweep["law.psi"]; a quantity of
    the run, sweep["dissipated_energy"] [J]; a quantity of the sensors, runs x sensors, sweep["peak_force"] [N]. The numbers of a run
    that is not done are NaN (steps: 0)."""

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
        """The column with one axis per varied key, in the order of the keys."""
        column = self[name]
        shape = [len(dict.fromkeys(self[key].tolist())) for key in self._sweep.keys]
        return column.reshape(*shape, *column.shape[1:])

    def unit(self, name: str) -> str:
        return "" if name in self._sweep.keys else self._sweep.unit(name)

    @property
    def sensors(self) -> list[int]:
        """Numbers of the beads or particles that have a sensor."""
        return self._sweep.sensors

    @property
    def status(self) -> list[str]:
        """For each run: "done", "failed" or "not_run"."""
        return self._sweep.status

    @property
    def errors(self) -> list[str]:
        """For each run: why it failed; empty if it did not."""
        return self._sweep.errors

    @property
    def warnings(self) -> list[str]:
        """For each run: reasons to doubt its result."""
        return self._sweep.warnings

    @property
    def failure(self) -> str:
        """The number of runs that failed, and the error of the first; empty if all are done."""
        return self._sweep.failure

    @property
    def result(self) -> dict[str, Any]:
        """The object that `beadwave sweep --json` prints."""
        printed: dict[str, Any] = json.loads(self._sweep.json)
        return printed

    def __str__(self) -> str:
        return self._sweep.text


def sweep(scenario: Name, vary: Mapping[str, Any], *, overrides: Mapping[str, Any] | None = None, output: Name | None = None,
          csv: Name | None = None, threads: int = 0, overwrite: bool = False,
          progress: ProgressCallback | bool | None = None) -> Sweep:
    """Runs every combination of values, one run per thread. `vary`: {"law.psi": [2.6, 2.8, 3.0], "law.name": ["hertz", "ma-liu"]} or
    {"law.psi": "2.6:3.0:9"}. `output`: also writes the tables of `beadwave sweep`, and continues a sweep that was killed. The table
    contains the runs that fail; `failure` reports them. Raises InputError before the first run, KeyboardInterrupt."""
    with progress_callback(progress) as callback:
        return Sweep(_beadwave.sweep(file_name("scenario", scenario),
                                     [vary_option(key, values) for key, values in table("vary", vary).items()],
                                     set_options(overrides), file_name("output", output, optional=True),
                                     file_name("csv", csv, optional=True), whole_number("threads", threads), overwrite, callback))


def compare(scenario: Name, laws: Sequence[str], *, overrides: Mapping[str, Any] | None = None, measured: Name | None = None,
            threads: int = 0) -> list[dict[str, Any]]:
    """Runs one scenario under several laws; the first law is the reference. Returns what `beadwave compare --json` prints for each
    law. Raises InputError, RunError."""
    text, _ = _beadwave.compare(file_name("scenario", scenario), texts("laws", laws), set_options(overrides),
                                file_name("measured", measured, optional=True), whole_number("threads", threads))
    compared: list[dict[str, Any]] = json.loads(text)["laws"]
    return compared


class LawFit:
    """The fit under one law."""

    def __init__(self, fit: _beadwave.FitResult, number: int, result: dict[str, Any]) -> None:
        self._fit, self._number = fit, number
        self.name: str = result["name"]
        self.rms: float = result["rms"]
        self.result = result

    @property
    def parameters(self) -> dict[str, dict[str, Any]]:
        """For each key: value, standard_error, low and high (the 95 % interval), at_bound ..."""
        return {parameter["key"]: parameter for parameter in self.result["parameters"]}

    @property
    def correlation(self) -> Floats:
        """Parameters x parameters; NaN if unknown."""
        return np.array(self.result["correlation"], dtype=float)

    @property
    def scenario(self) -> str:
        """The scenario (TOML) with the best values."""
        return self._fit.scenario(self._number)

    @property
    def computed(self) -> list[Floats]:
        """Computed forces at the measured times [N], one array per sensor."""
        return [self._fit.computed(self._number, sensor) for sensor in range(len(self.result["sensors"]))]


class Fit:
    """The laws that were fitted, best first."""

    def __init__(self, fit: _beadwave.FitResult, output: Path | None) -> None:
        self._fit, self.output = fit, output
        self.result: dict[str, Any] = json.loads(fit.json)
        self.laws = [LawFit(fit, number, result) for number, result in enumerate(self.result["laws"])]

    @property
    def best(self) -> LawFit:
        return self.laws[0]

    @property
    def failed(self) -> dict[str, str]:
        """The laws whose fit failed, with the reason."""
        return {law["name"]: law["error"] for law in self.result["failed"]}

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the result, one sentence each."""
        return self._fit.warnings

    @property
    def time(self) -> Floats:
        """Times of the measurement [s], on the laboratory's clock."""
        return self._fit.time

    @property
    def measured(self) -> list[Floats]:
        """Measured forces [N], one array per sensor."""
        return [self._fit.measured(sensor) for sensor in range(len(self.best.result["sensors"]))]

    def plot(self) -> Any:
        """The report's panels as a matplotlib figure; only for a fit with `output`."""
        if self.output is None:
            raise _beadwave.InputError("the fit has no file to draw; give fit(..., output=\"NAME.fit.h5\")")
        return _figures.figure_of([self.output])

    def __str__(self) -> str:
        return self._fit.text


def fit(scenario: Name, measured: Name, bounds: Mapping[str, Any], *, overrides: Mapping[str, Any] | None = None,
        laws: Sequence[str] = (), target: str = "traces", noise: float | Sequence[float] | None = None,
        arrival_noise: float | None = None, multistart: int = 0, profile_likelihood: Sequence[str] = (),
        output: Name | None = None, threads: int = 0, overwrite: bool = False) -> Fit:
    """Fits numbers of a scenario to measured traces. `bounds`: {"law.psi": (2, 4)}. `laws`: the laws to fit; default: the scenario's
    law. `target`: "traces", "peaks", "arrivals" or "peaks,arrivals". `noise` [N] and `arrival_noise` [s] are standard deviations;
    default: estimated. `multistart`: number of further starting points. `profile_likelihood`: keys whose profile likelihood is
    computed. `output`: also writes FIT.h5 and the scenario with the best values. Raises InputError, RunError, KeyboardInterrupt."""
    try:
        sigma = "" if noise is None else ",".join(repr(float(one)) for one in np.atleast_1d(noise))
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"noise: is {shown(noise)}; expected a number or a list of numbers, in N") from None
    if arrival_noise is not None and not isinstance(arrival_noise, (int, float, np.number)):
        raise _beadwave.InputError(f"arrival_noise: is {shown(arrival_noise)}; expected a number, in s")
    if not isinstance(target, str):
        raise _beadwave.InputError(f"target: is {shown(target)}; expected a text")
    done = _beadwave.fit(file_name("scenario", scenario), file_name("measured", measured),
                         [bounds_option(key, pair) for key, pair in table("bounds", bounds).items()], set_options(overrides),
                         target, texts("laws", laws), sigma, arrival_noise, whole_number("multistart", multistart),
                         texts("profile_likelihood", profile_likelihood), file_name("output", output, optional=True),
                         whole_number("threads", threads), overwrite)
    return Fit(done, None if output is None else Path(output).resolve())


class Collision(dict[str, Any]):
    """What `beadwave collide --json` prints, as a dictionary: restitution, rebound_speed [m/s], max_force [N] ... With
    collide(..., trajectory=True) also `trajectory`: arrays of time [s], overlap [m], approach_speed [m/s] and force [N]."""

    def __init__(self, collision: _beadwave.CollisionResult) -> None:
        super().__init__(json.loads(collision.json))
        self._collision = collision

    @property
    def warnings(self) -> list[str]:
        """Reasons to doubt the result, one sentence each."""
        return self._collision.warnings

    @property
    def trajectory(self) -> dict[str, Floats]:
        """The collision over time, by name; empty arrays without collide(..., trajectory=True)."""
        return {name: self._collision.trajectory(name) for name in ("time", "overlap", "approach_speed", "force")}


def collide(case: Name | Mapping[str, Any], overrides: Mapping[str, Any] | None = None, *, trajectory: bool = False) -> Collision:
    """One collision of two bodies, from a TOML file or a dictionary of its keys. Raises InputError, RunError.

    >>> import beadwave as bw
    >>> hit = bw.collide({"speed": 1.0, "contact": {"stiffness": 1e9, "effective_mass": 0.1}, "law": {"name": "hertz"}})
    >>> round(hit["restitution"], 6)
    1.0
    """
    if isinstance(case, Mapping):
        if overrides:
            raise _beadwave.InputError("overrides: is for files; change the dictionary itself")
        return Collision(_beadwave.collide_text(toml_text(case), "case", trajectory))
    if not isinstance(case, (str, PathLike)):
        raise _beadwave.InputError(f"case: is {shown(case)}; expected the name of a file, or a dictionary")
    return Collision(_beadwave.collide(case, set_options(overrides), trajectory))


def laws(name: str | None = None) -> Any:
    """The catalogue, as `beadwave laws --json` prints it: a list of laws, each with name, family, equation, parameters (name, unit,
    meaning, lowest, highest, default), validity, source. With a name: this law, line law or restitution formula. Raises InputError
    with the nearest name for an unknown name.

    >>> import beadwave as bw
    >>> bw.laws("hertz")["family"]
    'elastic'
    """
    if name is not None:
        if not isinstance(name, str):
            raise _beadwave.InputError(f"laws: is {shown(name)}; expected the name of a law")
        return json.loads(_beadwave.law(name))
    return json.loads(_beadwave.laws())["laws"]


def keys(name: str = "") -> list[dict[str, Any]]:
    """The keys of scenarios, as `beadwave keys --json` prints them: key, type, unit, range, needed, default, meaning, scenarios. With a
    name: this key, table (such as "sensors"), or kind of scenario ("chain", "packing", "mechanism", "collision"). Raises InputError
    with the nearest name for an unknown name.

    >>> import beadwave as bw
    >>> bw.keys("time.end")[0]["unit"]
    's'
    """
    if not isinstance(name, str):
        raise _beadwave.InputError(f"keys: is {shown(name)}; expected the name of a key")
    listed: list[dict[str, Any]] = json.loads(_beadwave.keys(name))["keys"]
    return listed


def watch(history: Name) -> dict[str, Any]:
    """The present state of a run whose history another program writes: state ("running", "finished", "stopped", "killed"), step,
    time [s], percent, energy [J] ... Call it again to follow the run. Raises InputError, RunError."""
    printed: dict[str, Any] = json.loads(_beadwave.watch(file_name("history", history)))
    return printed


def report(histories: Name | Sequence[Name], *, output: Name | None = None, svg: Name | None = None, png: Name | None = None,
           xdmf: Name | None = None, contacts: Sequence[int] | None = None, overwrite: bool = False) -> list[Path]:
    """Writes the page of `beadwave report`, and still figures, of one history or several, or of a file of linear modes, alone or
    together with them; returns the names of the files.
    `overwrite`: also replaces files that beadwave did not write. Raises InputError, RunError."""
    named = [histories] if isinstance(histories, (str, Path)) or not isinstance(histories, Sequence) else list(histories)
    if not named:
        raise _beadwave.InputError("report: expected a history")
    files = _beadwave.ReportFiles([str(Path(file_name("histories", name))) for name in named],
                                  file_name("output", output, optional=True), file_name("svg", svg, optional=True),
                                  file_name("png", png, optional=True), file_name("xdmf", xdmf, optional=True),
                                  None if contacts is None else ",".join(str(contact) for contact in contacts), overwrite)
    drawn = subprocess.run([sys.executable, "-B", str(_figures.folder()), *files.arguments], capture_output=True, text=True,
                           check=False)
    if drawn.returncode != 0:
        error = drawn.stderr.strip().removeprefix("beadwave: ") or "figures need h5py, numpy, plotly and matplotlib; one is missing"
        raise (_beadwave.InputError if drawn.returncode == 2 else _beadwave.RunError)(error)
    files.commit()
    return files.names
