"""Histories from Python are equal to those of the command line, to the bit, for every scenario in configs: in memory, saved, and
written during the run. Long scenarios end early."""
import numpy as np

import beadwave as bw
from support import CONFIGS, SANITISED, InFolder, check_tables, main, program, sets
from compare_histories import differences, of_file  # support adds its folder to the path

ENDS = {"absorbing": 4e-4, "ball_mill": 0.01, "band_gap": 4e-4, "cam_follower": 0.02, "chain70": 2e-4, "crossed_cylinders": 2e-4, "damped": 4e-4, "decorated": 1e-4, "dimer": 4e-4, "direct_shear": 3e-3, "disorder": 4e-4, "driven": 4e-4, "drum": 8e-3, "dice": 0.02, "dumbbells": 0.02, "ellipsoid_switch": 2e-4, "ellipsoids": 0.02, "fcc_crystal": 5e-5,
        "gravity_column": 4e-4, "hexagonal_crystal": 3e-5, "hopper": 0.01, "incline": 0.01, "interface": 3e-4, "intruder": 0.05, "localisation": 4e-4, "long_chain": 1e-3, "magnets": 0.02, "mass_in_mass": 4e-4, "mesh_funnel": 0.01,
        "newtons_cradle": 3e-4, "newtons_cradle_pendulums": 0.004, "pendulums": 0.5, "piston": 4e-4, "poured_shear": 0.03, "poured_silo": 0.05, "pounding": 0.3, "precompressed": 4e-4, "pressed_wave": 1e-4, "projectile": 8e-3, "random_packing": 1e-4, "rocking_block": 1.0, "rods_drum": 0.01,
        "settling_column": 2e-3, "silo": 1e-3, "slider_crank": 0.001, "slider_crank_guide": 0.002, "slider_crank_wang_liu": 0.003,
        "square_crystal": 3e-5, "tapered": 1e-4, "triaxial": 1e-4, "woodpile": 4e-4, "worn_slider_crank": 0.003}
SMALL = {"random_packing": {"particles.0.random": 60, "particles.0.upper": [0.0125] * 3, "box.upper": [0.0125] * 3}}
# What a file has and a run in memory has not.
ONLY_IN_FILES = {"box/edges", "box/lower", "clearance", "position", "wall_angular_velocity", "wall_length", "wall_normal", "wall_point", "wall_radius", "wall_triangle_splits", "wall_triangles"}


class SameBits(InFolder):
    def check(self, path, **more):
        values = ({"time.end": ENDS[path.stem]} if path.stem in ENDS else {}) | SMALL.get(path.stem, {}) | more
        program("run", path, "-o", "cli.h5", "--quiet", "--threads", 1, *sets(values))
        cli = of_file("cli.h5")
        run = bw.load(path, overrides=values).run(threads=1)
        run.save("saved.h5")
        self.assertEqual(list(differences(of_file("saved.h5"), cli)), [])
        written = bw.load(path, overrides=values).run(threads=1, output="written.h5")
        self.assertEqual(list(differences(of_file("written.h5"), cli)), [])
        check_tables(self, run)
        with bw.History("cli.h5") as history:
            check_tables(self, history)
            self.assertLessEqual(set(history) - set(run), ONLY_IN_FILES)
            for name in set(history) & set(run):
                a, b = np.asarray(history[name]), run[name]
                self.assertEqual((name, a.shape, a.tobytes()), (name, b.shape, np.ascontiguousarray(b).tobytes()))
                self.assertEqual(history.unit(name), run.unit(name), name)
                c = written[name]
                self.assertEqual(a.tobytes(), np.asarray(c).tobytes(), name)

    def test_on_a_device(self):
        self.check(CONFIGS / "hexagonal_crystal.toml", device="twin", **{"time.end": 5e-6})


def add(path):
    def test(self):
        self.check(path)
    setattr(SameBits, f"test_{path.stem}", test)


for config in sorted(CONFIGS.glob("*.toml"))[::3 if SANITISED else 1]:
    add(config)

if __name__ == "__main__":
    main()
