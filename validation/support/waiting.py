"""Waits for a condition of a process, such as a file that it writes, however long that takes."""
import time

LOOK = 0.01  # [s] between two looks


def until(condition, process):
    """Whether the condition came true. Otherwise the process ended before."""
    while not condition():
        if process.poll() is not None:
            return bool(condition())
        time.sleep(LOOK)
    return True
