"""Shared by the tests of the package. The environment gives the paths: BEADWAVE_PROGRAM, PYTHONPATH."""
import json
import os
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

import numpy as np

import beadwave as bw

SOURCES = Path(__file__).resolve().parents[2]
CONFIGS = SOURCES / "configs"
PROGRAM = os.environ["BEADWAVE_PROGRAM"]
SANITISED = "BEADWAVE_SANITISED" in os.environ  # one of many alike cases is enough then
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


def check_spin_stays(case, packing):
    """Where the state changes velocities alone, angular velocities keep their bits."""
    packing.run(300)
    spin = packing.angular_velocity
    with packing.state() as state:
        state.velocity[:] *= 1.25
    case.assertEqual(packing.angular_velocity.tobytes(), spin.tobytes())
    case.assertTrue(spin.all())


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


def stand_ins():
    """For pandas and xarray, which need not be installed: they keep their arguments."""
    frames = types.SimpleNamespace(
        DataFrame=lambda data=None, index=None, columns=None: (data, index, columns),
        Index=lambda values, name=None: (list(values), name),
        MultiIndex=types.SimpleNamespace(from_product=lambda lists, names: ([list(one) for one in lists], names)))
    datasets = types.SimpleNamespace(Dataset=lambda variables, coordinates: (variables, coordinates))
    return unittest.mock.patch.dict(sys.modules, {"pandas": frames, "xarray": datasets})


def check_tables(test, recorded):
    """What to_xarray() and to_pandas() give of everything that is recorded: names and lengths of the axes agree with the arrays."""
    with stand_ins():
        variables, coordinates = recorded.to_xarray()
        sizes = {name: len(values[1]) for name, values in coordinates.items()}
        for name, (axes, numbers, attributes) in variables.items():
            test.assertEqual((len(axes), attributes["units"]), (numbers.ndim, recorded.unit(name)), name)
            test.assertEqual(len(set(axes)), len(axes), name)
            for axis, length in zip(axes, numbers.shape):
                test.assertEqual(sizes.setdefault(axis, length), length, f"{name}: {axis}")
                test.assertFalse(axis.startswith(name), f"{name} has an axis without a name")
            np.testing.assert_array_equal(numbers, recorded[name])
        left_out = set(recorded.names()) - set(variables) - set(coordinates) - {"sensors"}
        test.assertTrue(all("/" in name or name.endswith("_step") for name in left_out), left_out)
        recorded.to_pandas("energy")
        for name in variables:
            data, index, columns = recorded.to_pandas(name)
            product = columns[0] if isinstance(columns[0][0], list) else [columns[0]]
            test.assertEqual(np.prod([len(labels) for labels in product], dtype=int), data.shape[1], name)
            test.assertTrue(index is None or len(index[0]) == len(data), name)


def main():
    unittest.main(verbosity=2)
