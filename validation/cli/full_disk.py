#!/usr/bin/python3
"""Fills the disk at random points of a run that has an earlier history and checkpoint in its place.

    full_disk.py PROGRAM [POINTS] [--seed N]

Two ways to a full disk: a limit on the size of a file and, for root, a small file system in memory. The run must end
with status 1 and one line; the earlier history must be as it was to the byte; so must the earlier checkpoint, or be
replaced by a whole one if this run writes checkpoints; what this run had written may be left under its own name, if it
opens. Exits with 1 at the first fault. Needs h5py.
"""
import argparse
import contextlib
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import h5py

HERE = pathlib.Path(__file__).resolve().parent
SCENARIO = HERE.parent.parent / "configs" / "chain70.toml"
SETTINGS = ["time.step=2e-9", "time.end=2e-4", "sensors.interval=2e-9", "snapshots.interval=1e-6"]
CHECKPOINTS = ["checkpoint.interval=2e-5"]


class Fault(Exception):
    pass


def command(program, settings):
    words = [word for setting in settings for word in ("--set", setting)]
    return [program, "run", str(SCENARIO), "--quiet", "--threads", "1", "--force", "-o", "out.h5", *words]


def earlier_files(program, folder):
    """A history and a checkpoint beside it, of a run that was stopped."""
    settings = SETTINGS + CHECKPOINTS + ["segment.0.velocity=1", "time.end=7e-4"]
    run = subprocess.Popen(command(program, settings), cwd=folder, stderr=subprocess.DEVNULL)
    while run.poll() is None and not (folder / "out.h5.checkpoint.h5").exists():
        time.sleep(0.01)
    run.send_signal(signal.SIGTERM)
    if run.wait() != 1:
        raise Fault("the earlier run was not stopped in its middle")


def check_opens(path):
    """Every number of the file can be read."""
    def read(_, thing):
        if isinstance(thing, h5py.Dataset):
            thing[()]
    with h5py.File(path, "r") as file:
        file.visititems(read)


def check_left(program, folder, earlier, writes_checkpoints):
    left = {path.name: path for path in folder.iterdir()}
    for name in earlier:
        if name not in left:
            raise Fault(f"{name} is gone")
    for name, path in left.items():
        if name in earlier and path.read_bytes() == earlier[name]:
            continue
        if name not in ("out.h5.checkpoint.h5", "out.running.h5"):
            raise Fault(f"{name} was left or has changed")
        if name == "out.h5.checkpoint.h5" and not writes_checkpoints:
            raise Fault("the earlier checkpoint has changed")
        try:
            check_opens(path)
        except OSError as error:
            raise Fault(f"{name} does not open: {error}") from error
    # Whole, whosever it is: resume reads all of it before it looks for a place to write to.
    said = subprocess.run([program, "resume", "out.h5.checkpoint.h5", "-o", "nowhere/x.h5"], cwd=folder,
                          stderr=subprocess.PIPE, text=True)
    if "nowhere does not exist" not in said.stderr:
        raise Fault(f"the checkpoint does not resume: {said.stderr}")


def limit_files(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


def try_point(program, folder, settings, earlier, prepare):
    """Whether the disk was full before the run was over."""
    for path in folder.iterdir():
        path.unlink()
    for name, content in earlier.items():
        (folder / name).write_bytes(content)
    said = subprocess.run(command(program, settings), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, preexec_fn=prepare)
    if said.returncode == 0:
        return False
    if said.returncode != 1:
        raise Fault(f"exited with {said.returncode}: {said.stderr}")
    if said.stderr.count("\n") != 1 or not said.stderr.startswith("beadwave: ") or "out." not in said.stderr:
        raise Fault(f"no clear line: {said.stderr!r}")
    check_left(program, folder, earlier, settings[-1:] == CHECKPOINTS)
    return True


@contextlib.contextmanager
def small_disk(size):
    """A folder with so much room; nothing where none can be made."""
    with tempfile.TemporaryDirectory(prefix="beadwave-") as folder:
        made = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], stderr=subprocess.DEVNULL).returncode == 0
        try:
            yield pathlib.Path(folder) if made else None
        finally:
            if made:
                subprocess.run(["umount", folder], check=True)


def main():
    parser = argparse.ArgumentParser(description="Fills the disk at random points of a run.")
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("points", type=int, nargs="?", default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    print("seed", arguments.seed, flush=True)
    dice = random.Random(arguments.seed)
    if not shutil.which("mount"):
        print("no file system of its own: only limits on file sizes")
    try:
        with tempfile.TemporaryDirectory(prefix="beadwave-") as name:
            folder = pathlib.Path(name)
            earlier_files(arguments.program, folder)
            earlier = {path.name: path.read_bytes() for path in folder.iterdir()}
            before = sum(map(len, earlier.values()))
            if not try_full(arguments, dice, folder, earlier, before):
                return 1
    except Fault as fault:
        print(fault)
        return 1
    return 0


def try_full(arguments, dice, folder, earlier, before):
    # How large the history becomes, without a limit.
    for path in folder.iterdir():
        path.unlink()
    subprocess.run(command(arguments.program, SETTINGS), cwd=folder, check=True)
    whole = (folder / "out.h5").stat().st_size
    for point in range(arguments.points):
        settings = SETTINGS + (CHECKPOINTS if dice.random() < 0.5 else [])
        # Also where the file is hardly begun.
        size = int(dice.choice([dice.uniform(0.0, 0.02), dice.uniform(0.0, 0.97)]) * whole)
        if point % 2 == 0:
            way, full = "limit", try_point(arguments.program, folder, settings, earlier, limit_files(size))
        else:
            # The room must hold the earlier files, and less than this run's history beside them.
            with small_disk((before // 4096 + 16) * 4096 + size) as disk:
                if disk is None:
                    way, full = "limit", try_point(arguments.program, folder, settings, earlier, limit_files(size))
                else:
                    way, full = "small disk", try_point(arguments.program, disk, settings, earlier, None)
        print(f"{way} of {size} bytes of {whole}, {'with' if settings[-1:] == CHECKPOINTS else 'without'} checkpoints: "
              f"{'full, all is kept' if full else 'the run went to its end'}", flush=True)
        if not full and way == "limit":
            raise Fault("the run wrote more than it could")
    return True


if __name__ == "__main__":
    sys.exit(main())
