"""A law from a function, through a table."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import _beadwave
from ._settings import Name, file_name, force_of


def tabulate_law(path: Name, loading: Callable[[float], float], largest_overlap: float, *,
                 unloading: Callable[[float], float] | None = None, rows: int = 400) -> dict[str, str]:
    """Writes the forces of a function to the CSV file that the law `tabulated` reads, and returns that law for a scenario. It is
    fast, and every command can use it.

    loading(overlap [m]) -> force [N] starts at zero and increases. unloading(overlap) -> force [N] is the force on the way back
    from `largest_overlap` [m]; the default is the loading curve itself (an elastic law). The rows are denser near zero, where the
    force is curved. Beyond largest_overlap the law continues along a straight line. Raises InputError if the loading force does not
    increase.

    >>> import beadwave as bw, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     law = bw.tabulate_law(os.path.join(folder, "cubic.csv"), lambda overlap: 1e16 * overlap**3, 1e-5)
    >>> law["name"]
    'tabulated'
    """
    if not largest_overlap > 0.0 or rows < 4:
        raise _beadwave.InputError("tabulate_law: expected a largest_overlap above 0 m and 4 rows or more")
    overlaps = largest_overlap * np.linspace(0.0, 1.0, rows) ** 2
    forces = [force_of("loading", f"an overlap of {overlap:g} m", loading(float(overlap)), "N") for overlap in overlaps]
    if forces[0] != 0.0 or not np.all(np.diff(forces) > 0.0):
        raise _beadwave.InputError("tabulate_law: the loading force must be 0 N at zero overlap and increase with the overlap")
    lines = ["overlap_m,loading_force_N,unloading_force_N"]
    for overlap, force in zip(overlaps, forces):
        # Elastic except for a millionth: between rows the table must not return more energy than it stored.
        back = force * (1.0 - 1e-6 * (1.0 - overlap / largest_overlap)) if unloading is None else force_of(
            "unloading", f"an overlap of {overlap:g} m", unloading(float(overlap)), "N")
        lines.append(f"{float(overlap)!r},{force!r},{max(back, 0.0)!r}")
    file = Path(file_name("path", path)).resolve()
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"name": "tabulated", "file": str(file)}
