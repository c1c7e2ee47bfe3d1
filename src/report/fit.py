"""Reads a fit, as `beadwave fit` writes it (HDF5). SI units throughout."""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .history import _parsed, damaged, holds, opened, shown, text_of, texts_of


@dataclass
class Law:
    name: str
    by: str  # how derivatives were made
    keys: list[str]
    why: list[str]  # a number is not known, or doubtful
    numbers: dict  # value, standard_error, low, high, start, at_bound: one a key, NaN where not known
    correlation: np.ndarray
    computed: np.ndarray  # [t, sensor]
    peak: np.ndarray
    arrival: np.ndarray
    sensor_rms: np.ndarray
    rms: float
    information: float
    noise: float
    data: int
    runs: int
    seconds: float
    profiles: list[dict]  # key, value, chi_squared, low, high


@dataclass(eq=False)
class Fit:
    path: Path
    version: str
    scenario: str  # with the best values
    settings: dict
    measured_file: str
    body: str
    of: str
    time: np.ndarray
    sensors: np.ndarray
    measured: np.ndarray  # [t, sensor]
    used: np.ndarray  # the like: 0 where a sensor is saturated
    peak: np.ndarray  # measured; NaN where not known, as where a sensor is saturated
    arrival: np.ndarray
    laws: list[Law]  # best first
    label: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def title(self):
        return "Fit: " + (str(self.settings.get("title", "")) or shown(self.path.stem))

    @property
    def name(self):
        return shown(self.path.name)

    @property
    def last_time(self):
        return float(self.time[-1])


def is_one(path):
    return holds(path, "fit/measured")


def _law(group):
    columns = ("value", "standard_error", "low", "high", "start", "bound_low", "bound_high", "at_bound")
    profiles = []
    while f"profile_{len(profiles)}" in group:
        one = group[f"profile_{len(profiles)}"]
        profiles.append({"key": text_of(one.attrs["key"]), **{name: one[name][()] for name in ("value", "chi_squared", "low", "high")}})
    return Law(name=text_of(group.attrs["law"]), by=text_of(group.attrs["by"]), keys=texts_of(group["key"]), why=texts_of(group["why"]),
               numbers={name: group[name][:] for name in columns}, correlation=group["correlation"][:],
               computed=group["computed"][:], peak=group["peak"][:], arrival=group["arrival"][:],
               sensor_rms=group["sensor_rms"][:], rms=float(group["rms"][()]), information=float(group["information"][()]),
               noise=float(group["noise"][()]), data=int(group["data"][()]), runs=int(group["runs"][()]),
               seconds=float(group["seconds"][()]), profiles=profiles)


def read(path):
    path = Path(path)
    try:
        return _read(path)
    except Exception as error:
        raise damaged(path, error) from error


def _read(path):
    with opened(path) as file:
        group = file["fit"]
        laws = []
        while f"law_{len(laws)}" in group:
            laws.append(_law(group[f"law_{len(laws)}"]))
        notes = texts_of(group["notes"]) if "notes" in group else []
        for law, place in zip(laws, (group[f"law_{i}"] for i in range(len(laws)))):
            notes += [f"under {law.name}: {note}" for note in (texts_of(place["notes"]) if "notes" in place else [])]
        scenario = text_of(file["parameters/scenario"][()])
        return Fit(path=path, version=text_of(file["parameters/version"][()]), scenario=scenario, settings=_parsed(scenario),
                   measured_file=text_of(group.attrs["file"]), body=text_of(group.attrs["body"]), of=text_of(group.attrs["of"]),
                   time=group["time"][:], sensors=group["sensors"][:], measured=group["measured"][:], used=group["used"][:],
                   peak=group["law_0/measured_peak"][:], arrival=group["law_0/measured_arrival"][:], laws=laws, notes=notes)
