"""Every link and picture of the built site leads somewhere within it, and nothing is loaded from elsewhere.

usage: links.py FOLDER
"""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, its links, and what a browser loads to show it."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.update(given[name] for name in ("id", "name") if given.get(name))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag in ("img", "script", "source", "iframe") and given.get("src"):
            self.loaded.append(given["src"])
        elif tag == "link" and given.get("href") and given.get("rel") != "canonical":
            self.loaded.append(given["href"])


def check(folder):
    """(number of pages, number of links, the dead ones as text)."""
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html"))}
    dead, count = [], 0
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        for link in page.links + page.loaded:
            count += 1
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") or link.startswith("//"):
                if link in page.loaded:
                    dead.append(f"{name}: loads {link}: the site must work without a network")
                continue
            if parts.scheme in ("mailto", "data"):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                dead.append(f"{name}: {link}: does not exist")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors and parts.fragment != "top":
                dead.append(f"{name}: {link}: the page has no such anchor")
    return len(pages), count, dead


def main():
    pages, links, dead = check(Path(sys.argv[1]))
    for one in dead:
        print(one, file=sys.stderr)
    print(f"{pages} pages, {links} links, {len(dead)} dead")
    return 1 if dead or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
