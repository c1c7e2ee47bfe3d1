#!/usr/bin/python3
"""Checks a page of beadwave report: check_report.py PAGE.html [--panels A,B] [--missing A,B] [--speed M/S] [--holds TEXT]...

Prints every fault and exits with 1, or with 0 if there is none.
"""
import argparse
import html
import json
import re
import sys

PANELS = ("traces", "space-time", "peaks", "loops", "energy", "wave-spectrum", "sensor-spectrum", "spectrogram", "pulse", "scenario")
LOADS = (r"<script[^>]*\bsrc", r"<link\b", r"<img[^>]*\bsrc", r"<iframe\b", r"@import", r"url\(\s*['\"]?https?:")


def faults_of(page, given):
    head, _, body = page.partition("<body>")
    # plotly.js is one script in the head; text inside it is not part of the page.
    shown = re.sub(r"<script>.*?</script>", "", head, flags=re.S) + body
    for pattern in LOADS:
        if re.search(pattern, shown, re.I):
            yield f"loads something: {pattern}"
    if "default-src 'none'" not in head:
        yield "does not forbid loading"
    sections = dict(re.findall(r'<section id="([\w-]+)">(.*?)</section>', body, re.S))
    panels = tuple(given.panels.split(","))
    if tuple(sections) != panels:
        yield f"has panels {tuple(sections)}"
        return
    missing = given.missing.split(",") if given.missing else []
    for name in panels[:-1]:
        if ('class="missing"' in sections[name]) != (name in missing):
            yield f"panel {name} is {'drawn' if name in missing else 'missing'}"
        if name not in missing:
            yield from figure_faults(name, sections[name])
    if given.speed is not None:
        found = re.search(r"[Ww]ave speed ([\d.]+)", sections["peaks"])
        if not found or abs(float(found[1]) / given.speed - 1.0) > given.tolerance:
            yield f"fits {found and found[1]} m/s, expected {given.speed}"
    for text in given.holds:
        if text not in html.unescape(body):
            yield f"does not hold {text!r}"


def figure_faults(name, section):
    call = re.search(r'Plotly\.newPlot\("[\w-]+",(.*)\)</script>', section, re.S)
    data, layout, _ = json.loads(f"[{call[1]}]")  # this also excludes NaN, which browsers cannot read
    if not data:
        yield f"panel {name} draws nothing"
    axes = [axis for key, axis in layout.items() if re.match("xaxis", key)]
    if any(not axis["title"]["text"] for axis in axes):
        yield f"panel {name} has an x axis without a name"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("--panels", default=",".join(PANELS))
    parser.add_argument("--missing", default="")
    parser.add_argument("--speed", type=float)
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--holds", action="append", default=[])
    given = parser.parse_args()
    with open(given.page, encoding="utf-8") as page:
        faults = list(faults_of(page.read(), given))
    for fault in faults:
        print(f"{given.page}: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
