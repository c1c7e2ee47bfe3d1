#!/usr/bin/python3
"""Checks runs from Python that several processes share: the history has the bits of one process, each_snapshot gets each body on
exactly one process with the numbers of the history, and an exception on one process ends all.

    python_ranks.py BEADWAVE [--mpirun MPIRUN]

The environment gives PYTHONPATH. Exits with 1 if something differs. Needs h5py.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from compare_histories import differences, things  # noqa: E402
from packings import packing, write_files  # noqa: E402
from same_ranks import everything  # noqa: E402

WATCHED = r"""
import sys
import numpy as np
import beadwave as bw

job = bw.load_shared(sys.argv[1])
count = 0
def keep(part):
    global count
    np.savez(f"part_{job.process}_{count}.npz", step=part.step, numbers=part.numbers, position=part.position, velocity=part.velocity,
             angular_velocity=part.angular_velocity)
    count += 1
run = job.run(sys.argv[2], each_snapshot=keep, threads=1)
assert len(run.snapshots) == count, (len(run.snapshots), count)
sys.stdout.write(f"[{job.process} of {job.processes}]\n")
"""

STOPPED = """
import sys
import beadwave as bw

job = bw.load_shared(sys.argv[1])
def stop(part):
    if job.process == 1 and part.step > 0:
        raise LookupError("process 1 has seen enough")
try:
    job.run(sys.argv[2], each_snapshot=stop, threads=1)
except LookupError:
    assert job.process == 1
except bw.RunError as error:
    assert job.process != 1 and "interrupted" in str(error), error
else:
    raise SystemExit("the run went on")
bw.resume_shared(sys.argv[2] + ".checkpoint.h5").run(threads=1)
"""

FAILED = """
import sys
import beadwave as bw

job = bw.load_shared(sys.argv[1])
if job.process == 1:
    raise ValueError("a mistake in the script")
job.run(sys.argv[2], threads=1)
"""


def same(one, other):
    """Prints where the histories differ, but for the number of threads."""
    found = []
    with h5py.File(one) as a, h5py.File(other) as b:
        both = [{name: value for name, value in things(file).items() if name != "/parameters/threads"} for file in (a, b)]
        found = list(differences(*both))
    for line in found[:10]:
        print(f"{other}: {line}")
    return not found


def parts_agree(history, ranks, bodies):
    """Whether each body of each snapshot was on one process, with the numbers of the history."""
    with h5py.File(history) as file:
        group = file[f"particles/{bodies}"]
        steps = group["velocity/step"][:]
        for k in range(len(steps)):
            parts = [np.load(f"part_{r}_{k}.npz") for r in range(ranks)]
            if any(part["step"] != steps[k] for part in parts):
                return False
            numbers = np.concatenate([part["numbers"] for part in parts])
            if len(np.unique(numbers)) != len(numbers) or not all(len(part["numbers"]) for part in parts):
                return False
            for name in ("position", "velocity", "angular_velocity"):
                if name not in group:
                    continue
                recorded = group[name + "/value"][k][numbers]
                if bodies == "beads":  # the others are 0
                    recorded = recorded[:, 0]
                if not np.array_equal(np.concatenate([part[name] for part in parts]), recorded):
                    return False
            if "pour" not in history and len(numbers) != group["velocity/value"].shape[1]:
                return False
        return len(steps) > 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("beadwave")
    parser.add_argument("--mpirun", default="mpirun")
    arguments = parser.parse_args()
    wrong = 0

    def launch(ranks, script, *words):
        command = [arguments.mpirun, "--oversubscribe", "-n", str(ranks), sys.executable, "-c", script, *words]
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **root}, timeout=600)

    def require(good, what):
        nonlocal wrong
        print(f"{what}: {'as expected' if good else 'WRONG'}")
        wrong += not good

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_files(pathlib.Path(folder))
        scenarios = {"crystal": (packing("struck crystal")[0], "all", 3), "pour": (packing("rain on ridges")[0], "all", 2),
                     "chain": (everything("everything"), "beads", 3)}
        for name, (text, bodies, ranks) in scenarios.items():
            pathlib.Path(f"{name}.toml").write_text(text, encoding="utf-8")
            subprocess.run([arguments.beadwave, "run", f"{name}.toml", "-o", f"{name}_one.h5", "--threads", "1", "--quiet"], check=True)
            done = launch(ranks, WATCHED, f"{name}.toml", f"{name}.h5")
            require(done.returncode == 0 and all(f"[{r} of {ranks}]" in done.stdout for r in range(ranks)),
                    f"{name} on {ranks} processes: {done.stdout!r} {done.stderr[-2000:]}")
            require(same(f"{name}_one.h5", f"{name}.h5"), f"{name}: the history")
            require(parts_agree(f"{name}.h5", ranks, bodies), f"{name}: what each_snapshot got")
        done = launch(3, STOPPED, "crystal.toml", "stopped.h5")
        require(done.returncode == 0, f"a stop and its resume: {done.stderr[-2000:]}")
        require(same("crystal_one.h5", "stopped.h5"), "the resumed history")
        done = launch(3, FAILED, "crystal.toml", "failed.h5")
        require(done.returncode != 0 and "a mistake in the script" in done.stderr, f"a mistake ends all: {done.returncode}")
        os.chdir("/")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
