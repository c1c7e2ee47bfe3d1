"""What the panels show of a history. SI units throughout."""
import unicodedata
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .history import History, printable
from .picture_options import Options

DIRECTIONS = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")

try:
    import tomllib  # Python 3.11
except ImportError:
    tomllib = None


@dataclass
class Traces:
    """What the sensors recorded: force [N] and velocity [m/s], one row per time [s], one column per sensor."""
    beads: np.ndarray
    time: np.ndarray
    force: np.ndarray
    velocity: np.ndarray


def parse_scenario(scenario):
    """The scenario's tables; empty if it is not valid TOML or Python has no tomllib."""
    try:
        return tomllib.loads(scenario) if tomllib else {}
    except tomllib.TOMLDecodeError:
        return {}


def plain(text):
    """The text with "?" for what XML does not allow (control characters) and for what changes the direction of text."""
    return "".join("?" if unicodedata.category(c) in ("Cc", "Cs", "Cn") or unicodedata.bidirectional(c) in DIRECTIONS else c
                   for c in text)


def title_of(settings, path):
    return plain(str(settings.get("title", ""))) or printable(path.stem)


class Run(History):
    """The history of a chain, a packing or a mechanism."""

    def __init__(self, path, contacts=None, options=None):
        super().__init__(path)
        self.options = options or Options()  # of pictures
        self.settings = parse_scenario(self.scenario)
        self.title, self.name = title_of(self.settings, self.path), printable(self.path.name)
        self.label = ""  # distinguishes the run from the other runs on the page
        self.modes = None  # the linear modes, if their file is shown together with the history
        self.requested = contacts  # numbers of the contacts whose loops are drawn; None: not requested
        time = self.settings.get("time", {})
        end = time.get("end") if isinstance(time, dict) else None
        if isinstance(end, (int, float)) and self.last_time < 0.98 * end:
            factor, unit = (1.0, "s") if self.system == "mechanism" else (1e6, "µs")
            self.warnings.append(f"stopped early: the history ends at {self.last_time * factor:.6g} {unit} of "
                                 f"{end * factor:.6g} {unit}")

    @cached_property
    def files(self):
        """The texts of the files that the scenario names, by key: "contact.0.first.file"."""
        group = self.file.get("parameters/files", {})
        return {key: str(group[key].asstr()[()]) for key in group}

    @property
    def beads(self):
        return len(self["mass"])

    @property
    def body(self):
        """The kind of body that has a sensor."""
        return "bead" if self.system == "chain" else "particle"

    @cached_property
    def radius(self):
        return self["radius"][:]

    @cached_property
    def last_time(self):
        """Time of the last sample of any kind [s]."""
        return float(max((time[-1] for time in self.times if len(time)), default=0.0))

    @cached_property
    def position(self):
        """Of each bead of a chain at the start [m]."""
        spacing = self.radius[:-1] + self.radius[1:]
        if "contact_gap" in self:
            spacing = spacing + self["contact_gap"][1:-1]
        return np.concatenate([[0.0], np.cumsum(spacing)])

    @cached_property
    def traces(self):
        """None without sensors. Vectors are magnitudes here, so that packings have the panels of chains."""
        if "sensors" not in self or not len(self["sensor_time"]):
            return None
        columns = [self[name][:] for name in ("sensor_force" if "sensor_force" in self else "net_contact_force", "sensor_velocity")]
        columns = [np.linalg.norm(values, axis=2) if values.ndim == 3 else values for values in columns]
        return Traces(self["sensors"][:], self["sensor_time"][:], *columns)

    @cached_property
    def energy(self):
        """The energy ledger [J] by name; empty if the file has none."""
        if "energy_time" not in self or not len(self["energy_time"]):
            return {}
        return {name: self[name][:] for name in self if "/" not in name and self[name].unit == "J"}

    @cached_property
    def snapshot_time(self):
        """Empty without snapshots."""
        if "velocity" not in self:
            return np.empty(0)
        time = self["snapshot_time"]
        return time[:len(self["contacts/row_splits"]) - 1] if "contacts/row_splits" in self else time[:]

    @property
    def has_contact_force(self):
        return len(self.snapshot_time) > 0 and "contact_force" in self

    @cached_property
    def reach(self):
        """Number of beads that the wave reaches in a long chain, plus a margin. The others would only compress the picture."""
        if self.beads <= 100 or len(self.snapshot_time) == 0:
            return self.beads
        strongest = np.zeros(self.beads)
        for row in range(len(self.snapshot_time)):
            strongest = np.fmax(strongest, np.abs(self.snapshot("velocity", row)))
        moved = np.flatnonzero(strongest > 1e-3 * strongest.max())
        return min(self.beads, int(1.1 * moved[-1]) + 10) if len(moved) else self.beads

    def snapshot(self, quantity, row):
        """Chains only: one snapshot of the velocity [m/s] of every bead, or of the force [N] that a sensor in it would feel."""
        if quantity == "velocity":
            return self["velocity"][row]
        force = self["contact_force"][row]
        return 0.5 * (force[:-1] + force[1:])

    @property
    def planar(self):
        """Packings only: whether the packing lies in the plane z = 0."""
        return int(self.file["parameters/dimension"][()]) == 2

    def present(self, row):
        """Which particles are there in one snapshot: not those that still wait to be poured, or have left."""
        return np.ones(self.beads, bool) if "presence" not in self else self["presence"][row] == 1

    def contacts(self, row):
        """Packings only: the contacts of one snapshot: pairs, normal and tangential force [N], and the points where the forces
        act [m]. None if the history has no contacts."""
        if "contacts/pair" not in self:
            return None
        begin, end = self["contacts/row_splits"][row:row + 2]
        return tuple(self[f"contacts/{name}"][begin:end] for name in ("pair", "normal_force", "tangential_force", "point"))

    @cached_property
    def largest_force(self):
        """Packings only: the largest contact force in all snapshots [N]."""
        if "contacts/pair" not in self or not len(self["contacts/pair"]):
            return 0.0
        force = self["contacts/normal_force"][:] + self["contacts/tangential_force"][:]
        return float(np.linalg.norm(force, axis=1).max())

    @cached_property
    def has_front(self):
        """Packings only: whether a wave front runs through it."""
        from .panel_front import front_of, speeds_of
        return len(self.snapshot_time) > 1 and "presence" not in self and front_of(speeds_of(self)) is not None

    @cached_property
    def has_waves(self):
        """Packings only: a front runs through it, or its sensors may see one. A packing that is pressed or sheared slowly has none."""
        from .panel_stress_strain import strained_runs
        return self.has_front or self.traces is not None and not strained_runs([self])

    @cached_property
    def points(self):
        """Mechanisms only: names of the contact points; a prismatic contact has four."""
        return self.texts.get("contacts", [])


