#!/usr/bin/env python3
"""Makes a CSV of measured forces from a history: laboratory.py HISTORY.h5 OUT.csv [--noise N] [--correlation RHO]
[--proportional PART] [--outliers PART] [--spike N] [--seed N] [--delay S] [--every N] [--bits N] [--ceiling N] [--component x]
[--gain V_PER_N --offset V] [--scope tektronix|rigol]

The noise is normal, with a standard deviation in N, and white unless a correlation is given. Its numbers depend on the seed alone.
"""
import argparse
from pathlib import Path

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


def tektronix(rows, unit):
    """A TDS writes settings beside the samples of one channel, and ends its lines with a comma."""
    settings = [f'Record Length,{len(rows)},"Points"', f"Sample Interval,{rows[1, 0] - rows[0, 0]:.9g},s", "Source,CH1,",
                f"Vertical Units,{unit},", "Horizontal Units,s,"]
    settings += [",,"] * (len(rows) - len(settings))
    return "".join(f"{left},{time:.9g},{reading:.9g},\r\n" for left, (time, reading) in zip(settings, rows[:, :2]))


def rigol(rows, unit):
    """A DS1000 counts the samples, and says in its head when they began and how far they are apart."""
    channels = range(1, rows.shape[1])
    head = "X," + ",".join(f"CH{c}" for c in channels) + ",Start,Increment,\n"
    head += "Sequence," + ",".join({"V": "VOLT"}.get(unit, unit) for _ in channels) + \
        f",{rows[0, 0]:.9g},{rows[1, 0] - rows[0, 0]:.9g},\n"
    return head + "".join(f"{count}," + ",".join(f"{r:.9g}" for r in row[1:]) + ",,,\n" for count, row in enumerate(rows))


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
    parser.add_argument("--gain", type=float, help="reading of each sensor per force on it (V/N): the file is then in V")
    parser.add_argument("--offset", type=float, default=0.0, help="reading without a force (V, or N without --gain)")
    parser.add_argument("--scope", choices=["tektronix", "rigol"], help="as an oscilloscope of this maker writes it")
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
    force = (given.gain or 1.0) * force + given.offset
    unit = "N" if given.gain is None else "V"
    rows = np.column_stack([time + given.delay, force])[::given.every]
    if given.scope:
        Path(given.csv).write_text({"tektronix": tektronix, "rigol": rigol}[given.scope](rows, unit), encoding="ascii")
        return
    np.savetxt(given.csv, rows, delimiter=",", fmt="%.9g", comments="",
               header="time (s)," + ",".join(f"{body} {number} ({unit})" for number in ids))


if __name__ == "__main__":
    main()
