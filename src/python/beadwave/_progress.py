"""How far a run is, in a notebook."""
from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

Told = Callable[[int, int, float], object]


class _Notebook:
    """One line under the cell, from the first second on, which goes when the run ends."""

    def __init__(self) -> None:
        from IPython.display import display  # type: ignore[import]
        self._display = display
        self._handle: Any = None

    def __call__(self, done: int, everything: int, seconds: float) -> None:
        if seconds < 1.0 or everything <= 0:
            return
        part = done / everything
        left = seconds * (1.0 - part) / part if part > 0 else 0.0
        line = {"text/plain": f"{100 * part:5.1f} %  {left:.0f} s left"}
        if self._handle is None:
            self._handle = self._display(line, raw=True, display_id=True)
        else:
            self._handle.update(line, raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


@contextlib.contextmanager
def told(progress: Told | bool | None) -> Iterator[Told | None]:
    """Whom to tell: a function, nobody (False), or (None) the notebook, if this is one."""
    if callable(progress):
        yield progress
    elif progress is False or "ipykernel" not in sys.modules:
        yield None
    else:
        notebook = _Notebook()
        try:
            yield notebook
        finally:
            notebook.close()
