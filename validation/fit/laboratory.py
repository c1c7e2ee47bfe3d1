#!/usr/bin/env python3
"""Makes a CSV of measured forces from a history: laboratory.py HISTORY.h5 OUT.csv [--noise N] [--seed N] [--delay S] [--every N]
[--bits N] [--ceiling N]

The noise is white and normal, with a standard deviation in N. Its numbers depend on the seed alone.
"""
import argparse

import h5py
import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("history")
    parser.add_argument("csv")
    parser.add_argument("--noise", type=float, default=0.0, help="standard deviation (N)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0.0, help="time on the clock of the measurement when the run begins (s)")
    parser.add_argument("--every", type=int, default=1, help="keep every N-th sample only")
    parser.add_argument("--bits", type=int, default=0, help="resolution of the oscilloscope, over the largest force; 0: all digits")
    parser.add_argument("--ceiling", type=float, default=np.inf, help="largest force that the amplifier can show (N)")
    given = parser.parse_args()
    with h5py.File(given.history) as history:
        observables = history["observables"]
        sensors = observables["sensor_force" if "sensor_force" in observables else "net_contact_force"]
        time, force = sensors["time"][:], sensors["value"][:]
        body = "bead" if "beads" in sensors else "particle"
        ids = sensors[body + "s"][:]
    if force.ndim == 3:  # packings: the magnitude of the net contact force
        force = np.linalg.norm(force, axis=2)
    force = force + given.noise * np.random.default_rng(given.seed).standard_normal(force.shape)
    if given.bits:
        level = np.abs(force).max() / 2 ** (given.bits - 1)
        force = np.round(force / level) * level
    force = np.minimum(force, given.ceiling)
    rows = np.column_stack([time + given.delay, force])[::given.every]
    np.savetxt(given.csv, rows, delimiter=",", fmt="%.9g", comments="",
               header="time (s)," + ",".join(f"{body} {number} (N)" for number in ids))


if __name__ == "__main__":
    main()
