"""The C++ reference: doxygen reads the public headers, this writes one page per folder from its XML, header by header.

Breathe would print each namespace once per header. Headers here open with a comment that is not part of any declaration.
"""
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from collections import defaultdict

DOXYFILE = """
INPUT = {include}
OUTPUT_DIRECTORY = {output}
RECURSIVE = YES
EXTRACT_ALL = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
STRIP_FROM_PATH = {include}
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
"""
DIRECTIVES = {"function": "function", "variable": "var", "typedef": "type", "enum": "enum-class", "struct": "struct", "class": "class",
              "concept": "concept"}


def write(root, work, pages):
    """Writes `pages`/index.rst and a page for each folder of the public headers."""
    work.mkdir(parents=True, exist_ok=True)
    include = root / "include"
    (work / "Doxyfile").write_text(DOXYFILE.format(include=include, output=work), encoding="utf-8")
    subprocess.run(["doxygen", "Doxyfile"], cwd=work, check=True)
    declared = declarations(work / "xml")
    folders = defaultdict(list)
    for header in sorted(include.rglob("*.hpp")):
        folders[header.parent.relative_to(include).as_posix()].append(header)
    pages.mkdir(parents=True, exist_ok=True)
    names = []
    for folder, headers in sorted(folders.items()):
        name = folder.removeprefix("beadwave").strip("/").replace("/", "_") or "beadwave"
        names.append((name, folder, headers))
        lines = title(f"{folder}/", "=")
        for header in headers:
            lines += section(header, header.relative_to(include).as_posix(), declared)
        (pages / f"{name}.rst").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (pages / "index.rst").write_text("\n".join(contents(names)) + "\n", encoding="utf-8")


def contents(names):
    lines = title("C++", "=")
    lines += ["These headers are installed; link with ``beadwave::beadwave`` (CMake: ``find_package(beadwave)``). All numbers are in SI "
              "units. ``beadwave/record.hpp`` runs scenarios, ``beadwave/history.hpp`` reads histories; ``beadwave/laws/catalogue.hpp`` "
              "lists the contact laws, and ``validation/installed/main.cpp`` is a program that uses them.", "",
              ".. toctree::", "   :maxdepth: 1", ""]
    lines += [f"   {name}" for name, _, _ in names]
    lines += ["", ".. list-table::", "   :header-rows: 1", "", "   * - folder", "     - headers"]
    for name, folder, headers in names:
        lines += [f"   * - :doc:`{folder}/ <{name}>`", f"     - {', '.join(f'``{header.name}``' for header in headers)}"]
    return lines


def title(text, line):
    return [text, line * len(text), ""]


def section(header, name, declared):
    lines = title(name, "-") + [f".. code-block:: cpp\n\n   #include \"{name}\"", ""]
    head = re.match(r"(?://[^\n]*\n)+", header.read_text(encoding="utf-8"))
    if head:
        lines += [".. code-block:: none", "   :class: header-comment", ""]
        lines += ["   " + line.removeprefix("//").removeprefix(" ") for line in head[0].splitlines()] + [""]
    for _, text in sorted(declared[name], key=lambda one: one[0]):
        lines += text
    return lines


def declarations(folder):
    """For each header its declarations: (line, markup)."""
    found = defaultdict(list)
    compounds = {}
    for file in sorted(folder.glob("*.xml")):
        for compound in ElementTree.parse(file).getroot().iter("compounddef"):
            compounds[compound.get("id")] = compound
    for compound in compounds.values():
        kind, name = compound.get("kind"), compound.findtext("compoundname")
        if kind == "namespace" and name.startswith("beadwave"):
            for member in compound.iter("memberdef"):
                place = member.find("location")
                found[place.get("file")].append((int(place.get("line")), member_markup(member, f"{name}::", "")))
        elif kind in ("struct", "class", "concept") and name.startswith("beadwave") and not is_nested(compound, compounds):
            place = compound.find("location")
            found[place.get("file")].append((int(place.get("line")), compound_markup(compound, name, "", compounds)))
    return found


