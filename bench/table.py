"""Runs the benchmarks several times, prints one table of medians and ranges, and writes it with the
machine's description to bench/results.

usage: table.py PROGRAM RESULTS_FOLDER [--runs N] [--filter REGEX]
"""

import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import tempfile

from packings import packing_table, run_packings
from spread import ratio, spread

def steps_per_task(beads):
    """Steps of a time block in chains of more than a few tiles, as in src/dynamics/tiled/tiled_layout.cpp."""
    return 31 * (2 + min(max(beads // 32, 960), 5760) // 960)


BYTES_PER_TASK = 8 * (3 + 2 * 4)  # displacement, velocity, half-step velocity change read; these and the force written


def last_cache():
    """/proc/cpuinfo names the second level on some processors."""
    levels = sorted((int((folder / "level").read_text()), (folder / "size").read_text().strip())
                    for folder in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"))
    return f"last cache {levels[-1][1]}B" if levels else "caches unknown"


def machine():
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
    compiler = subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.splitlines()[:1]
    return [f"{model}, {os.cpu_count()} cores, {last_cache()}", f"{platform.system()} {platform.release()}, {' '.join(compiler)}"]


def run_once(program, pattern):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [program, f"--benchmark_out={out.name}", "--benchmark_out_format=json", "--benchmark_min_time=0.3"]
        if pattern:
            command.append(f"--benchmark_filter={pattern}")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = json.load(open(out.name, encoding="utf-8"))["benchmarks"]
    speeds = {}
    for row in rows:
        name = re.sub("(/min_time:[0-9.]+)?/real_time$", "", row["name"])
        speeds[name] = next(row[key] for key in ("bead-steps/s", "bytes_per_second", "cost", "speed") if key in row)
    return speeds


def table(runs):
    lines = ["## Hertz, every contact active, no tile asleep", "",
             "| program | beads | threads | bead-steps/s, 1e9 | ratio to the hand-written program | share of the arithmetic | bytes per bead-step |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    for name in runs[0]:
        if not name.startswith("hertz/"):
            continue
        _, program, beads, threads = name.split("/")
        share = ratio(runs, name, "limit/arithmetic") if threads == "1" else "-"
        traffic = {"baseline": "72"}.get(program, f"{BYTES_PER_TASK / steps_per_task(int(beads)):.1f}")
        lines.append(f"| {program} | {beads} | {threads} | {spread([r[name] / 1e9 for r in runs], '{:.3f}')} | "
                     f"{ratio(runs, name, f'hertz/baseline/{beads}/1')} | {share} | {traffic} |")
    lines += ["", "Bytes: what the program's loops must read from and write to memory if the chain fits in no cache.", ""]
    if "limit/memory" in runs[0]:
        lines += [f"Arithmetic only: {spread([r['limit/arithmetic'] / 1e9 for r in runs], '{:.3f}')} 1e9 bead-steps/s. "
                  f"Memory: {spread([r['limit/memory'] / 1e9 for r in runs], '{:.1f}')} GB/s.", ""]
    pairs = [(b, ratio(runs, f"hertz/tiled/{b}/2", f"hertz/tiled/{b}/1")) for b in (70, 1000, 100000, 1000000, 10000000)]
    lines += ["Two threads over one: " + ", ".join(f"{r} at {b}" for b, r in pairs if r != "-") + ".", ""]
    laws = [name for name in runs[0] if name.startswith("law/")]
    if laws:
        lines += ["## Laws, 100,000 beads, one thread", "", "| law | bead-steps/s, 1e9 | cost of hertz |", "| --- | --- | --- |"]
        for name in laws:
            lines.append(f"| {name.split('/')[-1]} | {spread([r[name] / 1e9 for r in runs], '{:.3f}')} | "
                         f"{ratio(runs, 'law/tiled/hertz', name)} |")
    return lines


def watched_table(runs):
    lines = ["", "## Cost of checking the time step, one thread", "", "| law | beads | share of the time without them, % |", "| --- | --- | --- |"]
    for name in [name for name in runs[0] if name.startswith("watched/")]:
        _, law, beads = name.split("/")
        lines.append(f"| {law} | {beads} | {spread([100 * r[name] for r in runs], '{:.1f}')} |")
    return lines if len(lines) > 5 else []


CARRIED = {"resonators": "a resonator on every bead", "dashpots": "the same with a dashpot", "foundations": "a spring to the ground on every bead",
           "bonds": "a bond at every contact", "pairs": "forces of six neighbours on either side"}


def carried_table(runs):
    lines = ["", "## Speed of a chain with elements over that without, one thread, processor time", "", "| elements | beads | ratio |", "| --- | --- | --- |"]
    for name in [name for name in runs[0] if name.startswith("carried/")]:
        _, what, beads = name.split("/")
        lines.append(f"| {CARRIED[what]} | {beads} | {spread([r[name] for r in runs], '{:.2f}')} |")
    return lines if len(lines) > 5 else []


def main():
    parser = argparse.ArgumentParser(description="Benchmarks as a table.")
    parser.add_argument("program")
    parser.add_argument("results")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    runs = [run_once(options.program, options.filter) for _ in range(options.runs)]
    lines = ["# Speed", "", *machine(), "", f"Median (least ... most) of {options.runs} runs. Each ratio is taken within one run.", "", *table(runs), *watched_table(runs), *carried_table(runs)]
    packings = os.path.join(os.path.dirname(options.program), "packing_bench")
    if not options.filter and os.path.exists(packings):
        lines += ["", "## Packings: fcc crystals, twelve contacts each, and a column that settles", "",
                  *packing_table([run_packings(packings) for _ in range(options.runs)])]
    text = "\n".join(lines) + "\n"
    print(text)
    if not options.filter:
        os.makedirs(options.results, exist_ok=True)
        name = re.sub(r"[^A-Za-z0-9]+", "-", machine()[0].split(",")[0]).strip("-").lower()
        with open(os.path.join(options.results, f"{name}.md"), "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main()
