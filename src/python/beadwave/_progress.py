"""The progress of a run: a callback, or one line in a notebook."""
from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

from . import _beadwave
from ._settings import shown

LOGGER = logging.getLogger("beadwave")
LOG_INTERVAL = 10.0  # s between lines of progress

ProgressCallback = Callable[[int, int, float], object]


class _Notebook:
    """One line below the cell. It appears after one second and disappears when the run ends."""

    def __init__(self) -> None:
        from IPython.display import display  # type: ignore[import]
        self._display = display
        self._handle: Any = None

    def __call__(self, done: int, total: int, seconds: float) -> None:
        if seconds < 1.0:
            return
        if total > 0:
            fraction = done / total
            remaining = seconds * (1.0 - fraction) / fraction if fraction > 0 else 0.0
            line = {"text/plain": f"{100 * fraction:5.1f} %  {remaining:.0f} s left"}
        else:
            line = {"text/plain": f"{done} runs  {seconds:.0f} s"}
        if self._handle is None:
            self._handle = self._display(line, raw=True, display_id=True)
        else:
            self._handle.update(line, raw=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


class _Log:
    """A record of level INFO every ten seconds. `shown`: what else the progress goes to."""

    def __init__(self, shown: ProgressCallback | None) -> None:
        self._shown, self._next = shown, LOG_INTERVAL

    def __call__(self, done: int, total: int, seconds: float) -> None:
        if self._shown is not None:
            self._shown(done, total, seconds)
        if seconds >= self._next:
            self._next = seconds + LOG_INTERVAL
            LOGGER.info("%d of %d after %.0f s", done, total, seconds) if total else LOGGER.info("%d after %.0f s", done, seconds)


@contextlib.contextmanager
def progress_callback(progress: ProgressCallback | bool | None) -> Iterator[ProgressCallback | None]:
    """The function to call: `progress` itself if it is a function, none for False, and for None one that shows the progress in
    the notebook, if the program runs in one."""
    if callable(progress):
        yield _Log(progress) if LOGGER.isEnabledFor(logging.INFO) else progress
    elif progress is not None and not isinstance(progress, bool):
        raise _beadwave.InputError(f"progress: is {shown(progress)}; expected a function, True, False or None")
    elif progress is False or "ipykernel" not in sys.modules:
        yield _Log(None) if LOGGER.isEnabledFor(logging.INFO) else None
    else:
        notebook = _Notebook()
        try:
            yield _Log(notebook) if LOGGER.isEnabledFor(logging.INFO) else notebook
        finally:
            notebook.close()
