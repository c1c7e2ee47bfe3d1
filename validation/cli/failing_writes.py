#!/usr/bin/python3
"""Lets one call of the operating system fail, anywhere in a run, a resume, a sweep, a fit, a collision, an analysis of modes, a
report, and runs from Python.

    failing_writes.py PROGRAM FAILING_CALLS.so [--python FOLDER] [--cases N] [--seed N] [--only COMMAND] [--memory] [--ranks]

FOLDER holds the Python package, by default python beside PROGRAM; without one nothing is run from Python. The report also draws
static figures where matplotlib is installed. --ranks: PROGRAM is of the preset mpi; only a run on two ranks is tried, and a
number of a call is that of each rank.
FAILING_CALLS.so is failing_calls.c. The calls of each command are counted first. Then the command is repeated: each time
one call, or all calls from one on, fail with an error, or a write or read transfers half of its bytes, or is interrupted. With
--memory one allocation fails. What must hold:

- Status 0: the results are right, to the bit. An interrupted or short write is no error.
- Status 1: one line names a file of the result. Each earlier file is unchanged, or all results are new and right. Nothing else
  is left but what the line names, and what a documented way of continuing needs. After a read or an allocation that failed, the
  status may be 2; after a read the line names any file of the command, after an allocation it need not name one.
- From Python: an InputError counts as status 2 and a RunError as 1, with its message. Any other exception is a fault.
- A run that failed can be continued from its checkpoint, and then has the right history. Every other command can be
  repeated.
- Without memory, HDF5 may print messages of its own or end the process with a signal. Then all is as after a kill: earlier files are unchanged, and the command
  can be continued or repeated. A sweep may have a table in which the run without memory is marked.

--cases 0 tries every call; otherwise N cases are drawn. Exits with 1 after a fault. Linux only. Needs h5py.
"""
import argparse
import errno
import importlib.util
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
from compare_histories import differences, of_file  # noqa: E402
from held import Held  # noqa: E402

CHAIN = """title = "chain"
[material.steel]
youngs_modulus = 193e9
poisson_ratio = 0.3
yield_stress = 900e6
density = 7970
[[segment]]
beads = 1
radius = 2.38e-3
material = "steel"
velocity = 1.77
[[segment]]
beads = 9
radius = 2.38e-3
material = "steel"
[law]
name = "flores"
restitution = 0.8
[boundary]
right = { kind = "wall", material = "steel" }
[time]
end = 60e-6
step = 2e-8
[sensors]
beads = [2, 5]
interval = 2e-7
[snapshots]
interval = 5e-6
"""
CASE = """speed = 0.5
[body.a]
radius = 2.38e-3
mass = 0.45e-3
youngs_modulus = 193e9
poisson_ratio = 0.3
[body.b]
radius = 2.38e-3
fixed = true
youngs_modulus = 193e9
poisson_ratio = 0.3
[law]
name = "flores"
restitution = 0.8
"""
MODES = (HERE.parent.parent / "configs" / "band_gap.toml").read_text()
# Runs from Python: into a file, or in memory and saved later, of a scenario or of arrays; the state after some steps.
PYTHON = """
import sys
sys.path.insert(0, sys.argv[1])
import beadwave
try:
    where, values = sys.argv[2], {key: float(value) for key, value in (word.split("=") for word in sys.argv[3:])}
    if where in ("arrays", "state"):
        job = beadwave.Chain(radius=10 * [0.01], mass=10 * [0.03], velocity=[values.get("segment.0.velocity", 1.0)] + 9 * [0.0],
                             law="hertz", material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, time={"end": 2e-4, "step": 2e-7},
                             sensors={"beads": [5]})
    else:
        job = beadwave.load("chain.toml", values)
    if where == "state":
        job.run(300, threads=1)
        job.save("out.h5")
    elif where == "file":
        job.run(output="out.h5", threads=1, progress=False)
    else:
        job.run(threads=1, progress=False).save("out.h5")
except (beadwave.InputError, beadwave.RunError) as error:
    print("beadwave:", error, file=sys.stderr)
    sys.exit(2 if isinstance(error, beadwave.InputError) else 1)
"""
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-q", "-n", "2"]
CHECKPOINTS = ["--set", "checkpoint.interval=2e-5"]
# The earlier results are of another speed.
EARLIER = ["--set", "segment.0.velocity=0.5"]
FAILURES = {"write": [errno.EIO, errno.ENOSPC, errno.EINTR, "short"], "sync": [errno.EIO, errno.EINTR],
            "rename": [errno.EIO, errno.ENOSPC], "open": [errno.EIO, errno.ENOSPC, errno.EINTR],
            "look": [errno.EIO], "map": [errno.EIO], "truncate": [errno.EIO, errno.EINTR], "read": [errno.EIO, errno.EINTR, "short"],
            "memory": [errno.ENOMEM]}
