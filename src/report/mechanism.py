"""Reads the history of a mechanism, as `beadwave run` writes it (HDF5, H5MD 1.1). SI units throughout."""
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

from .history import InputError, check_format_version, damaged, is_system, open_file, parse_scenario, printable, texts_of

IMPACT_COLUMNS = ("start", "end", "impact_speed", "separation_speed", "peak_force", "dissipated")
ENERGIES = ("kinetic_energy", "potential_energy", "stored_energy", "dissipated_energy", "friction_dissipation", "external_work")


@dataclass(eq=False)  # the same history may be given twice
class Mechanism:
    path: Path
    file: h5py.File
    law: str
    version: str
    scenario: str
    settings: dict  # the scenario parsed; empty where it cannot be
    accuracy: float
    time: np.ndarray
    bodies: list[str]
    acceleration: np.ndarray  # [t, body, 2]
    contacts: list[str]  # one per contact point: a prismatic contact has four
    clearance: np.ndarray  # of each contact point; 0 unless it is a journal
    overlap: np.ndarray  # [t, contact]; negative: the gap
    force: np.ndarray  # [t, contact]
    journal_displacement: np.ndarray  # [t, contact, 2]
    energy: dict  # [t], by name
    impacts: list[dict]  # one per contact: columns by name
    label: str = ""
    warnings: list[str] = field(default_factory=list)

    @property
    def title(self):
        return str(self.settings.get("title", "")) or printable(self.path.stem)

    @property
    def name(self):
        return printable(self.path.name)

    @property
    def last_time(self):
        return float(self.time[-1]) if len(self.time) else 0.0


def is_mechanism(path):
    return is_system(path, "mechanism")


def read(path):
    path = Path(path)
    try:
        return _read(path)
    except InputError:
        raise
    except Exception as error:
        raise damaged(path, error) from error


def _read(path):
    file = open_file(path)
    check_format_version(path, file)
    scenario = file["parameters/scenario"].asstr()[()]
    bodies, observables = file["particles/all"], file["observables"]
    count = len(texts_of(observables["contacts"])) if "contacts" in observables else 0
    time = bodies["position/time"][:]

    def of_contacts(name, *shape):
        return observables[f"{name}/value"][:] if count else np.zeros((len(time), 0, *shape))

    impacts = [{column: file[f"impacts/{i}/{column}"][:] for column in IMPACT_COLUMNS} for i in range(count)
               if f"impacts/{i}" in file]
    run = Mechanism(path=path, file=file, law=file["parameters/law"].asstr()[()],
                    version=file["parameters/version"].asstr()[()], scenario=scenario, settings=parse_scenario(scenario),
                    accuracy=float(file["parameters/accuracy"][()]), time=time, bodies=texts_of(bodies["name"]),
                    acceleration=bodies["acceleration/value"][:, :, :2],
                    contacts=texts_of(observables["contacts"]) if count else [],
                    clearance=observables["clearance"][:] if count else np.zeros(0), overlap=of_contacts("overlap"),
                    force=of_contacts("contact_force"), journal_displacement=of_contacts("journal_displacement", 2),
                    energy={name: observables[f"{name}/value"][:] for name in ENERGIES}, impacts=impacts)
    end = run.settings.get("time", {}).get("end")
    if isinstance(end, (int, float)) and run.last_time < 0.98 * end:
        run.warnings.append(f"stopped early: the history ends at {run.last_time:.6g} s of {end:.6g} s")
    return run


def read_all(paths):
    if not all(is_mechanism(path) for path in paths):
        raise InputError("some histories are of mechanisms and some are not; make a report for each kind")
    return [read(path) for path in paths]
