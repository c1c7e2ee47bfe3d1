"""The restitution formulas of WangReview2022 Table 4 for two steel beads, of which one does not move."""
from math import exp, log, pi, sqrt

from csv_file import Reference
from elastoplastic import integral, ma_liu
from root import root

E, R, MASS, SIGMA, NU, DENSITY = 193e9 / (2 * (1 - 0.3 ** 2)), 1.19e-3, 0.45e-3, 900e6, 0.3, 7970.0
K = 4 / 3 * E * sqrt(R)


def elastic_work(pressure):
    """The elastic work of a Hertz contact up to this largest pressure."""
    return 0.4 * K * ((pi * pressure / (2 * E)) ** 2 * R) ** 2.5


def yield_speed(pressure):
    return sqrt(2 * elastic_work(pressure) / MASS)


def chang_ling(v):
    p = (1.282 + 1.158 * NU) * SIGMA
    critical, work = (pi * p / (2 * E)) ** 2 * R, 0.5 * MASS * v ** 2
    if work <= elastic_work(p):
        return 1.0
    # Loading beyond the critical overlap: pi p R (2 d - critical).
    largest = root(lambda d: elastic_work(p) + pi * p * R * (d ** 2 - critical * d) - work, critical, 1.0, 1e-15)
    return sqrt(elastic_work(p) * (2 * largest / critical - 1) ** 1.5 / work)


def thornton(v):
    q = yield_speed(1.61 * SIGMA) / v
    if q >= 1:
        return 1.0
    return sqrt(6 * sqrt(3) / 5) * sqrt(1 - q ** 2 / 6) * (q / (q + 2 * sqrt(6 / 5 - q ** 2 / 5))) ** 0.25


def wu(v):
    x, strain = v / yield_speed(1.61 * SIGMA), SIGMA / E
    return min(1.0, 2.08 * x ** -0.25 if x * strain ** 2 < (0.62 / 2.08) ** 4 else 0.62 * (x * strain) ** -0.5)


def weir_tallon(v):
    return min(1.0, 3.1 * (SIGMA / E) ** (5 / 8) * (sqrt(E / DENSITY) / v) ** 0.25)


def jackson(v):
    x = v / yield_speed(1.295 * exp(0.736 * NU) * SIGMA)
    if x <= 1:
        return 1.0
    if x <= 60:
        return 1 - 0.1 * log(x) * ((x - 1) / 59) ** 0.156
    return 1 - 0.1 * log(60) - 0.1 * log(x / 60) * (x - 60) ** (2.36 * SIGMA / E)


def ma_liu_closed(v, psi=2.84, xi=13.0):
    _, force, _ = ma_liu(R, E, SIGMA, psi, xi)
    plastic = xi ** 2 / 2 * (pi * 1.61 * SIGMA / (2 * E)) ** 2 * R
    radius = R * K * plastic ** 1.5 / force(plastic)
    k1 = 2 * pi * R * psi * SIGMA
    return 0.81 * E ** (-1 / 3) * radius ** (-1 / 6) * k1 ** (5 / 12) * MASS ** (-1 / 12) * v ** (-1 / 6)


def ma_liu_energy(v, psi=2.84, xi=13.0):
    y, force, span = ma_liu(R, E, SIGMA, psi, xi)
    plastic, energy = xi ** 2 / 2 * y, 0.5 * MASS * v ** 2

    def work(d):
        done = 0.4 * K * min(d, y) ** 2.5
        for a, b in ((y, min(d, plastic)), (plastic, d)):
            steps = 60
            if b > a:
                done += sum(integral(force, a + (b - a) * k / steps, a + (b - a) * (k + 1) / steps)
                            for k in range(steps))
        return done
    d = root(lambda d: work(d) - energy, 0.0, 1e-3, 1e-13)
    return sqrt(0.4 * force(d) * span(d, force(d)) / energy)


COLUMNS = {"chang_ling": chang_ling, "thornton": thornton, "wu": wu, "weir_tallon": weir_tallon, "jackson": jackson,
           "ma_liu": ma_liu_closed, "ma_liu_energy": ma_liu_energy}

REFERENCES = [Reference("papers/restitution_formulas.csv",
                        lambda row: {name: f"{e(float(row['speed_m_per_s'])):.4f}" for name, e in COLUMNS.items()})]
