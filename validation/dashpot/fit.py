"""PYTHONPATH=build/release/python python3 validation/dashpot/fit.py [NAME...]: writes validation/dashpot/fits.json.

Fits every law with a loss (or the rows of these names) to the law ma-liu on the laboratory's chain: once with one free number, its
restitution, damping or yield stress, once with Young's modulus as well. Each fit is a grid, then the simplex method of Nelder and Mead
(SciPy) from its three best points, in logarithms; of a restitution e, in log((1 - e)/e). Takes some minutes. `__main__.py` makes the
page from these numbers.
"""
import json
import math
import sys
from pathlib import Path

import beadwave as bw
import scipy.optimize

import chain

FILE = Path(__file__).with_name("fits.json")


def value(key, u):
    """The number that the free coordinate u stands for."""
    if key == "law.restitution":
        return 1.0 / (1.0 + math.exp(min(u, 30.0)))
    return max(1.0, math.exp(u)) if key == "law.yield_ratio" else math.exp(u)


def grid_of(key):
    if key == "law.restitution":
        return [math.log((1.0 - e) / e) for e in (0.05, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.87, 0.92, 0.95, 0.97, 0.985)]
    if key == chain.YIELD_STRESS:
        return [math.log(1e6 * s) for s in (100, 200, 300, 450, 600, 750, 900, 1100, 1400, 2000, 3000)]
    if key == "law.yield_ratio":
        return [math.log(1.0 + 10.0 ** (0.5 * k)) for k in range(-6, 7)]
    return [math.log(10.0 ** (0.5 * k)) for k in range(-24, 29)]


def run(law, settings):
    overrides = {key: number.strip('"') if isinstance(number, str) else number for key, number in settings.items()}
    try:
        return chain.numbers(bw.Chain.load(chain.SCENARIO, overrides={"law.name": law} | overrides).run(threads=1).result)
    except (bw.InputError, bw.RunError):  # a number that the law does not take
        return None


def fit(row, reference):
    """The settings of both fits: of the law's own number, and of that and Young's modulus."""
    name, law, kept, free = row

    def settings(x):
        own = {key: value(key, x[0]) for key in free}
        every = kept | own | ({chain.MODULUS: math.exp(x[1])} if len(x) == 2 else {})
        return {key: float(f"{number:.6g}") if isinstance(number, float) else number for key, number in every.items()}

    def misfit(x):
        if len(x) == 2 and abs(x[1] - math.log(chain.MATERIAL[chain.MODULUS])) > math.log(3.0):
            return 1e3  # no steel
        numbers = run(law["name"], settings(x))
        found = math.inf if numbers is None else numbers.misfit(reference)
        return found if math.isfinite(found) else 1e3

    def lowest(starts, scale):
        ends = []
        for start in sorted(starts, key=misfit)[:3]:
            simplex = [start] + [[x + (scale if k == j else 0.0) for k, x in enumerate(start)] for j in range(len(start))]
            ends.append(scipy.optimize.minimize(misfit, start, method="Nelder-Mead",
                                                options={"initial_simplex": simplex, "xatol": 1e-4, "fatol": 1e-7, "maxfev": 150}))
        return min(ends, key=lambda end: end.fun)

    one = lowest([[x] for x in grid_of(free[0])], 0.1)
    moduli = [math.log(chain.MATERIAL[chain.MODULUS] * factor) for factor in (1.0, 0.35, 0.5, 0.7, 0.85, 1.2, 1.5, 2.5)]
    two = lowest([[one.x[0] + by, modulus] for by in (-1.6, -0.8, 0.0, 0.8, 1.6) for modulus in moduli], 0.2)
    print(f"{name:40} {one.fun:.5f} {two.fun:.5f} {settings(two.x)}", flush=True)
    return [settings(one.x), settings(two.x)]


def main():
    rows = [row for row in chain.rows(bw.laws()) if row[0] != chain.REFERENCE]
    reference = run(chain.REFERENCE, {})
    earlier = json.loads(FILE.read_text(encoding="utf-8")) if len(sys.argv) > 1 else {}
    fits = {row[0]: fit(row, reference) if not earlier or row[0] in sys.argv[1:] else earlier[row[0]] for row in rows}
    FILE.write_text(json.dumps(fits, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
