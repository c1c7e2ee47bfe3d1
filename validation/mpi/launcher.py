"""The processes that a launcher such as mpirun has started."""
import pathlib


def ranks_of(launcher):
    """Their process numbers; empty if the launcher has ended."""
    children = pathlib.Path(f"/proc/{launcher}/task/{launcher}/children")
    try:
        return [int(child) for child in children.read_text().split()]
    except OSError:
        return []
