#!/usr/bin/python3
"""Checks that ranks and threads do not change a bit of a history, with lengthened chains of configs and with packings, on 1 to
4 ranks.

    same_ranks.py BEADWAVE [--all] [--mpirun MPIRUN]

Runs each scenario on one thread of one process, then on several ranks and threads, and compares the complete
histories. Prints the differences and exits with 1 if there are any. Without --all, runs a few scenarios on
two and three ranks. Needs h5py.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import h5py

HERE = pathlib.Path(__file__).resolve().parent
CONFIGS = HERE.parent.parent / "configs"
sys.path.insert(0, str(HERE.parent / "cli"))
from compare_histories import differences, things  # noqa: E402
from packings import SCENARIOS, packing  # noqa: E402

BEADS, COPIES = 5000, 10
# By printed name: configuration, settings in addition to the length, fraction of the time.
EXTRA = {
    "sleep speed": ("chain70", ["time.sleep_speed=1e-2"], 0.3),
    "driven, sleep speed": ("driven", ["time.sleep_speed=1e-9"], 0.1),
    "gravity, disorder": ("gravity_column", ["segment.1.disorder=0.02", "segment.1.seed=3"], 0.1),
    "dimer, hunt-crossley": ("dimer", ["law.name=hunt-crossley", "law.restitution=0.9"], 0.1),
    "disorder, elastoplastic": ("disorder", ["law.name=thornton", "material.steel.yield_stress=900e6"], 0.1),
}
FEW = ["disorder", "driven", "sleep speed", "gravity, disorder", "struck crystal", "box with pistons", "cup with a lid"]


def scenarios():
    for path in sorted(CONFIGS.glob("*.toml")):
        with open(path, "rb") as file:
            scenario = tomllib.load(file)
        if "segment" in scenario:
            yield path.stem, path.stem, [], 0.1
    for name, (config, settings, part) in EXTRA.items():
        yield name, config, settings, part


def long_chain(config):
    """The configuration with its segments repeated to BEADS beads or more, so that beads move on every rank and
    waves cross all borders."""
    text = (CONFIGS / f"{config}.toml").read_text()
    segments = tomllib.loads(text)["segment"]
    blocks = re.findall(r"^\[\[segment\]\].*?(?=^\[|\Z)", text, re.M | re.S)
    longest = max(range(len(segments)), key=lambda s: segments[s]["beads"])
    beads = max(BEADS // COPIES, segments[longest]["beads"] // COPIES)
    blocks[longest] = re.sub(r"(?m)^beads( *)=.*$", f"beads = {beads}", blocks[longest])
    blocks = [re.sub(r"(?m)^taper( *)=.*$", "taper = 0.9999", block) for block in blocks]
    if not any("velocity" in segment for segment in segments):
        mover = re.sub(r"(?m)^beads( *)=.*$", "beads = 1", blocks[longest]).rstrip()
        blocks.append(f"{mover}\nvelocity = 0.01\n\n")
    rest = re.sub(r"^\[\[segment\]\].*?(?=^\[|\Z)", "", text, flags=re.M | re.S)
    return rest + "\n" + "".join(blocks) * COPIES


def overrides(config, settings, part):
    """The settings for a fraction of its time."""
    with open(CONFIGS / f"{config}.toml", "rb") as file:
        scenario = tomllib.load(file)
    end = part * scenario["time"]["end"]
    yield f"time.end={end}"
    yield f"snapshots.interval={end / 3}"
    if "sensors" in scenario:
        yield f"sensors.beads=[0, 7, {BEADS // 3}, {BEADS // 2}, {BEADS - 3}]"
    yield from settings


def jobs(folder):
    """Of each scenario: its name, and the words of its run without the number of threads and the output."""
    for table in CONFIGS.glob("*.csv"):
        shutil.copy(table, folder)
    for name, config, settings, part in scenarios():
        path = pathlib.Path(folder) / f"{config}.toml"
        path.write_text(long_chain(config))
        words = [str(path)]
        for setting in overrides(config, settings, part):
            words += ["--set", setting]
        yield name, words
    for name in SCENARIOS:
        path = pathlib.Path(folder) / "packing.toml"
        path.write_text(packing(name)[0])
        yield name, [str(path)]


def history(path):
    with h5py.File(path) as file:
        found = things(file)
    return {name: value for name, value in found.items() if name != "/parameters/threads"}


def main():
    parser = argparse.ArgumentParser(description="Checks that ranks and threads do not change a bit.")
    parser.add_argument("beadwave")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--mpirun", default="mpirun")
    arguments = parser.parse_args()
    mpirun = [arguments.mpirun, "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n"]
    splits = [(r, t) for r in (1, 2, 3, 4) for t in (1, 2)] if arguments.all else [(2, 1), (3, 2)]
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, words in jobs(folder):
            if not arguments.all and name not in FEW:
                continue
            command = [arguments.beadwave, "run", *words, "--quiet", "--overwrite"]
            whole = f"{folder}/whole.h5"
            subprocess.run(command + ["--threads", "1", "-o", whole], check=True)
            expected = history(whole)
            for ranks, threads in splits:
                shared = f"{folder}/shared.h5"
                # More threads than cores: they must not wait for each other by spinning.
                subprocess.run(mpirun + [str(ranks)] + command + ["--threads", str(threads), "-o", shared],
                               check=True, timeout=600, env={**os.environ, "OMP_WAIT_POLICY": "passive"})
                for what in differences(expected, history(shared)):
                    different += 1
                    print(f"{name} on {ranks} ranks of {threads} threads: {what}")
            print(f"{name}: {len(splits)} combinations of ranks and threads", flush=True)
    print("no differences" if different == 0 else f"{different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
