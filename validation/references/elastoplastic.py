"""Loading curves of the elastoplastic laws, and e = sqrt(work of unloading / work of loading) of a turn.

A turn is the start of unloading. A law is (delta_y, loading force F(d), unloading work U(d, F) of a turn at d with the
force F, bounded). Where `bounded` is true the printed law creates energy, and U is limited to the work of loading minus
the largest dissipation so far.
"""
from math import cos, exp, log, pi, sqrt

from csv_file import Reference
from root import root

E, R, SIGMA, NU = 113.736263736e9, 0.19, 20e6, 0.3
K = 4 / 3 * E * sqrt(R)


def hertz_unloading(span):
    """Work of F = K_u (d - d_r)^1.5, from the recovered span d_max - d_r."""
    return lambda d, force: 0.4 * force * span(d, force)


def yield_overlap(pressure):
    return (pi * pressure / (2 * E)) ** 2 * R


def ma_liu(radius, modulus, sigma, psi, xi):
    stiffness = 4 / 3 * modulus * sqrt(radius)
    p, s = 1.61 * sigma, log(xi ** 2 / 2)
    y = (pi * p / (2 * modulus)) ** 2 * radius
    c1 = (p * (1 + s) - 2 * psi * sigma) / s * pi * radius
    c2 = (2 * psi * sigma - p) / s * pi * radius
    c3 = stiffness * y ** 1.5 - c1 * y
    end, k1 = xi ** 2 / 2 * y, 2 * pi * radius * psi * sigma

    def middle(d):
        return d * (c1 + c2 * log(d / y)) + c3

    def force(d):
        if d < y:
            return stiffness * d ** 1.5
        return middle(d) if d < end else middle(end) + k1 * (d - end)

    def span(d, F):
        at = min(max(d, y), end)  # where the flattened radius is taken
        ratio = stiffness * at ** 1.5 / force(at)  # R_u/R
        return (F / (stiffness * sqrt(ratio))) ** (2 / 3) if d > y else d

    return y, force, span


def thornton_span(d, F):
    return d * F / (K * d ** 1.5)


def then_line(y, slope):
    return lambda d: K * d ** 1.5 if d < y else K * y ** 1.5 + slope * (d - y)


def make_thornton():
    p = 1.61 * SIGMA
    y = yield_overlap(p)
    force = then_line(y, pi * R * p)

    def span(d, F):
        radius = 4 * E / (3 * F) * ((2 * F + K * y ** 1.5) / (2 * pi * p)) ** 1.5
        return (3 * F / (4 * E * sqrt(radius))) ** (2 / 3)
    return y, force, hertz_unloading(span), False


def make_stronge(theta=1.1):
    y = (3 * pi * theta * SIGMA / (4 * E)) ** 2 * R
    F_y, end = K * y ** 1.5, y / 2 * (1 + exp(3 * (2.8 - theta)))

    def force(d):
        z = 2 * d / y - 1
        if d < y:
            return K * d ** 1.5
        return F_y * z * (1 + log(z) / (3 * theta)) if d < end else 2.8 / theta * F_y * z

    def span(d, F):
        z = 2 * d / y - 1
        return (F / (K * z ** 0.25)) ** (2 / 3)  # radius R sqrt(z)
    return y, force, hertz_unloading(span), True


def make_vu_quoc_zhang(c=0.02583, k=0.009805):
    y = yield_overlap(1.61 * SIGMA)
    F_y = K * y ** 1.5

    def overlap(u):
        return y * (u + c * (u ** 3 - 1)) ** 2 / (1 + k * (u ** 3 - 1))

    def force(d):
        return K * d ** 1.5 if d < y else F_y * root(lambda u: overlap(u) - d, 1 - 1e-9, 100.0, 1e-14) ** 3

    def span(d, F):
        u3 = F / F_y
        return y * u3 ** (2 / 3) / (1 + k * (u3 - 1))
    return y, force, hertz_unloading(span), False


