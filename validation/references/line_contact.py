"""A pin in a hole under the laws of Skrinjar2018 Tables 3 and 4, elastic and with lankarani-nikravesh's damping."""
from math import exp, inf, log, pi, sqrt

from collision import collide
from csv_file import Reference

HOLE, PIN, LENGTH, HOLE_MASS, PIN_MASS, SPEED = 5e-3, 4.75e-3, 15e-3, 37.6e-3, 8.29e-3, 0.2
GAP = HOLE - PIN
RADIUS = HOLE * PIN / GAP
MODULUS = 210e9 / (2 * (1 - 0.3 ** 2))
EL = MODULUS * LENGTH


def inverse(overlap, maximum):
    """The force at an overlap, from the overlap as a function of the force, which increases up to `maximum`."""
    def force(d):
        if d <= 0.0:
            return 0.0
        # Newton's method in ln F, from the last force.
        s = force.last
        for _ in range(60):
            value = overlap(exp(s))
            slope = (overlap(exp(s + 1e-5)) - overlap(exp(s - 1e-5))) / (2e-5 * value)
            step = (log(d) - log(value)) / slope
            s = min(s + max(-5.0, min(5.0, step)), log(maximum))
            if abs(step) < 1e-13:
                break
        force.last = s
        return exp(s)
    force.last = log(1.0)
    return force


def logarithmic(compliance, scale, offset):
    """delta = c F (ln(A/F) + B), up to its maximum at F = A exp(B - 1)."""
    return inverse(lambda F: compliance * F * (log(scale / F) + offset), scale * exp(offset - 1) * 0.999)


def hertz():
    return logarithmic(2 / (pi * EL), pi * EL * GAP, -1)


def johnson():
    return logarithmic(1 / (pi * EL), 4 * pi * EL * GAP, -1)


def radzimovsky(b0=1.6, form="eq41"):
    if form == "eq41":
        return logarithmic(1 / (pi * EL), 8 * EL * GAP / float(b0) ** 2, 2 / 3)

    def overlap(F):  # Eqs (37)-(39), not multiplied out
        b = float(b0) * sqrt(F * RADIUS / EL)
        return F / (pi * EL) * (2 / 3 + log(4 * HOLE / b) + log(4 * PIN / b))
    return inverse(overlap, inf)


def goldsmith_like(inside, compliance):
    """delta = (F/(E L)) (ln(inside/F) + 1); the compliance is divided by pi where the sources do so."""
    p = pi if compliance == "over-pi" else 1.0
    return logarithmic(1 / (p * EL), p * inside, 1)


def goldsmith(curvature="clearance", compliance="printed"):
    return goldsmith_like(EL / (RADIUS if curvature == "radius" else 1 / GAP), compliance)


def dubowsky_freudenstein(compliance="printed"):
    return goldsmith_like(MODULUS * LENGTH ** 3 / RADIUS, compliance)


def esdu(compliance="printed"):
    return goldsmith_like(4 * EL * GAP, compliance)


def liu():
    return lambda d: pi / 2 * EL * d * sqrt(d / (2 * (GAP + d))) if d > 0.0 else 0.0


def persson(denominator="full", modulus_factor="2"):
    modulus = float(modulus_factor) * EL

    def force(d):
        b2 = d / (2 * GAP + d)
        below = 2 - log(1 + b2) - 2 * b2 ** 2 if denominator == "full" else 2
        return pi * modulus * GAP * (b2 + 1) * b2 / below
    return force


def pereira():
    gap = 1e3 * GAP  # mm
    n = (1.51 * log(1000 * gap) ** -0.151 if gap < 0.34954 else 0.0151 * gap + 1.151) * gap ** -0.005
    stiffness = (0.965 * gap + 0.0965) * 1e3 * LENGTH * 1e-6 * MODULUS / gap  # N/mm^n
    return lambda d: stiffness * max(1e3 * d, 0.0) ** n


def lankarani_nikravesh():
    return lambda d: 4 / 3 * MODULUS * sqrt(RADIUS) * max(d, 0.0) ** 1.5


LAWS = {"hertz": hertz, "johnson": johnson, "radzimovsky": radzimovsky, "goldsmith": goldsmith,
        "dubowsky-freudenstein": dubowsky_freudenstein, "esdu-78035": esdu, "liu": liu, "persson": persson,
        "pereira": pereira, "lankarani-nikravesh": lankarani_nikravesh}


def impact(row):
    mass = PIN_MASS if row["hole"] == "fixed" else PIN_MASS * HOLE_MASS / (PIN_MASS + HOLE_MASS)
    options = dict(word.split("=") for word in row["options"].split() if "=" in word)
    force = LAWS[row["law"]](**options)
    cells = {}
    for name, chi in (("elastic", 0.0), ("damped", 0.75 * (1 - 0.7 ** 2))):
        hit = collide(lambda d, v: force(d) * (1 + chi * v / SPEED) / mass, SPEED, tolerance=1e-9, scale=1e-6,
                      wants_force=True)
        cells.update({f"duration_{name}_s": f"{hit.duration:.6g}", f"max_overlap_{name}_m": f"{hit.max_overlap:.6g}",
                      f"max_force_{name}_N": f"{mass * hit.max_force:.6g}"})
    cells["restitution_damped"] = f"{hit.restitution:.6f}"
    return cells


REFERENCES = [Reference("papers/line_contact_skrinjar2018.csv", impact)]
