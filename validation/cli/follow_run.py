#!/usr/bin/python3
"""Reads the history of a run while it grows, with h5py and with `beadwave watch`, and compares what was read with the
finished file. Then kills a run and checks the files that are left.

    follow_run.py PROGRAM

Exits with 1 at the first fault. Needs h5py.
"""
import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from held import Held  # noqa: E402

SCENARIO = pathlib.Path(__file__).resolve().parent.parent.parent / "configs" / "chain70.toml"
SERIES = ("observables/sensor_force", "observables/kinetic_energy", "observables/contact_force", "particles/beads/position")


class Fault(Exception):
    pass


def require(condition, fault):
    if not condition:
        raise Fault(fault)


def run_command(program, *settings):
    return [program, "run", str(SCENARIO), "-o", "out.h5", "--quiet", "--threads", "1",
            *(word for setting in settings for word in ("--set", setting))]


@contextlib.contextmanager
def held(command, steps, folder):
    """A run that pauses at the first of these steps."""
    process = Held(command, steps, cwd=folder)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.end_by(signal.SIGKILL)


@contextlib.contextmanager
def started(command, folder, **streams):
    process = subprocess.Popen(command, cwd=folder, text=True, **streams)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def opened(path):
    return h5py.File(path, "r", libver="latest", swmr=True)


def rows_of(file, name):
    """Times and values of the complete rows that exist now."""
    step, times, values = (file[f"{name}/{part}"] for part in ("step", "time", "value"))
    for data in (step, times, values):
        data.refresh()
    rows = min(len(step), len(times), len(values))
    return times[:rows], values[:rows]


def seen_by(watch, step):
    """The objects that `watch --json` printed until it reached this step."""
    polls = []
    while not polls or polls[-1]["step"] < step:
        line = watch.stdout.readline()
        require(line, "watch ended before the run")
        polls.append(json.loads(line))
    return polls


def check_polls(polls, final):
    for name in SERIES:
        counts = [len(poll[name][0]) for poll in polls]
        require(counts == sorted(counts), f"{name} shrinks: {counts}")
        require(len(set(counts)) >= 3, f"{name} has too few different lengths: {counts}")
        whole_time, whole = final[f"{name}/time"][:], final[f"{name}/value"][:]
        require(counts[-1] <= len(whole), f"the finished {name} has fewer rows than were read")
        for poll in polls:
            times, values = poll[name]
            require(np.all(np.diff(times) > 0), f"the time of {name} does not increase")
            require(np.array_equal(times, whole_time[:len(times)]), f"the times of {name} differ from those of the finished file")
            require(np.array_equal(values, whole[:len(values)]), f"{name} differs from the finished file")
    print("  read:", *(f"{name.split('/')[-1]} {len({len(poll[name][0]) for poll in polls})} lengths" for name in SERIES))


def check_watch(watch, polls):
    output, errors = watch.communicate()
    require(watch.returncode == 0, f"watch exited with {watch.returncode}: {errors}")
    polls = polls + [json.loads(line) for line in output.splitlines()]
    steps = [poll["step"] for poll in polls]
    require(steps == sorted(steps) and len(set(steps)) >= 3, f"watch printed the steps {steps}")
    require([poll["state"] for poll in polls] == ["running"] * (len(polls) - 1) + ["finished"], "watch printed other states")
    require(any(poll.get("steps_per_second", 0) > 0 for poll in polls), "watch printed no speed")
    last = polls[-1]
    require(last["file"] == "out.h5" and last["step"] == last["steps"] and last["percent"] == 100, f"the end: {last}")
    peak = last["peak_force"]
    require(abs(peak["force"] / 35.727 - 1) < 1e-4 and peak["bead"] == 9, "watch printed another peak force")
    require(errors == "finished; the history is out.h5\n", f"watch printed: {errors}")


# A checkpoint writes everything up to its step, so that readers see it: every 10,000 steps.
STEPS = ("time.step=1e-9", "checkpoint.interval=1e-5")
STOPS = (101_000, 251_000, 401_000, 551_000)
WATCH = ["--json", "--interval", "0.1"]


def follow(program, folder):
    subprocess.run(run_command(program), cwd=folder, check=True)
    earlier = (folder / "out.h5").read_bytes()
    polls, watched = [], []
    with held(run_command(program, *STEPS), STOPS, folder) as run, opened(folder / "out.running.h5") as file:
        watch = [program, "watch", "out.h5", *WATCH]
        with started(watch, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watch:
            second = subprocess.run(run_command(program), cwd=folder, stderr=subprocess.PIPE, text=True)
            require(second.returncode == 1, "a second run wrote the same history")
            require(second.stderr == "beadwave: out.h5: another run is writing it, now as out.running.h5; "
                    "choose another name with -o\n", second.stderr)
            require((folder / "out.h5").read_bytes() == earlier, "the earlier history was changed")
            for stop in STOPS:
                require(run.held, f"the run does not pause at step {stop}")
                polls.append({name: rows_of(file, name) for name in SERIES})
                watched += seen_by(watch, stop - 11_000)
                run.proceed()
            require(run.returncode == 0, "the run failed")
            check_watch(watch, watched)
    with h5py.File(folder / "out.h5") as final:  # without SWMR, because the run has closed it
        check_polls(polls, final)
    require(not (folder / "out.running.h5").exists(), "the growing file is still there")


def kill(program, folder):
    before = sorted(path.name for path in folder.iterdir())
    with held(run_command(program, *STEPS), STOPS, folder) as run:
        watch = [program, "watch", "out.running.h5", "--interval", "0.1"]
        with started(watch, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watch:
            output = watch.stdout.readline()
            run.proceed()
            output += watch.stdout.readline()
            run.end_by(signal.SIGKILL)
            rest, errors = watch.communicate()
            output += rest
    require(watch.returncode == 1, f"watch exited with {watch.returncode} after a kill")
    require(errors.startswith("beadwave: the run was killed at t = ") and errors.count("\n") == 1, errors)
    require("out.running.h5 holds the history up to there; continue with: beadwave resume out.h5.checkpoint.h5" in errors, errors)
    require(" % " in output and "steps/s" in output and "kinetic" in output, output)
    with opened(folder / "out.running.h5") as left:
        require(len(rows_of(left, "observables/sensor_force")[0]) > 1, "the killed run left nothing")
    subprocess.run([program, "report", "out.running.h5", "-o", "left.html"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "left.html").unlink()
    (folder / "out.h5.checkpoint.h5").unlink()
    subprocess.run(run_command(program), cwd=folder, check=True)
    require(sorted(path.name for path in folder.iterdir()) == before, "something was left behind")


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="beadwave-") as name:
        try:
            follow(program, pathlib.Path(name))
            kill(program, pathlib.Path(name))
        except Fault as fault:
            print(fault)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
