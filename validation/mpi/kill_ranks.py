#!/usr/bin/python3
"""Kills ranks of runs that several ranks share, continues from their checkpoints on other numbers of ranks, and compares the
result with an uninterrupted run of one process.

    kill_ranks.py PROGRAM [--kills N] [--packings] [--seed N] [--mpirun MPIRUN]

Law, chain or packing, what beads and particles carry, numbers of ranks and threads, steps and victims of the kills (one rank,
all ranks, the launcher) are random. The histories must be equal to the bit, and no run may continue after a kill. Needs h5py and mpirun.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from kill_and_resume import Fault, check_end  # noqa: E402
from launcher import stopped_ranks  # noqa: E402
from held import stands  # noqa: E402
from packings import SCENARIOS, packing, write_files  # noqa: E402

CHAIN = HERE.parent.parent / "configs" / "chain70.toml"
LAWS = [["hertz"], ["ma-liu"], ["thornton"], ["flores", "restitution=0.7"]]
LAUNCH = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]
TIMEOUT = 500  # [s]: ranks that do not end after a kill; they need a hundredth of it on an idle machine


def packing_case(dice):
    """The text of a packing with checkpoints, words for its run, and the number of its steps."""
    name = dice.choice(list(SCENARIOS))
    text, steps = packing(name)
    checkpoint = dice.choice(["interval = 1e-5" if steps < 1000 else f"interval = {dice.choice([2e-5, 6e-5])}", 'wall_interval = "0.1 s"'])
    return f"{text}\n[checkpoint]\n{checkpoint}\n", name, steps


def carried(beads, dice, squeezed):
    """Settings for some of what beads can carry."""
    place = lambda: dice.randrange(2, beads)
    tables = [f"foundation=[{{beads=[{beads // 5},{place() // 5 + beads // 5}],stiffness=1e5,cubic=1e13,damping=0.5}}]",
              f"resonator=[{{mass=1e-4,stiffness=1e6}},{{beads=[2,{place()}],every=3,mass=5e-5,stiffness=4e5,damping=0.1}}]",
              f"load=[{{bead={place()},frequency=2e4,amplitude=1.0}},{{bead={place()},force=0.3}}]",
              f"drive=[{{bead={place()},frequency=3e4,amplitude=1e-7}}]",
              f"bond=[{{contacts=[1,{place()}],stiffness=1e6,strength=5.0}}]",
              "boundary.right={kind=\"absorbing\",damping=5.0}"]
    if not squeezed:
        tables.append(f"pair_force=[{{beads=[1,{place()}],force=0.1,distance=4.8e-3,exponent=3,neighbours=2}}]")
    return dice.sample(tables, dice.randrange(1, 5))


def case(dice):
    """Settings of a chain whose run takes one process about a second, and the number of its steps."""
    law = dice.choice(LAWS)
    beads = dice.choice([4000, 9000, 30000])
    end = 1e-8 * 2e9 / beads
    settings = [f"law.name={law[0]}", *(f"law.{value}" for value in law[1:]), f"segment.1.beads={beads}",
                f"sensors.beads=[3,9,{beads // 2}]", "time.step=1e-8", f"time.end={end}", f"sensors.interval={end / 2000}",
                f"snapshots.interval={end / 7}", f"energy.interval={end / 90}",
                dice.choice([f"checkpoint.interval={end / 20}", f"checkpoint.wall_interval=\"{dice.choice([0.05, 0.1, 0.3])} s\""])]
    if dice.random() < 0.7:
        settings += ["segment.1.disorder=0.03", f"segment.1.seed={dice.randrange(1000)}"]
    if dice.random() < 0.5:
        settings += ["boundary.left={kind=\"driven\", frequency=2e4, amplitude=1e-6}"]
    if dice.random() < 0.3:
        settings += ["precompression.force=5"]
    if dice.random() < 0.5:
        settings += carried(beads, dice, "precompression.force=5" in settings)
    return settings, 2_000_000_000 // beads


def launched(ranks):
    return [] if ranks == 1 else [*LAUNCH, "-n", str(ranks)]


def runs(process):
    """Whether the process runs; one that has ended but was not waited for does not count."""
    try:
        return "State:\tZ" not in pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def kill(process, ranks, dice):
    """Kills one rank, all ranks or the launcher, and lets the others continue."""
    what = "all" if len(ranks) == 1 else dice.choice(["one", "one", "all", "launcher"])
    victims = {"all": ranks, "one": [dice.choice(ranks)], "launcher": [process.pid, *ranks]}[what]
    for number, killed in ((signal.SIGKILL, victims), (signal.SIGCONT, set(ranks) - set(victims))):
        for victim in killed:
            try:
                os.kill(victim, number)
            except ProcessLookupError:
                pass
    return what


def finished(command, folder, ranks, step, dice):
    """Whether the run is complete. Otherwise it was killed at this step; at none if `step` is None."""
    pause = {} if step is None else {"BEADWAVE_PAUSE_AT_STEP": str(step)}
    process = subprocess.Popen([*launched(ranks), *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, **pause})
    held = []
    if step is not None:
        held = stopped_ranks(process, ranks) if ranks > 1 else [process.pid] if stands(process) else []
    if not held:
        _, errors = process.communicate()
        if process.returncode != 0:
            raise Fault(f"{' '.join(command)}\non {ranks} ranks exited with {process.returncode}: {errors}")
        return True
    what = kill(process, held, dice)
    try:
        process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        left = [rank for rank in held if runs(rank)]
        process.kill()
        if left:
            raise Fault(f"{ranks} ranks do not end {TIMEOUT} s after a kill of {what}") from None
        # The mpirun of Open MPI 4.1.4 may wait for itself when its processes have ended.
        print("  (all ranks have ended, the launcher has not)", flush=True)
        process.communicate()
    return False


def try_case(program, dice, kills, packings):
    kills = min(kills, dice.choice([1, 2, 2, 3]))
    done = missed = 0
    with tempfile.TemporaryDirectory(prefix="beadwave-") as name:
        folder = pathlib.Path(name)
        if packings or dice.random() < 0.5:
            text, title, steps = packing_case(dice)
            (folder / "packing.toml").write_text(text)
            write_files(folder)
            run = [program, "run", "packing.toml", "--quiet"]
            print(title, flush=True)
        else:
            settings, steps = case(dice)
            run = [program, "run", str(CHAIN), "--quiet", *(word for s in settings for word in ("--set", s))]
            print(" ".join(settings), flush=True)
        finished([*run, "-o", "whole.h5", "--threads", "1"], folder, 1, None, dice)
        checkpoint = folder / "cut.h5.checkpoint.h5"
        pieces = []
        while True:
            ranks = dice.choice([1, 2, 2, 3, 3, 4, 4])
            pieces.append(str(ranks))
            words = [program, "resume", checkpoint.name, "--quiet"] if checkpoint.exists() else [*run, "-o", "cut.h5"]
            step = dice.randrange(1, steps) if done < kills and missed < 10 else None
            if finished([*words, "--threads", dice.choice("12")], folder, ranks, step, dice):
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
    parser.add_argument("--packings", action="store_true", help="no chains")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    LAUNCH[0] = arguments.mpirun
    print("seed", arguments.seed, flush=True)
    dice = random.Random(arguments.seed)
    left = arguments.kills
    try:
        while left > 0:
            left -= try_case(arguments.program, dice, left, arguments.packings)
    except Fault as fault:
        print(fault)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
