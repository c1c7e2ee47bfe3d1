#!/usr/bin/python3
"""Checks that ranks and threads do not change a bit of a history, with lengthened chains of configs and with packings on 1 to 4
ranks, and with a chain and packings of everything that beads and particles can carry, also resumed on other numbers of ranks.

    same_ranks.py BEADWAVE [--all] [--only NAME ...] [--mpirun MPIRUN]

Runs each scenario on one thread of one process, then on several ranks and threads, and compares the complete
histories. Then kills runs and resumes them on other numbers of ranks. Prints the differences and exits with 1 if there
are any. Without --all, runs a few scenarios on two and three ranks. Needs h5py.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib

import h5py

HERE = pathlib.Path(__file__).resolve().parent
CONFIGS = HERE.parent.parent / "configs"
sys.path.insert(0, str(HERE.parent / "cli"))
from compare_histories import differences, things  # noqa: E402
from launcher import stopped_ranks  # noqa: E402
from held import stands  # noqa: E402
from packings import SCENARIOS, packing, write_files  # noqa: E402

BEADS, COPIES = 5000, 10
# Of everything.toml, by printed name: tables without which it runs, and changes of the text.
PAIR_FORCES = """
[[pair_force]]
beads      = [900, 5100]
force      = 0.5
distance   = 4.8e-3
exponent   = 3.0
neighbours = 3
range      = 0.02

