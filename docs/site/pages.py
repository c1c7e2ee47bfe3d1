"""Puts the repository's own pages together for Sphinx: the same files at the same places, with their links."""
import re
import shutil
from pathlib import PurePosixPath

# Not a page of the site: README.md is for the repository's front, the others are templates.
LEFT_OUT = {"README.md", *(f"validation/{part}/page.md" for part in ("dashpot", "mechanisms", "trust", "which_law"))}
LINK = re.compile(r"(!?\[(?:[^\[\]]|`[^`]*`)*\])\(([^)\s]+)\)")
CODE = re.compile(r"(^```.*?^```$|^ {4}[^\n]*$|`[^`\n]+`)", flags=re.M | re.S)


def stage(root, source):
    """Copies every page under version control or new, and every file that one links to."""
    for path in sorted(root.rglob("*.md")):
        name = path.relative_to(root).as_posix()
        if name.split("/")[0] in ("build", "paper") or name.startswith((".", "docs/site/")) or name in LEFT_OUT:
            continue
        target = source / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(with_links(path.read_text(encoding="utf-8"), root, source, PurePosixPath(name)), encoding="utf-8")


def with_links(text, root, source, page):
    """The text with its links as the site has them: scenarios and notebooks have pages, other files are copied."""
    parts = CODE.split(text)
    return "".join(part if CODE.fullmatch(part) else LINK.sub(lambda link: f"{link[1]}({target(link[2], root, source, page)})", part)
                   for part in parts)


def target(link, root, source, page):
    if re.match(r"[a-z]+:", link) or link.startswith("#"):
        return link
    file, hash_sign, anchor = link.partition("#")
    path = (root / page.parent / file).resolve()
    name = path.relative_to(root.resolve())
    if name.parts[0] == "configs" and name.suffix == ".toml":
        return from_page(page, f"gallery/{name.stem}.md")
    if name.parts[:2] == ("docs", "tutorials"):
        return from_page(page, f"tutorials/{name.stem}.md" if name.suffix else "tutorials/index.md")
    if name.as_posix() == "README.md":
        return from_page(page, "index.md")
    if name.suffix != ".md":
        if not path.is_file():
            raise SystemExit(f"{page}: {link}: the site has no page for this")
        copy = source / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return file + hash_sign + anchor


def from_page(page, name):
    return "../" * len(page.parent.parts) + name
