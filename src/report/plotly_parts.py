"""The part of plotly.js that the page needs. Debian's file holds every kind of chart, which is 8.7 MB; the page draws few kinds.

Debian's plotly.js is a list of numbered modules, each followed by the numbers of the modules that it needs (browserify's format). The
main module registers the charts. Without the registrations that no panel needs, only the modules that the rest refers to remain.
A file of another form, as pip installs it, is used whole.
"""
import json
import re
import sys

NEEDED = ("./core", "./bar", "./heatmap")  # the core draws lines and markers
_MODULE = re.compile(r"[{,](\d+):\[function\(_dereq_,module,exports\)\{")
_NEEDS = re.compile(r"\n\},(\{[^{}]*\})\]$")
_END = re.compile(r"\},\{\},\[(\d+)\]\)\(\1\)\n\}\);\s*$")
_REGISTRATION = re.compile(r"^ *_dereq_\('([^']+)'\),\n", re.M)


def whole_script():
    """plotly.js as it is installed. plotly loads IPython where it can, which takes a third of the time of a page: here it cannot."""
    known = sys.modules.get("IPython")
    sys.modules["IPython"] = None
    try:
        from plotly.offline import get_plotlyjs
    finally:
        sys.modules.pop("IPython")
        if known is not None:
            sys.modules["IPython"] = known
    return get_plotlyjs()


def _modules(text, end):
    """Start of the first module, and the text of each by its number: modules inside modules have smaller numbers and stay inside."""
    starts = []
    for match in _MODULE.finditer(text, 0, end):
        if int(match[1]) == len(starts) + 1:
            starts.append(match.start())
    ends = [*starts[1:], end]
    return starts[0], {k + 1: text[a + 1:b] for k, (a, b) in enumerate(zip(starts, ends))}


def _needs(module):
    return json.loads(_NEEDS.search(module)[1])


def _without_unneeded(main):
    """The main module, which registers and needs only NEEDED."""
    kept = {name: number for name, number in _needs(main).items() if name in NEEDED}
    if len(kept) != len(NEEDED):
        raise ValueError("the main module registers other charts")
    main = _REGISTRATION.sub(lambda line: line[0] if line[1] in NEEDED else "", main)
    return _NEEDS.sub(lambda _: "\n}," + json.dumps(kept) + "]", main)


def needed_part(text):
    """The script `text` with only the charts of the page; the same text if it has another form."""
    try:
        end = _END.search(text)
        first, modules = _modules(text, end.start())
        main = int(end[1])
        modules[main] = _without_unneeded(modules[main])
        reached, open_numbers = set(), [main]
        while open_numbers:
            number = open_numbers.pop()
            if number not in reached:
                reached.add(number)
                open_numbers += _needs(modules[number]).values()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return text
    return text[:first + 1] + ",".join(modules[number] for number in sorted(reached)) + text[end.start():]
