"""bw.design gives what `beadwave design --json` prints, as arrays, and the best chain."""
import unittest
from pathlib import Path

import h5py
import numpy as np

import beadwave as bw
from support import SOURCES, InFolder, json_of, main

EXAMPLE = SOURCES / "docs" / "examples" / "gradient.toml"
PEAK = [{"kind": "peak", "contact": 8}]
GAPS = {"input": "gap", "beads": [3, 12], "range": [0, 1e-6]}
RADII = {"input": "radius", "beads": [4, 8], "range": [3.5e-3, 6e-3]}
MASS = {"sum": "mass", "beads": [4, 8], "equals": "start"}
DESIGN = {"design": {"scenario": EXAMPLE, "evaluations": 15}, "variable": [GAPS, RADII], "constraint": [MASS], "objective": PEAK}
SAME = {"seconds": 0.0, "file": "", "scenario": ""}
STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 7800.0}
BEADS = {"radius": 5e-3, "material": "steel"}
CHAIN = {"material": {"steel": STEEL}, "segment": [{"beads": 1, "velocity": 1.0, **BEADS}, {"beads": 5, **BEADS}],
         "law": {"name": "hertz"}, "boundary": {"right": "wall"}, "time": {"end": 1.5e-4, "step": 5e-7}}


def text_of(design):
    """The design as a file that a person could write."""
    rows = []
    for name, tables in design.items():
        for table in tables if isinstance(tables, list) else [tables]:
            rows.append(f"[[{name}]]" if isinstance(tables, list) else f"[{name}]")
            rows += [f"{key} = {str(value)!r}" if isinstance(value, (str, Path)) else f"{key} = {value}" for key, value in table.items()]
    return "\n".join(rows) + "\n"


def without_nlopt():
    try:
        bw.design(DESIGN, {"design.evaluations": 1})
    except bw.InputError as error:
        return "without NLopt" in str(error)
    return False


