"""Writes docs/TRUST.md: page.md with the results of the campaigns, the orders of the laws and the totals of the papers' tables.

    python3 validation/trust/page.py OF_CHAINS OF_PACKINGS OF_OVERLAPS docs/TRUST.md
"""

import json
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).parent
root = here.parent.parent


def campaign(text):
    """What `trust` prints, without the list of single scenarios."""
    return "\n".join("    " + line for line in text.splitlines() if not line.startswith("  "
                     ) or re.match(r" +\d+  [a-z]", line))


def orders():
    laws = json.loads(subprocess.run([root / "build/release/beadwave", "laws", "--json"], check=True,
                                     capture_output=True, text=True).stdout)["laws"]
    by_order = {}
    for law in laws:
        order = re.match(r"[\d.]+", str(law.get("time_step_order", "")))
        by_order.setdefault(order.group() if order else "not measured", []).append(law["name"])
    return "\n".join(f"| {order} | {len(names)} | {', '.join(names) if float_below_two(order) else 'all others'} |"
                     for order, names in sorted(by_order.items(), reverse=True))


def float_below_two(order):
    try:
        return float(order) < 2
    except ValueError:
        return True


def tables_head():
    text = (root / "validation/papers/TABLES.md").read_text()
    return next(block for block in text.split("\n\n") if block.startswith("|"))


def main():
    page = (here / "page.md").read_text()
    for name, path in (("{chains}", sys.argv[1]), ("{packings}", sys.argv[2]), ("{overlaps}", sys.argv[3])):
        page = page.replace(name, campaign(pathlib.Path(path).read_text()))
    page = page.replace("{orders}", orders()).replace("{tables}", tables_head())
    pathlib.Path(sys.argv[4]).write_text(page)


main()