TOKEN = ("/parameters/checkpoint",)  # of a complete history it is cleared last, after the file has its name
# A fit without memory for its faster derivatives computes them by differences, and `by` says so.
WITHOUT_MEMORY = ("/fit/law_0/evaluations", "/fit/law_0@by")
HARMLESS = (errno.EINTR, "short")


class Fault(Exception):
    pass


def text(path):
    return path.read_bytes()


def history(path):
    return of_file(path)


def fit(path):
    return {name: value for name, value in of_file(path).items() if not name.endswith("/seconds")}


def same(one, other, but=()):
    if not isinstance(one, dict):
        return one == other
    one, other = ({name: value for name, value in each.items() if name not in but} for each in (one, other))
    return not any(True for _ in differences(one, other))


class Command:
    """A command, its results and how they are read. `prepare` makes the files that it finds."""

    def __init__(self, words, results, prepare=(), may_leave=(), goes_on=None):
        self.words, self.results, self.prepare, self.may_leave, self.goes_on = words, results, prepare, may_leave, goes_on


def commands():
    run = ["run", "chain.toml", "--quiet", "--threads", "1", "-o", "out.h5"]
    sweep = ["sweep", "chain.toml", "--quiet", "--threads", "1", "-o", "out.h5", "--vary"]
    fitted = ["fit", "chain.toml", "--measured", "lab.csv", "--quiet", "--threads", "1", "-o", "out.h5", "--bounds"]
    report = ["report", "lab.h5", "-o", "out.html", "--xdmf", "out.xdmf2"]
    export = ["export", "lab.h5", "-o", "out.data"]
    drawn = {"out.html": text, "out.xdmf2": text}
    if importlib.util.find_spec("matplotlib"):
        report += ["--svg", "out.svg", "--png", "out.png"]
        drawn |= {"out.svg": text, "out.png": text}
    ranks = ["ranks", *run, *CHECKPOINTS, "--set", "segment.1.beads=2999"]  # ten beads are too few for two
    modes = ["modes", "crystal.toml", "--quiet", "--threads", "1", "-o", "out.h5", "--transfer"]
    earlier = "segment.0.velocity=0.5"
    checkpoints = "checkpoint.interval=2e-5"
    collide = ["collide", "case.toml", "--json", "--trajectory", "out.csv", "--set", "law.restitution=0.75"]
    left = ["out.running.h5", "out.h5.checkpoint.h5"]
    return {
        "run": Command(run + CHECKPOINTS, {"out.h5": history}, [run + EARLIER], left, "out.h5.checkpoint.h5"),
        "run-new": Command(run, {"out.h5": history}, [], left),
        "resume": Command(["resume", "out.h5.checkpoint.h5", "--quiet", "--threads", "1"], {"out.h5": history},
                          ["interrupt"], left, "out.h5.checkpoint.h5"),
        "sweep": Command(sweep + ["law.restitution=0.7,0.8"], {"out.h5": history, "out.csv": text},
                         [sweep + ["law.restitution=0.5,0.6"]], ["out.h5.rows"]),
        "fit": Command(fitted + ["law.restitution=0.5:0.99"], {"out.h5": fit, "out.toml": text},
                       [fitted + ["segment.0.velocity=0.5:3"]]),
        "collide": Command(collide, {"out.csv": text}, [collide + ["--set", "speed=0.3"]]),
        "modes": Command(modes + ["1000:12000:5"], {"out.h5": history}, [modes + ["1000:12000:3"]]),
        "report": Command(report, drawn, [report + ["--contacts", "2"]]),
        "export": Command(export, {"out.data": text}, [export + ["--snapshot", "0"]]),
        "python-run": Command(["python", "file", checkpoints], {"out.h5": history}, [["python", "file", checkpoints, earlier]],
                              left, "out.h5.checkpoint.h5"),
        "ranks": Command(ranks, {"out.h5": history}, [ranks + EARLIER], left, "out.h5.checkpoint.h5"),
        "python-save": Command(["python", "memory"], {"out.h5": history}, [["python", "memory", earlier]]),
        "python-arrays": Command(["python", "arrays"], {"out.h5": history}, [["python", "arrays", earlier]]),
        "python-state": Command(["python", "state"], {"out.h5": history}, [["python", "state", earlier]]),
    }


