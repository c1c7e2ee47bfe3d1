#!/usr/bin/env python3
"""Shells complete what the program takes: check_completion.py FOLDER PROGRAM. zsh and fish are asked where they are installed."""
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER, PROGRAM = Path(sys.argv[1]), sys.argv[2]


def ran(*words, **how):
    return subprocess.run(words, capture_output=True, text=True, check=True, **how).stdout


def bash(*line):
    """What bash offers for the last word of a line."""
    script = (f"source {FOLDER}/beadwave; COMP_WORDS=({' '.join(repr(word) for word in line)}); COMP_CWORD={len(line) - 1}; "
              "_beadwave 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"")
    return set(ran("bash", "-c", script).split())


def fish(line):
    script = f"source {FOLDER}/beadwave.fish; complete -C {line!r}"
    return {offer.split("\t")[0] for offer in ran("fish", "--no-config", "-c", script).splitlines()}


def agree(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: more {sorted(found - wanted)}, less {sorted(wanted - found)}")


def main():
    # The first column of the commands in the help, and the options of one of them.
    commands = set(re.findall(r"^  ([a-z]+)  +\S", ran(PROGRAM, "--help").split("Commands", 1)[-1], re.MULTILINE))
    text = ran(PROGRAM, "sweep", "--help")
    options = {name for line in re.findall(r"^  (-\S+)", text, re.MULTILINE) for name in line.split(",")}
    assert {"run", "sweep", "collide"} <= commands and {"--vary", "-o"} <= options, (commands, options)
    agree("bash, commands", bash("beadwave", "") - {"--help", "--version"}, commands)
    agree("bash, options", bash("beadwave", "sweep", "-"), options)
    keys = {entry["key"] + "=" for entry in json.loads(ran(PROGRAM, "keys", "time", "--json"))["keys"]}
    assert "time.end=" in keys
    agree("bash, keys", bash("beadwave", "run", "a.toml", "--set", "time."), keys)
    assert "hertz" in bash("beadwave", "laws", "h") and "hertz" in bash("beadwave", "compare", "a.toml", "--laws", "h")
    if shutil.which("fish"):
        agree("fish, commands", {name for name in fish("beadwave ") if name in commands}, commands)
        agree("fish, options", fish("beadwave sweep --"), {name for name in options if name.startswith("--")})
        agree("fish, keys", fish("beadwave run a.toml --set time.e"), {"time.end="})
        assert "hertz" in fish("beadwave laws h")
    if shutil.which("zsh"):
        # Completion needs a terminal. Without one: the words that the function adds.
        script = (f"compadd() {{ print -l -- $@ }}; _files() {{ print FILES }}; _describe() {{ print -l -- ${{(P)@[-1]}} }}; "
                  f"words=(beadwave %s); CURRENT=$#words; source {FOLDER}/_beadwave")

        def zsh(line):
            return {offer.split(":")[0] for offer in ran("zsh", "-f", "-c", script % line).split("\n")}
        agree("zsh, commands", zsh("''") & commands, commands)
        agree("zsh, options", zsh("sweep -") - {""}, options)
        assert {"time.end", "segment.0.velocity"} <= zsh("run a.toml --set t") and "hertz" in zsh("laws h") and "FILES" in zsh("run ''")


main()
