"""Python values as options of the command line, and dictionaries as scenarios."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any

Name = str | PathLike[str]


def toml_value(value: Any) -> str:
    """The value as a scenario writes it. Numbers are read back exactly."""
    if hasattr(value, "tolist"):  # a NumPy array or number
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
    """A scenario with one key per line."""
    return "".join(f"{_key(key)} = {toml_value(value)}\n" for key, value in scenario.items())


def set_options(values: Mapping[str, Any] | None) -> list[str]:
    """{"law.psi": 2.7} as the values of --set."""
    return [f"{key}={toml_value(value)}" for key, value in (values or {}).items()]


def vary_option(key: str, values: Any) -> str:
    """The key and its values, [2.6, 2.8] or a text such as "2.6:3.0:9", as the value of --vary."""
    if isinstance(values, str):
        return f"{key}={values}"
    return f"{key}=" + ",".join(toml_value(value) for value in values)


def bounds_option(key: str, bounds: Any) -> str:
    """The key and its bounds, (2, 4) or a text such as "2:4", as the value of --bounds."""
    if isinstance(bounds, str):
        return f"{key}={bounds}"
    low, high = bounds
    return f"{key}={float(low)!r}:{float(high)!r}"
