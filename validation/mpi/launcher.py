"""The processes that a launcher such as mpirun has started."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from waiting import until  # noqa: E402


def ranks_of(launcher):
    """Their process numbers; empty if the launcher has ended."""
    children = pathlib.Path(f"/proc/{launcher}/task/{launcher}/children")
    try:
        return [int(child) for child in children.read_text().split()]
    except OSError:
        return []


def is_stopped(process):
    try:
        return "State:\tT" in pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def stopped_ranks(launcher, count):
    """Waits until all ranks have stopped themselves (BEADWAVE_PAUSE_AT_STEP). Empty if the launcher ended before."""
    def all_stopped():
        ranks = ranks_of(launcher.pid)
        return len(ranks) == count and all(is_stopped(rank) for rank in ranks)
    return ranks_of(launcher.pid) if until(all_stopped, launcher) else []
