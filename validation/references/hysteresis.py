"""Hysteresis damping, F = K d^1.5 (1 + chi d'/v): the factors of the papers and the restitution that they return."""
from math import exp, log, pi, sqrt

from collision import collide
from csv_file import Reference
from root import root

INPUTS = [k / 10 for k in range(1, 10)]


def zhang_sharf(e):
    """(1 + d/e)/(1 - d) = exp(d (1 + 1/e)) [Poursina2020 Eq. (19)]; d = 1 - exp(-s)."""
    excess = lambda s: log(1 - exp(-s) + e) - log(e) + s - (1 - exp(-s)) * (1 + 1 / e)  # noqa: E731
    return (1 - exp(-root(excess, 0.5 * (1 - e), 3 / e + 60))) / e


def khatiwada(e):
    """1/q with 1 + e = q ln((q + 1)/(q - e)) [CorralReview]; q = e + exp(-s)."""
    excess = lambda s: (e + exp(-s)) * (log(1 + e + exp(-s)) + s) - 1 - e  # noqa: E731
    return 1 / (e + exp(-root(excess, -5.0, 60.0)))


def yu(e):
    """CorralReview Eq. (5.34)."""
    cubics = ((0.25, 0, 0, 0, 1), (0.4, 2.1663, -3.7216, 0.8724, 0.9409), (0.6, 1.1664, -2.4893, 0.3625, 1.0117),
              (0.8, 0.5048, -1.3255, -0.3236, 1.1472), (1, 0.2256, -0.6663, -0.8437, 1.2844))
    _, a, b, c, d = next(cubic for cubic in cubics if e <= cubic[0])
    return (a * e ** 3 + b * e ** 2 + c * e + d) / e


FACTORS = {
    "hunt-crossley": lambda e: 1.5 * (1 - e),
    "herbert-mcwhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
    "lee-wang": lambda e: 0.75 * (1 - e),
    "lankarani-nikravesh": lambda e: 0.75 * (1 - e ** 2),
    "gonthier": lambda e: (1 - e ** 2) / e,
    "zhang-sharf": zhang_sharf,
    "khatiwada": khatiwada,
    "yu": yu,
    "zhiying-qishao": lambda e: 0.75 * (1 - e ** 2) * exp(2 * (1 - e)),
    "flores": lambda e: 8 * (1 - e) / (5 * e),
    "gharib-hurmuzlu": lambda e: 1 / e,
    "hu-guo": lambda e: 3 * (1 - e) / (2 * e),
    "hu": lambda e: -6.6626 * log(e) / (3.85238 + log(e)),
    "shen": lambda e: 3 * (1 - e) / (2 * e ** 0.89),
    "carvalho-martins": lambda e: 1.5 * (1 - e) * (11 - e) / (1 + 9 * e),
    "safaeifar-farshidianfar": lambda e: 5 * (1 - e) / (4 * e),
    "zhang2020": lambda e: 3 * (1 - e) / (2 * e * (0.618 * exp(-3.25 * e) + 0.899 * exp(0.09025 * e))),
    "zhang": lambda e: 249 * (1 - e) / (6 + 160 * e),
    "zhao": lambda e: 4 * (1 - e) / (1.302 * e),
}

JANKOWSKI = {  # xi(e) [CorralReview Eqs (5.54), (5.55)]
    "first": lambda e: sqrt(5) * (1 - e ** 2) / (2 * pi * e),
    "refined": lambda e: 9 * sqrt(5) / 2 * (1 - e ** 2) / (e * (e * (9 * pi - 16) + 16)),
}


def exact(row):
    def output(e):
        chi = FACTORS[row["law"]](e)
        return collide(lambda d, v: max(d, 0.0) ** 1.5 * (1 + chi * v)).restitution
    return {f"{e:g}": f"{output(e):.3f}" for e in INPUTS}


def jankowski(row):
    def output(e):
        c = 2 * JANKOWSKI[row["formula"]](e)
        return collide(lambda d, v: max(d, 0.0) ** 1.5 + c * max(d, 0.0) ** 0.25 * max(v, 0.0)).restitution
    return {f"{e:g}": f"{output(e):.4f}" for e in INPUTS}


def factors(row):
    return {f"{e:g}": f"{FACTORS[row['law']](e):.6f}" for e in INPUTS}


REFERENCES = [Reference("papers/hysteresis_factors.csv", factors),
              Reference("papers/restitution_exact.csv", exact),
              Reference("papers/jankowski_restitution.csv", jankowski)]
