"""The page of all figures, each with how far printed numbers are."""
import re

from drawing import DRAWN

PAPERS = {
    "Poursina2020": "Optimal damping and two pendulums",
    "WangLiu2022": "Elastoplastic and dashpot laws, and the 70 beads",
    "Skrinjar2018": "Continuous contact laws of spheres and cylinders",
    "CorralReview": "Impacts with friction",
    "WangReview2022": "Families of laws",
    "Dosta2024": "Bulk processes",
}
OTHER = "Other figures"


def number(figure):
    """Of the figure in the paper, from its title; what has none comes last."""
    found = re.search(r"Figs?[.]? (\d+)( \((\w)\))?", figure[1])
    return (int(found[1]), found[3] or "") if found else (1000, "")


def write(path, folder):
    lines = ["# The papers' figures, drawn again", "",
             "`./dev figures` draws these figures with results of the program, and writes this page. Most figures of the papers hold",
             "curves without numbers; where numbers are printed, the text below a figure says how far ours are. All printed numbers are in",
             "[the tables](../validation/papers/TABLES.md).", ""]
    taken = set()
    for paper, subject in (*PAPERS.items(), ("", OTHER)):
        own = sorted((each for each in DRAWN if each[0] not in taken and each[0].startswith(paper.lower())), key=number)
        if not own:
            continue
        lines += [f"## {paper}: {subject}" if paper else f"## {subject}", ""]
        for name, title, note in own:
            taken.add(name)
            lines += [f"![{title}]({folder}/{name})", ""]
            if note:
                lines += [note, ""]
    path.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
