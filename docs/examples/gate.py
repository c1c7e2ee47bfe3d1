"""A logic gate of vibrated discs: the moduli of 105 discs so that the output moves if one of two inputs vibrates, and not if both do.

usage: gate.py [ITERATIONS [ROWS]]

Inputs and output of a hexagonal packing between four walls, after CGM-Torch (arXiv 2404.04825), which optimised such gates with
gradients cut off every 3000 steps. Here each gradient is that of the whole run. Prints the contrast of the gate before and after.
"""
import os
import sys

import numpy as np

import beadwave as bw

RADIUS, MASS, OVERLAP = 5e-3, 1e-3, 2e-5  # m, kg, m
FREQUENCY, AMPLITUDE = 300.0, 2e-6        # Hz, m
PERIODS, STEP = 24, 5e-5                  # of the run; s
MIDDLE, SOFTEST, STIFFEST = 1e7, 2e6, 5e7  # Young's moduli, Pa


def lattice(rows):
    """Centres of rows of `rows` + 1 and `rows` discs in turn, each pressed against its neighbours and the walls."""
    distance = 2 * RADIUS - OVERLAP
    first = RADIUS - OVERLAP
    return np.array([(first + distance * (k + 0.5 * (row % 2)), first + distance * np.sqrt(0.75) * row)
                     for row in range(rows) for k in range(rows + 1 - row % 2)])


def scenario(centres, vibrates):
    """The packing with its inputs, the first discs of two rows: each vibrates or is held."""
    material = {f"p{i}": {"youngs_modulus": MIDDLE, "poisson_ratio": 0.3} for i in range(len(centres))}
    material["wall"] = {"youngs_modulus": MIDDLE, "poisson_ratio": 0.3}
    edge = centres.max(axis=0) + RADIUS - OVERLAP
    planes = [((0, 0), (1, 0)), ((0, 0), (0, 1)), ((edge[0], 0), (-1, 0)), ((0, edge[1]), (0, -1))]
    return {"dimension": 2, "material": material,
            "particles": [{"position": list(map(float, place)), "radius": RADIUS, "mass": MASS, "material": f"p{i}"}
                          for i, place in enumerate(centres)],
            "wall": [{"point": list(map(float, point)), "normal": list(map(float, normal)), "material": "wall"}
                     for point, normal in planes],
            "drive": [{"particles": [i, i], "frequency": FREQUENCY, "amplitude": [AMPLITUDE, 0.0]} if moves
                      else {"particles": [i, i], "velocity": [0.0, 0.0]} for i, moves in zip(ports(centres)[:2], vibrates)],
            "foundation": [{"damping": 0.05}], "law": {"name": "hertz"},
            "time": {"end": PERIODS / FREQUENCY, "step": STEP}}


def ports(centres):
    """The two inputs, at the left wall, and the output, at the right one."""
    heights = np.unique(centres[:, 1])
    left = [np.flatnonzero(centres[:, 1] == heights[k])[0] for k in (len(heights) // 4 // 2 * 2, 3 * len(heights) // 4 // 2 * 2)]
    right = np.flatnonzero(centres[:, 1] == heights[len(heights) // 2])[-1]
    return int(left[0]), int(left[1]), int(right)


def evaluate(centres, moduli, vibrates):
    """The power of the output at the frequency of the inputs, and its derivatives by the moduli."""
    given = scenario(centres, vibrates)
    for i, modulus in enumerate(moduli):
        given["material"][f"p{i}"]["youngs_modulus"] = float(modulus)
    window = [PERIODS / 2 / FREQUENCY, PERIODS / FREQUENCY]
    result = bw.gradient(given, inputs=["youngs_modulus"],
                         objective=[{"kind": "spectrum", "sensor": ports(centres)[2], "quantity": "velocity", "axis": "x",
                                     "frequency": FREQUENCY, "time": window, "weight": 1e12}])
    return result.value, result.gradient["youngs_modulus"]


def gate(centres, moduli):
    """The logarithm of the contrast, the weaker answer to one input over that to both, and its derivatives."""
    both, by_both = evaluate(centres, moduli, (True, True))
    one, by_one = min((evaluate(centres, moduli, each) for each in ((True, False), (False, True))), key=lambda answer: answer[0])
    return np.log(one / both), by_one / one - by_both / both


def main(iterations=40, rows=10):
    centres = lattice(rows)
    # One number per disc, between -1 and 1: the logarithm of its modulus between the bounds.
    half = 0.5 * np.log(STIFFEST / SOFTEST)
    numbers = np.random.default_rng(1).uniform(-0.3, 0.3, len(centres))
    momentum, square, first, best = np.zeros(len(centres)), np.zeros(len(centres)), -np.inf, -np.inf
    for k in range(1, iterations + 1):
        moduli = np.sqrt(SOFTEST * STIFFEST) * np.exp(half * numbers)
        contrast, slope = gate(centres, moduli)
        if k == 1:
            first = contrast
            print(f"{len(centres)} discs: an input moves the output by {np.exp(0.5 * contrast):.3g} of what both do")
        best = max(best, contrast)
        slope = slope * half * moduli
        momentum, square = 0.9 * momentum + 0.1 * slope, 0.99 * square + 0.01 * slope**2  # Adam (Kingma and Ba 2015)
        step = momentum / (1 - 0.9**k) / (np.sqrt(square / (1 - 0.99**k)) + 1e-12)
        numbers = np.clip(numbers + 0.03 * step, -1.0, 1.0)
    print(f"after {iterations} steps: {np.exp(0.5 * best):.3g}")
    assert iterations == 1 or best > first


if __name__ == "__main__":
    short = [3, 4] if "BEADWAVE_SHORT" in os.environ else []
    main(*map(int, sys.argv[1:] or short))
