"""The code blocks of a page, and whether printed output is the output that a page shows."""
import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Command:
    """A command of a block, and the lines that the page shows below it."""

    text: str
    shown: list = field(default_factory=list)


@dataclass
class Block:
    page: str
    line: int
    language: str  # console, pycon, python, toml, or text
    text: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    def commands(self):
        """Of a console or pycon block: `$ ` and `>>> ` begin a command, an open loop or quote or a backslash continues it."""
        found = []
        for line in self.text.splitlines():
            if line.startswith("$ ") or line.startswith(">>> "):
                found.append(Command(line.partition(" ")[2]))
            elif found and self.language == "pycon" and line.startswith("... "):
                found[-1].text += "\n" + line[4:]
            elif found and not found[-1].shown and unfinished(found[-1].text):
                found[-1].text += "\n" + line
            elif found:
                found[-1].shown.append(line)
        return found


def unfinished(command):
    words = re.findall(r"[\w;]+", command)
    return command.endswith("\\") or words.count("do") > words.count("done")


def language_of(text):
    if re.search(r"^\$ ", text):
        return "console"
    if text.startswith(">>> "):
        return "pycon"
    if re.match(r"(import|from|@\w|\w+ = (bw|np)\.)", text):
        return "python"
    return "text"


def blocks(page, root):
    """The fenced and indented blocks of a Markdown page, in order."""
    lines = (Path(root) / page).read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        fence = re.match(r"```(\w*)$", lines[at])
        if fence:
            end = next(i for i in range(at + 1, len(lines)) if lines[i].startswith("```"))
            yield Block(page, at + 1, fence[1] or "text", "\n".join(lines[at + 1:end]))
            at = end + 1
        elif lines[at].startswith("    ") and not lines[at - 1].strip():
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            indent = min(len(line) - len(line.lstrip()) for line in lines[at:end] if line.strip())
            text = "\n".join(line[indent:] for line in lines[at:end]).rstrip()
            yield Block(page, at + 1, language_of(text), text)
            at = end
        else:
            at += 1


# What differs from machine to machine and from run to run: the speed of the computer. It is replaced in both texts.
MACHINE = [
    (r"[-+\d.e]+ (bead|particle)-steps/s", r"SPEED \1-steps/s"),
    (r"[-+\d.e]+ steps/s +[\d:]+ left", "PACE"),
    (r"[\d.]+ s on \d+ threads?", "WALL"),
    (r"(evaluations +\d+), [\d.]+ s", r"\1, WALL"),
    (r"[\d.]+ s of wall-clock time", "WALL"),
    (r"[-\d.e+]+ s, of which the run [-\d.e+]+ s", "WALL"),
    (r"^(\S+ +[\d.]+ % +\S+) +[\d.]+ +[\d.]+x$", r"\1 COST"),
    (r"^(\S+ +[\d.]+ +[\d.]+ % +\d+ +\d+) +[\d.]+$", r"\1 WALL"),
]
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


def without_machine(line):
    for pattern, name in MACHINE:
        line = re.sub(pattern, name, line)
    return line


def step_of(number):
    """One in the last digit that is printed: the shown number and the present one are both rounded."""
    digits, _, exponent = number.lower().partition("e")
    decimals = len(digits.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - decimals)


def same(shown, printed):
    """Whether two lines agree: in every word, and in every number to one in its last shown digit, or to 1e-5 of it."""
    shown, printed = without_machine(shown), without_machine(printed)
    if NUMBER.sub("#", " ".join(shown.split())) != NUMBER.sub("#", " ".join(printed.split())):
        return False
    # 1e-5: the least squares of a law that does not fit end that far from the minimum.
    return all(abs(float(a) - float(b)) <= 1.0001 * max(step_of(a), step_of(b), 1e-5 * abs(float(a)))
               for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)))


def differences(shown, printed):
    """The shown lines that the printed text does not have, in the shown order. `...` is what the page leaves out."""
    lines, at, missing = printed.splitlines(), 0, []
    for line in shown:
        if not line.strip() or line.strip() == "...":
            continue
        wanted = line.rstrip().removesuffix("...").rstrip()
        shortened = wanted != line.rstrip()
        found = next((i for i in range(at, len(lines)) if same(wanted, lines[i][:len(wanted)] if shortened else lines[i])), None)
        if found is None:
            missing.append(line)
        else:
            at = found + 1
    return missing
