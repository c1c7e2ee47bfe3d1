#!/usr/bin/python3
"""Opens a history in MDAnalysis and compares every snapshot with what h5py reads: check_mdanalysis.py FILE

Exits with 1 at the first fault, and with 77 if there is no MDAnalysis (Debian: python3-mdanalysis).

Two properties of MDAnalysis 2.4 matter here. It does not know the metre, so this file defines it. With each frame it reads the
row of the same number from every observable, so the ledger and the sensors must have a sample for every snapshot.
"""
import importlib.util
import sys
import warnings

if importlib.util.find_spec("MDAnalysis") is None:
    print("there is no MDAnalysis here; Debian's package is python3-mdanalysis")
    sys.exit(77)

warnings.simplefilter("ignore")  # of its dependencies
import h5py
import MDAnalysis
import numpy as np
from MDAnalysis.coordinates.H5MD import H5MDReader

H5MDReader._unit_translation["length"]["m"] = "m"
METRE = 1e10  # angstrom
MDAnalysis.units.lengthUnit_factor["m"] = 1.0 / METRE
SECOND = 1e12  # picoseconds
SINGLE = 1e-6  # MDAnalysis holds single precision


def same(ours, theirs):
    largest = np.abs(ours).max()
    assert np.all(np.abs(ours - theirs) <= SINGLE * largest), np.abs(ours - theirs).max() / largest


def main(path):
    with h5py.File(path) as file:
        particles = file["particles/beads" if "particles/beads" in file else "particles/all"]
        position, velocity = particles["position/value"][:], particles["velocity/value"][:]
        time, step = particles["position/time"][:], particles["position/step"][:]
        work = file["observables/external_work/value"][:]
    assert len(time) > 1 and np.abs(velocity).max() > 0.0
    for factor, converts in ((1.0, False), (METRE, True)):
        universe = MDAnalysis.Universe.empty(position.shape[1], trajectory=True, velocities=True)
        universe.load_new(path, format="H5MD", convert_units=converts)
        assert universe.trajectory.units == {"time": "s", "length": "m", "velocity": "m/s", "force": None}
        assert universe.trajectory.n_frames == len(time)
        seconds = SECOND if converts else 1.0
        for row, frame in enumerate(universe.trajectory):
            same(factor * position[row], universe.atoms.positions)
            same(factor / seconds * velocity[row], universe.atoms.velocities)
            assert abs(frame.time - seconds * time[row]) <= 1e-12 * seconds * time[-1]
            assert frame.data["step"] == step[row]
            assert frame.data["external_work"] == work[row]
        assert row == len(time) - 1


if __name__ == "__main__":
    main(sys.argv[1])
