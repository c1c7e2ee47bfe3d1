"""Draws bead-steps per second over the number of beads, from a table in bench/results.

usage: picture.py RESULTS.md PICTURE.png
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

PROGRAMS = [
    ("tiled", "2", "beadwave, two threads", "#0072B2", "o"),
    ("tiled", "1", "beadwave, one thread", "#56B4E9", "s"),
    ("avx2", "1", "beadwave, one thread, AVX2 only", "#009E73", "^"),
    ("columns", "1", "beadwave, one thread, every contact different", "#CC79A7", "v"),
    ("baseline", "1", "two hand-written loops, one thread", "#D55E00", "D"),
]


def rows(path):
    with open(path, encoding="utf-8") as table:
        for line in table:
            cells = [cell.strip() for cell in line.strip("| \n").split("|")]
            if len(cells) == 7 and cells[1].isdigit():
                yield cells[0], cells[2], int(cells[1]), float(cells[3].split()[0])


def main():
    source, target = sys.argv[1:]
    measured = list(rows(source))
    figure, axes = plt.subplots(figsize=(7.5, 4.5), layout="constrained")
    for program, threads, label, colour, marker in PROGRAMS:
        points = sorted((beads, speed) for p, t, beads, speed in measured if (p, t) == (program, threads))
        axes.plot(*zip(*points), color=colour, marker=marker, label=label)
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("beads, every contact active")
    axes.set_ylabel("speed / $10^9$ bead-steps per second")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=9)
    figure.savefig(target, dpi=130)


if __name__ == "__main__":
    main()
