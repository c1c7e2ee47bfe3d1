#!/usr/bin/env python3
"""What is counted in the benchmarks of Dosta et al. 2024, from a history, as CSV on standard output.

    counts.py drum drum.h5      # spheres of M1 and M2 in zone 1 (x > 0, z > 0) and zone 2 (x < 0, z < 0), and centres of mass
    counts.py silo silo.h5      # spheres above the orifice, and their overlaps over the diameter: mean and largest
    counts.py rate silo.csv     # the slope of such a table between 0.5 and 3.5 s, and when the silo is half empty
"""

import csv
import sys

ORIFICE_HEIGHT = -0.0554222  # m


def drum(run):
    particles = run["particles/all"]
    kinds = {"m1": particles["radius"][...] < 1.5e-3, "m2": particles["radius"][...] >= 1.5e-3}
    yield ["t_s"] + [f"z{zone}_{kind}" for zone in (1, 2) for kind in kinds] + [f"com{axis}_{kind}" for kind in kinds for axis in "xz"]
    for time, place in zip(particles["angular_velocity/time"], particles["position/value"]):
        x, z = place[:, 0], place[:, 2]
        row = [f"{time:.6g}"]
        for zone in ((x > 0) & (z > 0), (x < 0) & (z < 0)):
            row += [int((zone & kind).sum()) for kind in kinds.values()]
        row += [f"{along[kind].mean():.5f}" for kind in kinds.values() for along in (x, z)]
        yield row


def silo(run):
    particles, contacts = run["particles/all"], run["connectivity/contacts"]
    diameter = 2.0 * particles["radius"][0]
    times = particles["angular_velocity/time"]
    splits = contacts["row_splits"][...]
    yield ["t_s", "left", "mean_overlap", "largest_overlap"]
    for i, time in enumerate(times):
        here = particles["presence/value"][i] == 1 if "presence" in particles else slice(None)
        overlap = contacts["overlap"][splits[i] : splits[i + 1]] / diameter
        left = int((particles["position/value"][i][here][:, 2] > ORIFICE_HEIGHT).sum())
        yield [f"{time:.6g}", left] + ([f"{overlap.mean():.3g}", f"{overlap.max():.3g}"] if len(overlap) else ["", ""])


def rate(path):
    import numpy

    with open(path, encoding="utf-8") as lines:
        rows = [(float(row["t_s"]), float(row["left"])) for row in csv.DictReader(line for line in lines if not line.startswith("#"))]
    time, left = numpy.array(rows).T
    chosen = (time > 0.499) & (time < 3.501) & (left > 2000)
    slope, start = numpy.polyfit(time[chosen], left[chosen], 1)
    deviation = abs(left[chosen] - slope * time[chosen] - start).max()
    print(f"{-slope:.0f} per s, up to {deviation:.0f} from the line between {time[chosen][0]:g} and {time[chosen][-1]:g} s")
    if left.min() < 0.5 * left[0]:
        print(f"half empty at {numpy.interp(-0.5 * left[0], -left, time):.3f} s")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("drum", "silo", "rate"):
        raise SystemExit(__doc__.strip())
    if sys.argv[1] == "rate":
        rate(sys.argv[2])
        return
    import h5py

    with h5py.File(sys.argv[2], "r") as run:
        csv.writer(sys.stdout, lineterminator="\n").writerows({"drum": drum, "silo": silo}[sys.argv[1]](run))


if __name__ == "__main__":
    main()
