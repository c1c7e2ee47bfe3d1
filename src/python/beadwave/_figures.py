"""The package of the report, whose reader and figures are used here too. It is next to this package, or where the program keeps it."""
from __future__ import annotations

import importlib
import importlib.util
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import _beadwave


def folder() -> Path:
    """The folder of the package that draws the figures."""
    here = Path(_beadwave.__file__).resolve().parent
    for name in _beadwave.report_folders:
        candidate = (here / name).resolve()
        if (candidate / "__main__.py").is_file():
            return candidate
    raise _beadwave.RunError("the Python files of beadwave report are missing; install beadwave again")


def report_module(name: str) -> Any:
    parent = "beadwave._report"
    try:
        if parent not in sys.modules:
            package = folder()
            spec = importlib.util.spec_from_file_location(parent, package / "__init__.py", submodule_search_locations=[str(package)])
            if spec is None or spec.loader is None:
                raise _beadwave.RunError(f"{package}: cannot be loaded")
            module = importlib.util.module_from_spec(spec)
            sys.modules[parent] = module
            spec.loader.exec_module(module)
        return importlib.import_module(f"{parent}.{name}")
    except ImportError as error:
        raise _beadwave.RunError(f"histories and figures need {error.name}; on Debian or Ubuntu: apt-get install python3-h5py "
                                 "python3-matplotlib python3-plotly") from error


def figure_of(paths: Sequence[Path], contacts: Sequence[int] | None = None) -> Any:
    """The matplotlib figure of histories, or of one fit."""
    paper, sources = report_module("paper"), report_module("sources")
    return paper.draw(sources.read(list(paths), list(contacts) if contacts is not None else None))


def figure_from_memory(save: Any, name: str, contacts: Sequence[int] | None = None) -> Any:
    """The same for a history in memory, which `save` writes to a temporary file."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / name
        save(path)
        return figure_of([path], contacts)
