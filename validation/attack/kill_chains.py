#!/usr/bin/python3
"""Kills a command several times, continues it each time, and compares the result with that of a whole run, to the bit.

    kill_chains.py PROGRAM RECORDED_CALLS.so [--chains N] [--seed N] [--only KIND] [--mpi PROGRAM]

A chain is two to six kills of one command: a run of a chain, a packing or a mechanism, which `resume` continues; a sweep or a fit,
which is repeated. The scenarios have or lack sensors, snapshots and checkpoints. A third of the kills comes at one of the first
calls that write after the command started; others at any later call, or in the middle of such a call, or between two steps; runs
are also ended by SIGTERM there. With --mpi, a program that is built with MPI is killed on two or three ranks, too.

Exits with 1 at the first fault and leaves its folder. Linux only. Needs h5py.
"""
import argparse
import pathlib
import random
import shutil
import signal
import sys
import tempfile

from recorded import Fault, Recorder, is_same, laid_out, scenario

FIRST_CALLS = 12


class Chain:
    """One command, its whole result, and its kills."""

    def __init__(self, given, dice, kind, folder):
        self.dice, self.kind, self.folder = dice, kind, folder
        self.system = kind if kind in ("packing", "mechanism") else "chain"
        text, settings = scenario(self.system, dice)
        if kind == "ranks":  # fewer beads cannot be shared
            settings = [setting for setting in settings if not setting.startswith(("segment.1.beads", "checkpoint"))]
            settings += ["segment.1.beads=20000", "time.end=1e-5"] + dice.choice(([], ["checkpoint.interval=2e-6"]))
        if kind == "fit":
            text, settings = scenario_of_fit(text, settings)
        self.words = {"sweep": ["sweep", "chain.toml", "--vary", "segment.0.velocity=0.5:2:7"],
                      "fit": ["fit", "chain.toml", "--measured", "lab.csv", "--bounds", "segment.0.velocity=1:2.5"]
                      }.get(kind, ["run", f"{self.system}.toml"])
        self.words += [word for setting in settings for word in ("--set", setting)]
        self.words += ["--quiet", "-o", "out.h5"]
        self.results = {"sweep": ["out.h5", "out.csv"], "fit": ["out.h5", "out.toml"]}.get(kind, ["out.h5"])
        self.whole = laid_out(folder / "whole", self.system, text)
        program = [given.program]
        if kind == "ranks":
            program = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", dice.choice("23"), given.mpi]
        self.recorder = Recorder(program, given.recorder_library, self.whole, folder / "calls")
        if kind == "fit":
            measure(self.recorder, self.whole)
        log = self.recorder.recorded(self.words + self.threads())
        self.calls = max(log.count(b"\n"), 1)
        self.cut = folder / "cut"
        self.cut.mkdir()
        for path in self.whole.iterdir():
            if path.name not in self.results and path.is_file():
                shutil.copy(path, self.cut)
        self.recorder.folder = self.cut

    def threads(self):
        return ["--threads", self.dice.choice("12")]

    def next_words(self):
        checkpoint = self.cut / "out.h5.checkpoint.h5"
        if checkpoint.exists():
            return ["resume", checkpoint.name, "--quiet", *self.threads()]
        return [*self.words, *self.threads()]

    def kill(self):
        """Returns "killed", or "ended" if the command ended before."""
        dice, words = self.dice, self.next_words()
        if self.kind in ("chain", "packing", "mechanism") and dice.random() < 0.25:
            steps = {"chain": 5000, "packing": 2500, "mechanism": 200}[self.kind]
            number = dice.choice((signal.SIGKILL, signal.SIGTERM))
            try:
                return "killed" if self.recorder.ended_at_step(words, dice.randrange(1, steps), number) else "ended"
            except Fault:
                if self.is_complete(words):
                    return "ended"
                raise
        at = dice.randrange(FIRST_CALLS) if dice.random() < 0.35 else dice.randrange(self.calls)
        more = {"RECORDED_TORN": "1"} if dice.random() < 0.3 else {}
        done = self.recorder.run(words, RECORDED_KILL=str(at), **more)
        if done.returncode == 0:
            return "ended"
        if done.returncode == -signal.SIGKILL or (self.kind == "ranks" and "signal 9" in done.stderr):
            return "killed"
        if self.is_complete(words):
            return "ended"
        raise Fault(f"{' '.join(words)}: status {done.returncode}: {done.stderr}")

    def is_complete(self, words):
        """A kill between the name of the history and the removal of its checkpoint: it cannot continue, and need not."""
        return words[0] == "resume" and self.is_right()

    def is_right(self):
        return all((self.cut / name).exists() and is_same(self.whole / name, self.cut / name) for name in self.results)

    def run(self):
        """Returns the number of kills."""
        kills = 0
        for _ in range(self.dice.randrange(2, 7)):
            if self.kill() == "ended":
                break
            kills += 1
        else:
            words = self.next_words()
            done = self.recorder.run(words)
            if done.returncode != 0 and not self.is_complete(words):
                raise Fault(f"after {kills} kills: {' '.join(words)}: status {done.returncode}: {done.stderr}")
        if not self.is_right():
            raise Fault(f"after {kills} kills the result differs from that of the whole command")
        return kills


def scenario_of_fit(text, settings):
    return text, [setting for setting in settings if not setting.startswith("checkpoint")]


def measure(recorder, folder):
    """Writes lab.csv."""
    if "[sensors]" not in (folder / "chain.toml").read_text():
        with open(folder / "chain.toml", "a", encoding="ascii") as file:
            file.write("[sensors]\nbeads = [3, 9, 16]\ninterval = 1e-7\n")
    from compare_histories import of_file
    recorder.recorded(["run", "chain.toml", "--quiet", "-o", "lab.h5"])
    lab = of_file(folder / "lab.h5")
    time, force = lab["/observables/sensor_force/time"], lab["/observables/sensor_force/value"]
    rows = [",".join(repr(float(x)) for x in (t, *f)) for t, f in zip(time, force)]
    (folder / "lab.csv").write_text("time (s),bead 3 (N),bead 9 (N),bead 16 (N)\n" + "\n".join(rows) + "\n")
    (folder / "lab.h5").unlink()


def main():
    parser = argparse.ArgumentParser(description="Kills commands several times and continues them.")
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("recorder_library", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--chains", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mpi", type=lambda path: str(pathlib.Path(path).resolve()))
    kinds = ["chain", "packing", "mechanism", "sweep", "fit", "ranks"]
    parser.add_argument("--only", action="append", default=[], choices=kinds)
    given = parser.parse_args()
    chosen = [kind for kind in kinds if (given.mpi or kind != "ranks") and (not given.only or kind in given.only)]
    counts = {kind: [0, 0] for kind in chosen}
    for number in range(given.chains):
        kind = chosen[number % len(chosen)]
        folder = pathlib.Path(tempfile.mkdtemp(prefix="beadwave-kills-")).resolve()
        try:
            counts[kind][1] += Chain(given, random.Random(f"{given.seed}.{number}"), kind, folder).run()
        except Fault as fault:
            print(f"{kind} {given.seed}.{number}: {fault}\nits files are in {folder}")
            return 1
        counts[kind][0] += 1
        shutil.rmtree(folder)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} chains", flush=True)
    for kind, (chains, kills) in counts.items():
        print(f"{kind}: {chains} chains of {kills} kills, all equal to the bit", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
