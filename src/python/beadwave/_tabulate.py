"""A law from a function, as a table."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import _beadwave
from ._settings import Name


def tabulate(path: Name, loading: Callable[[float], float], largest_overlap: float, *,
             unloading: Callable[[float], float] | None = None, rows: int = 400) -> dict[str, str]:
    """Writes the forces of a function as the CSV that the law `tabulated` reads, and returns that law for a scenario: fast, and
    in every command.

    loading(overlap [m]) -> force [N], rising from zero; unloading(overlap) -> force on the way back from `largest_overlap` [m],
    unless given the loading curve itself, elastic. Rows are denser near zero, where forces bend. Beyond largest_overlap the law goes on
    along a straight line. Raises InputError for forces that do not rise.

    >>> import beadwave as bw, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     law = bw.tabulate(os.path.join(folder, "cubic.csv"), lambda overlap: 1e16 * overlap**3, 1e-5)
    >>> law["name"]
    'tabulated'
    """
    if not largest_overlap > 0.0 or rows < 4:
        raise _beadwave.InputError("tabulate: expected a largest_overlap above 0 m and 4 rows or more")
    overlaps = largest_overlap * np.linspace(0.0, 1.0, rows) ** 2
    forces = [float(loading(float(overlap))) for overlap in overlaps]
    if forces[0] != 0.0 or not np.all(np.diff(forces) > 0.0):
        raise _beadwave.InputError("tabulate: the loading force must be 0 N at no overlap and rise from there")
    lines = ["overlap_m,loading_force_N,unloading_force_N"]
    for overlap, force in zip(overlaps, forces):
        # Elastic but for a millionth: between rows a table must not give back more than it took.
        back = force * (1.0 - 1e-6 * (1.0 - overlap / largest_overlap)) if unloading is None else unloading(float(overlap))
        lines.append(f"{float(overlap)!r},{force!r},{max(float(back), 0.0)!r}")
    place = Path(path).resolve()
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"name": "tabulated", "file": str(place)}
