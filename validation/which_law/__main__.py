"""`./dev which-law` runs this: python3 validation/which_law PROGRAM docs/WHICH_LAW.md; a test runs it with --compare.

Measures every law of the catalogue in single collisions: the restitution that it returns, over the restitution asked for and over the speed,
what it must be given, and the forces of line contacts.
"""
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from measured_page import BEADS, STEEL, cell, filled, has, required, table, write_or_compare  # noqa: E402

PAGE = Path(__file__).with_name("page.md")
RESTITUTIONS = (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)
SPEEDS = (0.01, 0.1, 1.0, 10.0)
CALIBRATED = 0.65  # the restitution at 1 m/s to which a measured damping is set
ANGLES = (90, 75, 60, 45, 30, 15)
PIN = ("speed = 0.2\n[body.a]\nradius = 4.75e-3\nlength = 15e-3\nmass = 8.29e-3\n" + STEEL +
       "[body.b]\nradius = 5e-3\nlength = 15e-3\nmass = 37.6e-3\nconcave = true\n" + STEEL)
ROLLERS = "speed = 0.2\n" + "".join(f"[body.{name}]\nradius = 5e-3\nlength = 15e-3\nmass = 8e-3\n{STEEL}" for name in "ab")
CROSSED = "speed = 0.2\nangle = {angle!r}\n" + "".join(
    f"[body.{name}]\nradius = 5e-3\nlength = 15e-3\nmass = 8e-3\n{STEEL}" for name in "ab") + '[law]\nname = "hertz"\n'
# Values for parameters that have no default and are no damping.
CHOSEN = {"half_width": 2e-4, "alpha": 1.5, "relaxation_time": 1e-6, "stiffness": 4e9, "beta_1": 0.0}


def restitutions(program, laws):
    """By law: what it returns for each of RESTITUTIONS."""
    asked = [law["name"] for law in laws if has(law, "restitution") and required(law) in ([], ["restitution"])]
    return {name: program.each(lambda e, name=name: program.returned(BEADS, name, law__restitution=e), RESTITUTIONS) for name in asked}


def restitution_table(results):
    def row(item):
        name, returned = item
        cells = [cell(r) if r is None or abs(r - e) > 0.01 * e else f"**{r:.3f}**" for r, e in zip(returned, RESTITUTIONS)]
        return [f"`{name}`", *cells]

    def good(item):  # more restitutions within 1 %, then smaller errors, come first
        errors = [abs((r if r is not None else 2.0) - e) / e for r, e in zip(item[1], RESTITUTIONS)]
        return (-sum(error <= 0.01 for error in errors), sum(errors))

    return table(["law", *(f"e = {e:g}" for e in RESTITUTIONS)], [row(item) for item in sorted(results.items(), key=good)])


def falling_root(function, low, high):
    """To 1e-9 of the function, or a bracket of 4e-10: halves the bracket to half a unit, then false position (Illinois) and, in every
    third step, halves."""
    above, below = None, None  # the function at low and high, once known
    for step in range(80):
        wide = high - low > 0.5 or above is None or below is None or step % 3 == 0
        middle = 0.5 * (low + high) if wide else (low * below - high * above) / (below - above)
        value = function(middle)
        if abs(value) < 1e-9 or high - low < 4e-10:
            return middle
        if value > 0.0:
            below = below if wide or below is None else 0.5 * below
            low, above = middle, value
        else:
            above = above if wide or above is None else 0.5 * above
            high, below = middle, value
    return low


def calibrated(program, law):
    """Settings with which the law returns CALIBRATED at 1 m/s, where it has a restitution or a damping."""
    settings = {f"law__{name}": CHOSEN[name] for name in required(law) if name in CHOSEN}
    if has(law, "restitution") and "restitution" in required(law):
        return settings | {"law__restitution": CALIBRATED}
    dampings = [name for name in required(law) if name not in CHOSEN]
    if not dampings:
        return settings

    def excess(exponent):
        tried = program.returned(BEADS, law["name"], **settings, **{f"law__{name}": repr(10.0 ** exponent) for name in dampings})
        return (-1.0 if tried is None else tried) - CALIBRATED  # bodies that stick: too much damping

    root = falling_root(excess, -12.0, 14.0)
    return settings | {f"law__{name}": repr(10.0 ** root) for name in dampings}


def over_speed(program, laws):
    """By law: (settings, restitutions at SPEEDS)."""
    offered = [law for law in laws if "refused" not in law and law["name"] not in ("expression", "tabulated") and law["family"] != "adhesion"]

    def of_law(law):
        settings = calibrated(program, law)
        return law["name"], (settings, [program.returned(BEADS, law["name"], speed=v, **settings) for v in SPEEDS])

    return dict(program.each(of_law, offered))


