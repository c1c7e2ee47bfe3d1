"""Runs the built program."""
import csv
import json
import pathlib
import subprocess
import tempfile

import h5py

CASES = pathlib.Path(__file__).parent / "cases"


class Program:
    def __init__(self, beadwave):
        self.beadwave = beadwave

    def printed(self, words):
        """What a command prints."""
        command = [self.beadwave, *map(str, words)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        return done.stdout

    def collide(self, case, *options, **settings):
        """The JSON result of one collision; a setting is law_name="hertz" or speed=3."""
        command = ["collide", CASES / f"{case}.toml", "--json", *options]
        for key, value in settings.items():
            command += ["--set", f"{key.replace('_', '.', 1)}={value}"]
        return json.loads(self.printed(command))

    def laws(self):
        """The catalogue of laws of spheres."""
        return json.loads(self.printed(["laws", "--json"]))["laws"]

    def damping(self, **numbers):
        """The optimal damping of poursina-nikravesh and that of its fit, for one impact."""
        words = [word for key, value in numbers.items() for word in ("--at", f"{key}={value:.17g}")]
        return json.loads(self.printed(["laws", "poursina-nikravesh", "--json", *words]))["damping"]

    def run(self, scenario, settings, read):
        """read(JSON result, history) of one run; a key of `settings` is that of --set."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.h5"
            command = ["run", scenario, "--json", "--quiet", "-o", path]
            for key, value in settings.items():
                command += ["--set", f"{key}={value}"]
            result = json.loads(self.printed(command))
            with h5py.File(path) as history:
                return read(result, history)

    def moments(self, case, **settings):
        """Time [s], overlap [m], approach speed [m/s] and force [N] at every step of one collision."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trajectory.csv"
            self.collide(case, "--trajectory", str(path), **settings)
            with open(path, newline="") as file:
                rows = list(csv.DictReader(file))
        return [[float(row[name]) for row in rows] for name in ("time_s", "overlap_m", "approach_speed_m_per_s", "force_N")]

    def trajectory(self, case, **settings):
        """Overlap [m] and force [N] at every step of one collision, from the first contact to its end."""
        _, overlap, _, force = self.moments(case, **settings)
        return [0.0] + overlap, [0.0] + force

    def sweep(self, case, vary, **settings):
        """The rows of a sweep of collisions; of `vary`, a key is law_restitution and its values a text."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sweep.h5"
            command = ["sweep", CASES / f"{case}.toml", "--quiet", "-o", path]
            for option, given in (("--vary", vary), ("--set", settings)):
                for key, value in given.items():
                    command += [option, f"{key.replace('_', '.', 1)}={value}"]
            self.printed(command)
            with open(path.with_suffix(".csv"), newline="") as file:
                return list(csv.DictReader(file))

    def loading(self, case, **settings):
        """The part up to the largest overlap; an elastic contact unloads along the same curve."""
        overlap, force = self.trajectory(case, **settings)
        turn = overlap.index(max(overlap)) + 1
        return overlap[:turn], force[:turn]
