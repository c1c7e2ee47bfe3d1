"""Histories as files of other programs, and what to cite."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import _beadwave, _figures
from ._settings import Name, file_name, shown


def export(history: Name, output: Name, *, snapshot: int | None = None, copy: bool = False, overwrite: bool = False) -> Path:
    """Writes the file of `beadwave export`; its ending gives the format: .vtkhdf (ParaView), .dump (LAMMPS dump: OVITO, LAMMPS),
    .lammpstrj (the same without units and times: MDAnalysis, VMD), .data (LAMMPS data, one snapshot: `snapshot`, from 0, or from -1 backwards; default: the last), .gsd (OVITO, HOOMD; needs
    the package gsd), .xyz (extended XYZ: OVITO, ASE), .csv (a row per body and snapshot), .vtp (ParaView, PyVista; one snapshot). A .vtkhdf file
    with `snapshot` holds this one itself, for VTK 9.1; with `copy` it holds all, and does not refer to the history. Numbers are in SI units. Returns the name of the file. `overwrite`: also replaces a file that beadwave did not
    write. Raises InputError, RunError."""
    if snapshot is not None and (isinstance(snapshot, bool) or not isinstance(snapshot, int)):
        raise _beadwave.InputError(f"snapshot: is {shown(snapshot)}; expected a whole number")
    named = Path(file_name("output", output))
    file = _beadwave.ExportFile(file_name("history", history), named, snapshot, bool(copy), overwrite)
    done = subprocess.run([sys.executable, "-B", str(_figures.folder() / "export"), *file.arguments], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        libraries = "h5py, numpy and gsd" if named.suffix == ".gsd" else "h5py and numpy"
        error = done.stderr.strip().removeprefix("beadwave: ") or f"export needs {libraries}; one is missing"
        raise (_beadwave.InputError if done.returncode == 2 else _beadwave.RunError)(error)
    file.commit()
    return named


class Citations(dict[str, Any]):
    """What `beadwave cite --json` prints, as a dictionary: laws, papers, beadwave. str(...) is the text for people."""

    def __init__(self, values: dict[str, Any], text: str, bibtex: str) -> None:
        super().__init__(values)
        self._text = text
        self.bibtex = bibtex  # BibTeX entries

    def __str__(self) -> str:
        return self._text

    def __reduce__(self) -> tuple[Any, ...]:
        return Citations, (dict(self), self._text, self.bibtex)


def cite(*names: Name) -> Citations:
    """What to cite for the laws of scenarios (names of .toml files) or for laws by name. Raises InputError.

    >>> import beadwave as bw
    >>> [paper["key"] for paper in bw.cite("ma-liu")["papers"]]
    ['WangLiu2022']
    """
    values, text, bibtex = _beadwave.cite([str(file_name("name", name)) for name in names])
    return Citations(json.loads(values), text, bibtex)
