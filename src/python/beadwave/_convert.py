"""Results as pandas tables and xarray datasets. Both packages are optional and are loaded on demand."""
from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _beadwave

# The axes of what is recorded, by name: what a row is, and of what; the components of vectors and tensors are "axis", "row" and
# "column". The first axis is a time, unless it is a constant.
_VECTORS = ("axis",)
_TENSOR = ("row", "column")
_SNAPSHOT: dict[str, tuple[str, ...]] = {name: ("body", "axis") for name in ("position", "velocity", "displacement", "acceleration", "angle", "angular_velocity",
                                                 "angular_acceleration", "presence", "temperature")} | {
    name: ("contact", "axis") for name in ("contact_force", "overlap", "approach_speed", "friction_force", "journal_displacement",
                                           "contact_position", "contact_normal")} | {
    "contact_wear": ("contact",), "wear_depth": ("journal", "angle"),
    "pin_wear": ("pin",), "pin_wear_depth": ("pin", "angle"),
    "joint_force": ("joint", "axis"), "joint_torque": ("joint",), "spring_extension": ("spring",), "spring_force": ("spring",),
    "torsion_spring_angle": ("torsion_spring",), "torsion_spring_torque": ("torsion_spring",),
    "resonator_displacement": ("resonator", "axis"), "resonator_velocity": ("resonator", "axis"), "bond_force": ("bond",),
    "wall_displacement": ("wall", "axis"), "edges": ("edge", "axis"), "orientation": ("body", "quaternion"),
    "triangle_dissipation": ("triangle",), "triangle_wear": ("triangle",)} | {
    f"{whose}_{part}_dissipation": (axis,) for whose, axis in (("particle", "body"), ("contact", "contact"), ("wall", "wall"))
    for part in ("normal", "sliding", "rolling", "twisting")}
_SENSOR: dict[str, tuple[str, ...]] = {name: ("sensor", "axis") for name in ("sensor_force", "sensor_velocity", "net_contact_force")}
_MEASURE: dict[str, tuple[str, ...]] = {
    "region_edges": _VECTORS, "stress": _TENSOR, "contact_stress": _TENSOR, "bond_stress": _TENSOR, "fabric": _TENSOR,
    "volume_fraction": (), "coordination_number": (), "rattlers": (), "orientation_fabric": _TENSOR, "nematic_order": (), "wall_position": ("wall", "axis"),
    "wall_velocity": ("wall", "axis"), "wall_force": ("wall", "axis"), "field_x": ("cell_x",), "field_y": ("cell_y",),
    "field_z": ("cell_z",)}
# Behind the cells of a grid.
_FIELD: dict[str, tuple[str, ...]] = {
    "field_density": (), "field_volume_fraction": (), "field_coordination_number": (), "field_velocity": _VECTORS,
    "field_dissipation": ("part",), "field_wall_force": _VECTORS, "field_contact_stress": _TENSOR, "field_bond_stress": _TENSOR, "field_kinetic_stress": _TENSOR}
_ENERGY: dict[str, tuple[str, ...]] = {
    "drive_force": ("drive", "axis"), "drive_torque": ("drive", "axis"), "momentum": _VECTORS, "angular_momentum": _VECTORS,
    "inflow_momentum": _VECTORS, "particles_inside": (), "particles_left": ("exit",), "box_edges": ("edge", "axis"),
    "box_tilt": ("tilt",), "wall_wear": ("wall",), "particle_heat": (), "exit_heat": (), "wall_heat": ("wall",), "impact_spectrum": ("impact_energy",)}
_CONSTANTS: dict[str, tuple[str, ...]] = {
    name: ("body", "axis") for name in ("radius", "mass", "inertia", "start", "semi_axes")} | {
    name: ("contact",) for name in ("contact_gap", "clearance")} | {
    "exponents": ("body", "exponent"), "clump_spheres": ("sphere", "number"), "clump_particle": ("sphere",), "clump_axes": ("body", "quaternion"),
    "resonator_bead": ("resonator",), "resonator_particle": ("resonator",), "resonator_mass": ("resonator",),
    "bond_contact": ("bond",), "bond_pair": ("bond", "end"), "driven_particle": ("drive",),
    "wall_triangles": ("triangle", "corner", "axis"), "wall_triangle_splits": ("wall_split",), "wall_angular_velocity": ("wall",),
    "wall_point": ("wall", "axis"), "wall_normal": ("wall", "axis"), "wall_length": ("wall",), "wall_radius": ("wall", "end"),
    "impact_spectrum_edges": ("impact_energy_edge",), "wear_angle": ("angle",)}
AXES = ("x", "y", "z")
_LABELS = {"axis": AXES, "row": AXES, "column": AXES, "edge": AXES, "tilt": ("xy", "xz", "yz"), "quaternion": ("w", "x", "y", "z"),
           "exponent": ("n2", "n1"), "part": ("normal", "sliding", "rolling", "twisting")}


