"""Shared by the tests of the package. The environment gives the paths: BEADWAVE_PROGRAM, PYTHONPATH."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import beadwave as bw

SOURCES = Path(__file__).resolve().parents[2]
CONFIGS = SOURCES / "configs"
PROGRAM = os.environ["BEADWAVE_PROGRAM"]
sys.path.insert(0, str(SOURCES / "validation" / "cli"))
CHAIN = CONFIGS / "chain70.toml"
SHORT = {"time.end": 60e-6}

# For other programs: a sanitizer that is loaded into this interpreter is not for them.
PLAIN = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


def program(*words, status=0):
    """Standard output and standard error of the command line."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False, env=PLAIN)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stderr}"
    return done.stdout, done.stderr


def json_of(*words):
    return json.loads(program(*words, "--json")[0])


def sets(values):
    return [word for key, value in values.items() for word in ("--set", f"{key}={value!r}")]


class InFolder(unittest.TestCase):
    """Each test runs in its own temporary folder."""

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self._before = os.getcwd()
        os.chdir(self._folder.name)
        self.addCleanup(self._folder.cleanup)
        self.addCleanup(os.chdir, self._before)

    def assert_continues(self, steps, count, names):
        """Saves `steps` and makes `count` more: a loaded copy gets the same bits."""
        steps.save("state.h5")
        again = bw.load("state.h5")
        for each in (steps, again):
            each.run(count)
        self.assertEqual(steps.energy(), again.energy())
        for name in names:
            self.assertEqual(getattr(steps, name).tobytes(), getattr(again, name).tobytes(), name)


def main():
    unittest.main(verbosity=2)
