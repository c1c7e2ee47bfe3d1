#!/usr/bin/python3
"""Cuts the power at any call of a command, and looks at what is then on the disk.

    power_cuts.py PROGRAM RECORDED_CALLS.so [--cuts N] [--seed N] [--only COMMAND]

The calls of a command that change files are recorded, with their bytes. A cut keeps the first of them, but of what was not synced
any part may be lost: each page of 4096 bytes that was written since the file was synced is new or old, the length of the file is
one of those that it had since then, and of the names that were given since the folder was synced only the first few are kept (file
systems with a journal keep their order). On the folder as it then is, the following must hold:

- An earlier result is unchanged, or the new one is complete and right.
- A checkpoint can be resumed, and the result is that of the whole command, to the bit; or the history is complete already.
- Without a checkpoint the command can be repeated, and its result is right.

Exits with 1 at the first fault and leaves its folder. Linux only. Needs h5py.
"""
import argparse
import pathlib
import random
import shutil
import signal
import sys
import tempfile

from kill_chains import measure, scenario_of_fit
from recorded import NOT_COMPARED, Fault, Recorder, is_same, laid_out, scenario

PAGE = 4096
EARLIER = {"chain": "segment.0.velocity=0.5", "packing": "law.name=\"hooke\"", "mechanism": "time.end=0.001"}
TOKEN = ("/parameters/checkpoint",)  # of a complete history it is cleared last, after the file has its name
COMMANDS = ("chain", "packing", "mechanism", "resume", "sweep", "fit")


class File:
    """A file on the disk, and what was done to it since it was synced."""

    def __init__(self, content=b""):
        self.now, self.synced = bytearray(content), bytes(content)
        self.sizes = [len(content)]

    def write(self, at, data):
        if at > len(self.now):
            self.now.extend(bytes(at - len(self.now)))
        self.now[at:at + len(data)] = data
        self.sizes.append(len(self.now))

    def resize(self, size):
        self.now = self.now[:size] + bytes(max(0, size - len(self.now)))
        self.sizes.append(size)

    def sync(self):
        self.synced, self.sizes = bytes(self.now), [len(self.now)]

    def after_cut(self, dice):
        if self.synced == self.now:
            return self.synced
        kept = dice.choice((0.0, 0.5, 1.0, dice.random()))
        size = dice.choice((self.sizes[0], self.sizes[-1], dice.choice(self.sizes)))
        content = bytearray(size)
        for at in range(0, size, PAGE):
            source = self.now if dice.random() < kept else self.synced
            piece = source[at:min(at + PAGE, size)]
            content[at:at + len(piece)] = piece
        return bytes(content)


class Disk:
    def __init__(self, folder):
        self.names = {path.name: File(path.read_bytes()) for path in folder.iterdir()}
        self.on_disk = dict(self.names)  # the names that are synced
        self.since = []  # the changes of names since then
        self.inodes = {path.stat().st_ino: self.names[path.name] for path in folder.iterdir()}

    def change(self, names, kind, name, other, file):
        if kind == "create":
            names[name] = file
        elif kind == "link":
            names[other] = file
        elif kind == "rename":
            if names.get(name) is not names.get(other):
                names.pop(name, None)
                names[other] = file
        else:
            names.pop(name, None)

    def apply(self, kind, inode, at, size, name, other, data):
        if kind == "create":
            self.inodes[inode] = File()
        if kind == "write":
            self.inodes[inode].write(at, data)
        elif kind == "size":
            self.inodes[inode].resize(size)
        elif kind == "sync":
            self.inodes[inode].sync()
        elif kind == "folder":
            self.on_disk, self.since = dict(self.names), []
        else:
            file = self.inodes[inode] if kind == "create" else self.names.get(name)
            self.since.append((kind, name, other, file))
            self.change(self.names, kind, name, other, file)

    def after_cut(self, dice, folder):
        """Writes what is left to an empty folder."""
        names = dict(self.on_disk)
        for one in self.since[:dice.randrange(len(self.since) + 1)]:
            self.change(names, *one)
        contents = {}
        for name, file in names.items():
            if id(file) not in contents:
                contents[id(file)] = file.after_cut(dice)
            (folder / name).write_bytes(contents[id(file)])


def entries(log):
    at = 0
    while at < len(log):
        end = log.index(b"\n", at)
        kind, inode, offset, size, name, other = log[at:end].decode().split(" ")
        at = end + 1
        data = b""
        if kind == "write":
            data = log[at:at + int(size)]
            at += int(size)
        yield kind, int(inode), int(offset), int(size), name, other, data


