"""Shared by the tests of the report. The environment gives the program: BEADWAVE_PROGRAM."""
import base64
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

import numpy as np

SOURCES = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["BEADWAVE_PROGRAM"]
sys.path[:0] = [str(SOURCES / "src"), str(SOURCES / "validation" / "cli")]

from report.__main__ import main as draw  # noqa: E402
from report.run import Run  # noqa: E402

STEEL = """
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
density = 7850
"""


def program(*words, status=0):
    """Standard output and standard error of the command line."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stderr}"
    return done.stdout, done.stderr


def report(*words, status=0):
    """Standard error of what `beadwave report` starts, here without a process and an interpreter for each page. The page has the name
    of the first file, or that after --page. What the program itself does (names, earlier files) is for tests that call program()."""
    words = [str(word) for word in words]
    page = [] if "--page" in words else ["--page", str(Path(words[0]).with_suffix(".html"))]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        found = draw([*words, *page])
    assert found == status, f"{words}: {found}: {said.getvalue()}"
    return said.getvalue()


def run_of(scenario, name, overrides=()):
    """The run of a scenario (text, or the path of a file)."""
    path = Path(scenario)
    if "\n" in str(scenario):
        path = Path(f"{name}.toml")
        path.write_text(scenario, encoding="utf-8")
    program("run", path, "--quiet", "-o", f"{name}.h5", *[word for each in overrides for word in ("--set", each)])
    return Run(f"{name}.h5")


class Series(dict):
    """Stands for a run with snapshots or sensors in closed form; `arrays` by the names of a history."""

    def __init__(self, system="chain", **arrays):
        super().__init__({name: np.asarray(values, float) for name, values in arrays.items()})
        self.system, self.label, self.name, self.modes = system, "series", "series.h5", None
        self.body = "bead" if system == "chain" else "particle"
        self.traces, self.has_contact_force = None, "contact_force" in self
        self.snapshot_time = self.get("snapshot_time", np.empty(0))
        self.position, self.radius = self.get("place"), self.get("radius")
        self.beads = self.reach = len(self.position) if self.position is not None else self["velocity"].shape[1]


def parts_of(page):
    """What a page unpacks, by name."""
    return {name: zlib.decompress(base64.b64decode(text), 31)
            for name, text in re.findall(r'<script type="application/gzip" id="([\w-]+)">([^<]*)</script>', page)}


class InFolder(unittest.TestCase):
    """Each test runs in its own temporary folder."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self._before = os.getcwd()
        os.chdir(self._folder.name)
        self.addCleanup(self._folder.cleanup)
        self.addCleanup(os.chdir, self._before)


def main():
    unittest.main(verbosity=2)
