#!/usr/bin/python3
"""Checks that the report reads the arrivals that the run printed, and writes the sensors' traces as a laboratory would.

    check_arrivals.py REPORT_FOLDER HISTORY RUN_JSON TRACES_CSV

Stops at the first fault with exit status 1. Needs h5py.
"""
import json
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(sys.argv[1]).parent))
from report import arrivals  # noqa: E402
from report.run import Run  # noqa: E402


def main():
    _, _, path, printed, csv = sys.argv
    run = Run(path)
    with open(printed, encoding="utf-8") as file:
        sensors = json.load(file)["sensors"]
    # A parabola leaves a small part of the distance of the samples.
    for peaks, interval in ((arrivals.sensor_peaks(run), run.traces.time[1] - run.traces.time[0]),
                            (arrivals.snapshot_peaks(run), run.snapshot_time[1] - run.snapshot_time[0])):
        for sensor in sensors:
            at = list(peaks.beads).index(sensor["bead"])
            off = peaks.time[at] - sensor["arrival_time"]
            assert abs(off) < 0.15 * interval, f"{peaks.source}, bead {sensor['bead']}: off by {off} s"
            high = peaks.force[at] / sensor["peak_force"] - 1.0
            assert abs(high) < 0.02, f"{peaks.source}, bead {sensor['bead']}: peak force off by {high}"
    np.savetxt(csv, np.column_stack([run.traces.time, run.traces.force]), fmt="%.17g", delimiter=",")


main()