def optional_package(name: str, purpose: str) -> Any:
    """The module; raises RunError with one sentence if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise _beadwave.RunError(f"{purpose} needs the Python package {name}, which is not installed; on Debian or Ubuntu: apt-get "
                                 f"install python3-{name}") from error


def dimensions(recorded: Any, name: str, shape: tuple[int, ...]) -> tuple[str, ...] | None:
    """The names of the axes; None for a table of its own length, such as impacts and the contacts of packings."""
    if "/" in name:
        return None
    rank = len(shape)
    if name in _CONSTANTS:
        axes = _CONSTANTS[name]
    elif name in _FIELD:
        tail = _FIELD[name]
        axes = ("measure_time", *(f"cell_{axis}" for axis in AXES[:rank - 1 - len(tail)]), *tail)
    else:
        for time, known in (("sensor_time", _SENSOR), ("snapshot_time", _SNAPSHOT), ("measure_time", _MEASURE), ("energy_time", _ENERGY)):
            if name in known:
                axes = (time, *known[name])
                break
        else:  # an entry of the ledger, and what has no name here
            lengths = [time for time in ("energy_time", "snapshot_time", "measure_time", "sensor_time")
                       if time in recorded and rank and len(recorded[time]) == shape[0]]
            axes = (*lengths[:1], *(f"{name}_{k}" for k in range(rank - len(lengths[:1]))))
    if len(axes) > rank:  # one component, along a chain
        axes = axes[:rank]
    axes = (*axes, *(f"{name}_{k}" for k in range(rank - len(axes))))
    # In the plane a vector may have two components.
    return tuple(f"plane_{axis}" if axis in ("axis", "row", "column") and length < len(AXES) else axis
                 for axis, length in zip(axes, shape))


def _labels(recorded: Any, axis: str, length: int) -> list[Any]:
    """What the places along an axis are called: sensors, x, y and z, or numbers from 0."""
    if axis == "sensor":
        return list(np.asarray(recorded["sensors"]).tolist())
    return list(_LABELS.get(axis.removeprefix("plane_"), range(length))[:length])


def dataset(recorded: Any) -> Any:
    """An xarray.Dataset of all that has common axes, with units."""
    xarray = optional_package("xarray", "to_xarray()")
    coordinates: dict[str, Any] = {name: (name, np.asarray(recorded[name]), {"units": "s"})
                                   for name in recorded.names() if name.endswith("_time") and "/" not in name}
    if "sensors" in recorded:
        coordinates["sensor"] = ("sensor", np.asarray(recorded["sensors"]))
    variables: dict[str, Any] = {}
    for name in recorded.names():
        if name in coordinates or name == "sensors" or name.endswith("_step"):
            continue
        numbers = np.asarray(recorded[name])
        axes = dimensions(recorded, name, numbers.shape)
        if axes is None:
            continue
        for axis, length in zip(axes, numbers.shape):
            if axis.removeprefix("plane_") in _LABELS and axis not in coordinates:
                coordinates[axis] = (axis, _labels(recorded, axis, length))
        variables[name] = (axes, numbers, {"units": recorded.unit(name)})
    return xarray.Dataset(variables, coordinates)


def frame(recorded: Any, name: str | None) -> Any:
    """A pandas.DataFrame: one quantity over time, the ledger ("energy"), or a table of its own length ("impacts/pin", "impacts")."""
    pandas = optional_package("pandas", "to_pandas()")
    if name is None:
        name = next((one for one in ("sensor_force", "net_contact_force") if one in recorded), "energy")
    if name == "energy":
        return pandas.DataFrame({one: np.asarray(recorded[one]) for one in recorded.energy.names},
                                index=pandas.Index(np.asarray(recorded["energy_time"]), name="energy_time"))
    table = {one.removeprefix(f"{name}/"): np.asarray(recorded[one]) for one in recorded.names()
             if one.startswith(f"{name}/") and one != f"{name}/row_splits"}
    if table:
        if len({len(column) for column in table.values()}) > 1 or any(column.ndim > 1 for column in table.values()):
            raise _beadwave.InputError(f"name: the columns of {name} have different lengths or axes; take them one by one")
        return pandas.DataFrame(table)
    numbers = np.asarray(recorded[name])
    axes = dimensions(recorded, name, numbers.shape)
    if axes is None:
        return pandas.DataFrame({name: list(numbers)})
    labels = [_labels(recorded, axis, length) for axis, length in zip(axes[1:], numbers.shape[1:])]
    if len(labels) > 1:
        columns: Any = pandas.MultiIndex.from_product(labels, names=list(axes[1:]))
    elif labels:
        columns = pandas.Index(labels[0], name=axes[1])
    else:
        columns = pandas.Index([name])
    index = None
    if axes and axes[0].endswith("_time"):
        index = pandas.Index(np.asarray(recorded[axes[0]]), name=axes[0])
    return pandas.DataFrame(numbers.reshape(len(numbers), -1), index=index, columns=columns)


def parameter_frame(laws: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Any:
    """The parameters of fits, one row per law and key."""
    pandas = optional_package("pandas", "to_pandas()")
    rows = [{"law": law, "key": key, **{name: found[name] for name in ("value", "standard_error", "low", "high", "at_bound")}}
            for law, parameters in laws.items() for key, found in parameters.items()]
    return pandas.DataFrame(rows).set_index(["law", "key"])
