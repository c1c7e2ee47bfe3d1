"""Poursina2020 Figs 2 to 9: the damping that returns a restitution, its dependence on each number, and the errors of the fit."""
import math
import random

import numpy as np
from drawing import axes, legend_beside, line, save

LAW = {"law_name": "poursina-nikravesh"}
EXPONENTS = (1.0, 1.2, 1.5, 1.8, 2.0)
EVEN = [1.0 + 0.1 * k for k in range(11)]  # n of the slopes
PRINTED = {1.2: (1.59, -0.3794), 1.8: (2.47, -0.2323)}  # caption of Fig. 6
ALPHA, BETA = np.poly1d([0.3331, -1.48, 3.077, -2.306, 1.794]), lambda n: 1.285 * n ** 0.2553 - 1.725  # Eqs (46), (47)
LOWEST = 0.45  # restitution of the paper's fit, section 4.2.4


def damping(program, restitution=0.7, exponent=1.5, stiffness=1.0, mass=1.0, speed=1.0):
    """`optimum`, `fit` [N s/m] and `fit_restitution` of one impact."""
    return program.damping(restitution=restitution, exponent=exponent, stiffness=stiffness, mass=mass, speed=speed)


def force_and_overlap(program, folder):
    figure, panel = axes("Poursina2020 Fig. 2: m = 1 kg, K = 1e6 N/m^1.5, 1 m/s, e = 0.5", "overlap [mm]", "force [N]")
    for i, (label, settings, start) in enumerate((  # linear damping acts from the first contact on
            ("linear damping, optimal", {**LAW, "law_coefficient": '"optimal"'}, 1), ("hysteresis damping, Eq. (19)", {"law_name": "exact"}, 0))):
        overlap, force = program.trajectory("unit_impact", law_restitution=0.5, **settings)
        panel.plot([1e3 * x for x in overlap[start:]], force[start:], **{**line(i), "linestyle": ("-", "--")[i]}, label=label)
    legend_beside(panel)
    save(figure, folder / "poursina2020_force_over_overlap.png",
         "The paper prints no numbers for it. Its dotted part, tension after point C, is not drawn: the law ends there.")


def power(number, name, symbol, unit, values, slope, printed):
    """Figs 3 to 5: ln c_opt over the logarithm of one number, and the slopes."""
    def draw(program, folder):
        logs = [math.log(v) for v in values]
        slopes, curves = {}, {}
        for n in sorted({*EVEN, *EXPONENTS}):
            curves[n] = [math.log(damping(program, exponent=n, **{name: v})["optimum"]) for v in values]
            slopes[n] = np.polyfit(logs, curves[n], 1)[0]
        figure, panel = axes(f"Poursina2020 Fig. {number} (a): e = 0.7, the other numbers 1", f"ln {symbol}, {symbol} in {unit}",
                             "ln c_opt, c_opt in N s/m")
        for i, n in enumerate(EXPONENTS):
            panel.plot(logs, curves[n], marker="o", markersize=3, **line(i), label=f"n = {n}")
        legend_beside(panel)
        save(figure, folder / f"poursina2020_{name}.png")

        off = max(abs(slopes[n] - slope(n)) for n in slopes)
        figure, panel = axes(f"Poursina2020 Fig. {number} (b): slope of (a)", "exponent n [-]", "slope [-]")
        panel.plot(list(slopes), list(slopes.values()), "o", color=line(1)["color"], label="optimal damping")
        fine = np.linspace(1.0, 2.0, 101)
        panel.plot(fine, slope(fine), **line(0), label=f"{printed}, printed")
        legend_beside(panel)
        save(figure, folder / f"poursina2020_{name}_slope.png", f"The slopes are the printed {printed} {'to rounding' if off < 1e-12 else f'within {off:.0e}'}: the program solves for scaled numbers, whose exponents "
             "are exact. Fig. 8 integrates impacts with numbers of any size.")
    return draw


FIGURES_3_TO_5 = (
    power(3, "mass", "m", "kg", np.geomspace(1e-5, 50.0, 7), lambda n: n / (n + 1.0), "n/(n + 1)"),
    power(4, "speed", "v", "m/s", np.geomspace(0.01, 50.0, 7), lambda n: (n - 1.0) / (n + 1.0), "(n - 1)/(n + 1)"),
    power(5, "stiffness", "K", "N/m^n", np.geomspace(1e5, 1e10, 7), lambda n: 1.0 / (n + 1.0), "1/(n + 1)"))


def over_restitution(program, folder):
    """Fig. 6, with the fits of its caption."""
    restitutions = np.linspace(LOWEST, 1.0, 23)
    figure, panel = axes("Poursina2020 Fig. 6: m = K = v = 1; lines: the fits that its caption prints", "restitution e [-]",
                         "c_opt [N s/m]")
    off = 0.0
    for i, (n, (alpha, beta)) in enumerate(PRINTED.items()):
        ours = np.array([damping(program, e, n)["optimum"] for e in restitutions])
        fit = alpha * (restitutions ** beta - 1.0)
        off = max(off, float(np.max(np.abs(fit - ours))))
        panel.plot(restitutions, ours, "o", markersize=4, color=line(i)["color"], label=f"n = {n}")
        panel.plot(restitutions, fit, **line(i), label=f"{alpha} (e^{beta} - 1)")
    legend_beside(panel)
    save(figure, folder / "poursina2020_over_restitution.png", f"The printed fits are off by at most {off:.2g} N s/m.")


