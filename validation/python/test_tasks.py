"""Sweeps, comparisons, fits, collisions, the catalogue, the state of a run and reports are those of the command line; doctests."""
import csv
import doctest
import importlib
from pathlib import Path

import numpy as np

import beadwave as bw
from beadwave._settings import toml_text
from support import CHAIN, SHORT, SOURCES, InFolder, main, program, json_of, sets

BALL = SOURCES / "validation" / "figures" / "cases" / "ball_in_socket.toml"


class Tasks(InFolder):
    def test_sweep(self):
        program("sweep", CHAIN, *sets(SHORT), "--vary", "law.psi=2.6:2.8:3", "--vary", "segment.0.velocity=1,2", "--quiet")
        table = bw.sweep(CHAIN, {"law.psi": "2.6:2.8:3", "segment.0.velocity": [1, 2]}, overrides=SHORT, threads=1,
                         output="mine.h5")
        with open("chain70.sweep.csv", encoding="ascii") as theirs, open("mine.csv", encoding="ascii") as mine:
            text = theirs.read()
            self.assertEqual(text, mine.read())
        rows = list(csv.DictReader(text.splitlines()))
        self.assertEqual(table["peak_force"][:, 2].tolist(), [float(r["peak_force_24_N"]) for r in rows])
        self.assertEqual(table["dissipated_energy"].tolist(), [float(r["dissipated_energy_J"]) for r in rows])
        self.assertEqual(table["law.psi"].tolist(), [2.6, 2.6, 2.7, 2.7, 2.8, 2.8])
        self.assertEqual(table.grid("peak_force").shape, (3, 2, 8))
        self.assertEqual((table.unit("peak_force"), table.status, table.failure), ("N", 6 * ["done"], ""))
        self.assertFalse(table["peak_force"].flags.writeable or table["peak_force"].flags.owndata)
        lists = bw.sweep(CHAIN, {"law.psi": np.linspace(2.6, 2.8, 3), "segment.0.velocity": (1, 2)}, overrides=SHORT)
        self.assertEqual(lists["momentum"].tobytes(), table["momentum"].tobytes())
        with self.assertRaisesRegex(bw.InputError, "--vary law.psy"):
            bw.sweep(CHAIN, {"law.psy": [1, 2]})
        # A dictionary, whose files are beside this folder, and what load() returned.
        Path("beads.csv").write_text("radius_m,mass_kg\n" + 8 * "2e-3,1e-3\n", encoding="ascii")
        chain = {"material": {"s": {"youngs_modulus": 2e11, "poisson_ratio": 0.3}}, "law": {"name": "flores", "restitution": 0.5},
                 "segment": [{"beads": 1, "radius": 2e-3, "mass": 1e-3, "material": "s", "velocity": 0.1}, {"file": "beads.csv", "material": "s"}],
                 "sensors": {"beads": [4]}, "time": {"end": 1e-4}}
        values = {"law.restitution": [0.5, 0.9]}
        Path("chain.toml").write_text(toml_text(chain), encoding="ascii")
        named, given = bw.sweep("chain.toml", values), bw.sweep(chain, values)
        self.assertEqual(given["peak_force"].tolist(), named["peak_force"].tolist())
        self.assertEqual(bw.compare(chain, ["hertz", "flores"])[1]["law"], "flores")
        with self.assertRaisesRegex(bw.InputError, "it names other files"):
            bw.sweep(bw.load(chain), values)
        with self.assertRaisesRegex(bw.InputError, "^scenario: sensors: missing|^scenario:"):
            bw.fit({"law": {"name": "hertz"}}, (np.arange(3.0), np.zeros((3, 1))), {"law.psi": (2, 3)})
        del chain["segment"][1]["file"]
        chain["segment"][1] |= {"beads": 8, "radius": 2e-3, "mass": 1e-3}
        self.assertEqual(bw.sweep(bw.load(chain), values)["peak_force"].tolist(), named["peak_force"].tolist())
        failed = bw.sweep(CHAIN, {"segment.0.velocity": [1, 1e200]}, overrides=SHORT)
        self.assertEqual(failed.status, ["done", "failed"])
        self.assertIn(failed.errors[1], failed.failure)

    def test_a_chain_of_two_viscous_materials_from_arrays_is_that_of_its_scenario(self):
        viscous = {"youngs_modulus": 2e9, "poisson_ratio": 0.4, "bulk_viscosity": 4e3, "shear_viscosity": 2e3}
        stiff = {"youngs_modulus": 5e9, "poisson_ratio": 0.3, "bulk_viscosity": 9e3, "shear_viscosity": 1e3}
        law = {"name": "kuwabara-kono", "bulk_viscosity": "materials", "shear_viscosity": "materials"}
        toml = "".join(f"[material.{name}]\n" + "".join(f"{key} = {value!r}\n" for key, value in material.items())
                       for name, material in (("a", viscous), ("b", stiff)))
        toml += "".join(f"[[segment]]\nbeads = {beads}\nradius = 0.01\nmass = 0.03\nmaterial = \"{name}\"\nvelocity = {velocity}\n"
                        for beads, name, velocity in ((1, "a", 1.0), (2, "b", 0.0), (2, "a", 0.0)))
        toml += "[law]\n" + "".join(f"{key} = \"{value}\"\n" for key, value in law.items()) + "[time]\nend = 5e-4\n"
        with open("two.toml", "w", encoding="ascii") as file:
            file.write(toml)
        of = {key: [material[key] for material in (viscous, stiff, stiff, viscous, viscous)] for key in viscous}
        arrays = bw.Chain(radius=np.full(5, 0.01), mass=np.full(5, 0.03), velocity=[1.0] + 4 * [0.0], material=of, law=law,
                          time={"end": 5e-4}).run()
        read = bw.Chain.load("two.toml").run()
        self.assertEqual(arrays.energy.dissipated_energy.tobytes(), read.energy.dissipated_energy.tobytes())
        self.assertGreater(read.energy.dissipated_energy[-1], 1e-4)
        other = bw.Chain.load("two.toml", overrides={"material.b.shear_viscosity": 2e3}).run()
        self.assertGreater(abs(other.energy.dissipated_energy[-1] / read.energy.dissipated_energy[-1] - 1), 1e-2)

    def test_ensemble(self):
        words = ("--vary", "law.name=hertz,ma-liu", "--members", 3, "--seed", 4, "--disturb", "segment.0.velocity=1%", "--over-time",
                 "kinetic_energy")
        program("sweep", CHAIN, *sets(SHORT), *words, "--quiet")
        table = bw.sweep(CHAIN, {"law.name": ["hertz", "ma-liu"]}, overrides=SHORT, members=3, seed=4, disturb={"segment.0.velocity": "1%"},
                         over_time=["kinetic_energy"], output="mine.h5")
        with open("chain70.sweep.csv", encoding="ascii") as theirs, open("mine.csv", encoding="ascii") as mine:
            text = theirs.read()
            self.assertEqual(text, mine.read())
        self.assertEqual(table.grid("dissipated_energy").shape, (2, 3))
        energy = table.over_time("kinetic_energy")
        self.assertEqual((energy.shape, table.unit("kinetic_energy")), ((6, len(table.times)), "J"))
        speeds = np.array([float(row["segment.0.velocity"]) for row in csv.DictReader(text.splitlines())])
        np.testing.assert_allclose(energy[:, 0], 0.5 * 0.45e-3 * speeds**2, rtol=1e-12)
        self.assertEqual(speeds[:3].tolist(), speeds[3:].tolist())
        ended = table.result["ensembles"][1]["at_end"]["kinetic_energy"]
        np.testing.assert_allclose(ended["mean"], energy[3:, -1].mean(), rtol=1e-13)
        np.testing.assert_allclose(ended["standard_deviation"], energy[3:, -1].std(ddof=1), rtol=1e-9)
        with self.assertRaisesRegex(KeyError, "it has kinetic_energy"):
            table.over_time("momentum")

    def test_compare(self):
        theirs = json_of("compare", CHAIN, *sets(SHORT), "--laws", "hertz,ma-liu")["laws"]
        mine = bw.compare(CHAIN, ["hertz", "ma-liu"], overrides=SHORT)
        for a, b in zip(mine, theirs):
            self.assertEqual(a["sensors"], b["sensors"])
            self.assertEqual(a["dissipated_energy"], b["dissipated_energy"])

    def test_fit(self):
        run = bw.Chain.load(CHAIN, overrides={"law.psi": 2.7, "sensors.beads": [9, 16]}).run()
        table = np.column_stack([run.time, run.sensor_force])
        np.savetxt("measured.csv", table, delimiter=",", header="time_s,9,16", comments="")
        given = {"sensors.beads": [9, 16], "law.psi": 2.9}
        done = bw.fit(CHAIN, "measured.csv", bounds={"law.psi": (2, 4)}, overrides=given, noise=0.01,
                      output="mine.fit.h5")
        theirs = json_of("fit", CHAIN, "--measured", "measured.csv", "--bounds", "law.psi=2:4", *sets(given), "--noise", "0.01")
        found, printed = done.best.parameters["law.psi"], theirs["laws"][0]["parameters"][0]
        self.assertEqual(found["value"], printed["value"])
        self.assertLess(abs(found["value"] - 2.7), 1e-4)
        self.assertLess(abs(done.best.computed[1] - done.measured[1]).max(), 1e-2)
        self.assertIn("psi = 2.7", done.best.scenario.replace("2.69999", "2.7"))
        self.assertEqual(len(done.plot().axes) > 3, True)
        with self.assertRaisesRegex(bw.InputError, "lower bound"):
            bw.fit(CHAIN, "measured.csv", {"law.psi": (4, 2)})

    def test_collide_and_laws(self):
        hit = bw.collide(BALL, trajectory=True)
        theirs = json_of("collide", BALL)
        self.assertEqual(dict(hit), theirs)
        self.assertEqual(hit.trajectory["force"].max(), hit["max_force"])
        self.assertEqual([law["name"] for law in bw.laws()], [law["name"] for law in json_of("laws")["laws"]])
        self.assertEqual(bw.laws("thornton"), json_of("laws", "thornton"))
        self.assertEqual(bw.laws("tsuji", program="yade", overrides={"law.restitution": 0.8}, speeds=(1, 4), masses=(1e-4, 1e-4)),
                         json_of("laws", "tsuji", "--for", "yade", "--set", "law.restitution=0.8", "--speeds", "1:4", "--masses", "1e-4:1e-4"))

    def test_optimal_damping(self):
        at = {"restitution": 0.7, "stiffness": 1e9, "mass": 0.01, "speed": 1.0}
        options = [option for key, value in at.items() for option in ("--at", f"{key}={value}")]
        self.assertEqual(bw.laws("poursina-nikravesh", at=at), json_of("laws", "poursina-nikravesh", *options))
        with self.assertRaisesRegex(bw.InputError, "--at speed: missing; give a number above 0, in m/s"):
            bw.laws("poursina-nikravesh", at={"restitution": 0.7, "stiffness": 1, "mass": 1})
        with self.assertRaisesRegex(bw.InputError, "at: needs the name of a law"):
            bw.laws(at=at)

    def test_collide_with_a_law_from_a_table(self):
        law = bw.tabulate_law("hertz.csv", lambda overlap: 1e9 * overlap**1.5, largest_overlap=1e-3)
        case = {"speed": 1.0, "contact": {"stiffness": 1e9, "effective_mass": 0.1}, "law": law}
        self.assertAlmostEqual(bw.collide(case)["restitution"], 1.0, places=6)
        # At the largest overlap all kinetic energy is stored: (2/5) k d^(5/2) = m v^2 / 2.
        largest = (1.25 * 0.1 / 1e9)**0.4
        self.assertAlmostEqual(bw.collide(case)["max_force"] / (1e9 * largest**1.5), 1.0, places=4)
        self.assertEqual(bw.collide({**case, "law": {**law, "file": "hertz.csv"}}), bw.collide(case))
        with self.assertRaisesRegex(bw.InputError, r"^case:\d+: law\.file = \"absent\.csv\": .*: no such file$"):
            bw.collide({**case, "law": {**law, "file": "absent.csv"}})

    def test_resume_watch_and_report(self):
        stops = {"checkpoint.interval": 2e-5}

        def stop(done, total, seconds):
            if done < total:
                raise InterruptedError
        # The run takes a second or more, and progress is reported ten times per second.
        values = {"time.step": 1e-10, "time.end": 1e-4, **stops}
        with self.assertRaises(InterruptedError):
            bw.Chain.load(CHAIN, overrides=values).run(output="run.h5", progress=stop)
        self.assertEqual(bw.watch("run.h5")["state"], "stopped")
        resumed = bw.resume("run.h5.checkpoint.h5")
        self.assertEqual(bw.watch("run.h5")["state"], "finished")
        whole = bw.Chain.load(CHAIN, overrides=values).run()
        self.assertEqual(np.asarray(resumed.sensor_force).tobytes(), whole.sensor_force.tobytes())
        self.assertEqual([str(name) for name in bw.report("run.h5", png="run.png")], ["run.html", "run.png"])
        with self.assertRaisesRegex(bw.InputError, "must end in .png"):
            bw.report("run.h5", png="run.jpg", overwrite=True)
        with self.assertRaisesRegex(bw.InputError, "no such contact in run.h5"):
            bw.report("run.h5", contacts=[4000], overwrite=True)

    def test_waves(self):
        bw.Chain.load(CHAIN, overrides={"law.name": "hertz"}).run(output="wave.h5")
        pulse = bw.fit_pulse("wave.h5")
        self.assertIn(f"speed {pulse.speed:.6g} +- ", str(pulse))
        self.assertLess(len(str(pulse)), 400)
        self.assertLess(abs(pulse.speed - 734.068), 1e-3)
        self.assertEqual((len(pulse.height), pulse.decay.law), (len(pulse.beads), "none"))
        spectrum = bw.wave_spectrum("wave.h5")
        self.assertEqual(spectrum.amplitude.shape, (len(spectrum.frequency), len(spectrum.wave_number)))
        # A solitary wave is not dispersed: all of its frequencies travel at its speed.
        ridge = spectrum.ridge()
        low = (ridge.wave_number > 100.0) & (ridge.wave_number < 400.0)
        speed = 2.0 * np.pi * np.polyfit(ridge.wave_number[low], ridge.frequency[low], 1)[0]
        self.assertLess(abs(speed / pulse.speed - 1.0), 0.01)
        self.assertEqual(bw.sensor_spectrum("wave.h5", "velocity").pulse.shape[1], 8)
        with self.assertRaisesRegex(bw.InputError, "wave.h5: There is no spectrum of torque; there is one of force and velocity"):
            bw.sensor_spectrum("wave.h5", "torque")
        bw.Chain.load(CHAIN, overrides={"time.end": 2e-6}).run(output="short.h5")
        with self.assertRaisesRegex(bw.InputError, "short.h5: There are 3 snapshots; a spectrum needs at least 16"):
            bw.wave_spectrum("short.h5")
        with self.assertRaisesRegex(bw.InputError, "^the run: There are 3 snapshots"):
            bw.wave_spectrum(bw.Chain.load(CHAIN, overrides={"time.end": 2e-6}).run())
        with self.assertRaisesRegex(bw.InputError, "history: is 3"):
            bw.fit_pulse(3)

    def test_plot(self):
        run = bw.Chain.load(CHAIN, overrides=SHORT).run()
        figure = run.plot(contacts=[1, 17])
        self.assertGreaterEqual(len(figure.axes), 6)
        import matplotlib.pyplot as plt
        plt.close("all")

    def test_doctests(self):
        import matplotlib
        matplotlib.use("Agg")
        tried = 0
        for name in ("_recorded", "_scenario", "_tabulate", "_tasks"):
            result = doctest.testmod(importlib.import_module(f"beadwave.{name}"))
            self.assertEqual(result.failed, 0, name)
            tried += result.attempted
        self.assertGreater(tried, 12)


if __name__ == "__main__":
    main()