class Walk:
    def __init__(self, program, shim, package, folder):
        self.program, self.shim, self.package = program, shim, package
        self.log = folder / "calls"
        self.place = folder / "place"

    def start(self, words, failure=None, **options):
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
        if failure is not None:
            environment.update(LD_PRELOAD=self.shim, FAILING_FOLDER=str(self.place), **failure)
        start = [self.program, *words]
        if words[0] == "python":
            start = [sys.executable, "-I", "-B", "-c", PYTHON, self.package, *words[1:]]
        if words[0] == "ranks":
            start = [*MPIRUN, self.program, *words[1:]]
        return subprocess.run(start, cwd=self.place, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300, **options)

    def must(self, words):
        done = self.start(words)
        if done.returncode != 0:
            raise Fault(f"without any failure: {' '.join(words)}: {done.stderr}")

    def files(self):
        return {path.name: path.read_bytes() for path in sorted(self.place.iterdir())}

    def set_files(self, files):
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        for name, content in files.items():
            (self.place / name).write_bytes(content)

    def inputs(self):
        self.set_files({"chain.toml": CHAIN.encode(), "case.toml": CASE.encode(), "crystal.toml": MODES.encode()})
        self.must(["run", "chain.toml", "--quiet", "-o", "lab.h5"])
        lab = of_file(self.place / "lab.h5")
        time, force = lab["/observables/sensor_force/time"], lab["/observables/sensor_force/value"]
        rows = [",".join(map(repr, map(float, (t, *f)))) for t, f in zip(time, force)]
        (self.place / "lab.csv").write_text("time (s),bead 2 (N),bead 5 (N)\n" + "\n".join(rows) + "\n")
        return self.files()

    def interrupt(self):
        words = ["run", "chain.toml", "--quiet", "--threads", "1", "-o", "out.h5", *CHECKPOINTS]
        run = Held([self.program, *words], [2_200], cwd=self.place, stderr=subprocess.DEVNULL)
        if run.end_by(signal.SIGTERM) != 1 or not (self.place / "out.h5.checkpoint.h5").exists():
            raise Fault("the run to resume was not stopped in its middle")

    def read(self, command):
        return {name: how(self.place / name) for name, how in command.results.items()}

    def prepare(self, name, command, inputs):
        """Makes the earlier files and the right results, and counts the calls by kind."""
        self.set_files(inputs)
        for words in command.prepare:
            self.interrupt() if words == "interrupt" else self.must(words)
        self.earlier = self.files()
        self.log.unlink(missing_ok=True)
        done = self.start(command.words, {"FAILING_LOG": str(self.log)})
        if done.returncode != 0:
            raise Fault(f"{name}: fails without any failure: {done.stderr}")
        self.right, self.new = self.read(command), self.files()
        counts = dict.fromkeys(FAILURES, 0)
        for line in self.log.read_text().splitlines() if self.log.exists() else []:
            kind, number = line.split()[:2]
            if kind == "allocations":
                counts["memory"] = max(counts["memory"], int(number))  # Python is another process
            else:
                counts[kind] += 1
        if not counts["write"]:
            raise Fault(f"{name}: {self.shim} saw no write")
        return counts

    def is_right(self, command, but=()):
        try:
            return all(same(self.right[name], how(self.place / name), but) for name, how in command.results.items())
        except (OSError, RuntimeError, KeyError, ValueError):
            return False

    def one(self, command, kind, number, error, onwards):
        """Returns the exit status of one case. Raises Fault."""
        self.set_files(self.earlier)
        failure = {"FAILING_CALL": kind, "FAILING_AT": str(number), "FAILING_ERROR": str(error)}
        if onwards:
            failure["FAILING_ONWARDS"] = "1"
        done = self.start(command.words, failure)
        left = self.files()
        if done.returncode == 0:
            if not self.is_right(command, but=WITHOUT_MEMORY if kind == "memory" else ()):
                raise Fault("status 0 with a wrong result")
            if left.keys() != self.new.keys():
                raise Fault(f"status 0, and these files differ: {sorted(left.keys() ^ self.new.keys())}")
            return 0
        by_fortran = "Allocating cleared memory failed" in done.stderr  # its library ends the process itself
        if kind == "memory" and (done.returncode not in (1, 2) or by_fortran):
            self.check_killed(command, left, f"status {done.returncode}: {done.stderr}")
            return 3
        if kind == "memory" and command.words[0] == "sweep" and "of 2 runs failed" in done.stderr:
            self.check_repeated(command, left, done.stderr)
            return 1
        if done.returncode != 1 and not (kind in ("read", "look", "map", "memory") and done.returncode == 2):
            raise Fault(f"status {done.returncode}: {done.stderr}")
        if kind == "memory" and done.returncode == 2 and "memory" not in done.stderr:
            raise Fault(f"another meaning without memory: {done.stderr}")
        if error in HARMLESS:
            raise Fault(f"is no error: {done.stderr}")
        self.check_failed(command, left, done.stderr, kind)
        return 1

    def check_failed(self, command, left, said, kind):
        lines = [line for line in said.splitlines() if not line.startswith("beadwave: warning: ")]
        if kind == "memory" or command.words[0] == "ranks":  # HDF5 adds its own messages where it cannot start, mpirun always
            lines = [line for line in lines if line.startswith("beadwave: ")]
        files = ["out."]
        if kind in ("read", "look", "map"):
            files = self.earlier.keys() | command.results.keys() | set(command.may_leave)
        elif kind == "memory":
            files = [""]
        if len(lines) != 1 or not lines[0].startswith("beadwave: ") or not any(name in lines[0] for name in files):
            raise Fault(f"expected one line that names the file: {said!r}")
        self.check_kept(command, left, said)
        for name in left.keys() - self.earlier.keys() - command.results.keys():
            if name not in said and name not in command.may_leave:
                raise Fault(f"{name} was left: {said}")
        if command.goes_on and command.goes_on in left:
            again = self.start(["resume", command.goes_on, "--quiet", "--threads", "1"])
            if again.returncode != 0 or not self.is_right(command):
                raise Fault(f"cannot be continued: {again.stderr or 'another result'}; after {said}")
        elif "continue with" in said:
            raise Fault(f"there is nothing to continue with: {said}")
        if command.words[0] != "resume":
            self.check_repeated(command, left, said)

    def check_killed(self, command, left, said):
        """As after a kill."""
        if self.is_right(command, but=TOKEN):
            return
        for name, content in self.earlier.items():
            if command.words[0] != "resume" and left.get(name) != content:
                raise Fault(f"{name} has changed or is gone: {said}")
        if command.goes_on and command.goes_on in left:
            again = self.start(["resume", command.goes_on, "--quiet", "--threads", "1"])
            if again.returncode != 0 or not self.is_right(command):
                raise Fault(f"cannot be continued: {again.stderr or 'another result'}; after {said}")
        elif command.words[0] == "resume":
            raise Fault(f"there is nothing to continue with: {said}")
        else:
            self.check_repeated(command, left, said)

    def check_repeated(self, command, left, said):
        self.set_files(left)
        again = self.start(command.words)
        if again.returncode != 0 or not self.is_right(command):
            raise Fault(f"cannot be repeated: {again.stderr or 'another result'}; after {said}")

    def check_kept(self, command, left, said):
        """The earlier results are all unchanged, or all new and right, or under a name that the message gives."""
        if command.words[0] == "resume":  # it continues the earlier file itself
            return
        for name, content in self.earlier.items():
            if name in command.results or left.get(name) == content:
                continue
            raise Fault(f"{name} has changed or is gone: {said}")
        results = [name for name in command.results if name in self.earlier]
        unchanged = [name for name in results if left.get(name) == self.earlier[name]]
        if len(unchanged) == len(results) or self.is_right(command, but=TOKEN):
            return
        for name in set(results) - set(unchanged):
            kept = [other for other in left if other in said and left[other] == self.earlier[name]]
            if not kept:
                raise Fault(f"{name} is neither the earlier one nor right: {said}")


