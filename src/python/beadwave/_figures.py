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


_BETWEEN = {"size": "x", "colour_range": ":"}  # of the numbers of an option; "," between those of the others


def drawing_options(**given: Any) -> dict[str, str]:
    """The options of pictures as the command line has them."""
    options = {}
    for name, value in given.items():
        if value is None:
            continue
        parts = [value] if isinstance(value, (str, int, float)) or not isinstance(value, Sequence) else list(value)
        options["--" + name.replace("_", "-")] = _BETWEEN.get(name, ",").join(str(part) for part in parts)
    return options


def figure_of(paths: Sequence[Path], contacts: Sequence[int] | None = None, **drawing: Any) -> Any:
    """The matplotlib figure of histories, or of one fit. `drawing`: the options of pictures that report() takes."""
    paper, sources, options = (report_module(name) for name in ("paper", "sources", "picture_options"))
    given = options.parse({name.removeprefix("--").replace("-", "_"): text for name, text in drawing_options(**drawing).items()})
    shown = sources.read(list(paths), list(contacts) if contacts is not None else None, given)
    options.check(given, shown, ["png"])
    return paper.draw(shown, given)


def figure_from_memory(save: Any, name: str, contacts: Sequence[int] | None = None, **drawing: Any) -> Any:
    """The same for a history in memory, which `save` writes to a temporary file."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / name
        save(path)
        return figure_of([path], contacts, **drawing)
