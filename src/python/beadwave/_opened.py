"""Results that a command wrote, read back from their files: the same members as the program's own objects. Needs h5py."""
from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from . import _beadwave, _convert
from ._settings import Name, file_name
from ._stored import StoredFit, StoredModes, StoredSweep

Read = TypeVar("Read")


def opened(path: Name, what: str, group: str, read: Callable[[Any, Path], Read]) -> Read:
    """`read(file, path)` of a file with this group; `what`: "a sweep". Raises InputError."""
    h5py = _convert.optional_package("h5py", f"opening the file of {what}")
    name = Path(file_name("path", path))
    if not name.is_file():
        raise _beadwave.InputError(f"{name}: no such file; expected the file of {what}")
    try:
        _beadwave.check_file(name)
        with h5py.File(name, "r") as file:
            if group not in file:
                raise _beadwave.InputError(f"{name}: holds no /{group}; expected the file of {what}")
            return read(file, name)
    except (_beadwave.InputError, _beadwave.RunError):
        raise
    except (OSError, LookupError, ValueError, RuntimeError, TypeError, AttributeError):
        raise _beadwave.InputError(f"{name}: is not the file of {what}, or damaged") from None


def _texts(dataset: Any) -> list[str]:
    return [value.decode() if isinstance(value, bytes) else str(value) for value in np.atleast_1d(dataset[()]).tolist()]


def _text(dataset: Any) -> str:
    return _texts(dataset)[0]


def _attributes(group: Any, name: str) -> list[str]:
    return [value.decode() if isinstance(value, bytes) else str(value) for value in np.atleast_1d(group.attrs[name]).tolist()]


def _unit(dataset: Any) -> str:
    return _attributes(dataset, "unit")[0] if "unit" in dataset.attrs else ""


def _scenario(file: Any) -> str:
    return _text(file["parameters/scenario"])


# Sweeps

_OTHERS = {"status", "warnings", "error", "sensor_beads", "sensor_particles"}


def read_sweep(path: Name) -> StoredSweep:
    return opened(path, "a sweep", "sweep", _sweep)


def _sweep(file: Any, path: Path) -> StoredSweep:
    group = file["sweep"]
    names_of = {number: name for name, number in group["status"].dtype.metadata["enum"].items()}
    status = [names_of[number] for number in group["status"][:].tolist()]
    errors = _texts(group["error"])
    keys = [key for key in _attributes(group, "varied") if key]
    if "member" in group["parameters"] and "member" not in keys:
        keys.append("member")
    values = [_texts(group[f"parameters/{key}"]) for key in keys]
    columns = {name.removeprefix("sensor_"): dataset for name, dataset in group.items() if hasattr(dataset, "dtype") and name not in _OTHERS}
    over_time = {name: dataset for name, dataset in group["over_time"].items() if name != "time"} if "over_time" in group else {}
    sensors: list[int] = next((group[name][:].tolist() for name in ("sensor_beads", "sensor_particles") if name in group), [])
    failed = [number for number, one in enumerate(status) if one == "failed"]
    failure = f"{len(failed)} of {len(status)} runs failed; run {failed[0]}: {errors[failed[0]]}" if failed else ""
    counts = {word: status.count(word) for word in ("done", "failed", "not_run")}
    warnings = _texts(group["warnings"])
    result = {"runs": len(status), **counts, "runs_with_warnings": sum(bool(text) for text in warnings),
              "varied": [{"key": key, "values": len(dict.fromkeys(found))} for key, found in zip(keys, values)],
              "files": {"hdf5": str(path)}, "scenario": _scenario(file)}
    text = f"{len(status)} runs over {', '.join(keys)}: " + ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in counts.items())
    return StoredSweep(json.dumps(result), text, failure, status, errors, warnings, keys, sensors, list(columns), values,
                       {name: _unit(dataset) for name, dataset in {**columns, **over_time}.items()},
                       {name: np.array(dataset[:], float) for name, dataset in columns.items()},
                       group["over_time/time"][:].tolist() if over_time else [], list(over_time),
                       {name: np.array(dataset[:], float) for name, dataset in over_time.items()})


# Fits

_OF_PARAMETER = ("value", "standard_error", "low", "high", "start")
_OF_SENSOR = ("peak_force", "measured_peak_force", "arrival_time", "measured_arrival_time")
_TRUTHS, _WHOLE = ("converged",), ("evaluations", "effective_parameters", "block_rows", "data")


def _number(value: Any) -> float | None:
    """A number of a file as JSON has it: unknown numbers are null."""
    number = float(value)
    return number if math.isfinite(number) else None


def _parameters(group: Any) -> list[dict[str, Any]]:
    found = []
    columns = {name: group[name][:].tolist() for name in (*_OF_PARAMETER, "bound_low", "bound_high", "at_bound")}
    for number, (key, remark) in enumerate(zip(_texts(group["key"]), _texts(group["remark"]))):
        one: dict[str, Any] = {"key": key, **{name: _number(columns[name][number]) for name in _OF_PARAMETER}}
        one["at_bound"] = bool(columns["at_bound"][number])
        one["bounds"] = [columns["bound_low"][number], columns["bound_high"][number]]
        found.append({**one, **({"remark": remark} if remark else {})})
    return found