def cases_of(counts, memory):
    for kind, count in counts.items():
        if memory != (kind == "memory"):
            continue
        for number in range(count):
            for error in FAILURES[kind]:
                for onwards in (False, True):
                    if not onwards or error not in (errno.EINTR, errno.ENOMEM):
                        yield kind, number, error, onwards


def main():
    parser = argparse.ArgumentParser(description="Lets calls of the operating system fail.")
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("shim", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--python", type=lambda path: str(pathlib.Path(path).resolve()), help="folder of the Python package")
    parser.add_argument("--cases", type=int, default=0, help="number of cases, over all commands; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="lets allocations fail in place of calls")
    parser.add_argument("--ranks", action="store_true", help="only a run on two ranks")
    parser.add_argument("--only", action="append", default=[], choices=commands().keys())
    given = parser.parse_args()
    dice, faults, total = random.Random(given.seed), 0, 0
    starts_slowly = [name for name, command in commands().items() if command.words[0] in ("report", "export", "python")]
    beside = pathlib.Path(given.program).parent
    package = given.python or (str(beside / "python") if (beside / "python" / "beadwave").is_dir() else None)
    left_out = [] if given.ranks else ["ranks"]
    if given.memory:  # Python has its own messages
        left_out += starts_slowly
    elif not package:
        left_out += [name for name in starts_slowly if name.startswith("python")]
    if not (beside / "beadwave_lapack.so").exists():
        left_out.append("modes")
    wanted_names = given.only or (["ranks"] if given.ranks else [name for name in commands() if name not in left_out])
    chosen = {name: command for name, command in commands().items() if name in wanted_names}
    print(f"commands: {', '.join(chosen)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="beadwave-failing-") as name:
        walk = Walk(given.program, given.shim, package, pathlib.Path(name).resolve())
        inputs = walk.inputs()
        for name, command in chosen.items():
            counts = walk.prepare(name, command, inputs)
            cases = list(cases_of(counts, given.memory))
            wanted = max(1, given.cases // len(chosen) // {"report": 8, "export": 4, "python": 4}.get(command.words[0], 1))
            if given.cases and wanted < len(cases):
                cases = dice.sample(cases, wanted)
            outcomes = {0: 0, 1: 0, 3: 0}
            for kind, number, error, onwards in cases:
                what = error if isinstance(error, str) else errno.errorcode[error]
                try:
                    outcomes[walk.one(command, kind, number, error, onwards)] += 1
                except Fault as fault:
                    faults += 1
                    print(f"{name}: {kind} {number}{' and later' if onwards else ''}: {what}: {fault}".rstrip(), flush=True)
            total += len(cases)
            calls = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
            print(f"{name}: {len(cases)} cases of {calls}: {outcomes[0]} right, {outcomes[1]} refused"
                  + (f", {outcomes[3]} as after a kill" if given.memory else ""), flush=True)
            if faults >= 40:
                print("too many faults: the walk ends")
                break
    print(f"{total} cases, {faults or 'no'} fault{'' if faults == 1 else 's'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
