"""Reads branches of periodic orbits, basins and Poincare sections, as `beadwave orbit` writes them. SI units throughout."""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .history import check_format_version, open_file, printable, reading, text_of
from .run import parse_scenario, title_of

KINDS = {"fold": "fold", "tangent": "tangent", "period-doubling": "period doubling", "neimark-sacker": "Neimark-Sacker", "real": "real",
         "oscillatory": "oscillatory"}


@dataclass(eq=False)
class Result:
    path: Path
    version: str
    scenario: str
    settings: dict
    warnings: list = field(default_factory=list)
    label: str = ""

    @property
    def title(self):
        return self.heading + ": " + title_of(self.settings, self.path)

    @property
    def name(self):
        return printable(self.path.name)


@dataclass
class Bifurcation:
    kind: str  # "Neimark-Sacker"
    after: int  # the point of the branch before it
    value: float
    frequency: float
    energy: float
    amplitude: float
    multiplier: complex


@dataclass(eq=False)
class Branch(Result):
    key: str = ""
    ended: str = ""
    value: np.ndarray = None  # [N], of the key
    frequency: np.ndarray = None  # [N] [Hz]
    energy: np.ndarray = None  # [N] [J]
    amplitude: np.ndarray = None  # [N] [m]
    stable: np.ndarray = None  # [N]
    multipliers: np.ndarray = None  # [N, M], complex
    motion: np.ndarray = None  # [N, times of a period, beads] [m]
    bifurcations: list = field(default_factory=list)
    system, heading = "branch", "Branch"


@dataclass
class Attractor:
    text: str  # "period 2", "chaotic"
    count: int
    amplitude: float  # [m]
    largest: float  # modulus of a multiplier; NaN: unknown


@dataclass(eq=False)
class Basins(Result):
    axes: list = field(default_factory=list)  # (name, unit, values), one or two
    along: str = ""
    frequency: float = 0.0  # [Hz]
    attractor: np.ndarray = None  # [rows, columns]
    amplitude: np.ndarray = None  # [rows, columns] [m]
    periods: np.ndarray = None  # [rows, columns]
    attractors: list = field(default_factory=list)
    system, heading = "basins", "Basins"


@dataclass(eq=False)
class Sections(Result):
    bead: int = 0
    section: int | None = None  # the bead that turns; None: stroboscopic
    frequency: float = 0.0  # [Hz]
    displacement: np.ndarray = None  # [starts, points] [m]
    velocity: np.ndarray = None  # [starts, points] [m/s]
    system, heading = "poincare", "Poincaré section"


GROUPS = ("branch", "basins", "poincare")


def kind_of(path):
    """The group of the file, if it is one of these; otherwise None."""
    try:
        with open_file(path) as file:
            return next((name for name in GROUPS if name in file and "parameters/version" in file), None)
    except (OSError, RuntimeError):  # Run reports what is wrong
        return None


def read(path):
    """The Branch, Basins or Sections of a file. Raises InputError."""
    path = Path(path)
    with reading(path), open_file(path) as file:
        check_format_version(path, file)
        kind = next(name for name in GROUPS if name in file)
        scenario = text_of(file["parameters/scenario"][()])
        common = {"path": path, "version": text_of(file["parameters/version"][()]), "scenario": scenario, "settings": parse_scenario(scenario),
                  "warnings": [text_of(text) for text in file["parameters/warnings"][()]] if "parameters/warnings" in file else []}
        return {"branch": _branch, "basins": _basins, "poincare": _sections}[kind](file[kind], common)


def _number(group, name):
    return float(group[name][()])


def _whole(group, name):
    return int(np.ravel(group.attrs[name])[0])


def _branch(group, common):
    names = ("value", "frequency", "energy", "amplitude")
    lists = {name: np.asarray(group[name][()], float) for name in names}
    count = len(lists["value"])
    stable, motion = np.asarray(group["stable"][()]) != 0, group["motion"][()]
    multipliers = group["multipliers"][()] @ np.array([1.0, 1.0j])
    if count == 0 or any(len(each) != count for each in (*lists.values(), stable, multipliers, motion)):
        raise ValueError("its lists have different lengths")
    found = []
    for k in range(_whole(group, "bifurcations")):
        own = group[f"bifurcation_{k}"]
        kind = text_of(own.attrs["kind"])
        real, imaginary = own["multiplier"][()]
        found.append(Bifurcation(KINDS.get(kind, kind), min(_whole(own, "after"), count - 1),
                                 *(_number(own, name) for name in names), complex(real, imaginary)))
    return Branch(**common, key=text_of(group.attrs["key"]), ended=text_of(group.attrs["ended"]), **lists, stable=stable,
                  multipliers=multipliers, motion=motion, bifurcations=found)


def _basins(group, common):
    axes = []
    while f"axis_{len(axes)}" in group and len(axes) < 2:
        data = group[f"axis_{len(axes)}"]
        axes.append((text_of(group.attrs[f"axis_{len(axes)}"]), text_of(data.attrs.get("unit", "")), np.asarray(data[()], float)))
    tables = {name: np.asarray(group[name][()]) for name in ("attractor", "amplitude", "periods")}
    shape = (len(axes[1][2]) if len(axes) == 2 else 1, len(axes[0][2]))
    if any(table.shape != shape for table in tables.values()):
        raise ValueError("its tables have different shapes")
    attractors = []
    while f"attractor_{len(attractors)}" in group:
        own = group[f"attractor_{len(attractors)}"]
        cycle, kind = _whole(own, "cycle"), text_of(own.attrs["kind"])
        largest = float(np.hypot(*own["multipliers"][0])) if "multipliers" in own else float("nan")
        attractors.append(Attractor(f"period {cycle}" if cycle else kind, _whole(own, "count"), _number(own, "amplitude"), largest))
    return Basins(**common, axes=axes, along=text_of(group.attrs["along"]), frequency=_number(group, "frequency"),
                  attractor=tables["attractor"].astype(int), amplitude=tables["amplitude"].astype(float), periods=tables["periods"],
                  attractors=attractors)


def _sections(group, common):
    u, v = group["displacement"][()], group["velocity"][()]
    if u.ndim != 2 or u.shape != v.shape or not u.size:
        raise ValueError("its tables have different shapes")
    return Sections(**common, bead=_whole(group, "bead"), section=_whole(group, "section") if "section" in group.attrs else None,
                    frequency=_number(group, "frequency"), displacement=u, velocity=v)
