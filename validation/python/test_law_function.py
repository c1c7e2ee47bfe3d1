"""Compiled functions in the formulas of laws: the same forces as a formula of the program in chains, packings and mechanisms."""
import ctypes
import ctypes.util

import numpy as np

import beadwave as bw
from support import CONFIGS, InFolder, main

LIBRARY = ctypes.CDLL(ctypes.util.find_library("m"))
BUILT_IN = {"name": "expression", "force": "K*delta^1.5*(1 + c*tanh(delta_dot/w))", "parameters": {"c": 0.2, "w": 0.05}}
OWN = {**BUILT_IN, "force": "K*own_power(delta, 1.5)*(1 + c*own_tanh(delta_dot/w))"}


def of_library(name, arguments):
    function = getattr(LIBRARY, name)
    function.argtypes, function.restype = [ctypes.c_double] * arguments, ctypes.c_double
    return function


class LawFunctions(InFolder):
    def setUp(self):
        super().setUp()
        bw.law_function("own_power", of_library("pow", 2))
        bw.law_function("own_tanh", of_library("tanh", 1))

    def pair(self, name, overrides, key="law"):
        return [bw.load(CONFIGS / f"{name}.toml", overrides={**overrides, key: law}).run() for law in (BUILT_IN, OWN)]

    def close(self, one, other, name, tolerance):
        size = np.abs(one[name]).max()
        self.assertGreater(size, 0.0)
        np.testing.assert_allclose(other[name], one[name], rtol=0.0, atol=tolerance * size)

    def test_a_chain(self):
        one, other = self.pair("chain70", {"time.end": 2e-4})
        self.close(one, other, "sensor_force", 1e-9)
        self.assertGreater(one.energy.dissipated[-1], 0.1 * one.energy.kinetic[0])
        self.close(one, other, "dissipated_energy", 1e-9)
        self.close(one, other, "stored_energy", 1e-9)

    def test_a_packing(self):
        one, other = self.pair("square_crystal", {"time.end": 6e-5})
        self.close(one, other, "net_contact_force", 1e-9)
        self.close(one, other, "dissipated_energy", 1e-9)

    def test_a_mechanism(self):
        one, other = self.pair("newtons_cradle_pendulums", {"time.end": 0.3}, "contact.0.law")
        self.close(one, other, "velocity", 1e-5)

    def test_derivatives_at_rest_are_those_of_the_formula(self):
        squeezed = {"material": {"s": {"youngs_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800.0}},
                    "segment": [{"beads": 8, "radius": 5e-3, "material": "s"}], "precompression": {"force": 20.0}, "time": {"end": 1e-3},
                    "boundary": {"left": "fixed", "right": "fixed"}}
        one, other = [bw.modes(bw.load({**squeezed, "law": law})) for law in (BUILT_IN, OWN)]
        np.testing.assert_allclose(other.frequency, one.frequency, rtol=1e-7)
        self.assertGreater(np.min(one.damping_ratio), 1e-4)
        np.testing.assert_allclose(other.damping_ratio, one.damping_ratio, rtol=1e-6)

    def test_a_python_function_works_too_and_a_formula_calls_the_one_that_was_there(self):
        kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
        case = {"speed": 1.0, "body": {"a": {"radius": 0.01, "mass": 0.03, "youngs_modulus": 2e11, "poisson_ratio": 0.3},
                                       "b": {"flat": True, "fixed": True, "youngs_modulus": 2e11, "poisson_ratio": 0.3}}}
        law = {"name": "expression", "force": "spring(delta)"}
        hits = []
        for factor in (1e9, 4e9):
            bw.law_function("spring", kind(lambda delta, factor=factor: factor * delta))
            hits.append(bw.collide({**case, "law": law}))
        # Half a period of a spring: pi sqrt(m/k).
        for hit, factor in zip(hits, (1e9, 4e9)):
            self.assertAlmostEqual(hit["duration"] / (np.pi * (0.03 / factor) ** 0.5), 1.0, places=6)

    def test_what_a_python_function_raises_ends_the_work_and_is_raised(self):
        kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
        calls = []

        def breaks(delta):
            calls.append(delta)
            if len(calls) > limit:
                raise (ZeroDivisionError if len(calls) == limit + 1 else ValueError)("of the law")  # the first one is the cause
            return 1e9 * delta
        # The minimum hides a force that is no number; the run has 20,000 steps.
        law = {"name": "expression", "force": "min(breaks(delta), 1e9*delta)"}
        limit = 10**9
        bw.law_function("breaks", kind(breaks))
        chain = bw.load(CONFIGS / "chain70.toml", overrides={"law": law, "time.end": 2e-4})
        limit = len(calls) + 300
        with self.assertRaisesRegex(ZeroDivisionError, "of the law") as caught:
            chain.run()
        self.assertIn("in breaks(", "".join(getattr(caught.exception, "__notes__", ["in breaks("])))
        self.assertLess(len(calls), 3e5)
        limit = len(calls)
        with self.assertRaises(ZeroDivisionError):
            bw.load(CONFIGS / "chain70.toml", overrides={"law": law})
        limit = 10**9
        bw.law_function("breaks", kind(lambda delta: None if len(calls) > 0 else delta))
        with self.assertRaises(TypeError):
            bw.load(CONFIGS / "chain70.toml", overrides={"law": law})

    def test_what_cannot_be_has_one_sentence(self):
        sine = of_library("sin", 1)

        def load(force):
            return bw.load(CONFIGS / "chain70.toml", overrides={"law": {"name": "expression", "force": force}})
        for call, words in (
                (lambda: bw.law_function("K", sine), "\"K\" cannot be the name of a function"),
                (lambda: bw.law_function("tanh", sine), "\"tanh\" cannot be the name"),
                (lambda: bw.law_function("f", lambda x: x), "neither a function of numba.cfunc or ctypes nor an address"),
                (lambda: bw.law_function("f", ctypes.CDLL(None).abs), "needs argtypes and restype"),
                (lambda: bw.law_function("f", 1234), "an address needs `arguments`"),
                (lambda: bw.law_function("f", sine, arguments=2), "takes 1 arguments, not 2"),
                (lambda: load("nowhere(delta)"), "compiled functions come from Python: law_function"),
                (lambda: load("own_power(delta)"), "own_power takes 2 arguments, not 1"),
                (lambda: load("K*own_tanh(delta*delta_dot)"), "mixes delta and delta_dot"),
                (lambda: load("K*delta^1.5*(1 - 0.5*own_tanh(delta_dot))"), "makes energy")):
            with self.subTest(words), self.assertRaises(bw.InputError) as caught:
                call()
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    main()
