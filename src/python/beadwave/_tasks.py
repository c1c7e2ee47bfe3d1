"""Sweeps, comparisons, fits, collisions, the catalogue of laws, the state of a run, reports."""
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _beadwave, _convert, _figures
from ._measured import measured_file
from ._opened import read_fit, read_sweep
from ._progress import ProgressCallback, progress_callback
from ._scenario import Job, Scenario
from ._scenario_file import scenario_file
from ._settings import (Name, bounds_option, file_name, set_options, shown, table, texts, toml_text, vary_option,
                        whole_number)
from ._stored import StoredCollision, StoredFit, StoredSweep, stored_fit, stored_sweep

Floats = npt.NDArray[np.float64]
Texts = npt.NDArray[Any]


class Sweep:
    """A table with one row per run. Each column is an array with a name: the values of a varied key, sweep["law.psi"]; a quantity of
    the run, sweep["dissipated_energy"] [J]; a quantity of the sensors, runs x sensors, sweep["peak_force"] [N]. The numbers of a run
    that is not done are NaN (steps: 0). Sweep("table.sweep.h5") opens a table that `beadwave sweep` wrote. Raises InputError."""

    def __init__(self, sweep: _beadwave.Sweep | StoredSweep | Name) -> None:
        if isinstance(sweep, (str, PathLike)):
            sweep = read_sweep(sweep)
        elif not isinstance(sweep, (_beadwave.Sweep, StoredSweep)):
            raise _beadwave.InputError(f"Sweep: is {shown(sweep)}; expected the name of a file that `beadwave sweep` wrote")
        self._sweep: _beadwave.Sweep | StoredSweep = sweep
        self._derived: dict[str, tuple[npt.NDArray[Any], str]] = {}

    def names(self) -> list[str]:
        """The names of all columns: the varied keys, the quantities, then those of derive()."""
        return [*self._sweep.keys, *self._sweep.names, *self._derived]

    def derive(self, name: str, column: npt.ArrayLike | Callable[[Sweep], Any], unit: str = "") -> None:
        """Adds a column that follows from others: an array with one row per run, or a function of the sweep that returns one,
        sweep.derive("loss", lambda s: s["dissipated_energy"] / s["initial_energy"]). Raises InputError."""
        if not isinstance(name, str) or name in [*self._sweep.keys, *self._sweep.names]:
            raise _beadwave.InputError(f"derive: name: is {shown(name)}; expected a new name")
        values = np.asarray(column(self) if callable(column) else column)
        if values.ndim not in (1, 2) or len(values) != len(self):
            raise _beadwave.InputError(f"derive: {name}: has the shape {values.shape}; expected one row per run, {len(self)}")
        self._derived[name] = values, unit

    def statistics(self, name: str) -> dict[str, npt.NDArray[Any]]:
        """Of a column over the members of each ensemble, in the order of the ensembles: "finished", the number of members that count;
        "mean"; "standard_deviation", with M - 1 in its denominator; "quantile", of the probabilities 0.05, 0.25, 0.5, 0.75 and 0.95,
        linear between the members in order. Raises InputError if the sweep has no members."""
        if "member" not in self._sweep.keys:
            raise _beadwave.InputError("statistics: the sweep has no members; give sweep() members and disturb")
        members = len(dict.fromkeys(self["member"].tolist()))
        column = np.asarray(self[name], float)
        column = column.reshape(-1, members, *column.shape[1:])
        finished = (np.array(self.status) == "done").reshape(-1, members)
        probability = [0.05, 0.25, 0.5, 0.75, 0.95]
        shape = column.shape[2:]
        found: dict[str, list[Any]] = {"mean": [], "standard_deviation": [], "quantile": []}
        for numbers, counted in zip(column, finished):
            done = numbers[counted]
            found["mean"].append(done.mean(axis=0) if len(done) else np.full(shape, np.nan))
            found["standard_deviation"].append(done.std(axis=0, ddof=1) if len(done) > 1 else np.full(shape, np.nan))
            found["quantile"].append(np.moveaxis(np.quantile(done, probability, axis=0), 0, -1) if len(done)
                                     else np.full((*shape, len(probability)), np.nan))
        return {"finished": finished.sum(axis=1), **{key: np.array(values) for key, values in found.items()}}

    def __len__(self) -> int:
        return len(self.status)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        keys = self._sweep.keys
        if name in self._derived:
            return self._derived[name][0]
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
        """The unit of a quantity as H5MD writes it, for example "m s-1"; empty for a varied key."""
        if name in self._derived:
            return self._derived[name][1]
        return "" if name in self._sweep.keys else self._sweep.unit(name)

    @property
    def sensors(self) -> list[int]:
        """Numbers of the beads or particles that have a sensor."""
        return self._sweep.sensors

    @property
    def times(self) -> npt.NDArray[Any]:
        """The times of over_time() [s]."""
        return np.array(self._sweep.times)

    def over_time(self, name: str) -> npt.NDArray[Any]:
        """A quantity over time, runs x times: one of those that sweep(over_time=...) named. NaN: the run is not done."""
        if name not in self._sweep.over_time_names:
            raise KeyError(f"the sweep has no {name} over time; it has {', '.join(self._sweep.over_time_names) or 'none'}")
        return self._sweep.over_time(name)

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

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row per run, the index "run": the varied keys, the quantities ("peak_force_9": that of the sensor at
        bead 9), status, error and warnings. Its columns have the names of the CSV file without units."""
        pandas = _convert.optional_package("pandas", "to_pandas()")
        columns: dict[str, Any] = {}
        for name in self.names():
            column = self[name]
            if column.ndim == 1:
                columns[name] = column
            else:
                columns.update({f"{name}_{sensor}": column[:, at] for at, sensor in enumerate(self.sensors)})
        return pandas.DataFrame({**columns, "status": self.status, "error": self.errors, "warnings": self.warnings},
                                index=pandas.Index(range(len(self)), name="run"))

    def to_xarray(self) -> Any:
        """An xarray.Dataset with one axis per varied key, and one of the sensors."""
        xarray = _convert.optional_package("xarray", "to_xarray()")
        keys = self._sweep.keys
        axes: dict[str, Any] = {key: list(dict.fromkeys(self[key].tolist())) for key in keys}
        variables = {}
        for name in [*self._sweep.names, *self._derived]:
            grid = self.grid(name)
            variables[name] = ((*keys, "sensor")[:grid.ndim], grid, {"units": self.unit(name)})
        return xarray.Dataset(variables, {**axes, "sensor": self.sensors})

    def __getstate__(self) -> dict[str, Any]:
        return {"sweep": stored_sweep(self._sweep), "derived": self._derived}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._sweep = state["sweep"]
        self._derived = state["derived"]

    def __str__(self) -> str:
        return self._sweep.text

    def __repr__(self) -> str:
        return f"<beadwave.Sweep of {len(self)} runs over {', '.join(self._sweep.keys)}: {self.status.count('done')} done>"


def sweep(scenario: Scenario | Job, vary: Mapping[str, Any] | None = None, *, overrides: Mapping[str, Any] | None = None, output: Name | None = None,
          csv: Name | None = None, threads: int = 0, overwrite: bool = False, members: int = 0,
          disturb: Mapping[str, float | str] | None = None, seed: int = 0, over_time: Sequence[str] = (),
          yes: bool = False, progress: ProgressCallback | bool | None = None) -> Sweep:
    """Runs every combination of values, on all threads. `scenario`: a file, a dictionary, or what load() returned. `vary`: {"law.psi": [2.6, 2.8, 3.0], "law.name": ["hertz", "ma-liu"]} or
    {"law.psi": "2.6:3.0:9"} or, with equal ratios, "1:100:5:log"; the key "segment.0.radius,segment.1.radius" gives both the same value.
    `members`: an ensemble of so many runs, each with its own normally distributed disturbance of the keys in
    `disturb`: {"body.0.velocity.0": 1e-3} or {"body.0.mass": "1%"}. `over_time`: recorded numbers that are kept over time, such as
    "position.1.0"; Sweep.over_time() has them. `yes`: starts although the runs take more than a month at the least. `output`: also writes the tables of `beadwave sweep`, and continues a sweep that was killed. The table
    contains the runs that fail; `failure` reports them. Raises InputError before the first run, KeyboardInterrupt."""
    with scenario_file(scenario) as file, progress_callback(progress) as callback:
        return Sweep(_beadwave.sweep(file,
                                     [vary_option(key, values) for key, values in table("vary", vary or {}).items()],
                                     set_options(overrides), file_name("output", output, optional=True),
                                     file_name("csv", csv, optional=True), whole_number("threads", threads), overwrite, whole_number("members", members),
                                     [f"{key}={deviation}" for key, deviation in table("disturb", disturb or {}).items()],
                                     whole_number("seed", seed), texts("over_time", over_time) if over_time else [], yes, callback))


def compare(scenario: Scenario | Job, laws: Sequence[str], *, overrides: Mapping[str, Any] | None = None, measured: Name | None = None,
            threads: int = 0, progress: ProgressCallback | bool | None = None) -> list[dict[str, Any]]:
    """Runs one scenario under several laws; the first law is the reference. Returns what `beadwave compare --json` prints for each
    law. `progress`: a function of (thousandths of laws done, 1000 times the number of laws, seconds). Raises InputError, RunError."""
    with scenario_file(scenario) as file, progress_callback(progress) as callback:
        text, _ = _beadwave.compare(file, texts("laws", laws), set_options(overrides),
                                    file_name("measured", measured, optional=True), whole_number("threads", threads), callback)
    compared: list[dict[str, Any]] = json.loads(text)["laws"]
    return compared


class LawFit:
    """The fit under one law. Arrays over the parameters have the order of `keys`. `name`: that of the law. `rms`: of the residuals, in
    their unit. `result`: its object in `beadwave fit --json`."""

    def __init__(self, fit: _beadwave.FitResult | StoredFit, number: int, result: dict[str, Any]) -> None:
        self._fit, self._number = fit, number
        self.name: str = result["name"]
        self.rms: float = result["rms"]
        self.result = result

    @property
    def parameters(self) -> dict[str, dict[str, Any]]:
        """For each key: value, standard_error, low and high (the 95 % interval), at_bound ..."""
        return {parameter["key"]: parameter for parameter in self.result["parameters"]}

    @property
    def keys(self) -> list[str]:
        """The fitted keys, in the order of `x`."""
        return [parameter["key"] for parameter in self.result["parameters"]]

    def _of_each(self, name: str) -> Floats:
        return np.array([parameter[name] for parameter in self.result["parameters"]], dtype=float)

    @property
    def x(self) -> Floats:
        """The best values; NaN where the measurement does not determine one."""
        return self._of_each("value")

    @property
    def correlation(self) -> Floats:
        """Parameters x parameters; NaN if unknown."""
        return np.array(self.result["correlation"], dtype=float)

    @property
    def cov(self) -> Floats:
        """The covariance of the best values, parameters x parameters; NaN if unknown."""
        error = self._of_each("standard_error")
        return self.correlation * np.outer(error, error)

    @property
    def residuals(self) -> list[Floats]:
        """Measured minus computed forces [N], one array per sensor; NaN in rows that are left out."""
        found = []
        for sensor, computed in enumerate(self.computed):
            used = np.array(self._fit.used(sensor))
            found.append(np.where(used, self._fit.measured(sensor) - computed, np.nan))
        return found

    @property
    def jac(self) -> list[Floats]:
        """Derivatives of the computed forces by the parameters [N per unit of the key], rows x parameters, one array per sensor; NaN
        in rows that are left out."""
        return [self._fit.jacobian(self._number, sensor) for sensor in range(len(self.result["sensors"]))]

    @property
    def redchi(self) -> float:
        """Chi-squared per degree of freedom: about 1 with `noise`, otherwise the square of the estimated noise [N^2 for traces]."""
        determined = int(np.isfinite(self._of_each("standard_error")).sum())
        return float(self.result["chi_squared"] / max(self.result["data"] - determined, 1))

    @property
    def p_value(self) -> float:
        """The probability of a larger chi-squared; NaN unless `noise` is given."""
        found = self.result["p_value"]
        return float("nan") if found is None else float(found)

    @property
    def aic(self) -> float:
        """Akaike's information criterion, corrected for few data: the law with the lowest is the best."""
        return float(self.result["aicc"])

    @property
    def success(self) -> bool:
        """Whether the fit has converged and the measurement determines every parameter, inside its bounds."""
        return bool(self.result["converged"]) and all("remark" not in parameter for parameter in self.result["parameters"])

    @property
    def message(self) -> str:
        """Which parameters are not determined, and why; whether the fit has not converged."""
        remarks = [] if self.result["converged"] else ["the fit has not converged"]
        remarks += [f"{parameter['key']} {parameter['remark']}" for parameter in self.result["parameters"] if "remark" in parameter]
        return "; ".join(remarks) if remarks else "every parameter is determined"

    @property
    def scenario(self) -> str:
        """The scenario (TOML) with the best values."""
        return self._fit.scenario(self._number)

    @property
    def computed(self) -> list[Floats]:
        """Computed forces at the measured times [N], one array per sensor."""
        return [self._fit.computed(self._number, sensor) for sensor in range(len(self.result["sensors"]))]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the parameters, one row per key."""
        return _convert.parameter_frame({self.name: self.parameters}).loc[self.name]

    def __repr__(self) -> str:
        values = ", ".join(f"{key} = {one['value']:.6g}" if one["value"] is not None else f"{key} unknown"
                           for key, one in self.parameters.items())
        return f"<beadwave.LawFit {self.name}: {values}>"


class Fit:
    """The laws that were fitted, best first. `x`, `cov`, `residuals` and the other results are those of the best law. `laws`: all of them.
    Fit("fit.h5") opens the file of a fit, which holds no derivatives (jac).
    `result`: the object that `beadwave fit --json` prints. `output`: the file that was written; None if there is none."""

    def __init__(self, fit: _beadwave.FitResult | StoredFit | Name, output: Path | None = None) -> None:
        if isinstance(fit, (str, PathLike)):
            output = Path(fit).resolve()
            fit = read_fit(fit)
        elif not isinstance(fit, (_beadwave.FitResult, StoredFit)):
            raise _beadwave.InputError(f"Fit: is {shown(fit)}; expected the name of a file that `beadwave fit -o` wrote")
        self._fit, self.output = fit, output
        self.result: dict[str, Any] = json.loads(fit.json)
        self.laws = [LawFit(fit, number, result) for number, result in enumerate(self.result["laws"])]

    @property
    def best(self) -> LawFit:
        """The law that fits best."""
        return self.laws[0]

    def __getattr__(self, name: str) -> Any:
        if name in _OF_BEST:
            return getattr(self.best, name)
        raise AttributeError(f"the fit has no {name}")

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *_OF_BEST]

    def __getitem__(self, law: str) -> LawFit:
        for one in self.laws:
            if one.name == law:
                return one
        raise KeyError(f"the fit has no law {law}; it has {', '.join(one.name for one in self.laws)}")

    def _ipython_key_completions_(self) -> list[str]:
        return [one.name for one in self.laws]

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

    @property
    def sensors(self) -> list[int]:
        """Numbers of the beads or particles whose traces were measured."""
        return [sensor.get("bead", sensor.get("particle")) for sensor in self.best.result["sensors"]]

    def save(self, path: Name, overwrite: bool = False) -> None:
        """Writes FIT.h5 and the scenario with the best values, as `output` does. Raises InputError, RunError."""
        self._fit.save(file_name("path", path), overwrite)

    def plot(self) -> Any:
        """The report's panels as a matplotlib figure."""
        if self.output is not None:
            return _figures.figure_of([self.output])
        return _figures.figure_from_memory(self.save, "fit.h5")

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of the parameters, one row per law and key."""
        return _convert.parameter_frame({law.name: law.parameters for law in self.laws})

    def to_xarray(self) -> Any:
        """An xarray.Dataset of the best law: measured and computed forces and residuals [N] over time [s] and sensor."""
        xarray = _convert.optional_package("xarray", "to_xarray()")
        traces = {"measured": self.measured, "computed": self.best.computed, "residuals": self.best.residuals}
        return xarray.Dataset({name: (("time", "sensor"), np.column_stack(columns), {"units": "N"}) for name, columns in traces.items()},
                              {"time": ("time", np.asarray(self.time), {"units": "s"}), "sensor": ("sensor", self.sensors)})

    def __getstate__(self) -> dict[str, Any]:
        return {"fit": stored_fit(self._fit, len(self.laws), len(self.best.result["sensors"])), "output": self.output}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["fit"], state["output"])  # type: ignore[misc]

    def __str__(self) -> str:
        return self._fit.text

    def __repr__(self) -> str:
        return f"<beadwave.Fit of {len(self.laws)} {'law' if len(self.laws) == 1 else 'laws'}; best: {self.best!r}>"


_OF_BEST = ("keys", "x", "cov", "correlation", "parameters", "computed", "residuals", "jac", "rms", "redchi", "p_value", "aic", "success",
            "message", "scenario")


def _pairs(argument: str, values: Mapping[str, Any] | None, meaning: str) -> list[str]:
    """{"law.psi": (2.8, 0.1)} as the values of an option KEY=FIRST:SECOND."""
    options = []
    for key, pair in table(argument, values or {}).items():
        try:
            first, second = (float(one) for one in pair)
        except (TypeError, ValueError):
            raise _beadwave.InputError(f"{argument}: {key}: is {shown(pair)}; expected {meaning}") from None
        options.append(f"{key}={first!r}:{second!r}")
    return options


def _starts(x0: Any, keys: Sequence[str]) -> list[str]:
    """The starts, by key or in the order of the bounds, as the values of --start."""
    if x0 is None:
        return []
    values = x0 if isinstance(x0, Mapping) else None
    try:
        if values is None:
            values = dict(zip(keys, np.atleast_1d(np.asarray(x0, dtype=float)).tolist(), strict=True))
        return [f"{key}={float(value)!r}" for key, value in values.items()]
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"x0: is {shown(x0)}; expected a number for each key of bounds, or a dictionary") from None


def fit(scenario: Scenario | Job, measured: Any, bounds: Mapping[str, Any], *, overrides: Mapping[str, Any] | None = None,
        laws: Sequence[str] = (), target: str = "traces", x0: Any = None, weights: Any = None, mask: Any = None,
        noise: float | Sequence[float] | None = None, arrival_noise: float | None = None, loss: str = "squares",
        errors: str = "white", prior: Mapping[str, Any] | None = None, component: str = "norm", multistart: int = 0,
        profile_likelihood: Sequence[str] = (), output: Name | None = None, threads: int = 0, overwrite: bool = False,
        progress: ProgressCallback | bool | None = None) -> Fit:
    """Fits numbers of a scenario to measured traces. `measured`: a file, arrays (time, force) with one column per sensor, or
    {"time": times, 9: forces, ...}, in s and N; NaN in an array: that row of that sensor is left out.

    `bounds`: {"law.psi": (2, 4)}. `laws`: the laws to fit; default: the scenario's law. `target`: "traces", "peaks", "arrivals" or
    "peaks,arrivals". `x0`: the starts, {"law.psi": 2.7} or in the order of `bounds`; default: the scenario's values.

    `weights`: factors of the squared residuals (1/variance), one per row, or rows x sensors; a file has a column named "weight".
    `mask`: what is left out: (from, to) in s, a list of these, {9: (from, to)}, or for arrays truth values. `noise` [N] and
    `arrival_noise` [s] are standard deviations; default: estimated. `loss`: "squares", "huber" or "soft-l1" (outliers). `errors`:
    "white" or "robust" (noise that correlates or varies). `prior`: {"law.psi": (2.8, 0.1)}, mean and standard deviation.
    `component`: of the forces in packings, "norm", "x", "y" or "z".

    `multistart`: number of further starting points. `profile_likelihood`: keys whose profile likelihood is computed. `output`: also
    writes FIT.h5 and the scenario with the best values. `progress`: a function of (runs so far, 0, seconds). Raises InputError,
    RunError, KeyboardInterrupt."""
    try:
        sigma = "" if noise is None else ",".join(repr(float(one)) for one in np.atleast_1d(noise))
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"noise: is {shown(noise)}; expected a number or a list of numbers, in N") from None
    if arrival_noise is not None and not isinstance(arrival_noise, (int, float, np.number)):
        raise _beadwave.InputError(f"arrival_noise: is {shown(arrival_noise)}; expected a number, in s")
    for argument, text in {"target": target, "loss": loss, "errors": errors, "component": component}.items():
        if not isinstance(text, str):
            raise _beadwave.InputError(f"{argument}: is {shown(text)}; expected a text")
    settings = set_options(overrides)
    ends = [bounds_option(key, pair) for key, pair in table("bounds", bounds).items()]
    with (scenario_file(scenario) as file,
          measured_file(measured, weights, mask, lambda: _beadwave.load(file, settings).sensors) as (name, masks),
          progress_callback(progress) as callback):
        done = _beadwave.fit(file, name, ends, settings, target, texts("laws", laws), sigma, arrival_noise, loss, errors, component,
                             masks, _pairs("prior", prior, "(mean, standard deviation)"), _starts(x0, list(bounds)),
                             whole_number("multistart", multistart), texts("profile_likelihood", profile_likelihood),
                             file_name("output", output, optional=True), whole_number("threads", threads), overwrite, callback)
    return Fit(done, None if output is None else Path(output).resolve())


class Collision(dict[str, Any]):
    """What `beadwave collide --json` prints, as a dictionary: restitution, rebound_speed [m/s], max_force [N] ... With
    collide(..., trajectory=True) also `trajectory`: arrays of time [s], overlap [m], approach_speed [m/s] and force [N]."""

    def __init__(self, collision: _beadwave.CollisionResult | StoredCollision) -> None:
        super().__init__(json.loads(collision.json))
        self._collision = collision

    def __reduce__(self) -> tuple[Any, ...]:
        return Collision, (StoredCollision(json.dumps(dict(self)), self.warnings, {name: np.array(one)
                                                                                 for name, one in self.trajectory.items()}),)

    def __repr__(self) -> str:
        return f"<beadwave.Collision {dict.__repr__(self)}>"

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
        return Collision(_beadwave.collide_text(toml_text(case), "case", Path.cwd(), trajectory))
    if not isinstance(case, (str, PathLike)):
        raise _beadwave.InputError(f"case: is {shown(case)}; expected the name of a file, or a dictionary")
    return Collision(_beadwave.collide(case, set_options(overrides), trajectory))


def _range_option(what: str, low_high: Sequence[float] | None) -> str:
    if low_high is None:
        return ""
    try:
        low, high = (float(value) for value in low_high)
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"{what}: is {shown(low_high)}; expected (low, high), two numbers") from None
    return f"{low!r}:{high!r}"


def laws(name: str | None = None, *, program: str | None = None, case: Name | None = None,
         overrides: Mapping[str, Any] | None = None, speeds: Sequence[float] | None = None,
         masses: Sequence[float] | None = None, at: Mapping[str, float] | None = None) -> Any:
    """The catalogue, as `beadwave laws --json` prints it: a list of laws, each with name, family, equation, parameters (name, unit,
    meaning, lowest, highest, default), validity, source. With a name: this law, line law or restitution formula. Raises InputError
    with the nearest name for an unknown name.

    `program`: the law in the parameters of another program ("lammps", "liggghts", "yade", "mujoco", "drake", "chrono", "simbody"), as
    `beadwave laws NAME --for PROGRAM --json` prints it. `case`: a collision case with the bodies and the parameters of the law (two
    steel spheres); `overrides` of its keys; `speeds`: (low, high) [m/s]; `masses`: (low, high), effective [kg].

    `at`: the optimal damping of "poursina-nikravesh" for one impact, as `beadwave laws NAME --at KEY=VALUE --json` prints it:
    restitution, exponent (1.5), stiffness [N/m^n], mass (effective) [kg] and speed [m/s].

    >>> import beadwave as bw
    >>> bw.laws("hertz")["family"]
    'elastic'
    >>> bw.laws("tsuji", program="simbody", overrides={"law.restitution": 0.9})["parameters"][1]["key"]
    'dissipation'
    >>> round(bw.laws("poursina-nikravesh", at={"restitution": 0.7, "stiffness": 1, "mass": 1, "speed": 1})["damping"]["optimum"], 3)
    0.22
    """
    if name is not None and not isinstance(name, str):
        raise _beadwave.InputError(f"laws: is {shown(name)}; expected the name of a law")
    if program is not None:
        if not isinstance(program, str):
            raise _beadwave.InputError(f"program: is {shown(program)}; expected the name of a program")
        if name is None:
            raise _beadwave.InputError("program: needs the name of a law")
        if at is not None:
            raise _beadwave.InputError("at: is given together with program; give one of the two")
        return json.loads(_beadwave.translate(name, program, file_name("case", case, optional=True), set_options(overrides),
                                              _range_option("speeds", speeds), _range_option("masses", masses)))
    for what, given in {"case": case, "overrides": overrides, "speeds": speeds, "masses": masses}.items():
        if given is not None:
            raise _beadwave.InputError(f"{what}: is for a program; give program, too")
    if at is not None:
        if name is None:
            raise _beadwave.InputError("at: needs the name of a law")
        if not isinstance(at, Mapping):
            raise _beadwave.InputError(f"at: is {shown(at)}; expected a dictionary, such as {{'restitution': 0.7}}")
        return json.loads(_beadwave.law_numbers(name, [f"{key}={value!r}" for key, value in at.items()]))
    if name is not None:
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
           gif: Name | None = None, mp4: Name | None = None, picture: Name | None = None, xdmf: Name | None = None,
           contacts: Sequence[int] | None = None, size: tuple[int, int] | None = None, fps: float | None = None, seconds: float | None = None,
           camera: str | Sequence[float] | None = None, colour: str | None = None, colour_range: tuple[float, float] | None = None,
           walls: str | None = None, at: float | str | Sequence[float | str] | None = None, panels: Sequence[str] | None = None,
           overwrite: bool = False) -> list[Path]:
    """Writes the page of `beadwave report`, still figures, the moving picture as a film (`gif`, `mp4`) and at one moment (`picture`), of one
    history or several, of a fit or a sweep, or of a file of linear modes, alone or together with histories; returns the names of the files.
    `size`: width and height of pictures in pixels; `fps`, `seconds`: frames per second and length of films; `camera`: "top", "front,1.5", or
    azimuth and elevation in degrees, and a zoom: (-30, 20, 1.5); `colour`, `colour_range`: quantity of the colours of particles and the ends of
    its colour bar in SI units; `walls`: "faint", "solid" or "hidden"; `at`: moments of still pictures, times [s] or names such as
    "largest-force"; `panels`: names of the panels of page and still figures.
    `overwrite`: also replaces files that beadwave did not write. Raises InputError, RunError."""
    named = [histories] if isinstance(histories, (str, Path)) or not isinstance(histories, Sequence) else list(histories)
    if not named:
        raise _beadwave.InputError("report: expected a history")
    files = _beadwave.ReportFiles([str(Path(file_name("histories", name))) for name in named],
                                  file_name("output", output, optional=True), file_name("svg", svg, optional=True),
                                  file_name("png", png, optional=True), file_name("gif", gif, optional=True),
                                  file_name("mp4", mp4, optional=True), file_name("picture", picture, optional=True),
                                  file_name("xdmf", xdmf, optional=True),
                                  _figures.drawing_options(size=size, fps=fps, seconds=seconds, camera=camera, colour=colour,
                                                           colour_range=colour_range, walls=walls, at=at, panels=panels),
                                  None if contacts is None else ",".join(str(contact) for contact in contacts), overwrite)
    drawn = subprocess.run([sys.executable, "-B", str(_figures.folder()), *files.arguments], capture_output=True, text=True,
                           check=False)
    if drawn.returncode != 0:
        error = drawn.stderr.strip().removeprefix("beadwave: ") or "figures need h5py, numpy, plotly and matplotlib; one is missing"
        raise (_beadwave.InputError if drawn.returncode == 2 else _beadwave.RunError)(error)
    files.commit()
    return files.names
