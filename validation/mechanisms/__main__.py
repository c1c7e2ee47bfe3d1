"""`./dev mechanisms` runs this: python3 validation/mechanisms PROGRAM docs/MECHANISMS.md

Every hysteresis law on the slider-crank of configs/slider_crank.toml with three restitutions: the output restitution of
the first impact, and the energy that all impacts of one revolution dissipate.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

RESTITUTIONS = (0.3, 0.6, 0.9)
CONFIG = Path(__file__).resolve().parents[2] / "configs"
PAGE = Path(__file__).with_name("page.md")


def run(program, scenario, *settings):
    """The JSON object of a run."""
    with tempfile.TemporaryDirectory() as folder:
        words = [word for setting in settings for word in ("--set", setting)]
        done = subprocess.run([program, "run", CONFIG / scenario, "-o", Path(folder) / "run.h5", "--quiet", "--json", *words],
                              capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{scenario} {settings}: {done.stderr}")
    return json.loads(done.stdout)


def ended(result):
    return [hit for hit in result["contacts"][0]["impacts"] if hit["end"] is not None and hit["impact_speed"] > 0.0]


def free_loss(hit, restitution):
    """The energy that an impact of two bodies without other forces would dissipate [J]."""
    return 0.5 * hit["effective_mass"] * hit["impact_speed"] ** 2 * (1.0 - restitution ** 2)


def slider_crank(program, law):
    cells = []
    for e in RESTITUTIONS:
        result = run(program, "slider_crank.toml", f"law.name={law}", f"law.restitution={e}", "time.end=0.012",
                     "time.interval=0.012")
        hits = ended(result)
        first = hits[0]
        cells.append((first["separation_speed"] / first["impact_speed"], first["dissipated"] / free_loss(first, e),
                      len(result["contacts"][0]["impacts"]), result["energy"]["dissipated"]))
    return cells


def slider_crank_table(program):
    laws = json.loads(subprocess.run([program, "laws", "--json"], capture_output=True, text=True, check=True).stdout)["laws"]
    names = [law["name"] for law in laws if law["family"] == "hysteresis"
             and any(p["name"] == "restitution" for p in law["parameters"])]
    lines = ["| law | " + " | ".join(f"e = {e}: e out, loss ratio, impacts, loss J" for e in RESTITUTIONS) + " |",
             "|---|" + "---|" * len(RESTITUTIONS)]
    for name in names:
        cells = [f"{out:.3f}, {loss:.2f}, {count}, {lost:.3f}" for out, loss, count, lost in slider_crank(program, name)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def pendulums_table(program):
    lines = ["| method | impact | time s | impact speed m/s | e out | peak force N |", "|---|---|---|---|---|---|"]
    for law in ("impulse", "poursina-nikravesh", "flores", "exact"):
        for i, hit in enumerate(ended(run(program, "pendulums.toml", f"law.name={law}"))):
            force = "–" if hit["peak_force"] is None else f"{hit['peak_force']:.1f}"
            lines.append(f"| {law if i == 0 else ''} | {i + 1} | {hit['start']:.4f} | {hit['impact_speed']:.4f} | "
                         f"{hit['separation_speed'] / hit['impact_speed']:.4f} | {force} |")
    return "\n".join(lines)


def main():
    program, page = sys.argv[1:]
    text = PAGE.read_text(encoding="utf-8").replace("<<slider-crank>>", slider_crank_table(program))
    Path(page).write_text(text.replace("<<pendulums>>", pendulums_table(program)), encoding="utf-8")


if __name__ == "__main__":
    main()
