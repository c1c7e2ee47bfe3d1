"""Results as pandas tables and xarray datasets. Both packages are optional and are loaded on demand."""
from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _beadwave

# The first axis of a recorded quantity is time, unless it is a constant.
_OF_BODY = ("position", "velocity", "displacement", "acceleration", "angle", "angular_velocity", "angular_acceleration")
_OF_CONTACT = ("contact_force", "overlap", "approach_speed", "friction_force", "journal_displacement", "contact_position",
               "contact_normal")
_OF_OTHERS = {"joint_force": "joint", "joint_torque": "joint", "spring_extension": "spring", "spring_force": "spring",
              "torsion_spring_angle": "torsion_spring", "torsion_spring_torque": "torsion_spring",
              "resonator_displacement": "resonator", "resonator_velocity": "resonator", "bond_force": "bond"}
_CONSTANT_OF_BODY = ("radius", "mass", "inertia", "start")
_CONSTANT_OF_CONTACT = ("contact_gap", "clearance")
_CONSTANTS = {"resonator_bead": ("resonator",), "resonator_particle": ("resonator",), "resonator_mass": ("resonator",),
              "bond_contact": ("bond",), "bond_pair": ("bond", "end"), "driven_particle": ("drive",),
              "wall_triangles": ("triangle", "corner", "axis"), "wall_triangle_splits": ("wall_split",),
              "wall_angular_velocity": ("wall",)}
_OF_SENSOR = ("sensor_force", "sensor_velocity", "net_contact_force")
AXES = ("x", "y", "z")


def optional_package(name: str, purpose: str) -> Any:
    """The module; raises RunError with one sentence if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise _beadwave.RunError(f"{purpose} needs the Python package {name}, which is not installed; on Debian or Ubuntu: apt-get "
                                 f"install python3-{name}") from error


def dimensions(name: str, rank: int) -> tuple[str, ...] | None:
    """The names of the axes; None for a table of its own length, such as impacts and the contacts of packings."""
    if "/" in name:
        return None
    if name in _OF_SENSOR:
        axes: tuple[str, ...] = ("sensor_time", "sensor", "axis")
    elif name in _OF_BODY:
        axes = ("snapshot_time", "body", "axis")
    elif name in _OF_CONTACT:
        axes = ("snapshot_time", "contact", "axis")
    elif name in _OF_OTHERS:
        axes = ("snapshot_time", _OF_OTHERS[name], "axis")
    elif name in _CONSTANT_OF_BODY:
        axes = ("body", "axis")
    elif name in _CONSTANT_OF_CONTACT:
        axes = ("contact",)
    elif name in _CONSTANTS:
        axes = _CONSTANTS[name]
    elif name in ("drive_force", "drive_torque"):
        axes = ("energy_time", "drive", "axis")
    else:
        axes = ("energy_time", "axis")
    return axes[:rank]


def dataset(recorded: Any) -> Any:
    """An xarray.Dataset of all that has common axes, with units."""
    xarray = optional_package("xarray", "to_xarray()")
    coordinates: dict[str, Any] = {name: (name, np.asarray(recorded[name]), {"units": "s"})
                                   for name in ("sensor_time", "snapshot_time", "energy_time") if name in recorded}
    if "sensors" in recorded:
        coordinates["sensor"] = ("sensor", np.asarray(recorded["sensors"]))
    variables: dict[str, Any] = {}
    for name in recorded.names():
        if name in coordinates or name == "sensors" or name.endswith("_step"):
            continue
        numbers = np.asarray(recorded[name])
        axes = dimensions(name, numbers.ndim)
        if axes is None:
            continue
        if "axis" in axes and "axis" not in coordinates:
            coordinates["axis"] = ("axis", list(AXES))
        if "axis" in axes and numbers.shape[-1] < len(AXES):
            axes = (*axes[:-1], "plane_axis")
            coordinates["plane_axis"] = ("plane_axis", list(AXES[:numbers.shape[-1]]))
        variables[name] = (axes, numbers, {"units": recorded.unit(name)})
    return xarray.Dataset(variables, coordinates)


def frame(recorded: Any, name: str | None) -> Any:
    """A pandas.DataFrame: one quantity over time, the ledger ("energy"), or a table of its own length ("impacts/pin")."""
    pandas = optional_package("pandas", "to_pandas()")
    if name is None:
        name = next((one for one in ("sensor_force", "net_contact_force") if one in recorded), "energy")
    if name == "energy":
        return pandas.DataFrame({one: np.asarray(recorded[one]) for one in recorded.energy.names},
                                index=pandas.Index(np.asarray(recorded["energy_time"]), name="energy_time"))
    table = {one.removeprefix(f"{name}/"): np.asarray(recorded[one]) for one in recorded.names() if one.startswith(f"{name}/")}
    if table:
        if len({len(column) for column in table.values()}) > 1 or any(column.ndim > 1 for column in table.values()):
            raise _beadwave.InputError(f"name: the columns of {name} have different lengths or axes; take them one by one")
        return pandas.DataFrame(table)
    numbers = np.asarray(recorded[name])
    axes = dimensions(name, numbers.ndim)
    if axes is None:
        return pandas.DataFrame({name: list(numbers)})
    labels: list[Any] = list(recorded["sensors"].tolist()) if "sensor" in axes else list(range(numbers.shape[-1]))
    if numbers.ndim == 3:
        if "sensor" not in axes:
            labels = list(range(numbers.shape[1]))
        columns: Any = pandas.MultiIndex.from_product([labels, AXES[:numbers.shape[2]]], names=[axes[1], "axis"])
    elif numbers.ndim == 2:
        columns = pandas.Index(labels, name=axes[1])
    else:
        columns = pandas.Index([name])
    index = None
    if axes[0].endswith("_time"):
        index = pandas.Index(np.asarray(recorded[axes[0]]), name=axes[0])
    return pandas.DataFrame(numbers.reshape(len(numbers), -1), index=index, columns=columns)


def parameter_frame(laws: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Any:
    """The parameters of fits, one row per law and key."""
    pandas = optional_package("pandas", "to_pandas()")
    rows = [{"law": law, "key": key, **{name: found[name] for name in ("value", "standard_error", "low", "high", "at_bound")}}
            for law, parameters in laws.items() for key, found in parameters.items()]
    return pandas.DataFrame(rows).set_index(["law", "key"])
