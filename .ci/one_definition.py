"""Headers of the tests: a function or class of one name and parameters is written in one of them only.

Tests are linked into a few programs. Of two inline functions with the same name and parameters the linker keeps
one without a word, and which one differs from build to build."""

import collections
import pathlib
import re
import sys

FUNCTION = re.compile(r"^(?:inline|constexpr) [^;{}()=]*?\b(\w+)\(((?:[^{};]|\{\})*?)\)(?: const| noexcept)* \{", re.M)
CLASS = re.compile(r"^(?:struct|class) (\w+)[^;{}]*\{", re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)


def types(parameters):
    """The types of a list of parameters, without names, defaults and white space."""
    text = re.sub(r"\s+", " ", parameters)
    depth, parts = 0, [""]
    for character in text:
        depth += (character in "<({[") - (character in ">)}]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    without_default = (part.split(" = ")[0].strip() for part in parts)
    return ", ".join(re.sub(r"(?<=[ &*>])\w+$", "", part).strip() for part in without_default)


def definitions(text):
    spaces = [(found.start(), found[1]) for found in NAMESPACE.finditer(text)]
    for kind, pattern in (("class", CLASS), ("function", FUNCTION)):
        for found in pattern.finditer(text):
            space = [name for start, name in spaces if start < found.start()][-1:]
            signature = f"({types(found[2])})" if kind == "function" else ""
            yield kind, "::".join([*space, found[1]]) + signature


def main():
    places = collections.defaultdict(set)
    for header in pathlib.Path("validation").rglob("*.hpp"):
        for definition in definitions(header.read_text()):
            places[definition].add(str(header))
    twice = [(name, sorted(files)) for (_, name), files in sorted(places.items()) if len(files) > 1]
    for name, files in twice:
        print(f"{name} is defined in {' and in '.join(files)}; rename one, or keep one")
    return bool(twice)


if __name__ == "__main__":
    sys.exit(main())
