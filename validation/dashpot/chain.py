"""The laboratory's chain under one law: its numbers beside those of the reference, the law ma-liu."""
import math

SCENARIO = "configs/chain70.toml"
REFERENCE = "ma-liu"
RESTITUTION = 0.65  # of WangLiu2022 for this chain
YIELD_STRESS, MODULUS = "material.steel316.yield_stress", "material.steel316.youngs_modulus"
MATERIAL = {YIELD_STRESS: 900e6, MODULUS: 193e9}
# Values for parameters without a default that are no damping.
CHOSEN = {"alpha": 1.5, "relaxation_time": 1e-6, "beta_1": 0.0}
FAMILIES = ("hysteresis", "viscous", "elastoplastic dashpot", "elastoplastic")
# The law of the paper as printed, and with what would bring it to the law ma-liu.
VARIANTS = {
    "wang-liu, continuous": {"law.transition": '"continuous"'},
    "wang-liu, per-contact": {"law.impact_speed": '"per-contact"'},
    "wang-liu, continuous, per-contact": {"law.transition": '"continuous"', "law.impact_speed": '"per-contact"'},
}


def rows(laws):
    """(name of the row, law, settings that stay, keys that one free number sets) for each law with a loss."""
    result = []
    for law in laws:
        if law["family"] not in FAMILIES or "refused" in law or law["name"] == "tabulated":
            continue
        needed = [one["name"] for one in law["parameters"] if "default" not in one]
        kept = {f"law.{name}": CHOSEN[name] for name in needed if name in CHOSEN}
        if "restitution" in needed:
            free = ["law.restitution"]
        elif law["needs_yield_stress"]:
            free = [YIELD_STRESS]
        elif law["name"] == "wang-c-star":
            free = ["law.yield_ratio"]
        else:
            free = [f"law.{name}" for name in needed if name not in CHOSEN]
        result.append((law["name"], law, kept, free))
        if law["name"] == "wang-liu":
            result += [(name, law, kept | changed, free) for name, changed in VARIANTS.items()]
            result += [(f"{name}, yield stress", law, kept | changed | {"law.restitution": RESTITUTION}, [YIELD_STRESS])
                       for name, changed in (("wang-liu", {}), ("wang-liu, continuous", VARIANTS["wang-liu, continuous"]))]
    return result


def printed_settings(row):
    """The numbers of the laboratory and of the paper: none fitted. None if the law has a damping that nobody printed, or if another row
    has these numbers."""
    name, _, kept, free = row
    if name.endswith("yield stress"):
        return None
    known = {"law.restitution": RESTITUTION, YIELD_STRESS: MATERIAL[YIELD_STRESS], "law.yield_ratio": 1.0}
    return None if any(key not in known for key in free) else kept | {key: known[key] for key in free}


class Numbers:
    """Peaks [N] and arrival times [s] at the sensors, beside those of a reference."""

    def __init__(self, beads, peaks, arrivals):
        self.beads, self.peaks, self.arrivals = beads, peaks, arrivals

    def misfit(self, reference):
        """Root mean square of all relative differences; infinite where a wave did not arrive."""
        return math.sqrt(0.5 * (self.peak_error(reference) ** 2 + self.arrival_error(reference) ** 2))

    def peak_error(self, reference):
        return math.sqrt(sum(differences(self.peaks, reference.peaks)) / len(self.peaks))

    def arrival_error(self, reference):
        return math.sqrt(sum(differences(self.arrivals, reference.arrivals)) / len(self.arrivals))


def differences(ours, theirs):
    """Squares of the relative differences."""
    return [math.inf if a is None or not math.isfinite(a) else (a / b - 1.0) ** 2 for a, b in zip(ours, theirs, strict=True)]


def numbers(result):
    """Those of the object that `run --json` prints."""
    sensors = result["sensors"]
    return Numbers([one["bead"] for one in sensors], [one.get("peak_force") for one in sensors],
                   [one.get("arrival_time") for one in sensors])