[[pair_force]]
moments     = [0.02, -0.03, 0.01]
orientation = "side-by-side"
neighbours  = 16
"""
VARIANTS = {
    "everything": ([], {}, ""),
    "everything, hertz": ([], {'name = "hunt-crossley"\nrestitution = 0.9': 'name = "hertz"'}, ""),
    "everything, pair forces": (["precompression"], {"tail = 300": "tail = 300, damping = 3.0"}, PAIR_FORCES),
    "everything, pair forces, precompressed": ([], {}, PAIR_FORCES),
    "everything, own step": (["precompression"], {'step = 1e-7': ""}, ""),
    "everything, gravity": (["precompression"], {'kind = "absorbing", tail = 300': 'kind = "wall"'},
                            "\n[gravity]\nacceleration = 9.81\n"),
}
# By printed name: configuration, settings in addition to the length, fraction of the time.
EXTRA = {
    "sleep speed": ("chain70", ["time.sleep_speed=1e-2"], 0.3),
    "driven, sleep speed": ("driven", ["time.sleep_speed=1e-9"], 0.1),
    "gravity, disorder": ("gravity_column", ["segment.1.disorder=0.02", "segment.1.seed=3"], 0.1),
    "dimer, hunt-crossley": ("dimer", ["law.name=hunt-crossley", "law.restitution=0.9"], 0.1),
    "disorder, elastoplastic": ("disorder", ["law.name=thornton", "material.steel.yield_stress=900e6"], 0.1),
}
FEW = ["disorder", "driven", "sleep speed", "gravity, disorder", "woodpile", "absorbing", "bonded_chain", "magnets",
       "everything", "everything, own step", "everything, pair forces",
       "struck crystal", "box with pistons", "cup with a lid", "rain on ridges", "crystal that carries", "breaking block",
       "silo with rain", "shapes in a drum", "struck crystal, mixed", "cup with a lid, mixed", "breaking block, mixed", "silo with rain, mixed"]


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
    last = ""
    if not any("velocity" in segment for segment in segments):
        one = re.sub(r"(?m)^beads( *)=.*$", "beads = 1", blocks[longest]).rstrip()
        blocks.append(f"{one}\nvelocity = 0.01\n\n")
        if re.search(r'(?m)^right *= *"fixed"', text):
            last = f"{one}\n\n"
    rest = re.sub(r"^\[\[segment\]\].*?(?=^\[|\Z)", "", text, flags=re.M | re.S)
    return rest + "\n" + "".join(blocks) * COPIES + last


def without(table, text):
    return re.sub(rf"(?ms)^\[{table}\].*?(?=^\[|\Z)", "", text)


def everything(name):
    text = (HERE / "everything.toml").read_text()
    tables, changes, more = VARIANTS[name]
    for table in tables:
        text = without(table, text)
    for before, after in changes.items():
        if before not in text:
            raise SystemExit(f"everything.toml no longer has {before!r}")
        text = text.replace(before, after)
    return text + more


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


def history(path):
    with h5py.File(path) as file:
        found = things(file)
    return {name: value for name, value in found.items() if name != "/parameters/threads"}


def chosen(wanted):
    """Name, text and settings of each scenario whose name is wanted."""
    for name, config, settings, part in scenarios():
        if wanted(name):
            yield name, long_chain(config), list(overrides(config, settings, part))
    for name in VARIANTS:
        if wanted(name):
            yield name, everything(name), []
    for name in SCENARIOS:
        if wanted(name):
            yield name, packing(name)[0], []


class Runs:
    def __init__(self, arguments, folder):
        self.folder, self.program, self.different = pathlib.Path(folder), arguments.beadwave, 0
        self.mpirun = [arguments.mpirun, "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n"]

    def on(self, ranks, *words, pause=None):
        """Runs the program; with `pause` kills it when it stands at this step."""
        launch = [] if ranks == 0 else [*self.mpirun, str(ranks)]
        command = [*launch, self.program, *words, "--quiet"]
        if pause is None:
            # More threads than cores: they must not wait for each other by spinning.
            subprocess.run(command, cwd=self.folder, check=True, timeout=600,
                           env={**os.environ, "OMP_WAIT_POLICY": "passive"})
            return
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "BEADWAVE_PAUSE_AT_STEP": str(pause)})
        held = stopped_ranks(process, ranks) if ranks > 0 else [process.pid] if stands(process) else []
        if not held:
            raise SystemExit(f"{ranks} ranks did not reach step {pause}")
        for rank in held:
            os.kill(rank, signal.SIGKILL)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:  # the mpirun of Open MPI 4.1.4 may wait for itself
            process.kill()
            process.wait()

    def compare(self, what, expected, path):
        for difference in differences(expected, history(self.folder / path)):
            self.different += 1
            print(f"{what}: {difference}")


def resumed(runs, name, text, interval, pauses, enough):
    """A run, killed twice and continued on other numbers of ranks; 0: without a launcher. `enough`: whether the history
    of the whole run shows what is to be compared."""
    path = runs.folder / "resumed.toml"
    path.write_text(text)
    run = ["run", path.name, "--set", f"checkpoint.interval={interval}", "--overwrite"]
    runs.on(0, *run, "--threads", "1", "-o", "whole.h5")
    expected = history(runs.folder / "whole.h5")
    if not enough(expected):
        raise SystemExit(f"{name}: too little happens, so that the comparison says little")
    for ranks in ((0, 3, 2), (2, 0, 4), (4, 2, 0)):
        runs.on(ranks[0], *run, "-o", "cut.h5", pause=pauses[0])
        runs.on(ranks[1], "resume", "cut.h5.checkpoint.h5", pause=pauses[1])
        runs.on(ranks[2], "resume", "cut.h5.checkpoint.h5")
        runs.compare(f"{name} on {', '.join(str(max(r, 1)) for r in ranks)} ranks in turn", expected, "cut.h5")
    print(f"{name}, killed twice and continued on other ranks: 3 orders", flush=True)


def broken(expected):
    return len(expected["/connectivity/broken_bonds/break_time"])


def resume_all(runs, wanted):
    """What is resumed on other ranks: a chain of everything, and packings whose bonds break, and whose particles come and
    leave."""
    resumed(runs, "everything", everything("everything, pair forces"), 4e-5, (1300, 2700), lambda h: broken(h) >= 5)
    for kind, interval, enough in (
            ("breaking block", 1.7e-5, lambda h: broken(h) > 1000),
            ("silo with rain", 7e-4, lambda h: len(h["/observables/entries/particle"]) > 300
             and len(h["/observables/exits/particle"]) > 300)):
        for name in (kind, f"{kind}, mixed"):
            if not wanted(name):
                continue
            text, steps = packing(name)
            resumed(runs, name, text, interval, (steps // 3, 2 * steps // 3), enough)


def main():
    parser = argparse.ArgumentParser(description="Checks that ranks and threads do not change a bit.")
    parser.add_argument("beadwave", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these scenarios, by printed name")
    parser.add_argument("--mpirun", default="mpirun")
    arguments = parser.parse_args()
    splits = [(r, t) for r in (1, 2, 3, 4) for t in (1, 2)] if arguments.all else [(2, 1), (3, 2)]
    few = arguments.only or FEW

    def wanted(name):
        return name in few or (arguments.all and not arguments.only)

    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(arguments, folder)
        for table in CONFIGS.glob("*.csv"):
            shutil.copy(table, folder)
        write_files(runs.folder)
        for name, text, settings in chosen(wanted):
            (runs.folder / "scenario.toml").write_text(text)
            run = ["run", "scenario.toml", "--overwrite", *(word for each in settings for word in ("--set", each))]
            runs.on(0, *run, "--threads", "1", "-o", "whole.h5")
            expected = history(runs.folder / "whole.h5")
            for ranks, threads in splits:
                runs.on(ranks, *run, "--threads", str(threads), "-o", "shared.h5")
                runs.compare(f"{name} on {ranks} ranks of {threads} threads", expected, "shared.h5")
            print(f"{name}: {len(splits)} combinations of ranks and threads", flush=True)
        resume_all(runs, wanted)
    print("no differences" if runs.different == 0 else f"{runs.different} differences")
    return 1 if runs.different else 0


if __name__ == "__main__":
    sys.exit(main())
