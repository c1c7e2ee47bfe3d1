"""Reads the HDF5 table of `beadwave sweep`. SI units throughout."""
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

from .history import check_format_version, open_file, printable, reading, text_of
from .run import parse_scenario, title_of

SHOWN_FIRST = ("sensor_peak_force", "sensor_peak_contact_force", "sensor_arrival_time", "sensor_peak_velocity", "sensor_peak_speed", "impacts",
               "peak_force", "dissipated_energy")
NOT_SHOWN = ("status", "sensor_beads", "sensor_particles", "steps", "time_step")


@dataclass
class Column:
    name: str  # "peak force, sensor 9"
    unit: str  # "" if there is none
    values: np.ndarray  # one per run, NaN if the run failed


@dataclass
class Band:
    """A quantity over time, of each ensemble: mean [N][T], deviation [N][T], quantiles [N][Q][T]."""
    name: str
    unit: str
    mean: np.ndarray
    deviation: np.ndarray
    quantiles: np.ndarray


@dataclass
class Ensemble:
    members: int
    disturbed: list  # keys
    times: np.ndarray
    probabilities: np.ndarray
    finished: np.ndarray  # of each ensemble: its finished runs
    bands: list


@dataclass(eq=False)
class Sweep:
    path: Path
    version: str
    scenario: str
    settings: dict
    keys: list  # varied, in the order of the command
    values: dict  # by key: numbers or texts, one per run
    done: np.ndarray  # of the runs: whether it finished
    columns: list
    warnings: list
    ensemble: Ensemble | None = None
    units: dict = field(default_factory=dict)  # of the keys, as H5MD writes them
    members: int = 0  # of each ensemble; 0: there is none
    label: str = ""
    system = "sweep"

    @property
    def title(self):
        return "Sweep: " + title_of(self.settings, self.path)

    @property
    def name(self):
        return printable(self.path.name)


def is_sweep(path):
    """Whether the path is an HDF5 file with the table of a sweep."""
    try:
        with open_file(path) as file:
            return "sweep/parameters" in file
    except (OSError, RuntimeError):  # Run reports what is wrong
        return False


def _columns(group):
    names = sorted((name for name in group if isinstance(group[name], h5py.Dataset) and name not in NOT_SHOWN and group[name].dtype.kind in "fi"),
                   key=lambda name: (SHOWN_FIRST.index(name) if name in SHOWN_FIRST else len(SHOWN_FIRST), name))
    sensors = next((group[name][:] for name in ("sensor_beads", "sensor_particles") if name in group), [])
    for name in names:
        values, unit = np.asarray(group[name][()], float), text_of(group[name].attrs.get("unit", ""))
        shown = name.removeprefix("sensor_").replace("_", " ")
        if values.ndim == 1:
            yield Column(shown, unit, values)
        elif values.ndim == 2 and values.shape[1] == len(sensors):
            for sensor, column in zip(sensors, values.T):
                yield Column(f"{shown}, sensor {sensor}", unit, column)
        elif values.ndim == 2 and values.shape[1] == 3:
            for axis, column in zip("xyz", values.T):
                yield Column(f"{shown} {axis}", unit, column)


def _ensemble(group):
    """The ensembles of a table; None if it has none over time."""
    if "ensemble/over_time" not in group:
        return None
    own, bands = group["ensemble"], []
    for name, data in own["over_time"].items():
        mean = np.asarray(data["mean"][()], float)
        bands.append(Band(name, text_of(data["mean"].attrs.get("unit", "")), mean, np.asarray(data["standard_deviation"][()], float),
                          np.asarray(data["quantile"][()], float)))
    times, probabilities = np.asarray(group["over_time/time"][()], float), np.asarray(own["probability"][()], float)
    for band in bands:
        count = len(band.mean)
        if band.mean.shape != (count, len(times)) or band.quantiles.shape != (count, len(probabilities), len(times)):
            raise ValueError("its ensembles have different lengths")
    return Ensemble(members=int(np.ravel(own.attrs["members"])[0]), disturbed=[text_of(key) for key in own.attrs["disturbed"]], times=times,
                    probabilities=probabilities, finished=own["finished"][()], bands=bands)


def _of_runs(texts):
    """One sentence about the warnings of single runs, `texts`, which are empty for runs without one."""
    warned = [text for text in texts if text]
    if not warned:
        return []
    return [f"{len(warned)} of {len(texts)} runs have warnings, which are in the table; those of run {texts.index(warned[0])}: {warned[0]}"]


def read(path):
    path = Path(path)
    with reading(path), open_file(path) as file:
        check_format_version(path, file)
        group = file["sweep"]
        keys = [text_of(key) for key in group.attrs["varied"]]
        values = {}
        for key in keys:
            column = group["parameters"][key][()]
            values[key] = np.array([text_of(v) for v in column]) if column.dtype.kind in "SO" else np.asarray(column, float)
        names = {number: name for name, number in (h5py.check_enum_dtype(group["status"].dtype) or {"done": 0}).items()}
        states = [names.get(int(state), "unknown") for state in group["status"][:]]
        columns = [column for column in _columns(group) if len(column.values) == len(states)]
        if any(len(column) != len(states) for column in values.values()):
            raise ValueError("its columns have different lengths")
        failed = [text_of(error) for error, state in zip(group["error"][:], states) if state == "failed"] if "error" in group else []
        warnings = [f"{len(failed)} of {len(states)} runs failed; the first: {failed[0]}"] if failed else []
        warnings += _of_runs([text_of(text) for text in group["warnings"][:]] if "warnings" in group else [])
        scenario = text_of(file["parameters/scenario"][()])
        units = {key: text_of(group["parameters"][key].attrs.get("unit", "")) for key in keys}
        members = int(np.ravel(group["ensemble"].attrs["members"])[0]) if "ensemble" in group else 0
        if len(keys) > 1:
            keys = [key for key in keys if key != "member"]
        return Sweep(path=path, version=text_of(file["parameters/version"][()]), scenario=scenario, settings=parse_scenario(scenario),
                     keys=keys, values=values, done=np.array([state == "done" for state in states], bool), columns=columns, warnings=warnings,
                     ensemble=_ensemble(group), units=units, members=members)
