#!/usr/bin/python3
"""Checks a page of beadwave report: check_report.py PAGE.html [--panels A,B] [--missing A,B] [--speed M/S] [--holds TEXT]...

Prints every fault and exits with 1, or with 0 if there is none.
"""
import argparse
import base64
import html
import json
import re
import sys
import zlib

PANELS = ("traces", "space-time", "peaks", "speed-force", "loops", "energy", "wave-spectrum", "sensor-spectrum", "spectrogram", "pulse", "scenario")
LARGEST = 3_000_000  # bytes of a page
LOADS = (r"<script[^>]*\bsrc", r"<link\b", r"<img[^>]*\bsrc", r"<iframe\b", r"@import", r"\bfetch\(", r"XMLHttpRequest", r"url\(\s*['\"]?https?:")


def faults_of(page, given):
    head, _, body = page.partition("<body>")
    for pattern in LOADS:
        if re.search(pattern, page, re.I):
            yield f"loads something: {pattern}"
    for element in re.findall(r"<script[^>]*>", page):
        if element not in ("<script>",) and not re.fullmatch(r'<script type="application/gzip" id="[\w-]+">', element):
            yield f"has {element}"
    if len(page) > LARGEST:
        yield f"has {len(page)} bytes; at most {LARGEST}"
    if "default-src 'none'" not in head:
        yield "does not forbid loading"
    packed = {name: zlib.decompress(base64.b64decode(text), 31)
              for name, text in re.findall(r'<script type="application/gzip" id="([\w-]+)">([^<]*)</script>', page)}
    sections = dict(re.findall(r'<section id="([\w-]+)"[^>]*>(.*?)</section>', body, re.S))
    panels = tuple(given.panels.split(","))
    if tuple(sections) != panels:
        yield f"has panels {tuple(sections)}"
        return
    missing = given.missing.split(",") if given.missing else []
    for name in panels[:-1]:
        if ('class="missing"' in sections[name]) != (name in missing):
            yield f"panel {name} is {'drawn' if name in missing else 'missing'}"
        if name not in missing:
            yield from figure_faults(name, sections[name], packed)
    if given.speed is not None:
        found = re.search(r"[Ww]ave speed ([\d.]+)", sections["peaks"])
        if not found or abs(float(found[1]) / given.speed - 1.0) > given.tolerance:
            yield f"fits {found and found[1]} m/s, expected {given.speed}"
    for text in given.holds:
        if text not in html.unescape(body) and text.encode() not in packed.get("figures", b""):
            yield f"does not hold {text!r}"


def figure_faults(name, section, packed):
    if f'aria-labelledby="heading-{name}" aria-describedby="caption-{name}"' not in section or f'id="caption-{name}"' not in section:
        yield f"panel {name} has no description"
    if 'class="picture"' in section:
        yield from picture_faults(name, json.loads(packed[f"settings-{name}"]), packed[f"arrays-{name}"])
        return
    figure = json.loads(packed["figures"], parse_constant=refused)[name]
    data, layout = figure["data"], figure["layout"]
    if not data:
        yield f"panel {name} draws nothing"
    axes = [axis for key, axis in layout.items() if re.match("xaxis", key)]
    if any(not axis["title"]["text"] for axis in axes):
        yield f"panel {name} has an x axis without a name"


def refused(constant):
    raise ValueError(f"{constant}, which browsers cannot read")


def picture_faults(name, settings, arrays):
    if not settings["summary"] or not settings["time"]:
        yield f"panel {name} has no summary or no times"
    if any(offset + size * count > len(arrays) for size, offset, count, _ in settings["arrays"].values()):
        yield f"panel {name} lacks numbers"


def faults_of_file(words):
    """The file of the command line `words`, and what is wrong with it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("--panels", default=",".join(PANELS))
    parser.add_argument("--missing", default="")
    parser.add_argument("--speed", type=float)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--holds", action="append", default=[])
    given = parser.parse_args(words)
    with open(given.page, encoding="utf-8") as page:
        return given.page, list(faults_of(page.read(), given))


def main():
    page, faults = faults_of_file(sys.argv[1:])
    for fault in faults:
        print(f"{page}: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
