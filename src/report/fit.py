"""Reads the HDF5 file of a fit, as `beadwave fit` writes it. SI units throughout."""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .history import check_format_version, open_file, printable, reading, text_of, texts_of
from .run import parse_scenario, title_of


@dataclass
class Law:
    name: str
    by: str  # how the derivatives were computed
    keys: list[str]
    units: list[str]  # of the keys, as H5MD writes them; "" where unknown
    remarks: list[str]  # for each key: why its value is unknown or uncertain
    numbers: dict  # value, standard_error, low, high, start, at_bound: one per key, NaN if unknown
    correlation: np.ndarray
    computed: np.ndarray  # [t, sensor]
    peak_force: np.ndarray
    arrival_time: np.ndarray
    sensor_rms: np.ndarray
    rms: float
    aicc: float  # Akaike's information criterion, corrected for few data
    noise: float
    data: int
    evaluations: int
    seconds: float
    profiles: list[dict]  # profile likelihoods: key, value, chi_squared, low, high


def _method(attributes):
    """A sentence on what is compared in a packing, and on a loss and errors other than those of least squares."""
    parts = []
    if "component" in attributes:
        component = attributes["component"]
        parts.append("magnitudes of the net contact forces" if component == "norm" else f"{component} components of the net contact forces")
    if attributes.get("loss", "squares") != "squares":
        parts.append(f"loss: {attributes['loss']}")
    if attributes.get("errors", "white") != "white":
        parts.append(f"standard errors: {attributes['errors']}, from blocks of rows")
    text = "; ".join(parts)
    return f" {text[0].upper()}{text[1:]}." if text else ""


@dataclass(eq=False)
class Fit:
    path: Path
    version: str
    scenario: str  # with the best values
    settings: dict
    measured_file: str
    body: str
    target: str
    method: str  # what is compared, with which loss and errors
    time: np.ndarray
    sensors: np.ndarray
    measured: np.ndarray  # [t, sensor]
    unit: str  # of the readings: N, or V or mV of sensors whose gains were fitted
    used: np.ndarray  # [t, sensor]: 0 if the sensor is saturated
    weight: np.ndarray | None  # [t, sensor], of the squared residuals; None: all rows alike
    peak_force: np.ndarray  # measured; NaN if unknown, for example because the sensor is saturated
    arrival_time: np.ndarray
    laws: list[Law]  # best first
    label: str = ""
    warnings: list[str] = field(default_factory=list)
    system = "fit"

    @property
    def title(self):
        return "Fit: " + title_of(self.settings, self.path)

    @property
    def name(self):
        return printable(self.path.name)

    @property
    def last_time(self):
        return float(self.time[-1])


def is_fit(path):
    """Whether the path is an HDF5 file with the result of a fit."""
    try:
        with open_file(path) as file:
            return "fit/measured" in file
    except (OSError, RuntimeError):  # Run reports what is wrong
        return False


def _law(group):
    columns = ("value", "standard_error", "low", "high", "start", "bound_low", "bound_high", "at_bound")
    profiles = []
    while f"profile_likelihood_{len(profiles)}" in group:
        one = group[f"profile_likelihood_{len(profiles)}"]
        profiles.append({"key": text_of(one.attrs["key"]), **{name: one[name][()] for name in ("value", "chi_squared", "low", "high")}})
    return Law(name=text_of(group.attrs["law"]), by=text_of(group.attrs["by"]), keys=texts_of(group["key"]),
               units=texts_of(group["unit"]) if "unit" in group else [""] * len(group["key"]), remarks=texts_of(group["remark"]), numbers={name: group[name][:] for name in columns},
               correlation=group["correlation"][:], computed=group["computed"][:], peak_force=group["peak_force"][:],
               arrival_time=group["arrival_time"][:], sensor_rms=group["sensor_rms"][:], rms=float(group["rms"][()]),
               aicc=float(group["aicc"][()]), noise=float(group["noise"][()]), data=int(group["data"][()]),
               evaluations=int(group["evaluations"][()]), seconds=float(group["seconds"][()]), profiles=profiles)


def read(path):
    path = Path(path)
    with reading(path), open_file(path) as file:
        check_format_version(path, file)
        group = file["fit"]
        laws = []
        while f"law_{len(laws)}" in group:
            laws.append(_law(group[f"law_{len(laws)}"]))
        warnings = texts_of(group["warnings"]) if "warnings" in group else []
        for law, own in zip(laws, (group[f"law_{i}"] for i in range(len(laws)))):
            warnings += [f"under {law.name}: {warning}" for warning in (texts_of(own["warnings"]) if "warnings" in own else [])]
        scenario = text_of(file["parameters/scenario"][()])
        attributes = {name: text_of(group.attrs[name]) for name in ("errors", "loss", "component") if name in group.attrs}
        return Fit(path=path, method=_method(attributes), version=text_of(file["parameters/version"][()]), scenario=scenario,
                   settings=parse_scenario(scenario), measured_file=text_of(group.attrs["file"]), body=text_of(group.attrs["body"]),
                   target=text_of(group.attrs["target"]), time=group["time"][:], sensors=group["sensors"][:],
                   measured=group["measured"][:], unit=text_of(group["measured"].attrs["unit"]),
                   used=group["used"][:], weight=group["weight"][:] if "weight" in group else None, peak_force=group["law_0/measured_peak_force"][:],
                   arrival_time=group["law_0/measured_arrival_time"][:], laws=laws, warnings=warnings)
