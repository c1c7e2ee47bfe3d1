"""`./dev dashpot` runs this: python3 validation/dashpot PROGRAM docs/DASHPOT_OR_ELASTOPLASTIC.md; a test runs it with --compare.

Runs the laboratory's chain under every law with a loss and compares peaks and arrivals with those of the law ma-liu. The fitted numbers
come from fits.json, which fit.py writes; every error on the page is of a run with the numbers as printed there.
"""
import json
import math
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import chain  # noqa: E402
from measured_page import BEADS, filled, table, write_or_compare  # noqa: E402

HERE = Path(__file__).resolve().parent
SCENARIO = HERE.parents[1] / chain.SCENARIO
DAMPED = {"law.restitution": chain.RESTITUTION}
SHOWN = {"ma-liu": {}, "jackson-green": {}, "herbert-mcwhannell": DAMPED, "tsuji": DAMPED, "wang-liu": DAMPED, "hertz": {}}


class Runs:
    def __init__(self, program):
        self.program, self.known = program, {}

    def numbers(self, law, settings):
        key = (law, tuple(settings.items()))
        if key not in self.known:
            with tempfile.TemporaryDirectory() as folder:
                words = [word for name, number in ({"law.name": law} | settings).items() for word in ("--set", f"{name}={number}")]
                done = self.program.run("run", SCENARIO, "--json", "--quiet", "--threads", "1", "-o", f"{folder}/run.h5", *words)
            if done.returncode != 0:
                raise SystemExit(f"{law} {settings}: {done.stderr}")
            self.known[key] = chain.numbers(json.loads(done.stdout))
        return self.known[key]


def percent(value):
    return f"{100.0 * value:.1f} %"


def errors(numbers, reference):
    return [percent(numbers.peak_error(reference)), percent(numbers.arrival_error(reference))]


def last(numbers):
    return [f"{numbers.peaks[-1]:.2f} N", f"{1e6 * numbers.arrivals[-1]:.0f} us"]


def merged(rows):
    """Rows of the same numbers become one row with all names."""
    same = {}
    for name, *cells in rows:
        same.setdefault(tuple(cells), []).append(f"`{name}`")
    return [[", ".join(names), *cells] for cells, names in same.items()]


def shown(keys, settings):
    """The numbers of these keys, which are all the same."""
    names = {chain.YIELD_STRESS: ("yield stress", 1e6, " MPa"), chain.MODULUS: ("E", 1e9, " GPa"), "law.restitution": ("e", 1.0, "")}
    each = [names.get(key, (key.removeprefix("law.").replace("_", " "), 1.0, "")) for key in keys]
    return f"{' = '.join(name for name, _, _ in each)} = {settings[keys[0]] / each[0][1]:.4g}{each[0][2]}"


def printed_table(runs, rows, reference):
    results = []
    for row in rows:
        settings = chain.printed_settings(row)
        if settings is not None and row[0] != chain.REFERENCE:
            numbers = runs.numbers(row[1]["name"], settings)
            results.append((numbers.misfit(reference), row[0], row[1]["family"], numbers))
    results.sort(key=lambda one: round(one[0], 6))  # stable: laws that differ by the last bits stay in order
    cells = merged([name, family, *errors(numbers, reference), *last(numbers)] for _, name, family, numbers in results)
    return table(["law", "family", "peaks", "arrivals", "peak at bead 63", "arrival there"], cells), results


def fitted_table(runs, rows, reference, fits):
    results = []
    for name, law, kept, free in rows:
        if name == chain.REFERENCE:
            continue
        one, two = (runs.numbers(law["name"], settings) for settings in fits[name])
        own, both = shown(free, fits[name][0]), f"{shown(free, fits[name][1])}, {shown([chain.MODULUS], fits[name][1])}"
        if runs.numbers(law["name"], fits[name][1] | {chain.MODULUS: chain.MATERIAL[chain.MODULUS]}).peaks == two.peaks:
            both = "E does not enter"
        results.append((two.misfit(reference), one.misfit(reference), name, law["family"],
                        [own, *errors(one, reference), both, *errors(two, reference)]))
    results.sort(key=lambda one: round(one[0], 6))  # stable: laws that differ by the last bits stay in order
    cells = merged([name, family, *cells] for _, _, name, family, cells in results)
    return table(["law", "family", "one number", "peaks", "arrivals", "two numbers", "peaks", "arrivals"], cells), results


def loss_per_bead(numbers):
    """The part of the peak that is lost per bead, between two sensors."""
    return [1.0 - (b / a) ** (1.0 / (m - k)) for a, b, k, m in zip(numbers.peaks, numbers.peaks[1:], numbers.beads, numbers.beads[1:])]


def power(numbers):
    """The same times the bead's number: constant where peaks fall as a power of it."""
    return " ".join(f"{0.5 * (k + m) * lost:.2f}" for lost, k, m in zip(loss_per_bead(numbers), numbers.beads, numbers.beads[1:]))