class Command:
    """A recorded command: the folder before it, its log and its right results."""

    def __init__(self, given, dice, kind, folder):
        self.kind = kind
        self.system = kind if kind in ("packing", "mechanism") else "chain"
        text, settings = scenario(self.system, dice)
        if not any(setting.startswith("checkpoint") for setting in settings) and kind != "fit":
            settings.append(f"checkpoint.interval={ {'chain': 2e-5, 'packing': 1e-5, 'mechanism': 5e-4}[self.system]}")
        if kind == "fit":
            text, settings = scenario_of_fit(text, settings)
        sets = [word for setting in settings for word in ("--set", setting)]
        tail = [*sets, "--quiet", "-o", "out.h5", "--threads", dice.choice("12")]
        self.place = laid_out(folder / "place", self.system, text)
        self.recorder = Recorder([given.program], given.recorder_library, self.place, folder / "calls")
        self.results = ["out.h5"]
        if kind == "sweep":
            self.results.append("out.csv")
            self.words = ["sweep", "chain.toml", "--vary", "segment.0.velocity=0.5:2:5", *tail]
            self.recorder.recorded(["sweep", "chain.toml", "--vary", "segment.0.velocity=0.1:0.2:3", *tail])
        elif kind == "fit":
            self.results.append("out.toml")
            measure(self.recorder, self.place)
            self.words = ["fit", "chain.toml", "--measured", "lab.csv", "--bounds", "segment.0.velocity=1:2.5", *tail]
            self.recorder.recorded(self.words[:-1] + ["1", "--set", "time.end=9e-5"])
        else:
            self.words = ["run", f"{self.system}.toml", *tail]
            self.recorder.recorded([*self.words, "--set", EARLIER[self.system]])
        if kind == "resume":
            if not self.recorder.ended_at_step(self.words, dice.randrange(500, 4000), signal.SIGTERM):
                raise Fault("the run to resume was not stopped in its middle")
            self.again = self.words
            self.words = ["resume", "out.h5.checkpoint.h5", "--quiet"]
        self.before = {path.name: path.read_bytes() for path in self.place.iterdir()}
        self.disk_before = Disk(self.place)
        self.log = list(entries(self.recorder.recorded(self.words, data=True)))
        self.right = folder / "right"
        shutil.copytree(self.place, self.right)

    def disk_at(self, cut):
        disk = self.fresh_disk()
        for entry in self.log[:cut]:
            disk.apply(*entry)
        return disk

    def fresh_disk(self):
        disk = Disk.__new__(Disk)
        files = {name: File(content) for name, content in self.before.items()}
        disk.names, disk.on_disk, disk.since = dict(files), dict(files), []
        by_file = {id(file): name for name, file in self.disk_before.names.items()}
        disk.inodes = {inode: files[by_file[id(file)]] for inode, file in self.disk_before.inodes.items()}
        return disk

    def is_right(self, but=NOT_COMPARED):
        return all((self.place / name).exists() and is_same(self.right / name, self.place / name, but) for name in self.results)

    def one(self, dice):
        """One cut of the power. Returns how it went on."""
        shutil.rmtree(self.place)
        self.place.mkdir()
        cut = dice.randrange(len(self.log) + 1)
        self.disk_at(cut).after_cut(dice, self.place)
        try:
            return self.check()
        except Fault as fault:
            raise Fault(f"cut at call {cut} of {len(self.log)}: {fault}") from None

    def check(self):
        earlier = all((self.place / name).exists() and (self.place / name).read_bytes() == self.before[name]
                      for name in self.results if name in self.before)
        complete = False
        try:
            complete = self.is_right(but=NOT_COMPARED + TOKEN)
        except (OSError, RuntimeError, KeyError):
            pass
        if self.kind != "resume" and not earlier and not complete and not self.some_of_each():
            raise Fault("an earlier result is lost, and the new one is not right")
        checkpoint = self.place / "out.h5.checkpoint.h5"
        if checkpoint.exists():
            done = self.recorder.run(["resume", checkpoint.name, "--quiet"])
            if done.returncode != 0 and not complete:
                raise Fault(f"cannot be resumed: {done.stderr}")
            if done.returncode != 0:
                return "complete"
            how = "resumed"
        elif complete:
            return "complete"
        elif self.kind == "resume":
            raise Fault("the checkpoint is lost, and the history is not complete")
        else:
            done = self.recorder.run(self.words)
            if done.returncode != 0:
                raise Fault(f"cannot be repeated: {done.stderr}")
            how = "repeated"
        if not self.is_right():
            raise Fault(f"{how}, with another result")
        return how

    def some_of_each(self):
        """Some files of a result of several are new and right, the others the earlier ones: the documented exception."""
        def known(name):
            path = self.place / name
            return path.exists() and (path.read_bytes() == self.before.get(name) or is_same(self.right / name, path))
        try:
            return len(self.results) > 1 and all(known(name) for name in self.results)
        except (OSError, RuntimeError, KeyError):
            return False


def main():
    parser = argparse.ArgumentParser(description="Cuts the power at any call.")
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("recorder_library", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--cuts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], choices=COMMANDS)
    given = parser.parse_args()
    chosen = [kind for kind in COMMANDS if not given.only or kind in given.only]
    per_command, counts, number = 25, {kind: {} for kind in chosen}, 0
    while number < given.cuts:
        kind = chosen[number // per_command % len(chosen)]
        folder = pathlib.Path(tempfile.mkdtemp(prefix="beadwave-cuts-")).resolve()
        dice = random.Random(f"{given.seed}.{number}")
        try:
            command = Command(given, dice, kind, folder)
            for _ in range(min(per_command, given.cuts - number)):
                how = command.one(dice)
                counts[kind][how] = counts[kind].get(how, 0) + 1
                number += 1
        except Fault as fault:
            print(f"{kind} {given.seed}.{number}: {fault}\nits files are in {folder}")
            return 1
        shutil.rmtree(folder)
    for kind, found in counts.items():
        print(f"{kind}: " + ", ".join(f"{count} {how}" for how, count in sorted(found.items())), flush=True)
    print(f"{number} cuts, no fault")
    return 0


if __name__ == "__main__":
    sys.exit(main())
