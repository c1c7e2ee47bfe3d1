#!/usr/bin/python3
"""A second run of one name that starts as the first one ends: it replaces the history of the first, as it would a moment later.

    second_run.py PROGRAM FAILING_CALLS.so

The second run stops itself after it has looked at the name, and before it opens its own file; the first one then ends.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
from compare_histories import differences, of_file  # noqa: E402
from held import Held, stands  # noqa: E402

CHAIN = str(HERE.parent.parent / "configs" / "chain70.toml")


def main():
    program, shim = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="beadwave-second-") as name:
        place = pathlib.Path(name).resolve()
        run = [program, "run", CHAIN, "--quiet", "--threads", "1", "-o"]
        other = ["--set", "segment.0.velocity=0.5"]
        subprocess.run([*run, "right.h5", *other], cwd=place, check=True)
        for earlier in (False, True):
            (place / "out.h5").unlink(missing_ok=True)
            if earlier:
                subprocess.run([*run, "out.h5"], cwd=place, check=True)
            first = Held([*run, "out.h5"], [30_000], cwd=place)
            stop = {"LD_PRELOAD": shim, "FAILING_FOLDER": name, "FAILING_CALL": "open", "FAILING_AT": "0", "FAILING_ERROR": "stop"}
            second = subprocess.Popen([*run, "out.h5", *other], cwd=place, env={**os.environ, **stop}, stderr=subprocess.PIPE, text=True)
            if not first.held or not stands(second):
                sys.exit(f"not held: {second.stderr.read()}")
            if first.end_by(signal.SIGCONT) != 0:
                sys.exit("the first run fails")
            second.send_signal(signal.SIGCONT)
            said = second.communicate()[1]
            if second.returncode != 0 or said:
                sys.exit(f"the second run: status {second.returncode}: {said}")
            if any(True for _ in differences(of_file(place / "right.h5"), of_file(place / "out.h5"))):
                sys.exit("out.h5 is not the history of the second run")
            left = sorted(path.name for path in place.iterdir())
            if left != ["out.h5", "right.h5"]:
                sys.exit(f"these files are left: {left}")


if __name__ == "__main__":
    main()
