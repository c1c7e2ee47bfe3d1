"""python3 validation/figures BEADWAVE FOLDER [SUBJECT...]: draws figures of the papers with results of the program. Without
subjects it draws all, and writes the page that shows them, FOLDER/../FIGURES.md."""
import pathlib
import sys

import bulk_counts
import chain70
import cylinder_loops
import impulse_diagrams
import optimal_damping
import page
import pendulums
import psi_and_xi
import restitution_over_speed
import review_loops
import slider_crank
import sphere_histories
import sphere_loops
import sphere_restitution
import two_bodies
from program import Program


SUBJECTS = (psi_and_xi, restitution_over_speed, two_bodies, sphere_loops, sphere_histories, sphere_restitution, cylinder_loops,
            chain70, slider_crank, optimal_damping, pendulums, bulk_counts, impulse_diagrams, review_loops)


def main():
    if len(sys.argv) < 3:
        raise SystemExit("usage: python3 validation/figures BEADWAVE FOLDER [SUBJECT...]")
    program, folder, wanted = Program(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    for subject in SUBJECTS:
        if not wanted or subject.__name__ in wanted:
            subject.draw(program, folder)
    if not wanted:
        page.write(folder.parent / "FIGURES.md", folder.name)


main()
