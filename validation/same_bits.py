#!/usr/bin/python3
"""Checks whether two programs compute the same numbers. Both run every scenario of configs and twenty more.

    same_bits.py OLD NEW

OLD chooses the time step of each scenario; NEW runs with that step. The script compares every number
of every dataset that both histories have, to the bit, and prints the differences and the datasets that
only one history has. The exit status is 1 if anything differs. Needs h5py.
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "support"))
from held import Held  # noqa: E402

CONFIGS = HERE.parent / "configs"
TABLE = HERE / "physics" / "indentation_example.csv"

# The configuration and its overrides. NEW resumes the runs marked "resumed" from a checkpoint.
MORE = {
    "driven": [f"driven {frequency} {amplitude}" for frequency, amplitude in
               (("2e3", "1e-8"), ("5e3", "1e-7"), ("2e4", "1e-8"), ("5e4", "1e-9"))],
    "sleep": [("chain70", [f"time.sleep_speed={speed}"]) for speed in ("1e-12", "1e-9", "1e-7")]
             + [("long_chain", ["time.sleep_speed=1e-10"])],
    "tabulated": [("chain70", ["law.name=tabulated", f"law.file={TABLE}"] + more)
                  for more in ([], ["segment.0.velocity=0.5"])],
    "per-contact": [("chain70", [f"law.name={law}", "law.restitution=0.65", "law.impact_speed=per-contact",
                                 "law.min_impact_speed=0.01"])
                    for law in ("flores", "lankarani-nikravesh", "hunt-crossley", "wang-liu")],
    "laws": [("chain70", [f"law.name={law}"]) for law in ("hertz", "thornton", "yigit", "stronge")],
}


def scenarios():
    for path in sorted(CONFIGS.glob("*.toml")):
        yield path.stem, path.stem, []
    for kind, runs in MORE.items():
        for run in runs:
            if isinstance(run, str):
                name, frequency, amplitude = run.split()
                run = (name, [f"boundary.left.frequency={frequency}",
                              f"boundary.left.amplitude={amplitude}"])
            yield f"{kind}: {run[0]} {' '.join(run[1])}", *run
    for name in ("chain70", "driven", "gravity_column"):
        yield f"resumed: {name}", name, []


def run(program, name, sets, output):
    command = [program, "run", str(CONFIGS / f"{name}.toml"), "-o", str(output), "--json", "--quiet"]
    for setting in sets:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def stopped_and_resumed(program, name, sets, output, steps, end):
    """Like run, but the program is killed in the middle of the run, which is then resumed."""
    command = [program, "run", str(CONFIGS / f"{name}.toml"), "-o", str(output), "--quiet"]
    for setting in sets + [f"checkpoint.interval={end / 50}"]:
        command += ["--set", setting]
    checkpoint = output.with_name(output.name + ".checkpoint.h5")
    process = Held(command, [steps // 2])
    if not process.held:
        raise RuntimeError("the run ended before it could be killed")
    process.end_by(signal.SIGKILL)
    subprocess.run([program, "resume", str(checkpoint), "-o", str(output), "--quiet"], check=True)


def numbers(path):
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu" and not name.startswith("parameters/threads"):
            found[name] = item[()]

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def largest_difference(one, other):
    """The largest difference, divided by the largest number of the dataset."""
    if one.shape != other.shape:
        return float("nan")
    return np.max(np.abs(one - other)) / max(np.max(np.abs(one)), 5e-324)


def main():
    old, new = sys.argv[1:]
    compared, differing, only = 0, 0, set()
    with tempfile.TemporaryDirectory() as folder:
        a, b = pathlib.Path(folder, "old.h5"), pathlib.Path(folder, "new.h5")
        for label, name, sets in scenarios():
            try:
                result = run(old, name, sets, a)
                # A mechanism has no step of fixed length.
                step = [f"time.step={result['time_step']!r}"] if "time_step" in result else []
                if label.startswith("resumed"):
                    stopped_and_resumed(new, name, sets + step, b, result["steps"],
                                        result["steps"] * result["time_step"])
                else:
                    run(new, name, sets + step, b)
            except RuntimeError as error:
                print(f"NOT COMPARED {label}: {error}")
                differing += 1
                continue
            one, other = numbers(a), numbers(b)
            only |= one.keys() ^ other.keys()
            wrong = [key for key in one.keys() & other.keys()
                     if one[key].shape != other[key].shape or one[key].tobytes() != other[key].tobytes()]
            compared += 1
            differing += bool(wrong)
            by = [f"{key.removesuffix('/value')} by {largest_difference(one[key], other[key]):.1e}" for key in sorted(wrong)]
            if not one.keys() & other.keys():
                print(f"NOT COMPARED {label}: the histories have no dataset in common")
                differing += 1
                continue
            print(f"{'DIFFERS' if wrong else 'same   '} {label} ({result.get('steps', 'no')} steps) {', '.join(by)}".rstrip())
            b.unlink()
    print(f"{compared} scenarios compared, {differing} differ or could not be compared; datasets in only one history: {', '.join(sorted(only)) or 'nothing'}")
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())
