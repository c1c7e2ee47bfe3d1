"""Viscous damping, F = d^n + kappa d^p d' of unit stiffness, mass and speed: kappa for a given restitution."""
from math import exp, log

from collision import collide
from csv_file import Reference
from root import root


def kappa(e, n, p, ends):
    def excess(k):
        return e - collide(lambda d, v: max(d, 0.0) ** n + (k * max(d, 0.0) ** p if p else k) * v, ends=ends,
                           tolerance=1e-9).restitution
    return exp(root(lambda s: excess(exp(s)), log(0.02), log(10.0), 1e-9))


def calibration(row):
    return {f"{k / 10:g}": f"{kappa(k / 10, 1.5, float(row['p']), row['separation']):.5f}" for k in range(1, 10)}


def poursina(row):
    """Poursina2020 Eqs (46), (47), (49) and the exact root."""
    n, e = float(row["n"]), float(row["e"])
    alpha = 0.3331 * n ** 4 - 1.48 * n ** 3 + 3.077 * n ** 2 - 2.306 * n + 1.794
    fit = alpha * (e ** (1.285 * n ** 0.2553 - 1.725) - 1)
    return {"fit": f"{fit:.6f}", "optimum": f"{kappa(e, n, 0.0, 'force'):.6f}"}


REFERENCES = [Reference("papers/viscous_calibration.csv", calibration),
              Reference("papers/poursina2020_kappa.csv", poursina)]
