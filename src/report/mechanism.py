"""Reads the history of a mechanism, as `beadwave run` writes it (HDF5, H5MD 1.1). SI units throughout."""
from dataclasses import dataclass, field
from pathlib import Path

import h5py
import numpy as np

from .history import InputError, _parsed, damaged, holds, opened, shown, texts_of

IMPACT_COLUMNS = ("start", "end", "closing_speed", "leaving_speed", "peak_force", "dissipated")
ENERGIES = ("kinetic_energy", "potential_energy", "stored_energy", "dissipated_energy", "friction_energy", "work")


@dataclass(eq=False)  # a history may be given twice
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
    contacts: list[str]  # one a spot: a guide has four
    clearance: np.ndarray  # of each, 0 where it is no journal
    overlap: np.ndarray  # [t, contact]; negative: the gap
    force: np.ndarray  # [t, contact]
    eccentricity: np.ndarray  # [t, contact, 2]
    energy: dict  # by name, [t]
    impacts: list[dict]  # one a contact, a column a name
    label: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def title(self):
        return str(self.settings.get("title", "")) or shown(self.path.stem)

    @property
    def name(self):
        return shown(self.path.name)

    @property
    def last_time(self):
        return float(self.time[-1]) if len(self.time) else 0.0


def is_one(path):
    return holds(path, "particles/bodies")


def read(path):
    path = Path(path)
    try:
        return _read(path)
    except Exception as error:
        raise damaged(path, error) from error


def _read(path):
    file = opened(path)
    scenario = file["parameters/scenario"].asstr()[()]
    bodies, seen = file["particles/bodies"], file["observables"]
    count = len(texts_of(seen["contacts"])) if "contacts" in seen else 0
    time = bodies["position/time"][:]

    def of_contacts(name, *shape):
        return seen[f"{name}/value"][:] if count else np.zeros((len(time), 0, *shape))

    impacts = [{column: file[f"impacts/{i}/{column}"][:] for column in IMPACT_COLUMNS} for i in range(count)
               if f"impacts/{i}" in file]
    run = Mechanism(path=path, file=file, law=file["parameters/law"].asstr()[()],
                    version=file["parameters/version"].asstr()[()], scenario=scenario, settings=_parsed(scenario),
                    accuracy=float(file["parameters/accuracy"][()]), time=time, bodies=texts_of(bodies["name"]),
                    acceleration=bodies["acceleration/value"][:, :, :2],
                    contacts=texts_of(seen["contacts"]) if count else [],
                    clearance=seen["clearance"][:] if count else np.zeros(0), overlap=of_contacts("overlap"),
                    force=of_contacts("contact_force"), eccentricity=of_contacts("eccentricity", 2),
                    energy={name: seen[f"{name}/value"][:] for name in ENERGIES}, impacts=impacts)
    end = run.settings.get("time", {}).get("end")
    if isinstance(end, (int, float)) and run.last_time < 0.98 * end:
        run.notes.append(f"stopped early: the history ends at {run.last_time:.6g} s of {end:.6g} s")
    return run


def read_all(paths):
    if not all(is_one(path) for path in paths):
        raise InputError("the histories are of mechanisms and of others; give one report each")
    return [read(path) for path in paths]
