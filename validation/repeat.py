#!/usr/bin/env python3
"""Repeats tests on a busy machine: repeat.py BUILD [--times N] [--loads 0 4 16] [--cores N] [--json FILE] [CTEST OPTION]...

Under each load, a number of processes of stress-ng that only compute, the tests run N times in turn; CTEST OPTIONs, such as -R cli:,
select them. With --cores, the tests and the load share so many cores. Prints for each load how many runs passed, the longest time
of a test, and each test that failed. With --json, the counts are added to those of the file. Exits with 1 if a test failed. Needs
stress-ng.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LOADS = (0, 4, 16)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="folder of a build with tests, such as build/release")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--loads", type=int, nargs="+", default=LOADS)
    parser.add_argument("--cores", type=int, help="how many cores the tests and the load share")
    parser.add_argument("--json", type=pathlib.Path)
    return parser.parse_known_args()


class Load:
    """Processes that compute until the end of the block."""

    def __init__(self, count):
        self.count, self.process = count, None

    def __enter__(self):
        if self.count:
            self.process = subprocess.Popen(["stress-ng", "--quiet", "--cpu", str(self.count)], start_new_session=True)

    def __exit__(self, *_):
        if self.process:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait()


def results(build, options):
    """Each test of one run of ctest: its name, whether it passed, and its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "tests.xml"
        subprocess.run(["ctest", "--test-dir", build, "--output-junit", report, "--output-on-failure", *options], check=False,
                       stdout=sys.stderr)
        for test in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
            if test.get("status") != "disabled" and test.find("skipped") is None:
                yield test.get("name"), test.get("status") == "run" and test.find("failure") is None, float(test.get("time"))


def main():
    given, options = arguments()
    if not shutil.which("stress-ng"):
        print("repeat.py: stress-ng is missing", file=sys.stderr)
        return 2
    if given.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:given.cores])
    counts = json.loads(given.json.read_text()) if given.json and given.json.exists() else {}
    for load in given.loads:
        tests = counts.setdefault(str(load), {})
        for _ in range(given.times):
            with Load(load):
                for name, passed, seconds in results(given.build, options):
                    one = tests.setdefault(name, {"runs": 0, "passed": 0, "longest": 0.0})
                    one["runs"] += 1
                    one["passed"] += passed
                    one["longest"] = max(one["longest"], seconds)
            if given.json:
                given.json.write_text(json.dumps(counts, indent=1))
    print("| load | tests | runs of a test | runs | passed | longest test, s |\n| --- | --- | --- | --- | --- | --- |")
    failed = False
    for load, tests in counts.items():
        runs, passed = sum(one["runs"] for one in tests.values()), sum(one["passed"] for one in tests.values())
        each = sorted({one["runs"] for one in tests.values()})
        if not tests:
            continue
        print(f"| {load} | {len(tests)} | {each[0] if len(each) == 1 else f'{each[0]} to {each[-1]}'} | {runs} | {passed} | "
              f"{max(one['longest'] for one in tests.values()):.0f} |")
        for name, one in tests.items():
            if one["passed"] < one["runs"]:
                failed = True
                print(f"  load {load}: {name}: passed {one['passed']} of {one['runs']}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
