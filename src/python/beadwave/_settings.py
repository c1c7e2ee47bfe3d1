"""Values from Python as the command line takes them, and scenarios from dictionaries."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

Name = str | PathLike[str]


def toml_value(value: Any) -> str:
    """As it stands in a scenario; numbers read back exactly."""
    if hasattr(value, "tolist"):  # NumPy's
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (str, PathLike)):
        text = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{text}"'
    if isinstance(value, Iterable):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    raise TypeError(f"a scenario holds numbers, texts, lists and tables, not {type(value).__name__}")


def _key(name: str) -> str:
    bare = name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if bare else toml_value(name)


def toml_text(scenario: Mapping[str, Any]) -> str:
    """A scenario, a key a line."""
    return "".join(f"{_key(key)} = {toml_value(value)}\n" for key, value in scenario.items())


def overrides(values: Mapping[str, Any] | None) -> list[str]:
    """{"law.psi": 2.7} as --set takes it."""
    return [f"{key}={toml_value(value)}" for key, value in (values or {}).items()]


def values_of(key: str, values: Any) -> str:
    """{"law.psi": [2.6, 2.8]} as --vary takes it; a text, "2.6:3.0:9", as it is."""
    if isinstance(values, str):
        return f"{key}={values}"
    return f"{key}=" + ",".join(toml_value(value) for value in values)


def bounds_of(key: str, bounds: Any) -> str:
    """{"law.psi": (2, 4)} as --vary of a fit takes it."""
    if isinstance(bounds, str):
        return f"{key}={bounds}"
    low, high = bounds
    return f"{key}={float(low)!r}:{float(high)!r}"
