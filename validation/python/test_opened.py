"""Results that are read back from their files, chains as scenarios, sweeps with linked keys, derived columns and statistics, tables of a
comparison, lines of progress."""
import csv
import io
import logging
import pickle

import h5py
import numpy as np

import beadwave as bw
from support import CHAIN, CONFIGS, InFolder, json_of, main, program, sets

SHORT = {"segment.1.beads": 20, "sensors.beads": [3, 9], "time.end": 80e-6}


class Opened(InFolder):
    def assert_same(self, one, other):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))

    def test_a_sweep_is_read_back(self):
        for vary, more in (({"law.name": ["hertz", "ma-liu"], "segment.0.velocity": "1:2:3"}, {}),
                           ({"law.psi": [2.6, 2.8]}, {"members": 3, "disturb": {"segment.0.velocity": "1%"}, "over_time": ["kinetic_energy"]})):
            made = bw.sweep(CHAIN, vary, overrides=SHORT, output="t.sweep.h5", overwrite=True, **more)
            read = bw.Sweep("t.sweep.h5")
            self.assertEqual(sorted(read.names()), sorted(made.names()))
            for name in made.names():
                self.assert_same(read[name], made[name])
                self.assertEqual(read.unit(name), made.unit(name))
            self.assertEqual((read.status, read.sensors, read.errors, read.warnings), (made.status, made.sensors, made.errors, made.warnings))
            self.assert_same(read.times, made.times)
            if more:
                self.assert_same(read.over_time("kinetic_energy"), made.over_time("kinetic_energy"))
            self.assertEqual(read.result["varied"], made.result["varied"])
            self.assertIn("6 runs", str(read))
            self.assert_same(pickle.loads(pickle.dumps(read))["dissipated_energy"], made["dissipated_energy"])

    def test_the_statistics_of_members_are_those_of_the_file(self):
        sweep = bw.sweep(CHAIN, {"law.psi": [2.6, 2.8]}, overrides=SHORT, output="t.sweep.h5", members=4, disturb={"segment.0.velocity": "1%"})
        with h5py.File("t.sweep.h5") as file:
            for name in ("dissipated_energy", "momentum"):
                found, group = sweep.statistics(name), file[f"sweep/ensemble/results/{name}"]
                for key in ("mean", "standard_deviation", "quantile"):
                    np.testing.assert_allclose(found[key], group[key][:], rtol=1e-12, err_msg=f"{name} {key}")
            self.assert_same(found["finished"], file["sweep/ensemble/finished"][:])
        self.assertEqual(sweep.statistics("peak_force")["quantile"].shape, (2, 2, 5))
        with self.assertRaisesRegex(bw.InputError, "no members"):
            bw.sweep(CHAIN, {"law.psi": [2.6, 2.8]}, overrides=SHORT).statistics("momentum")

    def test_derived_columns(self):
        sweep = bw.sweep(CHAIN, {"law.psi": [2.6, 2.8]}, overrides=SHORT)
        sweep.derive("loss", lambda s: s["dissipated_energy"] / s["initial_energy"])
        sweep.derive("speed", [1.0, 2.0], "m s-1")
        self.assert_same(sweep["loss"], sweep["dissipated_energy"] / sweep["initial_energy"])
        self.assertEqual((sweep.names()[-2:], sweep.unit("speed"), sweep.unit("loss")), (["loss", "speed"], "m s-1", ""))
        self.assert_same(pickle.loads(pickle.dumps(sweep))["loss"], sweep["loss"])
        for name, column in (("momentum", [1.0, 2.0]), ("short", [1.0]), (3, [1.0, 2.0])):
            with self.assertRaises(bw.InputError):
                sweep.derive(name, column)

    def test_linked_keys_and_equal_ratios(self):
        sweep = bw.sweep(CHAIN, {"segment.0.radius,segment.1.radius": "5e-3:2e-2:3:log"}, overrides=SHORT, output="t.sweep.h5")
        np.testing.assert_allclose(sweep["segment.0.radius"], [5e-3, 1e-2, 2e-2], rtol=1e-14)
        for radius, energy in zip(sweep["segment.0.radius"], sweep["dissipated_energy"]):
            run = bw.Chain.load(CHAIN, overrides={**SHORT, "segment.0.radius": radius, "segment.1.radius": radius}).run()
            self.assertEqual(run.energy.dissipated[-1], energy)
        with h5py.File("t.sweep.h5") as file:
            self.assertEqual(file["sweep/parameters/segment.0.radius"].attrs["unit"], "m")
            self.assertEqual(file["sweep/parameters/segment.0.radius"].attrs["linked"].tolist(), [b"segment.1.radius"])
        with self.assertRaisesRegex(bw.InputError, "--disturb segment.1.radius: clashes with --vary segment.1.radius"):
            bw.sweep(CHAIN, {"segment.0.radius,segment.1.radius": [5e-3, 8e-3]}, overrides=SHORT, members=2, disturb={"segment.1.radius": "1%"})
        for vary, why in (({"segment.0.radius": "0:1:3:log"}, "two ends of the same sign"), ({"segment.0.radius,": [1e-3]}, "empty key"),
                          ({"law.psi,law.psi": [2.0]}, "given twice"), ({"a,law.psi": [2.0], "law.psi": [2.5]}, "clashes")):
            with self.assertRaisesRegex(bw.InputError, why):
                bw.sweep(CHAIN, vary, overrides=SHORT)

    def test_a_fit_is_read_back(self):
        run = bw.Chain.load(CHAIN, overrides={**SHORT, "law.psi": 2.7}).run()
        made = bw.fit(CHAIN, (np.array(run.time), run.sensor_force), {"law.psi": (2, 4), "segment.0.velocity": (1, 3)}, overrides=SHORT,
                      laws=["ma-liu", "hertz"], output="fit.h5")
        read = bw.Fit("fit.h5")
        self.assertEqual([law.name for law in read.laws], [law.name for law in made.laws])
        for ours, theirs in zip(read.laws, made.laws):
            for name in ("keys", "x", "cov", "correlation", "rms", "aic", "success", "message", "p_value", "redchi", "scenario"):
                self.assertEqual(str(getattr(ours, name)), str(getattr(theirs, name)), name)
            self.assertEqual(ours.parameters, theirs.parameters)
            self.assertEqual({key: value for key, value in ours.result.items() if key != "sensors"},
                             {key: ours.result[key] if key == "block_rows" else value for key, value in theirs.result.items() if key != "sensors"})
            for name in ("computed", "residuals"):
                self.assert_same(getattr(ours, name), getattr(theirs, name))
        self.assert_same(read.time, made.time)
        self.assert_same(read.measured, made.measured)
        self.assertEqual((read.sensors, read.warnings, read.output), (made.sensors, made.warnings, made.output))
        with self.assertRaisesRegex(bw.InputError, "no derivatives"):
            read.jac
        read.save("again.h5")
        self.assert_same(bw.Fit("again.h5").x, made.x)
        with h5py.File("fit.h5") as file:
            self.assertEqual(file["fit/law_0/unit"].asstr()[:].tolist(), ["", "m s-1"])

    def test_modes_are_read_back(self):
        for config, more in (("band_gap", {"transfer": (1000, 12000, 5)}), ("fcc_crystal", {"no_modes": True, "grid": 3})):
            made = bw.modes(CONFIGS / f"{config}.toml", output="m.h5", overwrite=True, **more)
            read = bw.Modes("m.h5")
            for name in ("frequency", "damping_ratio", "participation_ratio", "body", "position", "shape", "bands"):
                self.assertEqual(getattr(read, name) is None, getattr(made, name) is None, name)
                if getattr(made, name) is not None:
                    np.testing.assert_array_equal(getattr(read, name), getattr(made, name), err_msg=name)
            for name in ("dispersion", "grid", "transfer"):
                ours, theirs = getattr(read, name), getattr(made, name)
                self.assertEqual(ours is None, theirs is None, name)
                for key, values in (theirs or {}).items():
                    if key != "cell_bodies":
                        np.testing.assert_array_equal(ours[key], values, err_msg=f"{name} {key}")
            self.assertEqual((read.zero_frequencies, read.warnings), (made.zero_frequencies, made.warnings))
            with self.assertRaisesRegex(bw.InputError, "no matrices"):
                read.matrices()

    def test_what_is_no_result_is_refused(self):
        with open("text.h5", "w", encoding="utf-8") as file:
            file.write("no HDF5")
        bw.Chain.load(CHAIN, overrides=SHORT).run(output="run.h5")
        for kind in (bw.Sweep, bw.Fit, bw.Modes):
            for name in ("nonsense", "text.h5", "run.h5", 7, None):
                with self.assertRaises(bw.InputError, msg=f"{kind} {name}"):
                    kind(name)

    def test_chains_as_scenarios(self):
        loaded = bw.Chain.load(CHAIN, overrides=SHORT)
        with open("again.toml", "w", encoding="utf-8") as file:
            file.write(loaded.to_toml())
        self.assert_same(bw.Chain.load("again.toml").run().sensor_force, loaded.run().sensor_force)
        made = bw.Chain(radius=np.linspace(5e-3, 6e-3, 8), mass=np.linspace(3e-3, 5e-3, 8), velocity=[1.3] + 7 * [0.0], gravity=9.81,
                        gap=[np.inf] + 3 * [0.0] + 4 * [-1e-8] + [1e-7], law={"name": "tsuji", "restitution": 0.8}, title='a "name"',
                        material={"youngs_modulus": [2e11] * 4 + [1e9] * 4, "poisson_ratio": 0.3}, time={"end": 1e-4},
                        sensors={"beads": [3, 7]}, foundation=[{"beads": [2, 2], "stiffness": 1e4}])
        with open("made.toml", "w", encoding="utf-8") as file:
            file.write(made.to_toml())
        read = bw.Chain.load("made.toml")
        self.assertEqual(read.time_step, made.time_step)
        np.testing.assert_allclose(read.run().sensor_force, made.run().sensor_force, rtol=1e-9, atol=1e-12)
        per_contact = bw.Chain(radius=[5e-3] * 3, mass=[3e-3] * 3, velocity=[1, 0, 0], law={"name": "tsuji", "restitution": [0.5] * 4},
                               material={"youngs_modulus": 2e11, "poisson_ratio": 0.3}, time={"end": 1e-4})
        with self.assertRaisesRegex(bw.InputError, "one number per contact"):
            per_contact.to_toml()

    def test_a_comparison_as_csv_and_latex(self):
        words = ["compare", CHAIN, "--laws", "hertz,ma-liu", *sets(SHORT)]
        out, errors = program(*words, "--csv", "c.csv", "--latex", "c.tex", "--json")
        self.assertNotIn("dissipated  energy error", errors)  # not the table for people
        found = json_of(*words)["laws"]
        with open("c.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([(row["law"], int(row["bead"])) for row in rows], [(law["law"], sensor["bead"]) for law in found for sensor in law["sensors"]])
        for row, (law, sensor) in zip(rows, [(law, sensor) for law in found for sensor in law["sensors"]]):
            self.assertEqual(float(row["dissipated_energy_J"]), law["dissipated_energy"])
            self.assertEqual(float(row["peak_force_N"]), sensor["peak_force"])
            self.assertEqual(float(row["arrival_time_s"]) if row["arrival_time_s"] else None, sensor["arrival_time"])
        with open("c.tex", encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertTrue(lines[0].startswith("% beadwave compare") and lines[-1] == r"\end{tabular}", lines)
        self.assertEqual({line.count("&") for line in lines if line.endswith(r"\\")}, {len(rows[0]) - 1})
        program(*words, "--csv", "c.csv")  # its own file
        with open("other.csv", "w", encoding="utf-8") as file:
            file.write("law,remark\n")
        self.assertIn("other.csv", program(*words, "--csv", "other.csv", status=2)[1])

    def test_progress_goes_to_logs(self):
        _, errors = program("run", CHAIN, "--log", "0.001", "--quiet", *sets(SHORT))
        lines = [line for line in errors.splitlines() if " %, step " in line]
        self.assertTrue(lines and all(line.startswith("beadwave: ") and " left" in line for line in lines), errors)
        self.assertIn("--log", program("run", CHAIN, "--log", "0", status=2)[1])
        heard = io.StringIO()
        handler = logging.StreamHandler(heard)
        logger = logging.getLogger("beadwave")
        logger.addHandler(handler)
        self.addCleanup(logger.removeHandler, handler)
        self.addCleanup(logger.setLevel, logger.level)
        logger.setLevel(logging.INFO)
        run = bw.Chain.load(CHAIN, overrides={**SHORT, "law.name": "hertz"}).run()
        lines = heard.getvalue().splitlines()
        self.assertIn("run of a chain begins: time step", lines[0])
        self.assertIn("run ended after", lines[1])
        self.assertEqual(lines[2:], run.warnings)

    def test_a_history_says_what_made_it(self):
        bw.Chain.load(CHAIN, overrides=SHORT).run(output="run.h5")
        with h5py.File("run.h5") as file:
            for name in ("commit", "compiler", "instruction_set", "processor", "time_step_rule"):
                self.assertTrue(file[f"parameters/{name}"].asstr()[()], name)
            self.assertRegex(file["parameters/compiler"].asstr()[()], "^(GCC|Clang) ")
            self.assertEqual(file["parameters/time_step_rule"].asstr()[()], "given")
            self.assertEqual(file["h5md/author"].attrs["name"], b"unknown")
        words = ["run", CONFIGS / "fcc_crystal.toml", "--set", "time.end=1e-6", "--set", "sensors.interval=1e-6"]
        usual, coarse = (json_of(*words, *more) for more in ([], ["--set", "time.resolution=1e-3"]))
        self.assertEqual((usual["time_step_rule"], coarse["time_step_rule"]), ("contact", "contact"))
        self.assertGreater(coarse["time_step"], 5 * usual["time_step"])


if __name__ == "__main__":
    main()
