"""bw.torch.run and bw.jax.run: traces and their derivatives are those of bw.gradient, in batches and on threads."""
import sys
import types

import numpy as np

import beadwave as bw
from support import InFolder, main

BEADS = 6
STEEL = {"youngs_modulus": 193e9, "poisson_ratio": 0.3}
MASS = np.array([4.1, 3.3, 3.9, 4.4, 3.6, 4.0]) * 1e-3
SPEED = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def struck(mass=MASS, speed=SPEED):
    return bw.Chain(radius=np.full(BEADS, 5e-3), mass=mass, velocity=speed, gap=[np.inf, 1.1e-7, 1e-7, 0.7e-7, 0.9e-7, 0.3e-7, np.inf],
                    law={"name": "hunt-crossley", "restitution": 0.8, "impact_speed": 1.0}, material=STEEL,
                    time={"end": 1e-4, "step": 5e-7}, sensors={"beads": [2, 4]})


def powers(time, traces):
    """Value and derivatives of the sum of force^2 velocity."""
    force, velocity = traces["force"], traces["velocity"]
    return (force**2 * velocity).sum(), {"force": 2 * force * velocity, "velocity": force**2}


def stand_in_for_jax():
    """What bw.jax uses of JAX, as its documentation defines it, on arrays of NumPy. `grad` only knows one function with custom_vjp
    whose result a weighted sum follows."""
    jax = types.ModuleType("jax")
    jax.numpy = types.SimpleNamespace(asarray=np.asarray, issubdtype=np.issubdtype, floating=np.floating)
    jax.ShapeDtypeStruct = lambda shape, dtype: types.SimpleNamespace(shape=shape, dtype=np.dtype(dtype))
    jax.calls = []

    def pure_callback(function, likes, *values):
        results = function(*values)
        for like, result in zip(likes, results, strict=True):
            assert (result.shape, result.dtype) == (tuple(like.shape), like.dtype), (result.shape, like.shape)
        return results

    class CustomVjp:
        def __init__(self, function):
            self.function = function

        def defvjp(self, forward, backward):
            self.forward, self.backward = forward, backward

        def __call__(self, *values):
            jax.calls.append((self, values))
            return self.function(*values)
    jax.pure_callback, jax.custom_vjp = pure_callback, CustomVjp
    return jax


class Torch(InFolder):
    def setUp(self):
        super().setUp()
        try:
            import torch
        except ImportError:
            print("skipped: PyTorch is not installed")
            self.skipTest("PyTorch is not installed")
        self.torch = torch

    def tensor(self, values):
        return self.torch.tensor(values, dtype=self.torch.float64, requires_grad=True)

    def test_gradients(self):
        mass, restitution = self.tensor(1.02 * MASS), self.tensor(0.8)
        time, force, velocity = bw.torch.run(struck(), inputs={"mass": mass, "restitution": restitution})
        self.assertEqual((time.shape, force.shape, velocity.shape), ((201,), (201, 2), (201, 2)))
        value = (force**2 * velocity).sum()
        value.backward()
        same = bw.gradient(struck(1.02 * MASS), objective=powers, inputs=["mass", "restitution"])
        self.assertAlmostEqual(value.item(), same.value, delta=1e-12 * abs(same.value))
        for mine, name in ((mass, "mass"), (restitution, "restitution")):
            np.testing.assert_allclose(mine.grad.numpy().reshape(-1), same.gradient[name], rtol=1e-12)

    def test_batches_on_threads(self):
        speeds = np.array([0.5, 1.0, 2.0, 0.7])[:, None] * SPEED
        results = []
        for threads in (1, 3):
            mass, velocity = self.tensor(MASS), self.tensor(speeds)
            traces = bw.torch.run(struck(), inputs={"mass": mass, "velocity": velocity}, threads=threads)
            self.assertEqual(traces.force.shape, (4, 201, 2))
            (traces.force**2 * traces.velocity).sum().backward()
            results.append((traces.force.detach().numpy().tobytes(), mass.grad.numpy().tobytes(), velocity.grad.numpy().tobytes()))
        self.assertEqual(results[0], results[1])
        each = [bw.gradient(struck(speed=speed), objective=powers, inputs=["mass", "velocity"]).gradient for speed in speeds]
        np.testing.assert_allclose(mass.grad.numpy(), sum(one["mass"] for one in each), rtol=1e-12)
        np.testing.assert_allclose(velocity.grad.numpy(), [one["velocity"] for one in each], rtol=1e-12)

    def test_second_derivatives(self):
        for power in (1, 2):  # a sum that is linear in the traces has slopes that depend on the inputs alone
            mass = self.tensor(MASS)
            value = (bw.torch.run(struck(), inputs={"mass": mass}).force**power).sum()
            slope, = self.torch.autograd.grad(value, mass, create_graph=True)
            with self.assertRaisesRegex(RuntimeError, "no second derivatives"):
                ((slope**2).sum() + (mass**2).sum()).backward()

    def test_differences(self):
        """PyTorch's own check with central differences."""
        scaled = self.tensor(1e3 * MASS)

        def last(scaled):
            return bw.torch.run(struck(), inputs={"mass": 1e-3 * scaled}).velocity[-1]
        self.assertTrue(self.torch.autograd.gradcheck(last, (scaled,), eps=1e-5, atol=1e-7, rtol=1e-4))


