#!/usr/bin/python3
"""Failures on one rank of several: all ranks end, one line gives the reason, and existing files do not change.

    failures.py PROGRAM [CASE]... [--mpirun MPIRUN]

Also checks that sweeps and fits on several ranks give the same tables as on one process. Exits with 1 at the first fault.
Needs h5py and mpirun.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import h5py

from launcher import is_stopped, ranks_of, stopped_ranks
from packings import packing
from waiting import until

HERE = pathlib.Path(__file__).resolve().parent
CHAIN = HERE.parent.parent / "configs" / "chain70.toml"
LAUNCH = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-q", "-n"]
TIMEOUT = 500  # [s]: a command that hangs; none needs a hundredth of it on an idle machine
LONG = ["--set", "segment.1.beads=30000", "--set", "time.step=1e-8", "--set", "time.end=3e-2", "--set", "snapshots.interval=3e-4",
        "--set", "sensors.interval=1e-6"]


class Fault(Exception):
    pass


def check(right, what):
    if not right:
        raise Fault(what)


def start(folder, ranks, *words, pause=None):
    """`pause`: the step at which each rank stops itself."""
    environment = os.environ if pause is None else {**os.environ, "BEADWAVE_PAUSE_AT_STEP": str(pause)}
    return subprocess.Popen([*LAUNCH, str(ranks), *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=environment)


def signal_held(run, ranks, numbers):
    """Sends signals to ranks, by their number, when all have stopped themselves, and lets all continue."""
    held = stopped_ranks(run, ranks)
    check(held, "ends before its ranks stop")
    for rank, number in numbers.items():
        os.kill(held[rank], number)
    for rank in held:
        try:
            os.kill(rank, signal.SIGCONT)
        except ProcessLookupError:
            pass  # the killed one


def end_of(process):
    """Exit status and lines of standard error."""
    try:
        process.printed, errors = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Fault(f"does not end within {TIMEOUT} s") from None
    return process.returncode, [line for line in errors.splitlines() if line.startswith("beadwave: ")]


def wait_for(path, process):
    check(until(path.exists, process), f"ends before {path.name} is there")


def wrong_input(program, folder):
    status, lines = end_of(start(folder, 3, program, "run", str(CHAIN), "--set", "law.name=hertzz", "-o", "x.h5"))
    check(status == 2, f"status {status} of a wrong law")
    check(len(lines) == 1 and "did you mean" in lines[0], f"not one line: {lines}")
    status, lines = end_of(start(folder, 3, program, "run", "nowhere.toml"))
    check(status == 2 and len(lines) == 1, f"a missing scenario: {status}, {lines}")
    os.mkfifo(folder / "pipe.toml")  # no one writes to it: who opened it would wait
    for words in (["run", "pipe.toml"], ["sweep", "pipe.toml", "--vary", "law.psi=2,3"],
                  ["fit", str(CHAIN), "--measured", "pipe.toml", "--bounds", "law.psi=2:4"]):
        status, lines = end_of(start(folder, 3, program, *words, "-o", "x.h5"))
        check(status == 2 and len(lines) == 1 and "pipe.toml: is not a regular file" in lines[0], f"a pipe: {status}, {lines}")
    check(not (folder / "x.h5").exists(), "writes a history")


def different(program, folder):
    """Processes that do not start from the same: one sentence names the difference, status 2, and nothing is written."""
    def together(*commands):
        launch = LAUNCH[:-1]
        for number, words in enumerate(commands):
            launch += ([":"] if number else []) + ["-n", "1", *words]
        return end_of(subprocess.Popen(launch, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))

    text = CHAIN.read_text()
    for name in ("here", "there"):
        (folder / name).mkdir()
        (folder / name / "a.toml").write_text(text if name == "here" else text.replace("beads    = 70", "beads    = 69"))
        (folder / name / "lab.csv").write_text("time,9\n0,0\n1e-5,1\n2e-5,0\n" if name == "here" else "time,9\n0,0\n1e-5,2\n2e-5,0\n")
        (folder / name / "piston.toml").write_text((CHAIN.parent / "piston.toml").read_text().replace("1.3e-3", "1e-4"))
        piston = (CHAIN.parent / "piston.csv").read_text()
        (folder / name / "piston.csv").write_text(piston if name == "here" else piston.replace("4e-5", "5e-5"))
    enter = ["sh", "-c", 'cd "$0" && exec "$@"']
    run = [program, "run", str(CHAIN), "--set", "time.end=1e-4", "-o", "x.h5"]
    sweep = [program, "sweep", str(CHAIN), "--set", "time.end=1e-4", "--vary", "law.psi=2,3", "-o", "x.h5"]
    # The same words for both, and other files where the second process runs.
    in_two = lambda *words: [[*enter, str(folder / name), *words] for name in ("here", "there")]
    fit = [program, "fit", str(CHAIN), "--measured", "lab.csv", "--bounds", "law.psi=2:4", "-o", "x.h5"]
    pairs = {"another radius": ([*run, "--set", "segment.1.radius=4e-3"], run, "command line"),
             "another end": ([*run, "--set", "time.end=2e-4"], run, "command line"),
             "other values": ([*sweep[:-3], "law.psi=2,4", "-o", "x.h5"], sweep, "command line"),
             "another output": ([*run, "--overwrite"], run, "command line"),
             "another command": (sweep, run, "command line"),
             "a command that is not shared": ([program, "laws"], run, "command line"),
             "another scenario": (*in_two(program, "run", "a.toml", "-o", "x.h5"), "a.toml"),
             "another scenario of a sweep": (*in_two(program, "sweep", "a.toml", "--vary", "law.psi=2,3", "-o", "x.h5"), "a.toml"),
             "another measurement": (*in_two(*fit), "lab.csv"),
             "another file of the scenario": (*in_two(program, "run", "piston.toml", "-o", "x.h5"), "file that the scenario names"),
             "another file in a sweep": (*in_two(program, "sweep", "piston.toml", "--vary", "law.name=hertz,flores", "--set", "law.restitution=0.9", "-o",
                                                 "x.h5"), "file that the scenario names")}
    longest = 0.0
    for name, (first, second, what) in pairs.items():
        began = time.monotonic()
        status, lines = together(first, second)
        longest = max(longest, time.monotonic() - began)
        check(status == 2 and len(lines) == 1 and what in lines[0] and "rank 1" in lines[0], f"{name}: {status}, {lines}")
        check(not list(folder.rglob("x*")), f"{name}: leaves {list(folder.rglob('x*'))}")
    print(f"  {len(pairs)} differences are refused, each within {longest:.1f} s", flush=True)


def not_shared(program, folder):
    """A command that is not shared runs once."""
    subprocess.run([program, "run", str(CHAIN), "--quiet", "-o", "x.h5"], cwd=folder, check=True)
    process = start(folder, 3, program, "report", "x.h5")
    status, lines = end_of(process)
    check(status == 0 and not lines and process.printed.split() == ["x.html"], f"{status}, {lines}, {process.printed!r}")
    check(sorted(path.name for path in folder.iterdir()) == ["x.h5", "x.html"], f"leaves {sorted(folder.iterdir())}")


def interrupted(program, folder):
    """The ranks get SIGTERM, as from a batch system: there is a checkpoint, a line on how to continue, and a summary."""
    run = start(folder, 2, program, "run", str(CHAIN), *LONG, "-o", "x.h5", "--quiet", "--json", pause=20_000)
    signal_held(run, 2, {0: signal.SIGTERM, 1: signal.SIGTERM})
    status, lines = end_of(run)
    check(status == 1, f"status {status} of an interrupted run")
    check(len(lines) == 1 and "continue with: beadwave resume x.h5.checkpoint.h5" in lines[0], f"prints {lines}")
    check((folder / "x.h5").exists() and (folder / "x.h5.checkpoint.h5").exists(), "leaves no checkpoint")
    check(run.printed and json.loads(run.printed)["processes"] == 2, f"prints {run.printed!r}")


def earlier_history(program, folder):
    subprocess.run([program, "run", str(CHAIN), "--quiet", "-o", "x.h5"], cwd=folder, check=True)
    return (folder / "x.h5").read_bytes()


def killed(program, folder):
    before = earlier_history(program, folder)
    for victim in range(3):
        run = start(folder, 3, program, "run", str(CHAIN), *LONG, "-o", "x.h5", "--quiet", pause=20_000)
        signal_held(run, 3, {victim: signal.SIGKILL})
        status, _ = end_of(run)
        print(f"  rank {victim} killed: all ended, status {status}", flush=True)
        check(status != 0, "status 0 although a rank was killed")
        check((folder / "x.h5").read_bytes() == before, "an earlier history has changed")
        (folder / "x.running.h5").unlink(missing_ok=True)


def limited(folder, rank, kilobytes, *words):
    """Exit status and output of three ranks, one of which can write files up to this size only."""
    limit = f'[ "$OMPI_COMM_WORLD_RANK" != {rank} ] || ulimit -f {kilobytes}; exec "$@"'
    return end_of(start(folder, 3, "bash", "-c", limit, "bash", *words))


def packings(program, folder):
    """What ranks cannot share of packings; a rank that fails, is killed or is interrupted."""
    def refused(text, ranks, what):
        (folder / "p.toml").write_text(text)
        status, lines = end_of(start(folder, ranks, program, "run", "p.toml", "-o", "x.h5", "--quiet"))
        check(status == 2 and len(lines) == 1 and what in lines[0], f"{status}, {lines}; expected {what!r}")
        check(not (folder / "x.h5").exists(), "writes a history")

    text, _ = packing("hopper")
    refused(text, 6, "4606 particles are too few for 6 processes; expected at most 5 of them, one per block of 1024")
    refused(text.replace("step = 3e-06", "step = 3e-04"), 2, "time.step")
    refused('device = "twin"\n' + text, 2, "2 processes cannot share a device; expected one process, or device = \"cpu\"")

    (folder / "p.toml").write_text(text)
    run = [program, "run", "p.toml", "--quiet", "-o", "x.h5"]
    for victim in range(3):
        process = start(folder, 3, *run, pause=500)
        signal_held(process, 3, {victim: signal.SIGKILL})
        status, _ = end_of(process)
        check(status != 0 and not (folder / "x.h5").exists(), f"status {status} although a rank was killed")
        (folder / "x.running.h5").unlink(missing_ok=True)
    process = start(folder, 2, *run, "--json", pause=500)
    signal_held(process, 2, {0: signal.SIGTERM, 1: signal.SIGTERM})
    status, lines = end_of(process)
    check(status == 1 and len(lines) == 1 and "continue with: beadwave resume x.h5.checkpoint.h5" in lines[0], f"{status}, {lines}")
    check(process.printed and json.loads(process.printed)["processes"] == 2, f"prints {process.printed!r}")


def full_disk(program, folder):
    """One rank cannot write more than a few megabytes, before the first checkpoint and after it."""
    before = earlier_history(program, folder)
    history, checkpoint = folder / "x.running.h5", folder / "x.h5.checkpoint.h5"
    for rank, kilobytes, words in ((0, 4000, []), (2, 4000, []), (2, 6000, ["--set", "checkpoint.interval=1e-4"])):
        status, lines = limited(folder, rank, kilobytes, program, "run", str(CHAIN), *LONG, *words, "-o", "x.h5", "--quiet")
        check(status == 1, f"status {status} where rank {rank} cannot write")
        how = "; x.running.h5 holds the history up to there" + ("; continue with: beadwave resume x.h5.checkpoint.h5" if words else "")
        check(len(lines) == 1 and lines[0].startswith("beadwave: x.h5: ") and lines[0].endswith("File too large" + how), f"prints {lines}")
        check((folder / "x.h5").read_bytes() == before, "an earlier history has changed")
        with h5py.File(history) as file:
            # If rank 0 cannot write, only the data of its last flush is there.
            check(file["observables/sensor_force/value"][()].size > 0 or rank == 0, "keeps nothing of the history")
            position = file["particles/beads/position"]
            check(position["value"].shape[0] == position["step"].shape[0], "keeps half a snapshot")
        check(checkpoint.exists() == bool(words), "a checkpoint that should not exist, or none")
        history.unlink()
        checkpoint.unlink(missing_ok=True)
    # With a large memory per contact and no snapshots, the checkpoint is larger than the history.
    plain = folder / "plain.toml"
    plain.write_text(CHAIN.read_text().partition("[snapshots]")[0])
    status, lines = limited(folder, 2, 3000, program, "run", str(plain), "--set", "law.name=thornton", "--set", "segment.1.beads=60000",
                           "--set", "time.step=1e-8", "--set", "checkpoint.interval=2e-6", "-o", "x.h5", "--quiet")
    check(status == 1, f"status {status} where a rank cannot write a checkpoint")
    check(len(lines) == 1 and lines[0].endswith(": no checkpoint could be written: x.h5.checkpoint.h5: File too large; x.running.h5 holds "
                                              "the history up to there"), f"prints {lines}")
    check((folder / "x.h5").read_bytes() == before, "an earlier history has changed")
    check(not checkpoint.exists() and not list(folder.glob(".*partial*")), "leaves a part of a checkpoint")


def in_two_folders(folder, *words):
    """The same command on two ranks, each in its own folder."""
    return end_of(start(folder, 1, "-wdir", "first", *words, ":", "-n", "1", "-wdir", "other", *words))


def other_folder(program, folder):
    """For one rank the path is another file, or none. No rank writes to the file or reads a checkpoint there."""
    first, other = folder / "first", folder / "other"
    first.mkdir()
    other.mkdir()
    before = earlier_history(program, first)
    left = other / "x.running.h5"
    for stale in (None, before):
        if stale:
            left.write_bytes(stale)
        status, lines = in_two_folders(folder, program, "run", str(CHAIN), *LONG, "-o", "x.h5", "--quiet")
        check(status == 1, f"status {status} where rank 1 has another file")
        check(len(lines) == 1 and "all ranks need one file system, in the same folder" in lines[0], f"prints {lines}")
        check((first / "x.h5").read_bytes() == before, "an earlier history has changed")
        check(os.listdir(first) == ["x.h5"], f"leaves {os.listdir(first)}")
        check(not stale or left.read_bytes() == stale, "has written to a file of others")
    for where, end in ((first, "2e-2"), (other, "3e-2")):
        run = subprocess.Popen([program, "run", str(CHAIN), *LONG, "--set", f"time.end={end}", "--set", "checkpoint.interval=1e-4", "--overwrite",
                                "-o", "x.h5", "--quiet"], cwd=where, stderr=subprocess.DEVNULL)
        wait_for(where / "x.h5.checkpoint.h5", run)
        run.terminate()
        run.wait()
    status, lines = in_two_folders(folder, program, "resume", "x.h5.checkpoint.h5", "--quiet")
    check(status == 2, f"status {status} where rank 1 has another checkpoint")
    check(len(lines) == 1 and "all ranks need one file system, in the same folder" in lines[0], f"prints {lines}")


def helper(program, folder):
    """A rank other than the first fails while the first rank is busy and receives no messages: it prints its own error."""
    first, other = folder / "first", folder / "other"
    first.mkdir()
    other.mkdir()
    (first / "chain.toml").write_bytes(CHAIN.read_bytes())
    status, lines = in_two_folders(folder, program, "sweep", "chain.toml", "--vary", "law.psi=2.6:3.0:1000000", "--quiet")
    check(status == 2, f"status {status} where rank 1 has no scenario")
    check(len(lines) == 1 and "chain.toml" in lines[0], f"prints {lines}")


def kill_in_sweep(run, rank):
    """Kills a rank when rank 0, which distributes the runs, has stopped itself."""
    held = until(lambda: any(is_stopped(first) for first in ranks_of(run.pid)[:1]), run)
    check(held, "the sweep ends before a rank can be killed")
    ranks = ranks_of(run.pid)
    os.kill(ranks[rank], signal.SIGKILL)
    os.kill(ranks[0], signal.SIGCONT)


def sweep(program, folder):
    words = [program, "sweep", str(CHAIN), "--vary", "law.psi=2.6:3.0:5", "--vary", "segment.0.velocity=1,2,3", "--set",
             "time.step=4e-9", "--quiet"]
    subprocess.run([*words, "-o", "one.h5"], cwd=folder, check=True)
    for ranks in (2, 3):
        status, lines = end_of(start(folder, ranks, *words, "-o", "many.h5", "--threads", "2"))
        check(status == 0 and not lines, f"{ranks} ranks: {status}, {lines}")
        check((folder / "one.csv").read_bytes() == (folder / "many.csv").read_bytes(), "another table")
    # A rank is killed: the same command continues.
    words += ["--set", "time.end=5e-3"]
    subprocess.run([*words, "-o", "one.h5"], cwd=folder, check=True)
    run = start(folder, 3, *words, "-o", "cut.h5", "--threads", "2", pause=4)
    rows = folder / "cut.h5.rows"
    kill_in_sweep(run, 1)
    status, _ = end_of(run)
    check(status != 0, "status 0 although a rank was killed")
    kept = rows.read_text().count("\n") - 2
    status, lines = end_of(start(folder, 2, *words, "-o", "cut.h5", "--threads", "2"))
    check(status == 0 and "continues after" in " ".join(lines), f"{status}, {lines}")
    check((folder / "one.csv").read_bytes() == (folder / "cut.csv").read_bytes(), "another table after a kill")
    print(f"  a rank killed: {kept} of 15 rows were kept", flush=True)
    # The launcher does not end the other ranks: they repeat the runs of the killed rank.
    words = [word.replace("end=5e-3", "end=2e-2") for word in words]
    subprocess.run([*words, "--overwrite", "-o", "one.h5"], cwd=folder, check=True)
    LAUNCH.insert(1, "--enable-recovery")
    run = start(folder, 3, *words, "-o", "lost.h5", "--threads", "2", pause=2)
    LAUNCH.remove("--enable-recovery")
    kill_in_sweep(run, 2)
    status, lines = end_of(run)
    check(status == 0 and "rank 2 does not answer" in " ".join(lines), f"{status}, {lines}")
    check((folder / "one.csv").read_bytes() == (folder / "lost.csv").read_bytes(), "another table where a rank died")
    print("  a rank killed under --enable-recovery: the others end the sweep", flush=True)


def fit(program, folder):
    chain = [str(CHAIN), "--set", "segment.1.beads=30", "--set", "time.end=250e-6", "--set", "sensors.beads=[5,10,15,20]"]
    crystal = [str(CHAIN.parent / "square_crystal.toml"), "--set", "particles.0.cells=[9,3]", "--set", "particles.1.position=[-4.76e-3,4.76e-3]",
               "--set", "sensors.particles=[11,14]", "--set", "time.end=60e-6", "--set", "time.step=2e-8"]
    fits = {"many starts": (chain, ["--bounds", "law.psi=2:4", "--multistart", "5"]),
            "by differences": (crystal, ["--bounds", "material.steel316.youngs_modulus=150e9:250e9", "--bounds", "particles.1.velocity.0=0.3:1"]),
            "several laws": (chain, ["--bounds", "segment.0.velocity=1.5:2", "--laws", "hertz,ma-liu,thornton,flores"])}
    for name, (scenario, words) in fits.items():
        subprocess.run([program, "run", *scenario, "--quiet", "--overwrite", "-o", "lab.h5"], cwd=folder, check=True)
        subprocess.run([sys.executable, str(HERE.parent / "fit" / "laboratory.py"), "lab.h5", "lab.csv", "--noise", "0.5"], cwd=folder, check=True)
        words = [program, "fit", *scenario, "--measured", "lab.csv", *words, "--json", "--quiet", "--overwrite", "-o", "fit.h5"]
        found = {}
        for ranks in (1, 2, 3):
            launch = [*LAUNCH, str(ranks)] if ranks > 1 else []
            out = subprocess.run([*launch, *words], cwd=folder, stdout=subprocess.PIPE, check=True, timeout=TIMEOUT).stdout
            found[ranks] = json.loads(out)
            for law in found[ranks]["laws"]:
                del law["seconds"]
        check(found[1] == found[2] == found[3], f"{name}: another fit on several ranks")
        best = found[1]["laws"][0]
        print(f"  {name}: {best['by']}, {best['evaluations']} evaluations, the same on 1, 2 and 3 ranks", flush=True)


CASES = {case.__name__: case for case in (wrong_input, different, not_shared, interrupted, killed, packings, full_disk, other_folder, helper, sweep, fit)}


def main():
    parser = argparse.ArgumentParser(description="Failures on one rank of several.")
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("case", nargs="*", default=list(CASES))
    parser.add_argument("--mpirun", default="mpirun")
    arguments = parser.parse_args()
    LAUNCH[0] = arguments.mpirun
    for name in arguments.case:
        print(name, flush=True)
        with tempfile.TemporaryDirectory(prefix="beadwave-") as folder:
            try:
                CASES[name](arguments.program, pathlib.Path(folder))
            except Fault as fault:
                print(f"{name}: {fault}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