def decay_tables(runs, reference):
    """How much of the peak is lost per bead between two sensors, and the speed there."""
    def speeds(numbers):
        times, beads = numbers.arrivals, numbers.beads
        return [(m - k) / (b - a) for a, b, k, m in zip(times, times[1:], beads, beads[1:])]

    chosen = [(f"`{name}`", runs.numbers(name, settings)) for name, settings in SHOWN.items()]
    head = ["law", *(f"beads {a} to {b}" for a, b in zip(reference.beads, reference.beads[1:]))]
    return (table(head, [[name, *(f"{100.0 * lost:.2f} %" for lost in loss_per_bead(numbers))] for name, numbers in chosen]),
            table(head, [[name, *(f"{1e-3 * speed:.1f}" for speed in speeds(numbers))] for name, numbers in chosen]))


def page(program):
    runs = Runs(program)
    rows = chain.rows(program.catalogue()["laws"])
    reference = runs.numbers(chain.REFERENCE, {})
    fits = json.loads((HERE / "fits.json").read_text(encoding="utf-8"))
    program.each(lambda job: runs.numbers(*job), [(row[1]["name"], settings) for row in rows if row[0] != chain.REFERENCE
                                                  for settings in (chain.printed_settings(row), *fits[row[0]]) if settings is not None])
    printed, printed_results = printed_table(runs, rows, reference)
    fitted, fitted_results = fitted_table(runs, rows, reference, fits)
    lost, speed = decay_tables(runs, reference)
    dashpots = [one for one in fitted_results if one[3] != "elastoplastic"]
    plastic = [one for one in fitted_results if one[3] == "elastoplastic"]
    best = {family: min(results, key=lambda one: one[k]) for family, results, k in
            (("dashpot one", dashpots, 1), ("dashpot two", dashpots, 0), ("plastic one", plastic, 1), ("plastic two", plastic, 0))}
    wang_liu = [[f"`{name}`" if name == "wang-liu" else name.replace("wang-liu", "`wang-liu`"),
                 *errors(numbers, reference), *last(numbers)]
                for _, name, _, numbers in printed_results if name.startswith("wang-liu")]
    hysteresis = [one for one in fitted_results if one[3] == "hysteresis"]
    alike = [one for one in hysteresis if one[1] < 1.001 * min(other[1] for other in hysteresis)]
    others = [f"`{one[2]}` ({percent(one[1])})" for one in hysteresis if one not in alike]
    named = [fits[one[2]][0]["law.restitution"] for one in alike]
    near = [one for one in printed_results if one[2] == "hysteresis"][:3]
    near_plastic = [one for one in printed_results if one[2] == "elastoplastic"][:2]
    far = next(numbers for _, name, _, numbers in printed_results if name == "wang-liu")
    slow, fast = (f"{program.returned(BEADS, chain.REFERENCE, speed=speed):.2f}" for speed in (0.01, 1.0))
    values = {
        "printed": printed, "fitted": fitted, "lost": lost, "speed": speed,
        "wang-liu": table(["law, e = 0.65", "peaks", "arrivals", "peak at bead 63", "arrival there"],
                          sorted(wang_liu, key=lambda one: len(one[0]))),
        "reference": table(["bead", *map(str, reference.beads)],
                           [["peak, N", *(f"{p:.2f}" for p in reference.peaks)],
                            ["arrival, us", *(f"{1e6 * t:.1f}" for t in reference.arrivals)]]),
        "count": str(len({row[1]["name"] for row in rows}) - 1),
        "near": ", ".join(f"`{name}`" for _, name, _, _ in near),
        "near peaks": percent(max(numbers.peak_error(reference) for _, _, _, numbers in near)),
        "near arrivals": percent(max(numbers.arrival_error(reference) for _, _, _, numbers in near)),
        "nearest plastic": f"`{near_plastic[0][1]}` ({percent(near_plastic[0][0])} over both)",
        "next plastic": f"`{near_plastic[1][1]}` ({percent(near_plastic[1][0])})",
        "tsuji power": power(runs.numbers("tsuji", DAMPED)), "ma-liu power": power(reference),
        "alike": str(len(alike)), "of": str(len(hysteresis)), "others": " and ".join(others), "alike misfit": percent(alike[0][1]),
        "lowest e": f"{min(named):.2f}", "highest e": f"{max(named):.2f}",
        "times the force": f"{far.peaks[-1] / reference.peaks[-1]:.1f}", "part of the time": f"{far.arrivals[-1] / reference.arrivals[-1]:.2f}",
        "restitution slow": slow, "restitution fast": fast,
        "picture": "![Peaks along the chain under seven laws](figures/chain70_dashpots.png)",
        "traces": "![Forces at the sensors under ma-liu and wang-liu](figures/wangliu2022_chain_forces.png)",
        "laws page": "[LAWS.md](LAWS.md)", "fit page": "[FIT.md](FIT.md)", "speed page": "[SPEED.md](SPEED.md)",  # links from where the page is
    }
    for key, one in best.items():
        values[f"best {key}"] = f"`{one[2]}`"
        values[f"misfit {key}"] = percent(one[1 if key.endswith("one") else 0])
    if not all(math.isfinite(one[0]) for one in fitted_results):
        raise SystemExit("a fitted run has no arrival at a sensor")
    return filled(HERE / "page.md", values)


if __name__ == "__main__":
    write_or_compare("python3 validation/dashpot", "./dev dashpot", page)
