"""The examples of docs/examples run in their short versions, and mypy accepts them with the types of the package."""
import os
import subprocess
import sys
import unittest
from importlib.util import find_spec

from support import SOURCES, InFolder, main

EXAMPLES = sorted((SOURCES / "docs" / "examples").glob("*.py"))


class Examples(InFolder):
    def run_one(self, path):
        if path.stem.startswith("torch_") and find_spec("torch") is None:
            print("skipped: PyTorch is not installed")
            self.skipTest("PyTorch is not installed")
        done = subprocess.run([sys.executable, "-B", path], capture_output=True, text=True, check=False,
                              env={**os.environ, "BEADWAVE_SHORT": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotEqual(done.stdout, "")

    def test_there_are_four(self):
        self.assertEqual(len(EXAMPLES), 4)

    @unittest.skipIf("LD_PRELOAD" in os.environ, "the sanitizer is not for mypy")
    def test_mypy(self):
        package = SOURCES / "src" / "python" / "beadwave"
        done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", "cache", "--strict", str(package)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for path in EXAMPLES:
            if path.stem.startswith("torch_"):
                continue  # the types of PyTorch take a minute
            done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", "cache", "--ignore-missing-imports", str(path)], capture_output=True, text=True,
                                  check=False, env={**os.environ, "MYPYPATH": str(package.parent)})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


def add(path):
    setattr(Examples, f"test_{path.stem}", lambda self: self.run_one(path))


for example in EXAMPLES:
    add(example)

if __name__ == "__main__":
    main()