def kind_of(returned):
    known = [r for r in returned if r is not None]
    if len(known) < 2:
        return "refused at some speeds"
    if max(known) - min(known) < 0.01:
        return "none" if max(known) > 0.99 else "constant"
    if all(a >= b - 5e-3 for a, b in zip(known, known[1:])):
        return "falls"
    return "rises" if all(a <= b + 5e-3 for a, b in zip(known, known[1:])) else "has a maximum or minimum"


def speed_table(laws, results):
    family = {law["name"]: law["family"] for law in laws}
    order = ("none", "constant", "falls", "rises", "has a maximum or minimum", "refused at some speeds")
    rows = []
    for kind in order:
        same, ranges = {}, {}
        for name, (_, returned) in results.items():
            if kind_of(returned) == kind and kind == "constant":  # one row for a family: each law has its own number
                ranges.setdefault(family[name], []).append((name, returned[0]))
            elif kind_of(returned) == kind:
                same.setdefault((family[name], tuple(cell(r) for r in returned)), []).append(f"`{name}`")
        for fam, members in ranges.items():
            low, high = (cell(pick(e for _, e in members)) for pick in (min, max))
            numbers = [low if low == high else f"{low} to {high}"] + ["the same"] * (len(SPEEDS) - 1)
            rows.append([kind, fam, ", ".join(f"`{name}`" for name, _ in members), *numbers])
        rows += [[kind if kind != "none" else "no loss", fam, ", ".join(names), *cells] for (fam, cells), names in same.items()]
    return table(["over speed", "family", "laws", *(f"{v:g} m/s" for v in SPEEDS)], rows)


def needs_table(laws):
    groups = {}
    for law in laws:
        if "refused" in law:
            continue
        needed = [f"`{name}`" for name in required(law)]
        if law["needs_yield_stress"]:
            needed.insert(0, "the yield stress of a body")
        groups.setdefault(", ".join(needed) or "the elastic constants alone", []).append(f"`{law['name']}`")
    return table(["must be known", "laws"], [[needed, ", ".join(names)] for needed, names in groups.items()])


def line_table(program, line_laws):
    johnson = {case: program.collide(case, "johnson", law__damping="none") for case in (PIN, ROLLERS)}

    def row(law):
        cells = []
        for case in (PIN, ROLLERS):
            hit = program.collide(case, law["name"], law__damping="none")
            cells.append("-" if hit is None else f"{hit['max_force'] / johnson[case]['max_force']:.2f}")
        return [f"`{law['name']}`", *cells, "yes" if "flat" in law["contacts"] else "-"]

    return table(["law", "pin in a hole: largest force, of johnson's", "two rollers: the same", "on a flat"],
                 program.each(row, line_laws))


def crossed_table(program):
    rows = []
    round_contact = program.collide(CROSSED.format(angle=0.5 * math.pi))
    for angle in ANGLES:
        hit = program.collide(CROSSED.format(angle=math.radians(angle)))
        ratio = math.sqrt(hit["ellipse"]["equivalent_radius"] / round_contact["ellipse"]["equivalent_radius"])
        rows.append([f"{angle}", f"{hit['ellipse']['axis_ratio']:.4f}", f"{ratio:.4f}",
                     f"{hit['ellipse']['largest_pressure'] / round_contact['ellipse']['largest_pressure']:.3f}"])
    return table(["angle of the axes, degrees", "b/a", "stiffness, of that at 90 degrees", "largest pressure in a collision, of that at 90 degrees"],
                 rows)


def listed(names):
    return ", ".join(f"`{name}`" for name in names) or "none"


def page(program):
    catalogue = program.catalogue()
    laws = catalogue["laws"]
    asked, speeds = restitutions(program, laws), over_speed(program, laws)

    def within(e):
        k = RESTITUTIONS.index(e)
        return [name for name, returned in asked.items() if returned[k] is not None and abs(returned[k] - e) <= 0.01 * e]

    always = [name for name in asked if all(name in within(e) for e in RESTITUTIONS)]
    values = {
        "laws page": "[LAWS.md](LAWS.md)",  # a link from where the page is, not from its template
        "always": listed(always),
        "high only": listed([name for name in within(0.9) if name not in within(0.5) and name not in always]),
        "low only": listed([name for name in within(0.1) if name not in always]),
        "restitutions": restitution_table(asked),
        "speeds": speed_table(laws, speeds),
        "needs": needs_table(laws),
        "lines": line_table(program, catalogue["line_laws"]),
        "crossed": crossed_table(program),
        "count": str(len(asked)),
        "yielding": ", ".join(f"{e:.2f} at {v:g} m/s" for v, e in zip(SPEEDS, speeds["ma-liu"][1])),
        "thornton": ", ".join(f"{e:.2f} at {v:g} m/s" for v, e in zip(SPEEDS, speeds["thornton"][1])),
        "viscous": ", ".join(f"{e:.2f} at {v:g} m/s" for v, e in zip(SPEEDS, speeds["kuwabara-kono"][1])),
    }
    return filled(PAGE, values)


if __name__ == "__main__":
    write_or_compare("python3 validation/which_law", "./dev which-law", page)
