#!/usr/bin/python3
"""Kills runs at random steps, resumes them from their checkpoints, and compares the result with an uninterrupted run.

    kill_and_resume.py PROGRAM [KILLS] [--seed N] [--packings]

Laws, chains or packings, threads and steps are random. The histories must be equal bit for bit. A kill counts if it left a
checkpoint. After one or two such kills the run continues to its end and is compared. Exits with 1 at the first fault. Needs
h5py.
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
sys.path.insert(0, str(HERE.parent / "support"))
from held import stands  # noqa: E402

CONFIGS = HERE.parent.parent / "configs"
LAWS = [["hertz"], ["ma-liu"], ["thornton"], ["flores", "restitution=0.7"], ["wang-liu", "restitution=0.65"]]


class Fault(Exception):
    pass


def checkpoints(dice, end):
    """By steps, or by the clock: then a fast machine may write none before a kill."""
    return dice.choice([f"checkpoint.interval={end / 9}", f"checkpoint.wall_interval=\"{dice.choice([0.005, 0.02, 0.05])} s\""])


def case(dice):
    """Settings of a chain that takes some tenths of a second, and the number of its steps."""
    law = dice.choice(LAWS)
    beads = dice.choice([20, 70, 400, 2000, 9000])
    steps = 2e8 / beads
    step = min(1e-8, 700e-6 / steps)
    end = steps * step
    settings = [f"law.name={law[0]}", *(f"law.{value}" for value in law[1:]), f"segment.1.beads={beads}",
                "sensors.beads=[3,9,16]", f"time.step={step}", f"time.end={end}", "sensors.interval=1e-7",
                f"snapshots.interval={end / 7}", f"energy.interval={end / 90}",
                checkpoints(dice, end)]
    if dice.random() < 0.5:
        settings += ["segment.1.disorder=0.03", f"segment.1.seed={dice.randrange(1000)}"]
    if dice.random() < 0.5:
        settings += ["boundary.left={kind=\"driven\", frequency=2e4, amplitude=1e-6}"]
    return settings, int(end / step)


def packing(dice):
    """Settings of a packing that takes some tenths of a second, and the number of its steps. Falling spheres need many neighbour
    list builds."""
    law, friction = dice.choice(LAWS), dice.choice(["none", "linear", "mindlin", "mindlin-displacement"])
    spheres = dice.choice([30, 150, 1200])
    step = 2e-6  # stable under all of these laws
    end = step * 1e6 / spheres * dice.uniform(0.5, 1.5)
    settings = [f"law.name={law[0]}", *(f"law.{value}" for value in law[1:]), f"particles.0.random={spheres}",
                f"particles.0.upper=[0.03,0.03,{0.01 + 5e-5 * spheres}]", f"particles.0.seed={dice.randrange(1000)}",
                f"friction.law={friction}", "friction.stiffness=500", "friction.damping=0.01",
                f"rolling.coefficient={dice.choice([0, 0.05])}", "law.impact_speed=1.0", "material.soft.yield_stress=5e4",
                f"time.step={step}", f"time.end={end}", f"sensors.interval={end / 500}", f"snapshots.interval={end / 7}",
                f"energy.interval={end / 40}", checkpoints(dice, end)]
    if dice.random() < 0.3:
        settings += ["particles.0.velocity=[0.5,0.2,-1]"]
    return settings, int(end / step)


def finished(command, folder, step):
    """Whether the command ended. Otherwise it was killed at this step; at none if `step` is None."""
    pause = {} if step is None else {"BEADWAVE_PAUSE_AT_STEP": str(step)}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **pause})
    if step is not None and stands(process):
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return False
    _, errors = process.communicate()
    if process.returncode != 0:
        raise Fault(f"{' '.join(command)}\nexited with {process.returncode}: {errors}")
    return True


def check_end(folder):
    """Checks that the interrupted run has the same history as the whole one."""
    if (folder / "cut.h5.checkpoint.h5").exists():
        raise Fault("a finished run has left its checkpoint")
    # The history holds the number of threads of the process that created it.
    same = subprocess.run([sys.executable, str(HERE / "compare_histories.py"), "whole.h5", "cut.h5", "--but",
                           "/parameters/threads"], cwd=folder, stdout=subprocess.PIPE, text=True)
    if same.returncode != 0:
        raise Fault("the histories differ:\n" + same.stdout)


def try_case(program, dice, kills, packings):
    """Returns the number of kills: one or two, and at most `kills`."""
    kills = min(kills, dice.choice([1, 1, 2]))
    settings, steps = packing(dice) if packings else case(dice)
    scenario = CONFIGS / ("settling_column.toml" if packings else "chain70.toml")
    print(" ".join(settings), flush=True)
    done = missed = 0
    with tempfile.TemporaryDirectory(prefix="beadwave-") as name:
        folder = pathlib.Path(name)
        run = [program, "run", str(scenario), "--quiet", *(word for s in settings for word in ("--set", s))]
        threads = lambda: ["--threads", dice.choice("12")]
        finished([*run, "-o", "whole.h5", "--threads", "1"], folder, None)
        checkpoint = folder / "cut.h5.checkpoint.h5"
        while True:
            resumes = checkpoint.exists()
            command = [program, "resume", checkpoint.name, "--quiet"] if resumes else [*run, "-o", "cut.h5"]
            step = dice.randrange(1, max(steps, 2)) if done < kills and missed < 20 else None
            if finished([*command, *threads()], folder, step):
                break
            if checkpoint.exists():
                done += 1
            else:
                missed += 1  # too early; always so if the run ends before its first checkpoint
        check_end(folder)
    print(f"  equal after {done} kills", flush=True)
    return done


def main():
    parser = argparse.ArgumentParser(description="Kills runs and resumes them.")
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("kills", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--packings", action="store_true", help="packings instead of chains")
    arguments = parser.parse_args()
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
