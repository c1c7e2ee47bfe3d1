"""Whether heights decay by a power law or exponentially: both are straight lines through log(height).

power        height = c n^-a
exponential  height = c exp(-n / l)

with the bead number n, counted from the end where the wave starts. Both have two numbers and the same scatter of log(height) at
every bead, so the difference of Akaike's information criterion is N log(S_exponential / S_power), S the sums of the squared
residuals: positive is evidence for the power law. Neighbouring residuals of a computed wave are alike; as in `beadwave fit`, N is
multiplied by (1 - r) / (1 + r) if r, the correlation of neighbouring residuals of the better law, is positive.
"""
from dataclasses import dataclass

import numpy as np

LEAST_BEADS = 4
NO_DECAY = 0.01  # a smaller change of the height along the chain is no decay
SOME, STRONG = 2.0, 10.0  # differences of AIC


@dataclass
class Decay:
    exponent: float  # a of the power law
    power_start: float  # c of the power law [N]
    power_rms: float  # root mean square of the relative residuals
    length: float  # l of the exponential [beads]; negative if the height grows
    exponential_start: float  # c of the exponential [N]
    exponential_rms: float
    aic_difference: float  # of the exponential to the power law; positive: evidence for the power law
    effective: float  # the same with the effective number of beads
    correlation: float  # of neighbouring residuals of the better law
    change: float  # of the height from the first to the last bead, by the better law, as a share
    beads: int

    @property
    def law(self):
        """"power", "exponential", "neither" (no evidence) or "none" (no decay)."""
        if abs(self.change) < NO_DECAY:
            return "none"
        if abs(self.effective) < SOME:
            return "neither"
        return "power" if self.effective > 0.0 else "exponential"

    def power(self, n):
        return self.power_start * np.asarray(n, float)**-self.exponent

    def exponential(self, n):
        return self.exponential_start * np.exp(-np.asarray(n, float) / self.length)


def _line(x, y):
    slope, mean = np.polyfit(x - x.mean(), y, 1)
    residual = y - (mean + slope * (x - x.mean()))
    return slope, mean - slope * x.mean(), residual


def fit_decay(n, height):
    """The Decay of heights [N] at beads n > 0; None with fewer than LEAST_BEADS heights."""
    order = np.argsort(n)
    n, height = np.asarray(n, float)[order], np.asarray(height, float)[order]
    if len(n) < LEAST_BEADS or not np.all(height > 0.0) or not n[0] > 0.0:
        return None
    y = np.log(height)
    power, exponential = _line(np.log(n), y), _line(n, y)
    sums = [max(float(np.sum(residual**2)), len(n) * 1e-30) for _, _, residual in (power, exponential)]
    better = (power if sums[0] <= sums[1] else exponential)[2]
    correlation = float(np.sum(better[1:] * better[:-1]) / max(np.sum(better**2), 1e-300))
    difference = len(n) * np.log(sums[1] / sums[0])
    effective = difference * ((1.0 - correlation) / (1.0 + correlation) if correlation > 0.0 else 1.0)
    ends = power[0] * np.log(n[[0, -1]]) if sums[0] <= sums[1] else exponential[0] * n[[0, -1]]
    return Decay(-power[0], float(np.exp(power[1])), float(np.sqrt(sums[0] / len(n))),
                 -1.0 / exponential[0] if exponential[0] else np.inf, float(np.exp(exponential[1])), float(np.sqrt(sums[1] / len(n))),
                 float(difference), float(effective), correlation, float(np.expm1(ends[1] - ends[0])), len(n))


def evidence(decay):
    """One sentence."""
    laws = (f"Power law n^{-decay.exponent:.4g}: the heights deviate by {100 * decay.power_rms:.2g} %. Exponential exp(-n / "
            f"{decay.length:.4g}): by {100 * decay.exponential_rms:.2g} %.")
    if decay.law == "none":
        return f"No decay to fit: the height changes by {100 * decay.change:.2g} % over these {decay.beads} beads."
    numbers = (f"difference of AIC {abs(decay.effective):.3g}; {abs(decay.aic_difference):.3g} if the residuals of neighbouring "
               f"beads, whose correlation is {decay.correlation:.2f}, were independent")
    if decay.law == "neither":
        return f"{laws} No evidence for either ({numbers})."
    strength = "Strong evidence" if abs(decay.effective) >= STRONG else "Some evidence"
    return f"{laws} {strength} for the {'power law' if decay.law == 'power' else 'exponential'} ({numbers})."