def fitted(restitutions, dampings):
    """alpha and beta of c = alpha (e^beta - 1), least squares: alpha follows from beta."""
    def alpha_and_error(beta):
        shape = restitutions ** beta - 1.0
        alpha = shape @ dampings / (shape @ shape)
        return alpha, float(np.sum((alpha * shape - dampings) ** 2))

    low, high = -1.0, -0.01
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    for _ in range(60):  # golden section
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if alpha_and_error(left)[1] < alpha_and_error(right)[1]:
            high = right
        else:
            low = left
    beta = 0.5 * (low + high)
    return alpha_and_error(beta)[0], beta


def coefficients(program, folder):
    """Fig. 7: alpha and beta fitted to the optimum as the text says, and Eqs (46) and (47)."""
    restitutions = np.linspace(LOWEST, 1.0, 23)
    found = [fitted(restitutions, np.array([damping(program, e, n)["optimum"] for e in restitutions])) for n in EVEN]
    figure, panel = axes("Poursina2020 Fig. 7: c_opt = α (e^β - 1)", "exponent n [-]", "α, β [-]")
    fine = np.linspace(1.0, 2.0, 101)
    for i, (name, formula) in enumerate((("α", ALPHA), ("β", BETA))):
        panel.plot(EVEN, [pair[i] for pair in found], "o", color=line(i)["color"], label=f"{name} of our fit, e from {LOWEST}")
        panel.plot(fine, formula(fine), **line(i), label=f"{name}, Eq. ({46 + i})")
    off = [max(abs(pair[i] - formula(n)) for n, pair in zip(EVEN, found)) for i, formula in enumerate((ALPHA, BETA))]
    legend_beside(panel)
    save(figure, folder / "poursina2020_coefficients.png",
         f"α differs from Eq. (46) by up to {off[0]:.2g}, β from Eq. (47) by up to {off[1]:.2g}: over the printed range of e the "
         "fit does not give the printed numbers (assumption (b) of validation/papers/TABLES.md).")


def bound(program, folder):
    """Fig. 8: the largest error of 21 impacts for each restitution, n from 1 to 2, the rest at random; the paper has 300."""
    dice = random.Random(2020)

    def between(low, high):
        return math.exp(dice.uniform(math.log(low), math.log(high)))

    def error(e, n):
        """Of one collision whose other numbers are random within the paper's ranges."""
        return abs(program.collide("unit_impact", **LAW, law_restitution=e, law_exponent=n, speed=between(1e-3, 1e2),
                                   contact_effective_mass=between(1e-5, 1e2), law_stiffness=between(1e5, 1e10))["restitution"] - e)

    restitutions = [1e-4, 1e-3, 0.01, 0.03] + [0.05 * k for k in range(1, 20)] + [0.99, 1.0]
    largest = [max(error(e, 1.0 + k / 20.0) for k in range(21)) for e in restitutions]
    figure, panel = axes("Poursina2020 Fig. 8: largest error of 21 impacts, n = 1 to 2, the rest at random", "restitution e [-]",
                         "largest |e_out - e| [-]")
    panel.plot(restitutions, largest, marker="o", markersize=3, **line(0))
    save(figure, folder / "poursina2020_bound.png",
         f"The largest error is {max(largest):.2g}, at e = {restitutions[largest.index(max(largest))]:g}. The figure's curve "
         "cannot be read.")


def exact_restitution(xi):
    """Eq. (55) for xi < 1, with the quadrant of its arctangent as the text says; above 1 in the real form of the same motion."""
    if xi < 1.0:
        root = math.sqrt(1.0 - xi * xi)
        return math.exp(-xi / root * math.atan2(2.0 * xi * root, 2.0 * xi * xi - 1.0))
    root = math.sqrt(xi * xi - 1.0)
    return ((xi - root) / (xi + root)) ** (xi / root) if root > 0.0 else math.exp(-2.0)


def linear(program, folder):
    """Fig. 9: n = 1, whose restitution has a closed form."""
    restitutions = [1e-4, 1e-3] + [0.01 * k for k in range(1, 101)]
    given = [damping(program, e, 1.0) for e in restitutions]
    exact = [exact_restitution(0.5 * each["fit"]) for each in given]
    off = max(abs(each["fit_restitution"] - e) for each, e in zip(given, exact))
    figure, panel = axes("Poursina2020 Fig. 9 (a): n = 1, damping of Eq. (57)", "restitution e [-]", "restitution [-]")
    panel.plot(restitutions, exact, **line(0), label="closed form, Eq. (55)")
    panel.plot(restitutions[::5], [each["fit_restitution"] for each in given[::5]], "o", markersize=4, color=line(1)["color"],
               label="beadwave")
    legend_beside(panel)
    save(figure, folder / "poursina2020_linear.png", f"The integrated impacts differ from the closed form by at most {off:.0e}.")
    figure, panel = axes("Poursina2020 Fig. 9 (b): n = 1, damping of Eq. (57)", "restitution e [-]", "|e_exact - e| [-]")
    errors = [abs(a - b) for a, b in zip(exact, restitutions)]
    panel.plot(restitutions, errors, **line(0))
    save(figure, folder / "poursina2020_linear_error.png", f"The largest error is {max(errors):.2g}.")


def draw(program, folder):
    for each in (force_and_overlap, *FIGURES_3_TO_5, over_restitution, coefficients, bound, linear):
        each(program, folder)
