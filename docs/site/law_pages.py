"""docs/LAWS.md as pages of the site: one for each family of laws, with equations as HTML, and a list of them."""
import re

from equations import rendered


def slug(title):
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def split(text):
    """Title, introduction, and the parts of the page: (name of the page, title, its sections, each with its heading)."""
    first, rest = text.split("\n", 1)
    sections = re.split(r"^(?=#{1,2} )", rest, flags=re.M)
    families = {}
    part = None
    for section in sections[1:]:
        if section.startswith("# "):  # line contacts, coefficients of restitution
            title = section[2:].split("\n", 1)[0]
            part = families.setdefault(slug(title), (title, [section.split("\n", 1)[1].strip() + "\n"]))
        elif part is not None:
            part[1].append(section)
        else:
            family = re.search(r"^- family: (.+)$", section, flags=re.M)[1]
            families.setdefault(slug(family), (f"{family.capitalize()} laws", [""]))[1].append(section)
    return first, sections[0], families


def heading(section):
    return section[3:].split("\n", 1)[0]


def with_symbols(text):
    """The names of overlap, its rate and the yield stress as symbols, but for those in code and in equations."""
    return "".join(part if part.startswith(("`", "<span")) else re.sub(r"\b(?:delta(?:_dot(?:_0)?)?|sigma_y)\b", lambda name: rendered(name[0]), part)
                   for part in re.split(r"(`[^`]*`|<span class=\"equation\">.*$)", text, flags=re.M))


def pages_of(page, text, head=""):
    """Writes the page of each family below `page`, and the page itself as their list, after `head`. Returns by anchor the page that has it."""
    first, introduction, families = split(text)
    folder = page.parent / "laws"
    folder.mkdir(exist_ok=True)
    where, listed = {}, []
    for name, (title, sections) in families.items():
        file = folder / f"{name}.md"
        where[slug(title)] = name
        names = [heading(section) for section in sections if section.startswith("## ")]
        where.update({slug(each): name for each in names})
        body = re.sub(r"^(- (?:equation|stored energy): )(.+)$", lambda match: match[1] + rendered(match[2]), "\n".join(sections), flags=re.M)
        body = re.sub(r"^- .+$", lambda line: with_symbols(line[0]), body, flags=re.M).replace("{figure} curves/", "{figure} ../curves/")
        body = re.sub(r"\]\((?!LAWS)(?=[A-Z_]+\.md)", "](../", body)  # pages beside LAWS.md
        file.write_text(f"# {title}\n\n{body}", encoding="utf-8")
        laws = ", ".join(re.findall(r"^- \*\*(.+?)\*\*", body, flags=re.M)) or ", ".join(f"[{each.removesuffix(' (line)')}](laws/{name}.md#{slug(each)})" for each in names)
        listed.append(f"| [{title}](laws/{name}.md) | {laws} |")
    contents = "\n".join(f"laws/{name}" for name in families)
    page.write_text(f"{first}\n{with_symbols(introduction.rstrip())}{head}\n| family | laws |\n| --- | --- |\n" + "\n".join(listed)
                    + f"\n\n```{{toctree}}\n:hidden:\n\n{contents}\n```\n", encoding="utf-8")
    return where


def redirect(source, where):
    """Makes links to a law, such as LAWS.md#hertz, links to the page that has it."""
    for path in source.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        moved = re.sub(r"LAWS\.md#([\w-]+)", lambda link: f"laws/{where[link[1]]}.md#{link[1]}" if link[1] in where else link[0], text)
        if moved != text:
            path.write_text(moved, encoding="utf-8")
