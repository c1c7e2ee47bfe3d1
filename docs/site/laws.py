"""docs/LAWS.md with a curve for each law: force over overlap in one collision, beside that of Hertz; as pages, see law_pages.py."""
import json
import re

import beadwave as bw
from drawing import BLUE, GREY, pyplot, save
from law_pages import pages_of, redirect

# The beads of configs/chain70.toml, at its speed. Under ma-liu they yield.
BEAD = {"radius": 2.38e-3, "mass": 0.45e-3, "youngs_modulus": 193e9, "poisson_ratio": 0.3, "yield_stress": 900e6}
BEADS = {"speed": 1.77, "body": {"a": BEAD, "b": BEAD}}
# Skrinjar2018 Table 5, as in validation/figures/cases/pin_in_hole.toml.
PIN = {"speed": 0.2,
       "body": {"a": {"radius": 4.75e-3, "length": 15e-3, "mass": 8.29e-3, "youngs_modulus": 210e9, "poisson_ratio": 0.3},
                "b": {"radius": 5e-3, "length": 15e-3, "mass": 37.6e-3, "youngs_modulus": 210e9, "poisson_ratio": 0.3,
                      "concave": True}}}
RESTITUTION = 0.65
LINE_LAWS = 10
CHOSEN = {"adhesion_energy": 0.05, "surface_tension": 0.072, "bridge_volume": 1e-12, "restitution": RESTITUTION, "half_width": 2e-4, "alpha": 1.5, "relaxation_time": 1e-6}
HEAD = """

Each curve is the force over the overlap in one collision, computed when this site was built; the thin grey line is Hertz's law. Sphere laws: two
beads of `configs/chain70.toml` meet at 1.77 m/s. Line laws: the pin in a hole of Skrinjar2018, at 0.2 m/s. A law that takes a
restitution gets 0.65; the other dampings are set so that the collision returns 0.65. The restitution that it returns is given below the curve.
"""


def collide(bodies, law):
    return bw.collide(bodies | {"law": law}, trajectory=True)


def settings(entry, table_file):
    """Values for the parameters that have no default; None if no damping gives the restitution."""
    law = {"name": entry["name"]}
    needed = [one["name"] for one in entry["parameters"] if "default" not in one]
    if entry["name"] == "tabulated":
        return law | {"file": str(table_file)}
    if entry["name"] == "expression":
        return law | {one["name"]: one["example"] for one in entry["parameters"] if "example" in one}
    law |= {name: CHOSEN[name] for name in needed if name in CHOSEN}
    dampings = [name for name in needed if name not in CHOSEN]
    if not dampings:
        return law

    def with_damping(exponent):
        return law | {name: 10.0 ** exponent for name in dampings}

    low, high = -9.0, 12.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        if returned(with_damping(middle)) > RESTITUTION:
            low = middle
        else:
            high = middle
    return with_damping(low)


def returned(law):
    """The restitution of the collision; 0 where so much damping cannot be integrated."""
    try:
        return bw.collide(BEADS | {"law": law})["restitution"]
    except (bw.InputError, bw.RunError):
        return 0.0


def draw(hit, reference, path):
    figure, panel = pyplot.subplots(figsize=(4.2, 2.5), layout="constrained")
    panel.plot(1e6 * reference.trajectory["overlap"], reference.trajectory["force"], color=GREY, linewidth=0.8)
    panel.plot(1e6 * hit.trajectory["overlap"], hit.trajectory["force"], color=BLUE, linewidth=1.6)
    panel.set_xlabel("overlap [µm]")
    panel.set_ylabel("force [N]")
    save(figure, path)


def write(source, page, text, folder, table_file):
    """Writes the pages, with the curves beside them, and returns how many curves there are."""
    folder.mkdir(parents=True, exist_ok=True)
    spheres = {entry["name"]: entry for entry in bw.laws()}
    reference = {"": collide(BEADS, {"name": "hertz"}), "line": collide(PIN, {"name": "hertz", "restitution": 1.0})}
    count = 0

    def with_curve(match):
        nonlocal count
        name, line = match[1], "line" if match[2] else ""
        if not line and "refused" in spheres[name]:
            return match[0]
        law = {"name": name, "restitution": RESTITUTION} if line else settings(spheres[name], table_file)
        hit = collide(PIN if line else BEADS, law)
        path = folder / f"{name}{'_line' if line else ''}.svg"
        draw(hit, reference[line], path)
        count += 1
        given = ", ".join(f"{key} = {value:.3g}" for key, value in law.items() if isinstance(value, float))
        returned_here = f"returns {hit['restitution']:.3f}" + (f" ({given})" if given else "")
        loss = 1.0 - hit["restitution"] ** 2
        alternative = f"Force over overlap under {name}: up to {hit['max_force']:.4g} N, {100 * loss:.0f} % of the energy is lost"
        return f"{match[0]}\n\n:::{{figure}} {folder.name}/{path.name}\n:alt: {json.dumps(alternative)}\n\n`{name}` {returned_here}\n:::\n"

    curved = re.sub(r"^## ([\w-]+)( \(line\))?$", with_curve, text, flags=re.M)
    redirect(source, pages_of(page, curved, HEAD))
    offered = sum("refused" not in entry for entry in spheres.values())
    if count != offered + LINE_LAWS:
        raise SystemExit(f"{count} curves; the catalogue offers {offered} laws and {LINE_LAWS} of line contact")
    return count
