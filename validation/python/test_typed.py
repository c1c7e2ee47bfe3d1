"""Every public name has a docstring, and is used in a file that mypy --strict accepts."""
import ast
import inspect
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import beadwave as bw
from support import SOURCES, InFolder, main

USE = Path(__file__).with_name("typed_use.py")
PACKAGE = SOURCES / "src" / "python" / "beadwave"
CACHE = tempfile.TemporaryDirectory()  # what mypy knows of the package, for both runs


def members(kind):
    """The public members that a class of the package adds to those of Python's own classes."""
    for one in kind.__mro__:
        if one.__module__.startswith("beadwave"):
            yield from (name for name in [*vars(one), *getattr(one, "__annotations__", ())] if not name.startswith("_"))


def public():
    """(name, member or None, object)"""
    for name in bw.__all__:
        thing = getattr(bw, name)
        yield name, None, thing
        if inspect.isclass(thing):
            for member in sorted(set(members(thing))):
                yield name, member, getattr(thing, member, None)


class Typed(InFolder):
    def test_every_public_name_is_used(self):
        tree = ast.parse(USE.read_text(encoding="utf-8"))
        used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        missing = [f"{name}.{member}" if member else name for name, member, _ in public() if (member or name) not in used]
        self.assertEqual(missing, [])

    def test_every_public_name_has_a_docstring(self):
        missing = []
        for name, member, thing in public():
            if member is None and name != "__version__" and not inspect.getdoc(thing):
                missing.append(name)
            if member is not None and (callable(thing) or isinstance(thing, property)) and not inspect.getdoc(thing):
                missing.append(f"{name}.{member}")
        self.assertEqual(missing, [])

    @unittest.skipIf("LD_PRELOAD" in os.environ, "the sanitizer is not for mypy")
    def test_mypy_accepts_it(self):
        done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", CACHE.name, "--strict", str(USE)], capture_output=True, text=True,
                              check=False, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipIf("LD_PRELOAD" in os.environ, "the sanitizer is not for mypy")
    def test_mypy_refuses_wrong_use(self):
        Path("wrong.py").write_text("import beadwave as bw\nbw.load(3)\nbw.Packing([[0.0]], 1.0).contact()\n", encoding="utf-8")
        done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", CACHE.name, "--strict", "wrong.py"], capture_output=True,
                              text=True, check=False, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
        for found in ("wrong.py:2:", "wrong.py:3:"):
            self.assertIn(found, done.stdout)


if __name__ == "__main__":
    main()
