"""Waits for a process, in time that a busy or slow machine does not shorten.

What counts is the processor time of the process and its children, and the time during which all of them sleep: what a hanging
process does. The time during which they could run, but the machine runs others, does not count.
"""
import os
import pathlib
import subprocess

LOOK = 0.2  # [s] between two looks at the state of the processes
TICKS = os.sysconf("SC_CLK_TCK")


def tasks_of(process):
    """The stat lines of all threads of a process and its children, after the name; those that end meanwhile are missing."""
    waiting = [process]
    while waiting:
        for task in pathlib.Path(f"/proc/{waiting.pop()}/task").glob("*"):
            try:
                yield (task / "stat").read_text().rpartition(")")[2].split()
                waiting += (task / "children").read_text().split()
            except OSError:
                pass


class Spent:
    """The time that a process has spent, running or asleep [s]."""

    def __init__(self, process):
        self.process, self.ran, self.slept = process, 0.0, 0.0

    def look(self):
        ran, awake = 0.0, False
        for fields in tasks_of(self.process):
            ran += sum(map(int, fields[11:13])) / TICKS
            awake = awake or fields[0] in "RD"
        if ran > self.ran:
            self.ran = ran
        elif not awake:
            self.slept += LOOK
        return self.ran + self.slept


def ended(process, seconds):
    """What communicate() returns. Raises subprocess.TimeoutExpired when the process has spent more than these seconds."""
    spent = Spent(process.pid)
    while True:
        try:
            return process.communicate(timeout=LOOK)
        except subprocess.TimeoutExpired:
            if spent.look() > seconds:
                raise
