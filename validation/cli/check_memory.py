"""Compares the memory that the program estimates for a chain with what runs use, and starts more threads than fit.

usage: check_memory.py PROGRAM SCENARIO, in a folder of its own"""
import os
import re
import resource
import subprocess
import sys

PROGRAM, SCENARIO = (os.path.abspath(path) for path in sys.argv[1:])
# Far apart, since the kernel's peak of a process can miss some MB, and a power of two apart, since vectors grow by doubling.
FEW, MANY = 200_000, 1_600_000
CASES = {"hertz": [], "flores": ["law.restitution=0.7"], "ma-liu": [], "wang-liu": ["law.restitution=0.7"], "thornton": []}


def command(law, beads, settings, *more):
    words = [PROGRAM, "run", SCENARIO, "-o", "x.h5", "--set", f"law.name={law}", "--set", f"segment.1.beads={beads}", "--set",
             "time.end=2e-10", "--set", "time.step=1e-10"]
    for setting in settings:
        words += ["--set", setting]
    return words + list(more)


def used(law, beads, settings):
    run = subprocess.Popen(command(law, beads, settings, "--quiet", "--threads", "1"))
    status, use = os.wait4(run.pid, 0)[1:]
    assert status == 0, (law, settings, status)
    return 1024 * use.ru_maxrss


def limited(words, most_bytes):
    return subprocess.run(words, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes)))


def estimated(law, beads, settings):
    """The estimate in the message for a chain that is refused because a limit is too low for it."""
    refused = limited(command(law, beads * 100, settings), 150_000_000)
    found = re.search(r"beads need ([0-9.e+]+) GB of memory", refused.stderr)
    assert refused.returncode == 2 and found, refused
    return 1e7 * float(found[1])


def main():
    for law, needs in CASES.items():
        for different in ([], ["segment.1.disorder=0.01"]):
            settings = needs + different
            # The difference between two lengths does not contain the memory of the program itself.
            measured = (used(law, MANY, settings) - used(law, FEW, settings)) / (MANY - FEW)
            ratio = estimated(law, MANY, settings) / MANY / measured
            print(f"{law:10} {'different' if different else 'alike':10} {measured:6.1f} bytes per bead, "
                  f"estimate / measurement {ratio:.3f}")
            assert 0.9 < ratio < 1.1, (law, settings, ratio)
    # 300 threads of 8 MiB each do not fit.
    crowded = limited(command("hertz", 100_000, [], "--threads", "300"), 1_000_000_000)
    assert crowded.returncode == 0, crowded
    assert re.search(r"warning: only \d+ of 300 threads can be started", crowded.stderr), crowded.stderr
    swept = limited([PROGRAM, "sweep", SCENARIO, "-o", "s.h5", "--vary", "law.xi=12:13:300", "--set", "time.end=1e-6", "--threads", "300"],
                    1_000_000_000)
    assert swept.returncode == 0, swept
    assert re.search(r"warning: runs on \d+ of 300 threads", swept.stderr), swept.stderr
    # One chain fits into memory, two at the same time do not.
    large = limited([PROGRAM, "sweep", SCENARIO, "-o", "t.h5", "--vary", "law.xi=12,13", "--set", "segment.1.beads=3000000", "--set",
                     "time.end=2e-10", "--set", "time.step=1e-10", "--threads", "2"], 600_000_000)
    assert large.returncode == 0, large
    assert "warning: runs on 1 of 2 threads" in large.stderr, large.stderr


main()