def make_kogut_etsion(transition):
    y = (pi * (0.454 + 0.41 * NU) * 2.8 * SIGMA / (2 * E)) ** 2 * R
    F_c = K * y ** 1.5
    a, b = (1.03, 1.40) if transition == "printed" else (1.0, 6 ** (1.425 - 1.263))

    def force(d):
        w = d / y
        if w < 1:
            return K * d ** 1.5
        if w < 6:
            return F_c * a * w ** 1.425
        last = F_c * b * min(w, 110) ** 1.263
        return last if w <= 110 else last * (1 + 1.263 / 110 * (w - 110))

    def unloading(d, F):
        w = d / y
        n = 1.5 * w ** -0.0331
        residual = d * (1 - w ** -0.28) * (1 - w ** -0.69)
        return F * (d - residual) / (n + 1)
    return y, force, unloading, transition == "printed"


def make_jackson_green(unloading):
    C = 1.295 * exp(0.736 * NU)
    y = (pi * C * SIGMA / (2 * E)) ** 2 * R
    F_c, H = K * y ** 1.5, 2.84 * SIGMA
    B = 0.14 * exp(23 * SIGMA / E)

    def fit(w):
        return F_c * (exp(-w ** (5 / 12) / 4) * w ** 1.5 + 4 * H / (C * SIGMA) * (1 - exp(-w ** (5 / 9) / 25)) * w)

    step = fit(1.9) / (F_c * 1.9 ** 1.5)

    def force(d):
        return K * d ** 1.5 if d < 1.9 * y else fit(d / y) / step

    def span(d, F):
        w = d / y
        if unloading == "fit2005":
            return d - 1.02 * d * (1 - ((w + 5.9) / 6.9) ** -0.54)
        a = sqrt(R * d * (w / 1.9) ** B)
        return (F / (K * sqrt(cos(a / R)))) ** (2 / 3)
    return y, force, hertz_unloading(span), False


def make_du_wang():
    p = (1 + pi / 2) * SIGMA
    y = yield_overlap(p)
    return y, then_line(y, pi * R * p), hertz_unloading(lambda d, F: (F / K) ** (2 / 3)), False


def make_brake(k_y=1.6, hardness=2.8):
    y, p0 = yield_overlap(k_y * SIGMA), hardness * SIGMA
    a_p = 3 * pi * R * p0 / (4 * E)
    end, F_p, slope = a_p ** 2 / R, pi * p0 * a_p ** 2, 2 * pi * R * p0
    F_y, slope_y, width = K * y ** 1.5, 1.5 * K * sqrt(y), end - y

    def force(d):
        if d < y:
            return K * d ** 1.5
        if d >= end:
            return F_p + slope * (d - end)
        s = (d - y) / width  # Hermite's cubic
        return ((1 + 2 * s) * (1 - s) ** 2 * F_y + s * (1 - s) ** 2 * width * slope_y + s * s * (3 - 2 * s) * F_p
                + s * s * (s - 1) * width * slope)

    def span(d, F):
        return (F / (K * sqrt(1 + d / (2 * R)))) ** (2 / 3)
    return y, force, hertz_unloading(span), True


def make_burgoyne_daraio(k_y=1.6, hardness=2.48):
    p_y, p0 = k_y * SIGMA, hardness * SIGMA
    y = yield_overlap(p_y)
    F_y, end = K * y ** 1.5, y * exp(6 * p0 / p_y - 3)
    c2 = -R * p_y / (3 * p0) * end

    def force(d):
        if d < y:
            return K * d ** 1.5
        if d < end:
            return d * (F_y / y + F_y / (2 * y) * log(d / y))
        return pi * p0 * (2 * R * d + c2)

    def span(d, F):
        a = sqrt((2 * F + F_y) / (2 * pi * p_y))
        return 3 * F / (4 * E * a)
    return y, force, hertz_unloading(span), False