def _law(group: Any, body: str, sensors: list[int]) -> dict[str, Any]:
    result: dict[str, Any] = {"name": _attributes(group, "law")[0], "by": _attributes(group, "by")[0], "parameters": _parameters(group),
                              "correlation": [[_number(value) for value in row] for row in group["correlation"][:].tolist()]}
    for name, dataset in group.items():
        if getattr(dataset, "shape", None) == () and dataset.dtype.kind in "fiu":
            value = _number(dataset[()])
            result[name] = bool(value) if name in _TRUTHS else int(value) if name in _WHOLE and value is not None else value
    result["sensors"] = [{body: number, "rms": _number(group["sensor_rms"][at]), **{name: _number(group[name][at]) for name in _OF_SENSOR
                                                                                   if name in group}} for at, number in enumerate(sensors)]
    result["warnings"] = _texts(group["warnings"]) if "warnings" in group else []
    return result


def read_fit(path: Name) -> StoredFit:
    return opened(path, "a fit", "fit", _fit)


def _fit(file: Any, path: Path) -> StoredFit:
    group = file["fit"]
    sensors = group["sensors"][:].tolist()
    groups = [group[f"law_{number}"] for number in range(sum(name.startswith("law_") for name in group))]
    body = _attributes(group, "body")[0]
    laws = [_law(one, body, sensors) for one in groups]
    result = {"laws": laws, "failed": [], "files": {"hdf5": str(path)}}
    text = "\n".join(f"{law['name']}: rms {law['rms']:.5g}; " + ", ".join(f"{one['key']} {one['value']}" for one in law["parameters"])
                     for law in laws)
    each = range(len(sensors))
    beside = path.with_suffix(".toml")
    files = path.read_bytes(), beside.read_bytes() if beside.is_file() else _scenario(file).encode()
    measured, used = group["measured"][:], group["used"][:] != 0
    warnings = _texts(group["warnings"]) if "warnings" in group else []
    warnings += [f"under law {law['name']}: {warning}" for law in laws for warning in law["warnings"]]
    return StoredFit(json.dumps(result), text, warnings, group["time"][:],
                     [measured[:, at].copy() for at in each], [used[:, at].tolist() for at in each],
                     [[one["computed"][:, at] for at in each] for one in groups], [], [_text(one["scenario"]) for one in groups], files)


# Modes


def read_modes(path: Name) -> StoredModes:
    return opened(path, "linear modes", "frequency", _modes)


def _complex(group: Any, name: str, imaginary: str) -> Any:
    real = group[name][:]
    return real + 1j * (group[imaginary][:] if imaginary in group else 0.0)


def _shape(file: Any) -> Any:
    if "shape" not in file:
        return None
    parts = [_complex(file, name, f"{name}_imaginary") for name in ("shape", "rotation") if name in file]
    return np.concatenate(parts, axis=2)


def _table(file: Any, name: str, wave: str) -> dict[str, Any] | None:
    """/dispersion or /grid, under the names of Modes."""
    if name not in file:
        return None
    found = {"wave_vector" if key == wave else key: dataset[()] for key, dataset in file[name].items()}
    if found["wave_vector"].ndim == 1:  # of a chain
        found["wave_vector"] = found["wave_vector"][:, np.newaxis]
    points = found.pop("points", None)
    if points is not None:
        found = {key: values.reshape(*points.tolist(), *values.shape[1:]) for key, values in found.items()}
    return found


def _transfer(file: Any) -> dict[str, Any] | None:
    if "transfer" not in file:
        return None
    group = file["transfer"]
    return {"input": _attributes(group, "input")[0], "input_unit": _attributes(group, "input_unit")[0], "sensors": group["sensors"][:],
            "frequency": group["frequency"][:], **{name: _complex(group, f"{name}_real", f"{name}_imaginary") for name in ("displacement", "force")}}


def _modes(file: Any, path: Path) -> StoredModes:
    def numbers(name: str) -> Any:
        return file[name][:] if name in file else np.zeros(0)
    frequency, density = file["frequency"][:], None
    if "density_of_states" in file:
        density = file["density_of_states/edge"][:], file["density_of_states/density"][:]
    bands = np.column_stack([file["bands/lower"][:], file["bands/upper"][:]]) if "bands" in file else None
    result = {"system": _attributes(file, "system")[0], "frequencies": frequency.tolist(), "files": {"hdf5": str(path)}}
    return StoredModes(json.dumps(result), f"{len(frequency)} frequencies", _texts(file["warnings"]) if "warnings" in file else [],
                       int((frequency == 0.0).sum()), frequency, numbers("damping_ratio"), numbers("participation_ratio"),
                       numbers("body").astype(np.int64), numbers("position"), _shape(file), bands, _table(file, "dispersion", "wave_number"),
                       _table(file, "grid", "wave_number"), density, _transfer(file))
