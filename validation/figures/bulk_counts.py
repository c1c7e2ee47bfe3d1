"""Dosta et al. 2024: spheres counted in the drum and in the silo, over time. The runs take an hour or so, and are not made here: their
counts are in validation/papers/dosta2024."""
import csv
import pathlib

from drawing import axes, line, save

TABLES = pathlib.Path(__file__).parents[1] / "papers" / "dosta2024"


def table(name):
    with open(TABLES / name, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(row for row in lines if not row.startswith("#")))
    return {key: [float(row[key]) if row[key] else float("nan") for row in rows] for key in rows[0]}


def draw(_, folder):
    published = {"MUSEN": "musen", "LIGGGHTS": "liggghts", "Hertz engine": "hertz"}
    marks = dict(zip(published, "os^"))

    figure, panel = axes("Rotating drum, Dosta et al. 2024: spheres in zone 2 (x < 0, z < 0)", "time [s]", "spheres [-]")
    others = table("drum_published.csv")
    for own, name, style in (("drum_counts.csv", "beadwave", line(0)), ("drum_soft_counts.csv", "beadwave, a tenth of the moduli", line(1) | {"linestyle": "--"})):
        counts = table(own)
        for kind in ("m1", "m2"):
            panel.plot(counts["t_s"], counts[f"z2_{kind}"], **style, label=name if kind == "m1" else None)
    for name, key in published.items():
        for kind in ("m1", "m2"):
            panel.plot(others["t_s"], others[f"{key}_z2_{kind}"], linestyle="none", marker=marks[name], markersize=5, markerfacecolor="none", color="#444444",
                       label=name if kind == "m1" else None)
    panel.set_xlim(-0.02, 1.05)
    panel.text(0.63, 23000, "2 mm")
    panel.text(0.32, 2500, "4 mm")
    panel.legend(fontsize=9, loc=(0.02, 0.27))
    save(figure, folder / "dosta2024_drum.png")

    figure, panel = axes("Silo, large orifice, Dosta et al. 2024: spheres above the orifice", "time [s]", "spheres [-]")
    others = table("silo_published.csv")
    for own, name, style in (("silo_counts.csv", "a tenth", line(0)), ("silo_soft_counts.csv", "a hundredth", line(1) | {"linestyle": "--"})):
        counts = table(own)
        panel.plot(counts["t_s"], counts["left"], **style, label=f"beadwave, {name} of the modulus")
    for name, key in published.items():
        panel.plot(others["t_s"], others[f"large_M1_{key}"], linestyle="none", marker=marks[name], markersize=5, markerfacecolor="none", color="#444444", label=name)
    panel.legend(fontsize=9)
    save(figure, folder / "dosta2024_silo.png")