def make_yigit():
    y = yield_overlap(1.61 * SIGMA)
    force = then_line(y, 1.5 * K * sqrt(y))

    def unloading(d, F):
        r = (d ** 1.5 - F / K) ** (2 / 3)
        return K * (0.4 * (d ** 2.5 - r ** 2.5) - r ** 1.5 * (d - r))
    return y, force, unloading, False


def make_ma_liu():
    y, force, span = ma_liu(R, E, SIGMA, 3.0, 13.0)
    return y, force, hertz_unloading(span), False


def make(law, settings):
    words = dict(word.split("=") for word in settings.split() if "=" in word)
    words.pop("psi", None)  # make_ma_liu uses 3
    return {"ma-liu": make_ma_liu, "thornton": make_thornton, "stronge": make_stronge,
            "vu-quoc-zhang": make_vu_quoc_zhang, "kogut-etsion": make_kogut_etsion,
            "jackson-green": make_jackson_green, "du-wang": make_du_wang, "brake": make_brake,
            "burgoyne-daraio": make_burgoyne_daraio, "yigit": make_yigit}[law](**words)


# Gauss's five points on [-1, 1].
GAUSS = ((0.0, 128 / 225), (sqrt(5 - 2 * sqrt(10 / 7)) / 3, (322 + 13 * sqrt(70)) / 900),
         (sqrt(5 + 2 * sqrt(10 / 7)) / 3, (322 - 13 * sqrt(70)) / 900))


def integral(f, a, b):
    m, h = 0.5 * (a + b), 0.5 * (b - a)
    return h * sum(w * (f(m + h * x) + (f(m - h * x) if x else 0.0)) for x, w in GAUSS)


def turns(law, multiples, per_factor=400):
    """e of turns at these multiples of delta_y. The work is summed in short steps along the loading curve."""
    y, force, unloading, bounded = law
    d, work, lost, result = y, 0.4 * K * y ** 2.5, 0.0, []
    for multiple in multiples:
        start = d
        steps = round(per_factor * log(multiple * y / start))
        for k in range(1, steps + 1):
            ahead = start * (multiple * y / start) ** (k / steps)
            work += integral(force, d, ahead)
            d = ahead
            lost = max(lost, work - unloading(d, force(d)))
        kept = unloading(d, force(d))
        result.append(sqrt((min(kept, work - lost) if bounded else kept) / work))
    return result


def checkpoints(row):
    law = make(row["law"], row["settings"])
    y, force, _, _ = law
    e = turns(law, (10, 100, 1000))
    return {"delta_y_m": f"{y:.7g}", "force_y_N": f"{K * y ** 1.5:.7g}", "force_10dy_N": f"{force(10 * y):.7g}",
            "force_100dy_N": f"{force(100 * y):.7g}", "e_10dy": f"{e[0]:.5f}", "e_100dy": f"{e[1]:.5f}",
            "e_1000dy": f"{e[2]:.5f}"}


def indentation(row):
    """The ma-liu contact of two steel beads, loaded to 30 um; unloading rows are at (k/40)^1.5 of the span."""
    _, force, span = ma_liu(1.19e-3, 193e9 / (2 * (1 - 0.3 ** 2)), 900e6, 2.84, 13.0)
    top = 30e-6
    d, F = float(row["overlap_m"]), force(top)
    if not row["unloading_force_N"]:
        return {"loading_force_N": f"{force(d):.9g}"}
    recovered = span(top, F)
    k = round(40 * max(0.0, (d - top) / recovered + 1) ** (2 / 3))
    d = top - recovered * (1 - (k / 40) ** 1.5)
    return {"overlap_m": f"{d:.10g}", "unloading_force_N": f"{F * ((d - top + recovered) / recovered) ** 1.5:.9g}"}


REFERENCES = [Reference("papers/elastoplastic_checkpoints.csv", checkpoints),
              Reference("physics/indentation_example.csv", indentation)]
