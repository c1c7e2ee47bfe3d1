#!/usr/bin/env python3
"""Makes a CSV of measured forces from a history: laboratory.py HISTORY.h5 OUT.csv [--noise N] [--correlation RHO]
[--proportional PART] [--outliers PART] [--spike N] [--seed N] [--delay S] [--every N] [--bits N] [--ceiling N] [--component x]

The noise is normal, with a standard deviation in N, and white unless a correlation is given. Its numbers depend on the seed alone.
"""
import argparse

import h5py
import numpy as np


def noise_on(force, given):
    """Noise on each row and sensor [N]."""
    random = np.random.default_rng(given.seed)
    noise = random.standard_normal(force.shape)
    for row in range(1, len(noise) if given.correlation else 0):
        noise[row] = given.correlation * noise[row - 1] + np.sqrt(1 - given.correlation ** 2) * noise[row]
    noise *= given.noise + given.proportional * np.abs(force)
    if given.outliers:
        spoiled = random.random(force.shape) < given.outliers
        noise[spoiled] += 30 * given.noise * random.standard_normal(spoiled.sum())
    return noise


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("history")
    parser.add_argument("csv")
    parser.add_argument("--noise", type=float, default=0.0, help="standard deviation (N)")
    parser.add_argument("--correlation", type=float, default=0.0, help="of the noise of one sample with that of the next")
    parser.add_argument("--proportional", type=float, default=0.0, help="more noise: its standard deviation per force")
    parser.add_argument("--outliers", type=float, default=0.0, help="part of the rows with thirty times the noise")
    parser.add_argument("--spike", type=float, default=0.0, help="added to one row of the first sensor (N)")
    parser.add_argument("--component", choices="xyz", help="of the force on a particle (default: the magnitude)")
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
        force = force[:, :, "xyz".index(given.component)] if given.component else np.linalg.norm(force, axis=2)
    force = force + noise_on(force, given)
    force[len(force) // 3, 0] += given.spike
    if given.bits:
        level = np.abs(force).max() / 2 ** (given.bits - 1)
        force = np.round(force / level) * level
    force = np.minimum(force, given.ceiling)
    rows = np.column_stack([time + given.delay, force])[::given.every]
    np.savetxt(given.csv, rows, delimiter=",", fmt="%.9g", comments="",
               header="time (s)," + ",".join(f"{body} {number} (N)" for number in ids))


if __name__ == "__main__":
    main()
