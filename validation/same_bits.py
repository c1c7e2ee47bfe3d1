#!/usr/bin/python3
"""Whether two programs compute the same: every scenario of configs and twenty more, run by both.

    same_bits.py OLD NEW

OLD chooses the time step of each scenario, NEW is given it. Compares every number of every dataset
that both histories have, to the bit, and prints what differs; exits with 1 if anything does. Says
which datasets only one of them has. Needs h5py.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
CONFIGS = HERE.parent / "configs"
TABLE = HERE / "physics" / "indentation_example.csv"

# Configuration, then what is set in it; "resumed" marks runs that NEW goes on with from a checkpoint.
MORE = {
    "driven": [f"driven {frequency} {amplitude}" for frequency, amplitude in
               (("2e3", "1e-8"), ("5e3", "1e-7"), ("2e4", "1e-8"), ("5e4", "1e-9"))],
    "sleep": [("chain70", [f"time.sleep_speed={speed}"]) for speed in ("1e-12", "1e-9", "1e-7")]
             + [("long_chain", ["time.sleep_speed=1e-10"])],
    "tabulated": [("chain70", ["law.name=tabulated", f"law.file={TABLE}"] + more)
                  for more in ([], ["segment.0.velocity=0.5"])],
    "per-contact": [("chain70", [f"law.name={law}", "law.restitution=0.65", "law.impact_speed=per-contact",
                                 "law.impact_speed_floor=0.01"])
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


def stopped_and_resumed(program, name, sets, output, end):
    """As run, but with a kill on the way, if the run is long enough to be caught."""
    import time
    command = [program, "run", str(CONFIGS / f"{name}.toml"), "-o", str(output), "--quiet"]
    for setting in sets + [f"checkpoint.interval={end / 50}"]:
        command += ["--set", setting]
    checkpoint = output.with_name(output.name + ".checkpoint.h5")
    process = subprocess.Popen(command)
    while process.poll() is None and not checkpoint.exists():
        time.sleep(0.001)
    process.kill()
    process.wait()
    if not checkpoint.exists():
        raise RuntimeError("came to its end before it could be killed")
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
    """Over the largest number of the dataset."""
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
                step = [f"time.step={result['time_step']!r}"]
                if label.startswith("resumed"):
                    stopped_and_resumed(new, name, sets + step, b, result["steps"] * result["time_step"])
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
            print(f"{'DIFFERS' if wrong else 'same   '} {label} ({result['steps']} steps) {', '.join(by)}".rstrip())
            b.unlink()
    print(f"{compared} scenarios compared, {differing} differ or could not be; only in one: {', '.join(sorted(only)) or 'nothing'}")
    return differing > 0


if __name__ == "__main__":
    sys.exit(main())
