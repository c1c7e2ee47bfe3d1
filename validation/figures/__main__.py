"""python3 validation/figures BEADWAVE FOLDER: draws figures of the papers with results of the program."""
import pathlib
import sys

import bulk_counts
import chain70
import cylinder_loops
import psi_and_xi
import restitution_over_speed
import sphere_histories
import sphere_loops
import sphere_restitution
import two_bodies
from program import Program


def main():
    if len(sys.argv) != 3:
        raise SystemExit("usage: python3 validation/figures BEADWAVE FOLDER")
    program, folder = Program(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for subject in (psi_and_xi, restitution_over_speed, two_bodies, sphere_loops, sphere_histories, sphere_restitution,
                    cylinder_loops, chain70, bulk_counts):
        subject.draw(program, folder)


main()
