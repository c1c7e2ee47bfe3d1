"""Names that meet although each file compiles by itself.

Headers of the tests: tests are linked into a few programs. Of two inline functions with the same name and parameters
the linker keeps one without a word, and which one differs from build to build.

Sources of a part: with BEADWAVE_UNITY many of them are one file for the compiler, and which ones changes with every
file that comes or goes. So a name of an unnamed namespace is written once per part and namespace."""

import collections
import pathlib
import re
import sys

FUNCTION = re.compile(r"^(?:inline|constexpr) [^;{}()=]*?\b(\w+)\(((?:[^{};]|\{\})*?)\)(?: const| noexcept)* \{", re.M)
CLASS = re.compile(r"^(?:struct|class) (\w+)[^;{}]*\{", re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)

UNNAMED = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.M | re.S)
ANY_FUNCTION = re.compile(r"^(?:\[\[[\w, ]+\]\] )?[\w:][^;{}()=]*?[ &*>](\w+)\(((?:[^{};]|\{\})*?)\)(?: const| noexcept)* \{", re.M)
VALUE = re.compile(r"^(?:constexpr|const|thread_local|std::|static|volatile)[^;{}()=\n]*?\b(\w+)(?:\[\w*\])?(?: =|\{|;)", re.M)
# Sources that are compiled by themselves (CMakeLists.txt).
ALONE = re.compile(r"/(simbody|ceres|nlopt|lapack|mpi|eigen|python)/|/(vector_code|step_twin|module_stamp|main|pages_main|\w+_command)\.cpp$")


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


def space_of(text, place):
    """The named namespace in which this place of the text is."""
    spaces = [found[1] for found in NAMESPACE.finditer(text) if found.start() < place]
    return spaces[-1] if spaces else ""


def definitions(text):
    for kind, pattern in (("class", CLASS), ("function", FUNCTION)):
        for found in pattern.finditer(text):
            signature = f"({types(found[2])})" if kind == "function" else ""
            yield "::".join(filter(None, [space_of(text, found.start()), found[1]])) + signature


def unnamed_definitions(text):
    """What the unnamed namespaces of a source define: (namespace, name, signature; "" if it is no function)."""
    for unnamed in UNNAMED.finditer(text):
        space, inside = space_of(text, unnamed.start()), unnamed[1]
        for found in ANY_FUNCTION.finditer(inside):
            # A call may fit one that takes its argument by reference and one that takes a copy.
            yield space, found[1], re.sub(r"\bconst |\w+::|&", "", f"({types(found[2])})")
        for pattern in (CLASS, VALUE):
            for found in pattern.finditer(inside):
                yield space, found[1], ""


def part_of(source):
    """The library that a source of src belongs to."""
    folders = source.parts[1:-1]
    return "/".join(folders[:2] if folders[0] == "subjects" else folders[:1])


def in_tests():
    places = collections.defaultdict(set)
    for header in pathlib.Path("validation").rglob("*.hpp"):
        for definition in definitions(header.read_text()):
            places[definition].add(str(header))
    for name, files in sorted(places.items()):
        if len(files) > 1:
            yield f"{name} is defined in {' and in '.join(sorted(files))}; rename one, or keep one"


def in_parts():
    places = collections.defaultdict(lambda: collections.defaultdict(set))
    for source in pathlib.Path("src").rglob("*.cpp"):
        if not ALONE.search(str(source)):
            for space, name, signature in unnamed_definitions(source.read_text()):
                places[part_of(source), space, name][signature].add(str(source))
    parts = {part for part, _, _ in places}
    for header in [*pathlib.Path("src").rglob("*.hpp"), *pathlib.Path("include").rglob("*.hpp")]:
        text = header.read_text()
        for found in CLASS.finditer(text):
            for part in parts:
                name = part, space_of(text, found.start()), found[1]
                if name in places:
                    places[name][""].add(str(header))
    for (_, space, name), signatures in sorted(places.items()):
        # A name for a value or a class is no name for a function too; functions may have other parameters.
        alike = [signatures.values()] if "" in signatures else [[files] for files in signatures.values()]
        for group in alike:
            files = sorted(set().union(*group))
            if len(files) > 1:
                yield f"{space}::{name} is defined in {' and in '.join(files)}; rename one, or keep one"


def main():
    found = [*in_tests(), *in_parts()]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
