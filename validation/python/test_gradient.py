"""bw.gradient gives the numbers of `beadwave gradient` as arrays, and differentiates functions of traces."""
import numpy as np

import beadwave as bw
from support import CONFIGS, SOURCES, InFolder, json_of, main

EXAMPLE = SOURCES / "docs" / "examples" / "gradient.toml"
OBJECTIVE = SOURCES / "docs" / "examples" / "gradient_objective.toml"
PEAK = [{"kind": "peak", "contact": 8, "smoothing": 8}]
INPUTS = ["mass", "radius", "youngs_modulus", "gap", "velocity"]
STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3}


def struck(mass, gap, law="hertz"):
    return bw.Chain(radius=np.full(len(mass), 5e-3), mass=mass, velocity=[1.0] + (len(mass) - 1) * [0.0], gap=gap, law=law,
                    material=STEEL, time={"end": 1.5e-4, "step": 5e-7}, sensors={"beads": [2, 4]})


class Gradients(InFolder):
    def test_same_as_the_command(self):
        theirs = json_of("gradient", EXAMPLE, "--objective", OBJECTIVE, "--inputs", ",".join(INPUTS))
        mine = bw.gradient(EXAMPLE, objective=PEAK, inputs=INPUTS)
        self.assertEqual(mine.value, theirs["value"])
        self.assertEqual(list(mine.gradient), INPUTS)
        for name, numbers in mine.gradient.items():
            self.assertEqual(numbers.tolist(), theirs["gradient"][name])
            self.assertFalse(numbers.flags.writeable)
        self.assertEqual(mine.objectives, theirs["objectives"])
        self.assertEqual(mine.json["gradient"], theirs["gradient"])
        self.assertEqual(repr(mine), "<beadwave.Gradient: 86.4795877, by mass, radius, youngs_modulus, gap, velocity>")
        self.assertIn("by gap              13 numbers", str(mine))
        self.assertEqual(bw.gradient(bw.Chain.load(EXAMPLE), objective=PEAK, inputs=INPUTS).value, mine.value)
        few = bw.gradient(EXAMPLE, objective=PEAK, inputs=INPUTS, states=8)
        self.assertEqual(few.json["gradient"], theirs["gradient"])
        self.assertLessEqual(few.json["states"], 8)
        for states in (1, -3, 2.5):
            with self.assertRaisesRegex(bw.InputError, "^states: is .*; expected 0, or"):
                bw.gradient(EXAMPLE, objective=PEAK, inputs=INPUTS, states=states)

    def test_packing(self):
        example, inputs = EXAMPLE.with_name("gradient_packing.toml"), ["position", "mass", "gravity", "friction.coefficient"]
        objective = [{"kind": "impulse", "wall": 0}, {"kind": "energy", "particles": [0, 5], "time": [1e-3, 2e-3], "weight": 100.0}]
        mine = bw.gradient(example, {"time.end": 4e-3}, objective=objective, inputs=inputs)
        self.assertEqual([mine.gradient[name].shape for name in inputs], [(9, 3), (9,), (1, 3), (1,)])
        self.assertFalse(mine.gradient["position"].flags.writeable)

        def value(up):
            return bw.gradient(example, {"time.end": 4e-3, "gravity.acceleration": [0.0, 0.0, -9.81 + up]}, objective=objective, inputs=["mass"]).value
        slope = (value(1e-5) - value(-1e-5)) / 2e-5
        self.assertLess(abs(slope - mine.gradient["gravity"][0, 2]), 1e-6 * abs(slope))
        with self.assertRaisesRegex(bw.InputError, "a function of traces is of a chain's sensors"):
            bw.gradient(example, {"sensors.particles": [1]}, objective=lambda time, traces: (0.0, {}), inputs=["mass"])

    def test_chain_from_arrays(self):
        mass = np.array([4.1, 3.3, 3.9, 4.4, 3.6, 4.0]) * 1e-3
        gap = np.array([np.inf, 1.3e-7, 0.7e-7, 0.0, 2.1e-7, 0.3e-7, np.inf])
        for law in ("hertz", {"name": "hunt-crossley", "restitution": 0.8}, {"name": "hunt-crossley", "impact_speed": 1.0,
                                                                             "restitution": [0.8, 0.8, 0.9, 0.7, 0.8, 0.85, 0.8]}):
            def value(mass, gap):
                return bw.gradient(struck(mass, gap, law), objective=objective, inputs=["mass"]).value
            objective = [{"kind": "impulse", "sensor": 3}, {"kind": "energy", "beads": [2, 4], "weight": 3.0}]
            slopes = bw.gradient(struck(mass, gap, law), objective=objective, inputs=["mass", "gap"]).gradient
            # Central differences of runs, whose error is that of a few parts in 1e-8 of the value.
            for bead in (0, 2, 5):
                step = 1e-6 * mass[bead] * np.eye(6)[bead]
                slope = (value(mass + step, gap) - value(mass - step, gap)) / (2 * step[bead])
                self.assertLess(abs(slope - slopes["mass"][bead]), 1e-6 * abs(slopes["mass"]).max())
            step = 1e-13 * np.eye(7)[2]
            slope = (value(mass, gap + step) - value(mass, gap - step)) / 2e-13
            self.assertLess(abs(slope - slopes["gap"][2]), 1e-5 * abs(slopes["gap"]).max())
            self.assertEqual((slopes["gap"][0], slopes["gap"][6]), (0.0, 0.0))

    def test_own_parameters_of_contacts(self):
        """The sum over the contacts is the derivative by the number that all share."""
        def slope(restitution):
            chain = struck(np.full(6, 4e-3), None, {"name": "hunt-crossley", "restitution": restitution, "impact_speed": 1.0})
            return bw.gradient(chain, objective=[{"kind": "impulse", "sensor": 3}], inputs=["restitution"]).gradient["restitution"]
        each, shared = slope(np.full(7, 0.8)), slope(0.8)
        self.assertEqual((each.shape, shared.shape, each[0], each[6]), ((7,), (1,), 0.0, 0.0))
        self.assertLess(abs(each.sum() - shared[0]), 1e-12 * abs(each).sum())
        self.assertGreater(abs(each[1]), 0.0)

    def test_function_of_traces(self):
        # No gap is zero: Hertz's stiffness has a root there, and differences of length h an error of its order.
        chain = struck(np.full(6, 4e-3), [np.inf, 1.1e-7, 1e-7, 0.7e-7, 0.9e-7, 0.3e-7, np.inf])
        step = chain.time_step

        def impulse_and_trace(time, traces):
            """An objective of each kind, whose own derivatives are plain."""
            self.assertEqual((traces["force"].shape, traces["velocity"].shape), ((301, 2), (301, 2)))
            self.assertAlmostEqual(time[-1], 1.5e-4, places=15)
            misfit = np.where(time > 0, traces["velocity"][:, 1] - 0.3, 0.0)
            by_force, by_velocity = np.zeros((301, 2)), np.zeros((301, 2))
            by_force[1:, 0], by_velocity[:, 1] = step, step * misfit
            return step * traces["force"][1:, 0].sum() + 0.5 * step * (misfit**2).sum(), {"force": by_force, "velocity": by_velocity}

        with open("target.csv", "w") as file:
            file.write("time_s,velocity_m_per_s\n0,0.3\n1.5e-4,0.3\n")
        built_in = bw.gradient(chain, objective=[{"kind": "impulse", "sensor": 2}, {"kind": "trace", "sensor": 4, "quantity": "velocity",
                                                                                   "file": "target.csv"}], inputs=INPUTS)
        mine = bw.gradient(chain, objective=impulse_and_trace, inputs=INPUTS, check=True)
        np.testing.assert_allclose(mine.value, built_in.value, rtol=1e-13)
        for name in INPUTS:
            np.testing.assert_allclose(mine.gradient[name], built_in.gradient[name], rtol=0,
                                       atol=1e-11 * abs(built_in.gradient[name]).max())
        self.assertLess(mine.json["check"]["largest_deviation"], 1e-6)
        self.assertEqual(mine.objectives, [])
        run = chain.run()
        forces = []
        bw.gradient(chain, objective=lambda time, traces: (forces.append(traces["force"]) or 1.0, {}), inputs=["mass"])
        every = round(float(run.time[1]) / step)
        np.testing.assert_allclose(forces[0][::every], run.sensor_force, rtol=0, atol=1e-10 * run.sensor_force.max())

    def test_errors(self):
        with self.assertRaises(ZeroDivisionError):
            bw.gradient(struck(np.full(6, 4e-3), None), objective=lambda time, traces: 1 / 0, inputs=["mass"])
        chain = struck(np.full(6, 4e-3), None)
        for call, message in (
                (lambda: bw.gradient(CONFIGS / "slider_crank.toml", objective=PEAK, inputs=["mass"]), "is a mechanism; gradients are"),
                (lambda: bw.gradient(chain, objective=[{"kind": "peek", "sensor": 1}], inputs=["mass"]), "did you mean \"peak\"?"),
                (lambda: bw.gradient(chain, objective=[{"kind": "peak", "sensor": 6}], inputs=["mass"]), "objective.0.sensor"),
                (lambda: bw.gradient(chain, objective=[], inputs=["mass"]), "give at least one [[objective]]"),
                (lambda: bw.gradient(chain, objective="peak", inputs=["mass"]), "objective: is 'peak'; expected a list of dictionaries"),
                (lambda: bw.gradient(chain, objective=PEAK, inputs="mass"), "inputs: is 'mass'; expected a list of texts"),
                (lambda: bw.gradient(chain, objective=[{"kind": "peak", "sensor": 2}], inputs=["radii"]), "did you mean \"radius\"?"),
                (lambda: bw.gradient(EXAMPLE, objective=lambda time, traces: (0.0, {}), inputs=["mass"]), "the scenario has no sensors"),
                (lambda: bw.gradient(chain, objective=lambda time, traces: 3.0, inputs=["mass"]), "objective: returned 3.0; expected (value"),
                (lambda: bw.gradient(chain, objective=lambda time, traces: (3.0, {"mass": 1}), inputs=["mass"]),
                 "objective: returned the derivatives {'mass': 1}; expected a dictionary"),
                (lambda: bw.gradient(chain, objective=lambda time, traces: (3.0, {"force": [1.0]}), inputs=["mass"]),
                 "of shape (1,); expected 301 x 2 finite numbers"),
                (lambda: bw.gradient(chain, objective=lambda time, traces: (float("nan"), {}), inputs=["mass"]), "returned the value nan")):
            with self.assertRaises(bw.InputError) as caught:
                call()
            self.assertIn(message, str(caught.exception))


main()
