"""Prints every relative link in the given Markdown files whose target does not exist. The exit status is 1 if there is one.

usage: dead_links.py FILE.md...
"""

import re
import sys
from pathlib import Path


def prose(path):
    """The file without its code: fenced and indented blocks, and brackets within backquotes."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda code: code[0].replace("[", "").replace("]", ""), re.sub(r"^ {4}.*$", "", text, flags=re.M))


def anchors(path):
    """The anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*?) *$", prose(path), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead(path):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        page = (path.parent / file).resolve() if file else path.resolve()
        if not page.exists() or (anchor and anchor not in anchors(page)):
            yield target


def main():
    found = [(name, target) for name in sys.argv[1:] for target in dead(Path(name))]
    for name, target in found:
        print(f"{name}: {target}: does not exist")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
