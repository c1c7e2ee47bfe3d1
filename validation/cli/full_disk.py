#!/usr/bin/python3
"""Fills the disk at random points of a run whose output would replace an earlier history and checkpoint.

    full_disk.py PROGRAM [POINTS] [--seed N]

The disk is full by a limit on the size of a file or, for root, in a small file system in memory. The run must end with
status 1 and one line. Every byte of the earlier history must be unchanged. The earlier checkpoint must also be unchanged,
or be replaced by a complete one if this run writes checkpoints. The run may leave what it has written under its own name,
if that file opens. Exits with 1 at the first fault. Needs h5py.
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

import h5py

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from held import Held  # noqa: E402

SCENARIO = HERE.parent.parent / "configs" / "chain70.toml"
SETTINGS = ["time.step=2e-9", "time.end=2e-4", "sensors.interval=2e-9", "snapshots.interval=1e-6"]
CHECKPOINTS = ["checkpoint.interval=2e-5"]


class Fault(Exception):
    pass


def command(program, settings):
    words = [word for setting in settings for word in ("--set", setting)]
    return [program, "run", str(SCENARIO), "--quiet", "--threads", "1", "--ignore-disk-space", "-o", "out.h5", *words]


def earlier_files(program, folder):
    """Makes a history and a checkpoint of a run that was stopped."""
    settings = SETTINGS + CHECKPOINTS + ["segment.0.velocity=1", "time.end=7e-4"]
    run = Held(command(program, settings), [50_000], cwd=folder, stderr=subprocess.DEVNULL)
    if run.end_by(signal.SIGTERM) != 1:
        raise Fault("the earlier run was not stopped in its middle")


def check_opens(path):
    """Checks that every number of the file can be read."""
    def read(_, item):
        if isinstance(item, h5py.Dataset):
            item[()]
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
    # The checkpoint must be complete, from either run: resume reads all of it before it checks its output.
    run = subprocess.run([program, "resume", "out.h5.checkpoint.h5", "-o", "nowhere/x.h5"], cwd=folder,
                          stderr=subprocess.PIPE, text=True)
    if "nowhere does not exist" not in run.stderr:
        raise Fault(f"the checkpoint does not resume: {run.stderr}")


def limit_files(size):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


def try_point(program, folder, settings, earlier, prepare):
    """Returns whether the disk was full before the end of the run."""
    for path in folder.iterdir():
        path.unlink()
    for name, content in earlier.items():
        (folder / name).write_bytes(content)
    run = subprocess.run(command(program, settings), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, preexec_fn=prepare)
    if run.returncode == 0:
        return False
    if run.returncode != 1:
        raise Fault(f"exited with {run.returncode}: {run.stderr}")
    if run.stderr.count("\n") != 1 or not run.stderr.startswith("beadwave: ") or "out." not in run.stderr:
        raise Fault(f"expected one line that names the file: {run.stderr!r}")
    check_left(program, folder, earlier, settings[-1:] == CHECKPOINTS)
    return True


@contextlib.contextmanager
def small_disk(size):
    """A folder with this disk space, or None if it cannot be made."""
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
        print("there is no mount: only limits on file sizes are tested")
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
    # The size of the history without a limit.
    for path in folder.iterdir():
        path.unlink()
    subprocess.run(command(arguments.program, SETTINGS), cwd=folder, check=True)
    whole = (folder / "out.h5").stat().st_size
    for point in range(arguments.points):
        settings = SETTINGS + (CHECKPOINTS if dice.random() < 0.5 else [])
        # Also at the very start of the file.
        size = int(dice.choice([dice.uniform(0.0, 0.02), dice.uniform(0.0, 0.97)]) * whole)
        if point % 2 == 0:
            way, full = "limit", try_point(arguments.program, folder, settings, earlier, limit_files(size))
        else:
            # The disk must hold the earlier files, and less than this run's history in addition to them.
            with small_disk((before // 4096 + 16) * 4096 + size) as disk:
                if disk is None:
                    way, full = "limit", try_point(arguments.program, folder, settings, earlier, limit_files(size))
                else:
                    way, full = "small disk", try_point(arguments.program, disk, settings, earlier, None)
        print(f"{way} of {size} bytes of {whole}, {'with' if settings[-1:] == CHECKPOINTS else 'without'} checkpoints: "
              f"{'full, and the earlier files are kept' if full else 'the run was complete'}", flush=True)
        if not full and way == "limit":
            raise Fault("the run wrote more than the limit")
    return True


if __name__ == "__main__":
    sys.exit(main())
