#!/usr/bin/python3
"""Reads the history of a run while it grows, with h5py and with `beadwave watch`, and holds what was read against the
finished file; then kills a run and looks at what is left.

    follow_run.py PROGRAM

Exits with 1 at the first fault. Needs h5py.
"""
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np

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
def started(command, folder, **streams):
    process = subprocess.Popen(command, cwd=folder, text=True, **streams)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def opened(path):
    """As soon as the run has made it."""
    for _ in range(600):
        try:
            return h5py.File(path, "r", libver="latest", swmr=True)
        except OSError:
            time.sleep(0.05)
    raise Fault(f"{path.name} cannot be opened")


def rows_of(file, name):
    """The whole rows that are there by now: times and values."""
    step, times, values = (file[f"{name}/{part}"] for part in ("step", "time", "value"))
    for data in (step, times, values):
        data.refresh()
    rows = min(len(step), len(times), len(values))
    return times[:rows], values[:rows]


def followed(folder, process):
    """What was seen of each series at each look: times and values."""
    looks = []
    with opened(folder / "out.running.h5") as file:
        while process.poll() is None:
            looks.append({name: rows_of(file, name) for name in SERIES})
            time.sleep(0.1)
    return looks


def check_looks(looks, final):
    for name in SERIES:
        counts = [len(look[name][0]) for look in looks]
        require(counts == sorted(counts), f"{name} shrinks: {counts}")
        require(len(set(counts)) >= 3, f"{name} was seen to grow too seldom: {counts}")
        whole_time, whole = final[f"{name}/time"][:], final[f"{name}/value"][:]
        require(counts[-1] <= len(whole), f"{name} has fewer rows than were seen")
        for look in looks:
            times, values = look[name]
            require(np.all(np.diff(times) > 0), f"the time of {name} does not increase")
            require(np.array_equal(times, whole_time[:len(times)]), f"the time of {name} was another")
            require(np.array_equal(values, whole[:len(values)]), f"{name} was another")
    print("  seen:", *(f"{name.split('/')[-1]} {len({len(look[name][0]) for look in looks})} lengths" for name in SERIES))


def check_watch(watch):
    said, errors = watch.communicate(timeout=60)
    require(watch.returncode == 0, f"watch exited with {watch.returncode}: {errors}")
    looks = [json.loads(line) for line in said.splitlines()]
    steps = [look["step"] for look in looks]
    require(steps == sorted(steps) and len(set(steps)) >= 3, f"watch saw the steps {steps}")
    require([look["state"] for look in looks] == ["running"] * (len(looks) - 1) + ["finished"], "watch saw other states")
    require(any(look.get("steps_per_second", 0) > 0 for look in looks), "watch saw no speed")
    last = looks[-1]
    require(last["file"] == "out.h5" and last["step"] == last["steps"] and last["percent"] == 100, f"the end: {last}")
    require(abs(last["peak_force"]["force"] / 35.727 - 1) < 1e-4 and last["peak_force"]["bead"] == 9, "another peak")
    require(errors == "finished; the history is out.h5\n", f"watch said: {errors}")


def follow(program, folder):
    subprocess.run(run_command(program), cwd=folder, check=True)
    earlier = (folder / "out.h5").read_bytes()
    with started(run_command(program, "time.step=6e-11"), folder) as run:
        opened(folder / "out.running.h5").close()
        watch = [program, "watch", "out.h5", "--json", "--every", "0.2"]
        with started(watch, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watch:
            second = subprocess.run(run_command(program), cwd=folder, stderr=subprocess.PIPE, text=True)
            require(second.returncode == 1, "a second run wrote the same history")
            require(second.stderr == "beadwave: out.h5: another run is writing it, so far as out.running.h5; "
                    "name another with -o\n", second.stderr)
            require((folder / "out.h5").read_bytes() == earlier, "the earlier history was touched")
            looks = followed(folder, run)
            require(run.returncode == 0, "the run failed")
            check_watch(watch)
    with h5py.File(folder / "out.h5") as final:  # without SWMR: it was closed as files should be
        check_looks(looks, final)
    require(not (folder / "out.running.h5").exists(), "the growing file is still there")


def kill(program, folder):
    before = sorted(path.name for path in folder.iterdir())
    with started(run_command(program, "time.step=1e-11", "checkpoint.interval=1e-6"), folder) as run:
        opened(folder / "out.running.h5").close()
        watch = [program, "watch", "out.running.h5", "--every", "0.2"]
        with started(watch, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watch:
            time.sleep(2)
            run.kill()
            run.wait()
            said, errors = watch.communicate(timeout=60)
    require(watch.returncode == 1, f"watch exited with {watch.returncode} after a kill")
    require(errors.startswith("beadwave: the run was killed at t = ") and errors.count("\n") == 1, errors)
    require("out.running.h5 holds the history up to there; continue with: beadwave resume out.h5.checkpoint.h5" in errors, errors)
    require(" % " in said and "steps/s" in said and "kinetic" in said, said)
    with h5py.File(folder / "out.running.h5", "r", libver="latest", swmr=True) as left:
        require(len(rows_of(left, "observables/sensor_force")[0]) > 1, "the killed run left nothing")
    subprocess.run([program, "report", "out.running.h5", "-o", "left.html"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "left.html").unlink()
    (folder / "out.h5.checkpoint.h5").unlink()
    # Killed in the middle of a checkpoint, it leaves what it had written of that one.
    (folder / f".out.h5.checkpoint.h5.partial-{run.pid}").unlink(missing_ok=True)
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