@unittest.skipIf(without_nlopt(), "designs need NLopt")
class Designs(InFolder):
    def test_same_as_the_command(self):
        Path("d.toml").write_text(text_of(DESIGN), encoding="utf-8")
        theirs = json_of("design", "d.toml", "--quiet")
        for mine in (bw.design("d.toml"), bw.design(DESIGN)):
            self.assertEqual(mine.json | SAME, theirs | SAME)
            self.assertEqual((mine.value, mine.start, mine.stopped), (theirs["value"], theirs["start"], theirs["stopped"]))
            for one, other in zip(mine.variables, theirs["variables"]):
                self.assertEqual(one["values"].tolist(), other["values"])
                self.assertEqual(one["start"].tolist(), other["start"])
                self.assertEqual([one["input"], list(one["beads"]), list(one["range"])], [other["input"], other["beads"], other["range"]])
            self.assertIn("value ", str(mine))
            self.assertEqual(mine.warnings, theirs["warnings"])
        with h5py.File("d.design.h5") as file:
            evaluations = file["design/evaluations"]
            for name in ("value", "unknowns", "gradient"):
                self.assertEqual(mine.history[name].tolist(), evaluations[name][()].tolist())
        self.assertEqual(Path("d.design.best.toml").read_text(encoding="utf-8").split("\n\n", 1)[1], mine.scenario)

    def test_history_and_best(self):
        found = bw.design(DESIGN)
        history = found.history
        self.assertEqual(history["value"][0], found.start)
        self.assertLess(found.value, found.start)
        at = int(np.flatnonzero(history["value"] == found.value)[0])
        for one, rows in zip(found.variables, history["variables"]):
            self.assertEqual(rows.shape, (len(history["value"]), one["beads"][1] - one["beads"][0] + 1))
            self.assertEqual(rows[0].tolist(), one["start"].tolist())
            self.assertEqual(rows[at].tolist(), one["values"].tolist())
        # The chain that is returned has these numbers and this value.
        self.assertEqual(bw.gradient(found.best, objective=PEAK, inputs=["mass"]).value, found.value)
        run = found.best.run()
        self.assertEqual(run["radius"][4:9].tolist(), found.variables[1]["values"].tolist())

    def test_scenario_as_dictionary_and_runs(self):
        design = {"design": {"scenario": CHAIN, "tolerance": 1e-8}, "objective": [{"kind": "peak", "contact": 6}],
                  "variable": [{"input": "radius", "beads": [1, 5], "range": [4e-3, 6e-3]}],
                  "run": [{"set": {"segment.0.velocity": 0.5}, "weight": 2.0}, {"set": {"segment.0.velocity": np.float64(3.0)}}]}
        found = bw.design(design)
        self.assertEqual(found.runs.tolist(), [run["value"] for run in found.json["runs"]])
        self.assertEqual(2.0 * found.runs[0] + found.runs[1], found.value)
        self.assertEqual((found.history["runs"] @ [2.0, 1.0]).tolist(), found.history["value"].tolist())
        slow = bw.gradient({**CHAIN, "segment": [{"beads": 1, "velocity": 0.5, **BEADS}, {"beads": 5, **BEADS}]},
                           objective=[{"kind": "peak", "contact": 6}], inputs=["mass"])
        self.assertEqual(found.history["runs"][0, 0], slow.value)

    def test_progress_and_interrupt(self):
        seen = []
        found = bw.design(DESIGN, progress=lambda *now: seen.append(now))
        self.assertTrue(seen)
        self.assertTrue(all(0 < done <= len(found.history["value"]) and most == 15 for done, most, _ in seen))

        def stop(*_now):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            bw.design(DESIGN, output="d.h5", progress=stop)
        self.assertTrue(Path("d.h5.rows").exists())
        whole = bw.design(DESIGN, output="d.h5")
        self.assertGreater(whole.json["resumed"], 0)
        self.assertEqual(whole.history["value"].tolist(), found.history["value"].tolist())
        self.assertEqual(whole.best.run()["largest_contact_force"].tolist(), found.best.run()["largest_contact_force"].tolist())

    def test_messages(self):
        for call, message in (
                (lambda: bw.design({**DESIGN, "variable": []}), "missing; give at least one [[variable]]"),
                (lambda: bw.design({**DESIGN, "objective": [{"kind": "peek"}]}), "did you mean \"peak\"?"),
                (lambda: bw.design({**DESIGN, "varying": 3}), "varying: unknown key"),
                (lambda: bw.design(3), "design: is 3; expected the name of a file"),
                (lambda: bw.design("none.toml"), "none.toml"),
                (lambda: bw.design(DESIGN, {"design.evaluation": 3}), "did you mean \"evaluations\"?"),
                (lambda: bw.design({**DESIGN, "design": {"scenario": {**CHAIN, "law": {"name": "herz"}}}}), "scenario:3: law.name = \"herz\""),
                (lambda: bw.design({**DESIGN, "design": {"scenario": SOURCES / "configs" / "square_crystal.toml"}}), "is no chain"),
                (lambda: bw.load({"design": {"scenario": "x"}}), "designs are for `beadwave design`"),
                (lambda: bw.design(DESIGN, progress=3), "progress: is 3")):
            with self.assertRaises(bw.InputError) as caught:
                call()
            self.assertIn(message, str(caught.exception))

    def test_through_equilibrium(self):
        """A precompressed chain with masses inside its beads; the gaps follow from the force, and are no variables."""
        scenario = {"material": {"steel": {"youngs_modulus": 193e9, "poisson_ratio": 0.3, "density": 7800.0}},
                    "segment": [{"beads": 1, "radius": 5e-3, "material": "steel", "velocity": 0.3},
                                {"beads": 9, "radius": 5e-3, "material": "steel"}],
                    "law": {"name": "hertz"}, "boundary": {"right": "wall"}, "precompression": {"force": 30.0},
                    "resonator": [{"beads": [2, 6], "mass": 1e-3, "stiffness": 3e5}], "time": {"end": 1.5e-4, "step": 2.5e-7}}
        peak = [{"kind": "peak", "contact": 9}]
        text = {"design": {"scenario": scenario, "evaluations": 12},
                "variable": [{"input": "radius", "beads": [1, 8], "range": [4e-3, 6e-3]}], "objective": peak}
        found = bw.design(text)
        self.assertLess(found.value, 0.9 * found.start)
        self.assertEqual(bw.gradient(found.best, objective=peak, inputs=["mass"]).value, found.value)
        text["variable"] = [{"input": "gap", "beads": [3, 5], "range": [-1e-5, 1e-5]}]
        with self.assertRaises(bw.InputError) as caught:
            bw.design(text)
        self.assertIn("variable.0.beads = [3, 5]: the gap of contact 3 follows from static equilibrium and cannot vary", str(caught.exception))



if __name__ == "__main__":
    main()
