"""Pages of docs that hold what the program measures: the program, its catalogue of laws, tables, and the comparison of a page with the program."""
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


STEEL = "youngs_modulus = 193e9\npoisson_ratio = 0.3\nyield_stress = 900e6\n"
BEADS = "speed = 1.0\n" + "".join(f"[body.{name}]\nradius = 2.38e-3\nmass = 0.45e-3\n{STEEL}" for name in "ab")  # of the laboratory's chain


class Program:
    def __init__(self, path):
        self.path, self.pool = path, ThreadPoolExecutor(4)

    def run(self, *words):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 2):
            raise SystemExit(f"{words}: {done.stderr}")
        return done

    def catalogue(self):
        return json.loads(self.run("laws", "--json").stdout)

    def collide(self, case, law=None, **settings):
        """The JSON object of a collision; None if the law is refused or the bodies do not separate."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "case.toml"
            path.write_text(case if law is None else f"{case}[law]\nname = \"{law}\"\n", encoding="utf-8")
            words = [word for key, value in settings.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
            done = self.run("collide", path, "--json", *words)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def returned(self, case, law, **settings):
        hit = self.collide(case, law, **settings)
        return None if hit is None else hit["restitution"]

    def each(self, function, items):
        return list(self.pool.map(function, items))


def has(law, parameter):
    return any(one["name"] == parameter for one in law["parameters"])


def required(law):
    return [one["name"] for one in law["parameters"] if "default" not in one]


def cell(value, digits=3):
    return "-" if value is None else f"{value:.{digits}f}"


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"] +
                     ["| " + " | ".join(row) + " |" for row in rows])


def filled(template, values):
    """The text of a template with <<name>> replaced."""
    text = template.read_text(encoding="utf-8")
    for name, value in values.items():
        if f"<<{name}>>" not in text:
            raise SystemExit(f"{template}: has no place for {name}")
        text = text.replace(f"<<{name}>>", value)
    return text


def write_or_compare(usage, command, page):
    """`page(program)` is written to the file that the command line names, or with --compare must be what this file holds."""
    if len(sys.argv) not in (3, 4) or (len(sys.argv) == 4 and sys.argv[3] != "--compare"):
        raise SystemExit(f"usage: {usage} PROGRAM PAGE [--compare]")
    text, path = page(Program(sys.argv[1])), Path(sys.argv[2])
    if len(sys.argv) == 3:
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        old, new = path.read_text(encoding="utf-8").splitlines(), text.splitlines()
        changed = [f"- {a}\n+ {b}" for a, b in zip(old, new) if a != b][:5]
        raise SystemExit(f"{path} is not what the program makes of it; write it anew with {command}\n" + "\n".join(changed))
