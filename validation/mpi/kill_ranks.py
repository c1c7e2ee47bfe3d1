#!/usr/bin/python3
"""Kills ranks of runs that several ranks share, continues from their checkpoints on other numbers of ranks, and compares the
result with an uninterrupted run of one process.

    kill_ranks.py PROGRAM [--kills N] [--seed N] [--mpirun MPIRUN]

Law, chain, numbers of ranks and threads, times and victims of the kills (one rank, all ranks, the launcher) are random. The
histories must be equal to the bit. No run may continue for more than a minute after a kill. Needs h5py and mpirun.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from kill_and_resume import Fault, check_end  # noqa: E402
from launcher import ranks_of  # noqa: E402

CHAIN = HERE.parent.parent / "configs" / "chain70.toml"
LAWS = [["hertz"], ["ma-liu"], ["thornton"], ["flores", "restitution=0.7"]]
LAUNCH = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]
TIMEOUT = 60


def case(dice):
    """Settings of a chain whose run takes one process about a second."""
    law = dice.choice(LAWS)
    beads = dice.choice([4000, 9000, 30000])
    end = 1e-8 * 2e9 / beads
    settings = [f"law.name={law[0]}", *(f"law.{value}" for value in law[1:]), f"segment.1.beads={beads}",
                f"sensors.beads=[3,9,{beads // 2}]", "time.step=1e-8", f"time.end={end}", f"sensors.interval={end / 2000}",
                f"snapshots.interval={end / 7}", f"energy.interval={end / 90}",
                f"checkpoint.wall_interval=\"{dice.choice([0.05, 0.1, 0.3])} s\""]
    if dice.random() < 0.7:
        settings += ["segment.1.disorder=0.03", f"segment.1.seed={dice.randrange(1000)}"]
    if dice.random() < 0.5:
        settings += ["boundary.left={kind=\"driven\", frequency=2e4, amplitude=1e-6}"]
    if dice.random() < 0.3:
        settings += ["precompression.force=5"]
    return settings


def launched(ranks):
    return [] if ranks == 1 else [*LAUNCH, "-n", str(ranks)]


def runs(process):
    """Whether the process runs; one that has ended but was not waited for does not count."""
    try:
        return "State:\tZ" not in pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def kill(process, ranks, dice):
    """Kills one rank, all ranks or the launcher."""
    what = "all" if ranks == 1 else dice.choice(["one", "one", "all", "launcher"])
    victims = ranks_of(process.pid) if ranks > 1 else [process.pid]
    if what == "one" and victims:
        victims = [dice.choice(victims)]
    if what == "launcher":
        victims = [process.pid, *victims]
    for victim in victims:
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return what


def finished(command, folder, ranks, delay, dice):
    """Whether the run is complete. Otherwise it was killed `delay` seconds after its first checkpoint."""
    process = subprocess.Popen([*launched(ranks), *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    if delay is not None:
        while process.poll() is None and not ((folder / "cut.h5.checkpoint.h5").exists() and
                                              (folder / "cut.running.h5").exists()):
            time.sleep(0.01)
    try:
        _, errors = process.communicate(timeout=delay)
    except subprocess.TimeoutExpired:
        what = kill(process, ranks, dice)
        started = ranks_of(process.pid) if ranks > 1 else []
        try:
            process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            left = [rank for rank in started if runs(rank)]
            process.kill()
            if left:
                raise Fault(f"{ranks} ranks do not end {TIMEOUT} s after a kill of {what}") from None
            # The mpirun of Open MPI 4.1.4 may wait for itself when its processes have ended.
            print("  (all ranks have ended, the launcher has not)", flush=True)
            process.communicate()
        return False
    if process.returncode != 0:
        raise Fault(f"{' '.join(command)}\non {ranks} ranks exited with {process.returncode}: {errors}")
    return True


def try_case(program, dice, kills):
    kills = min(kills, dice.choice([1, 2, 2, 3]))
    settings = case(dice)
    print(" ".join(settings), flush=True)
    done = missed = 0
    with tempfile.TemporaryDirectory(prefix="beadwave-") as name:
        folder = pathlib.Path(name)
        run = [program, "run", str(CHAIN), "--quiet", *(word for s in settings for word in ("--set", s))]
        began = time.monotonic()
        finished([*run, "-o", "whole.h5", "--threads", "1"], folder, 1, None, dice)
        seconds = time.monotonic() - began
        checkpoint = folder / "cut.h5.checkpoint.h5"
        pieces = []
        while True:
            ranks = dice.choice([1, 2, 2, 3, 3, 4, 4])
            pieces.append(str(ranks))
            words = [program, "resume", checkpoint.name, "--quiet"] if checkpoint.exists() else [*run, "-o", "cut.h5"]
            delay = dice.uniform(0, 0.7) * seconds if done < kills and missed < 10 else None
            if finished([*words, "--threads", dice.choice("12")], folder, ranks, delay, dice):
                break
            if checkpoint.exists():
                done += 1
            else:
                missed += 1
        check_end(folder)
    print(f"  equal after {done} kills; ranks: {', '.join(pieces)}", flush=True)
    return done


def main():
    parser = argparse.ArgumentParser(description="Kills ranks and resumes.")
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    LAUNCH[0] = arguments.mpirun
    print("seed", arguments.seed, flush=True)
    dice = random.Random(arguments.seed)
    left = arguments.kills
    try:
        while left > 0:
            left -= try_case(arguments.program, dice, left)
    except Fault as fault:
        print(fault)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
