"""The page of every key of a scenario, from `beadwave keys --json`."""
import json
import re
import subprocess
from collections import defaultdict

HEAD = """# Every key

From `beadwave keys --json` of this version, by table; `N` counts from 0, and `NAME` is a name of your own.
The pages of the scenario file explain them with examples: [chains](../docs/SCENARIO.md), [packings](../docs/SCENARIO_PACKINGS.md),
[mechanisms](../docs/SCENARIO_MECHANISMS.md). An unknown key is refused with the nearest valid one.

"""


def write(program, page):
    printed = subprocess.run([program, "keys", "--json"], check=True, capture_output=True, text=True).stdout
    tables = defaultdict(list)
    for key in json.loads(printed)["keys"]:
        tables[key["key"].split(".")[0] if "." in key["key"] else ""].append(key)
    lines = [HEAD]
    for name in sorted(tables):
        lines.append(f"## `[{name}]`\n" if name else "## Before the first table\n")
        lines.append("| key | meaning | unit | range | default | type | in |\n| --- | --- | --- | --- | --- | --- | --- |")
        lines += [row(key) for key in sorted(tables[name], key=lambda one: one["key"])]
        lines.append("")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(lines), encoding="utf-8")


def row(key):
    default = "needed" if key.get("needed") is True else shown(key.get("default"))
    cells = [f"`{key['key']}`", shown(key.get("meaning")), shown(key.get("unit")), shown(key.get("range")), default, shown(key.get("type")),
             shown(key.get("scenarios"))]
    return "| " + " | ".join(cells) + " |"


def shown(value):
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(shown(one) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
    # The texts are those of docs/SCENARIO*.md, and so are their links; what chains have is linked without a page.
    return re.sub(r"\]\((\w+\.md)?(#[\w-]+)?\)", lambda link: f"](../docs/{link[1] or 'SCENARIO.md'}{link[2] or ''})", text)