MOST_KEYS = 3  # in a label
NOT_IN_LABELS = ("title", "law.name")


def flat(settings, before=""):
    """{"law.psi": 2.7, "segment.0.velocity": 1.5} of the tables of a scenario."""
    found = {}
    for key, value in settings.items() if isinstance(settings, dict) else enumerate(settings):
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(item, dict) for item in value)):
            found.update(flat(value, f"{before}{key}."))
        else:
            found[f"{before}{key}"] = value
    return found


def _differing(runs):
    """For each run its text of the keys in which the scenarios differ; empty if too many do, or none."""
    tables = [flat(run.settings) for run in runs]
    keys = [key for key in dict.fromkeys(key for table in tables for key in table)
            if key not in NOT_IN_LABELS and any(table.get(key) != tables[0].get(key) for table in tables)]
    if not 1 <= len(keys) <= MOST_KEYS:
        return [""] * len(runs)

    def shown(value):
        return "-" if value is None else f"{value:g}" if isinstance(value, float) else printable(str(value))
    return [", ".join(f"{printable(key)} = {shown(table.get(key))}" for key in keys) for table in tables]


def label_runs(runs):
    """Labels the runs by their law, runs with the same law by the keys that differ, and if that does not tell them apart by law and file
    name."""
    for law in dict.fromkeys(run.law for run in runs):
        same = [run for run in runs if run.law == law]
        texts = _differing(same)
        for run, text in zip(same, texts):
            apart = len(set(texts)) == len(texts) and bool(text)
            several = len(same) < len(runs)
            run.label = law if len(same) == 1 else (f"{law}, {text}" if several else text) if apart else f"{law} ({printable(run.path.stem)})"
    for i, run in enumerate(runs):
        if any(other is not run and other.label == run.label for other in runs):
            run.label += f" [{i + 1}]"
