"""Scenarios as files, for the commands that read them from a file: sweeps, comparisons, fits."""
from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from . import _beadwave
from ._scenario import Job, Scenario
from ._settings import Name, shown, toml_text

_NAMES_A_FILE = re.compile(r'(?:^|[\s{,._])file\s*=\s*["\'](?!/)', re.MULTILINE)


def _absolute(value: Any, key: str = "") -> Any:
    """A table whose files, relative to this folder, have whole names."""
    if isinstance(value, Mapping):
        return {name: _absolute(each, str(name)) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_absolute(each) for each in value]
    if isinstance(value, (str, PathLike)) and (key == "file" or key.endswith("_file")):
        return str(Path(value).absolute())
    return value


@contextlib.contextmanager
def scenario_file(scenario: Scenario | Job) -> Iterator[Name]:
    """The name of the scenario's file; of a dictionary, or of what load() returned, that of a temporary one."""
    if isinstance(scenario, (str, PathLike)):
        yield scenario
        return
    if isinstance(scenario, Mapping):
        text = toml_text(_absolute(scenario))
    elif isinstance(scenario, Job):
        text = scenario.to_toml()
        if _NAMES_A_FILE.search(text):
            raise _beadwave.InputError("scenario: it names other files; expected the name of the scenario's own file, or a dictionary")
    else:
        raise _beadwave.InputError(f"scenario: is {shown(scenario)}; expected the name of a file, a dictionary, or what load() returned")
    with tempfile.TemporaryDirectory(prefix="beadwave-") as folder:
        name = str(Path(folder) / "scenario.toml")
        Path(name).write_text(text, encoding="utf-8")
        try:
            yield name
        except (_beadwave.InputError, _beadwave.RunError) as error:
            raise type(error)(str(error).replace(name, "scenario")) from None