def is_nested(compound, compounds):
    parent = compound.findtext("compoundname").rpartition("::")[0]
    return any(one.get("kind") in ("struct", "class") and one.findtext("compoundname") == parent for one in compounds.values())


def compound_markup(compound, name, indent, compounds):
    kind = compound.get("kind")
    if kind == "concept":
        template = template_of(compound)
        lines = [f"{indent}.. cpp:concept:: {template} {name}", ""]
        return lines + described(compound, indent + "   ")
    bases = ", ".join(f"{base.get('prot')} {base.text}" for base in compound.findall("basecompoundref"))
    lines = [f"{indent}.. cpp:{kind}:: {template_of(compound)}{name}{' : ' + bases if bases else ''}", ""]
    lines += described(compound, indent + "   ")
    for member in compound.iter("memberdef"):
        if member.get("prot") == "public" and not member.get("kind") == "friend":
            lines += member_markup(member, "", indent + "   ")
    for inner in compound.findall("innerclass"):
        if inner.get("prot") == "public" and inner.get("refid") in compounds:
            nested = compounds[inner.get("refid")]
            lines += compound_markup(nested, nested.findtext("compoundname").rpartition("::")[2], indent + "   ", compounds)
    return lines


def plain(element):
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def template_of(element):
    parameters = element.find("templateparamlist")
    if parameters is None:
        return ""
    inner = []
    for parameter in parameters.findall("param"):
        text = plain(parameter.find("type"))
        declared = plain(parameter.find("declname"))
        if declared and text.split()[-1] != declared:
            text += f" {declared}"
        default = plain(parameter.find("defval"))
        inner.append(text + (f" = {default}" if default else ""))
    return f"template<{', '.join(inner)}> "


def member_markup(member, scope, indent):
    kind, name = member.get("kind"), member.findtext("name")
    if kind == "friend" or name.startswith("@"):
        return []
    signature = template_of(member)
    if kind == "function":
        words = [word for word, on in (("static", member.get("static")), ("explicit", member.get("explicit")),
                                       ("virtual", None if member.get("virt") == "non-virtual" else "yes")) if on == "yes"]
        result = plain(member.find("type"))
        result = re.sub(r"^(constexpr|static|inline)\s+", "", result)
        signature += " ".join([*words, *([result] if result else []), f"{scope}{name}{plain(member.find('argsstring'))}"])
        signature = re.sub(r"\s*=\s*0$", " = 0", signature)
    elif kind == "typedef":
        signature += f"{scope}{name} = {plain(member.find('type'))}"
    elif kind == "enum":
        signature += f"{scope}{name}"
    else:
        value = plain(member.find("initializer"))
        signature += f"{plain(member.find('type'))} {scope}{name}{plain(member.find('argsstring'))}"
        # Sphinx reads no requirements.
        shown = value and len(value) < 60 and value.startswith("=") and "requires" not in value
        signature += f" {value}" if shown else ""
    lines = [f"{indent}.. cpp:{DIRECTIVES[kind]}:: {signature}", ""]
    lines += described(member, indent + "   ")
    for value in member.findall("enumvalue"):
        lines += [f"{indent}   .. cpp:enumerator:: {value.findtext('name')}", ""] + described(value, indent + "      ")
    return lines


def described(element, indent):
    lines = []
    for part in ("briefdescription", "detaileddescription"):
        for paragraph in element.findall(f"{part}/para"):
            lines += [indent + markup(paragraph), ""]
            for block in paragraph.findall("verbatim"):
                lines += [f"{indent}::", ""] + [f"{indent}   {line}" for line in (block.text or "").splitlines()] + [""]
    return lines


def markup(paragraph):
    """The text of a paragraph; its code in double backquotes, everything else without meaning for Sphinx."""
    def of(element):
        if element.tag == "verbatim":
            return ""
        inner = escaped(element.text or "") if element.tag != "computeroutput" else ""
        if element.tag == "computeroutput":
            inner = f"``{''.join(element.itertext())}``"
        else:
            inner += "".join(of(child) + escaped(child.tail or "") for child in element)
        return inner
    return " ".join(of(paragraph).split())


def escaped(text):
    return re.sub(r"([*`|_\\])", r"\\\1", text)
