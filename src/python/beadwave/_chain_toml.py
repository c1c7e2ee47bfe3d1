"""A chain from arrays as a scenario."""
from __future__ import annotations

import math
from typing import Any

from . import _beadwave
from ._settings import toml_text, toml_value


def _table(name: str, values: dict[str, Any]) -> str:
    return f"\n{name}\n" + "".join(f"{key} = {toml_value(value, key)}\n" for key, value in values.items())


def _end(side: str, gap: float, fixed: bool) -> dict[str, Any]:
    if math.isfinite(gap) and gap < 0.0:
        raise _beadwave.InputError(f"to_toml: the {side} wall overlaps its bead by {-gap:g} m at the start, which no scenario says")
    if fixed and math.isfinite(gap):
        raise _beadwave.InputError(f"to_toml: the {side} bead is fixed and touches a wall, which no scenario says")
    if fixed:
        return {"kind": "fixed"}
    return {"kind": "wall", "gap": gap} if math.isfinite(gap) else {"kind": "free"}


def chain_toml(arrays: dict[str, Any]) -> str:
    """One segment per bead, one material for each that differs."""
    if arrays["own"]:
        raise _beadwave.InputError(f"to_toml: law.{next(iter(arrays['own']))} is one number per contact; a scenario has one for all")
    radius, gap = arrays["radius"].tolist(), arrays["gap"]
    gaps = [math.inf] + [0.0] * (len(radius) - 1) + [math.inf] if gap is None else gap.tolist()
    names: dict[tuple[float, ...], str] = {}
    properties = list(arrays["material"])
    of_bead = [names.setdefault(numbers, f"m{len(names)}") for numbers in zip(*(column.tolist() for column in arrays["material"].values()))]
    settings = dict(arrays["settings"])
    text = toml_text({"title": settings.pop("title")} if settings.get("title") else {})
    settings.pop("title", None)
    # Inline tables come before the headings of others.
    text += toml_text({name: table for name, table in settings.items()})
    for numbers, name in names.items():
        text += _table(f"[material.{name}]", {key: value for key, value in zip(properties, numbers) if value or key == "poisson_ratio"})
    left, right = arrays["fixed"]
    text += _table("[boundary]", {"left": _end("left", gaps[0], left), "right": _end("right", gaps[-1], right)})
    if arrays["gravity"]:
        text += _table("[gravity]", {"acceleration": arrays["gravity"], "equilibrium": False})
    shape = {name: column.tolist() for name, column in arrays["shape"].items()}
    for bead, (size, mass, velocity) in enumerate(zip(radius, arrays["mass"].tolist(), arrays["velocity"].tolist())):
        form = {"shape": "ellipsoid"} | {name: column[bead] for name, column in shape.items()} if shape else {"radius": size}
        values = {"beads": 1} | form | {"mass": mass, "material": of_bead[bead], "velocity": velocity}
        text += _table("[[segment]]", values | ({"gap": gaps[bead]} if bead else {}))
    return text
