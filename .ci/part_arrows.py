"""Compares the arrows between the parts: the link lines of CMake, the includes, and the table in CONTRIBUTING.md.

usage: part_arrows.py [--print]

Prints every include that the link lines do not allow, every circle, and every arrow to a part that is below in the
table or not in it; the exit status is 1 if there is one. With --print also the arrows of the includes, one part per line.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

# Of the headers directly in include/beadwave, those that a part implements. The others are below all parts.
OWNERS = {"record.hpp": "subjects/chain", "history.hpp": "io", "input_error.hpp": "base"}


BINDINGS = "subjects/*/python"


def part_name(target):
    """beadwave_subjects_fit is src/subjects/fit."""
    name = target.removeprefix("beadwave_")
    return name.replace("subjects_", "subjects/", 1) if name.startswith("subjects_") else name


def link_lines():
    """{part: the parts that its link lines name}. A subject is linked by name and may use the command line in its
    command; the bindings of all subjects are linked into Python's module."""
    links = defaultdict(set)
    for file in [Path("CMakeLists.txt"), *Path("cmake").glob("*.cmake")]:
        text = re.sub(r"#.*", "", file.read_text(encoding="utf-8"))
        for kind, arguments in re.findall(r"beadwave_(part|subject)\(([^$)]*)\)", text):
            name, *rest = arguments.split()
            name = f"subjects/{name}" if kind == "subject" else name
            links[name] |= {part_name(word) for word in rest}
            if (Path("src") / name / f"{Path(name).name}_command.cpp").exists():
                links[name].add("cli")
        for name, rest in re.findall(r"target_link_libraries\(beadwave_(\w+) ([^)]*)\)", text):
            links[part_name(f"beadwave_{name}")] |= {part_name(word) for word in rest.split()}
    subjects = {name for name in links if name.startswith("subjects/")}
    links[BINDINGS] |= subjects | {"python"}
    links["python"].discard("subjects")
    parts = subjects | {BINDINGS} | set(links) & {folder.name for folder in Path("src").iterdir() if folder.is_dir()}
    parts.discard("subjects")
    return {part: links[part] & parts for part in parts}


def part_of(path):
    """Of a path below src or include/beadwave; None: below all parts. The rows that announce subjects are data of jobs."""
    if len(path.parts) == 1:
        return OWNERS.get(path.name)
    if path.parts[0] != "subjects":
        return path.parts[0]
    return BINDINGS if "python" in path.parts else "/".join(path.parts[:2]) if len(path.parts) > 2 else "jobs"


def includes():
    """{(from, to): (file, header)}, the first include of each arrow"""
    arrows = {}
    for root in map(Path, ("src", "include/beadwave")):
        for file in sorted([*root.rglob("*.[ch]pp"), *root.rglob("*.cu")]):
            name = part_of(file.relative_to(root))
            for header in re.findall(r'^ *# *include "([^"]+)"', file.read_text(encoding="utf-8"), re.M):
                if (file.parent / header).exists():
                    continue
                other = part_of(Path(header.removeprefix("beadwave/")))
                if other not in (None, name):
                    arrows.setdefault((name, other), (file, header))
    return arrows


def reachable(links, part, seen):
    for other in links.get(part, ()):
        if other not in seen:
            seen.add(other)
            reachable(links, other, seen)
    return seen


def table():
    """The parts in the order of the table in CONTRIBUTING.md."""
    text = Path("CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.partition("| part | contains |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `([\w/*]+)` \|", rows, re.M)


def mistakes(links, arrows, order):
    for part in sorted(links):
        if part in reachable(links, part, set()):
            yield f"CMakeLists.txt: {part}: its link lines lead back to it"
        if part not in order:
            yield f"CONTRIBUTING.md: {part}: missing in the table of parts"
    for (name, other), (file, header) in arrows.items():
        if other not in reachable(links, name, set()):
            yield f"{file}: {header}: no link line leads from {name or 'the files below all parts'} to {other}"
    for name, other in sorted({(part, other) for part in links for other in links[part]} | {a for a in arrows if a[0]}):
        if name in order and other in order and order.index(other) > order.index(name):
            yield f"CONTRIBUTING.md: {name} uses {other}, which is below it in the table of parts"


def main():
    links, arrows, order = link_lines(), includes(), table()
    if sys.argv[1:] == ["--print"]:
        for part in order:
            if part in links:
                print(f"{part}: {' '.join(sorted((other for name, other in arrows if name == part), key=order.index))}")
    found = list(mistakes(links, arrows, order))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
