"""Python values as options of the command line, and dictionaries as scenarios."""
from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

from . import _beadwave

Name = str | PathLike[str]


def shown(value: Any) -> str:
    """A wrong argument in a message: its value if that is short, otherwise only its type."""
    text = repr(value)
    return text if len(text) <= 40 and "\n" not in text else f"of type {type(value).__name__}"


def file_name(argument: str, value: Any, *, optional: bool = False) -> Any:
    """The argument, if it is a file name; raises InputError otherwise. None becomes "" if the argument is optional."""
    if value is None and optional:
        return ""
    if not isinstance(value, (str, PathLike)):
        expected = "the name of a file" + (" or None" if optional else "")
        raise _beadwave.InputError(f"{argument}: is {shown(value)}; expected {expected}")
    return value


def whole_number(argument: str, value: Any, lowest: int = 0) -> int:
    """The argument, if it is a whole number from `lowest` to 2^31 - 1, of threads to 4096; raises InputError otherwise."""
    most = 4096 if argument == "threads" else 2**31 - 1
    try:
        number = operator.index(value)
    except TypeError:
        number = lowest - 1
    if not lowest <= number <= most:
        until = f" to {most}" if argument == "threads" else ""
        raise _beadwave.InputError(f"{argument}: is {shown(value)}; expected a whole number from {lowest}{until}")
    return number


def texts(argument: str, values: Any) -> list[str]:
    """The argument, if it is a list of texts; raises InputError otherwise."""
    if isinstance(values, str) or not isinstance(values, Sequence) or not all(isinstance(text, str) for text in values):
        raise _beadwave.InputError(f"{argument}: is {shown(values)}; expected a list of texts")
    return list(values)


def table(argument: str, values: Any) -> Mapping[str, Any]:
    """The argument, if it is a mapping from texts; raises InputError otherwise."""
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise _beadwave.InputError(f"{argument}: is {shown(values)}; expected a dictionary whose keys are texts, such as "
                                   f"{{\"law.psi\": ...}}")
    return values


def force_of(argument: str, given: str, value: Any, unit: str) -> float:
    """What a function of the user returned, as a number; raises InputError if it is not one."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not abs(number) < float("inf"):
        raise _beadwave.InputError(f"{argument}: returned {shown(value)} for {given}; expected a finite number, in {unit}")
    return number


def toml_value(value: Any, key: str = "") -> str:
    """The value of a key as a scenario writes it. Numbers are read back exactly."""
    if hasattr(value, "tolist"):  # a NumPy array or number
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {toml_value(item, _below(key, name))}" for name, item in value.items()) + " }"
    if isinstance(value, (str, PathLike)):
        text = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{text}"'
    if isinstance(value, Iterable):
        return "[" + ", ".join(toml_value(item, _below(key, number)) for number, item in enumerate(value)) + "]"
    raise _beadwave.InputError(f"{key or 'the scenario'}: is {shown(value)}; expected a number, a text, a list or a table")


def _below(key: str, part: Any) -> str:
    return f"{key}.{part}" if key else str(part)


def _key(name: str) -> str:
    if not isinstance(name, str):
        raise _beadwave.InputError(f"the scenario: {shown(name)} is a key; expected a text")
    bare = name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if bare else toml_value(name)


def toml_text(scenario: Mapping[str, Any]) -> str:
    """A scenario with one key per line."""
    return "".join(f"{_key(key)} = {toml_value(value, str(key))}\n" for key, value in scenario.items())


def set_options(values: Mapping[str, Any] | None) -> list[str]:
    """{"law.psi": 2.7} as the values of --set."""
    if values is None:
        return []
    return [f"{key}={toml_value(value, f'overrides: {key}')}" for key, value in table("overrides", values).items()]


def vary_option(key: str, values: Any) -> str:
    """The key and its values, [2.6, 2.8] or a text such as "2.6:3.0:9", as the value of --vary."""
    if isinstance(values, str):
        return f"{key}={values}"
    if not isinstance(values, Iterable):
        raise _beadwave.InputError(f"vary: {key}: is {shown(values)}; expected a list of values, or a text such as \"2.6:3.0:9\"")
    return f"{key}=" + ",".join(toml_value(value, f"vary: {key}") for value in values)


def bounds_option(key: str, bounds: Any) -> str:
    """The key and its bounds, (2, 4) or a text such as "2:4", as the value of --bounds."""
    if isinstance(bounds, str):
        return f"{key}={bounds}"
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        raise _beadwave.InputError(f"bounds: {key}: is {shown(bounds)}; expected two numbers, (low, high)") from None
    return f"{key}={low!r}:{high!r}"