class Jax(InFolder):
    """With a stand-in: JAX itself is no package of Debian."""

    def setUp(self):
        super().setUp()
        self.jax = stand_in_for_jax()
        sys.modules["jax"] = self.jax
        self.addCleanup(sys.modules.pop, "jax", None)
        self.addCleanup(sys.modules.pop, "beadwave.jax", None)
        self.addCleanup(vars(bw).pop, "jax", None)

    def test_gradients(self):
        for inputs in ({"mass": 1.02 * MASS}, {"mass": MASS, "velocity": np.array([[0.5], [2.0]]) * SPEED}):
            time, force, velocity = bw.jax.run(struck(), inputs=inputs)
            self.assertEqual(len(time), 201)
            (function, values), = self.jax.calls
            self.jax.calls.clear()
            result, kept = function.forward(*values)
            np.testing.assert_array_equal(result[0], force)
            slopes = function.backward(kept, (2 * force * velocity, force**2))
            speeds = inputs.get("velocity", SPEED[None])
            each = [bw.gradient(struck(inputs["mass"], speed), objective=powers, inputs=["mass", "velocity"]).gradient
                    for speed in speeds]
            np.testing.assert_allclose(slopes[0], sum(one["mass"] for one in each), rtol=1e-12)
            if "velocity" in inputs:
                np.testing.assert_allclose(slopes[1], [one["velocity"] for one in each], rtol=1e-12)

    def test_errors(self):
        no_sensors = bw.Chain(radius=np.full(3, 5e-3), mass=np.full(3, 4e-3), law="hertz", material=STEEL, velocity=[1.0, 0.0, 0.0],
                              time={"end": 1e-5})
        for inputs, message, chain in (
                ({}, "inputs: is empty; expected a dictionary of arrays", struck()),
                ({"mass": MASS}, "the scenario has no sensors", no_sensors),
                ({"mas": MASS}, "inputs: there is no input \"mas\" of a chain with law \"hunt-crossley\"; did you mean \"mass\"?", struck()),
                ({"mass": MASS[:4]}, "inputs: mass has the shape (4,); expected (6,), or a batch of such rows", struck()),
                ({"mass": np.stack(2 * [MASS]), "velocity": np.stack(3 * [SPEED])}, "inputs: velocity has the shape (3, 6)", struck()),
                ({"mass": -MASS}, "inputs: mass 0 is -0.0041; expected a finite number above 0", struck())):
            with self.assertRaises(bw.InputError) as caught:
                bw.jax.run(chain, inputs=inputs)
            self.assertIn(message, str(caught.exception))
        with self.assertRaises(AttributeError):
            getattr(bw, "tensorflow")


main()
