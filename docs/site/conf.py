"""How Sphinx makes the site from the pages that `pages.py` has put together."""
import re
import sys
from pathlib import Path

from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parent))

from docstrings import paragraphs  # noqa: E402

project = "beadwave"
copyright = "the beadwave authors"  # noqa: A001
extensions = ["myst_parser", "sphinx.ext.autodoc"]

# The same anchors as GitHub makes, so that one link works in both places.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]

html_theme = "furo"
release = re.search(r"^project\(beadwave VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), flags=re.M)[1]
html_title = f"beadwave {release}"
html_search_scorer = str(Path(__file__).resolve().parent / "scorer.js")
html_static_path = [str(ROOT / "docs" / "site" / "static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_sourcelink = False

highlight_language = "none"
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
autodoc_type_aliases = {name: name for name in ("npt.ArrayLike", "Scenario", "Name", "Floats", "Texts", "Complexes", "ProgressCallback")}
smartquotes = False


def language_of(text):
    """The language of a block that does not name it: most pages mark code by indentation alone."""
    if text.startswith("$ "):
        return "console"
    if text.startswith(">>> "):
        return "pycon"
    if text.startswith(("import ", "from ", "chain = ", "packing = ")):
        return "python"
    return "none"


def set_languages(_, document):
    for block in document.findall(nodes.literal_block):
        if block.get("language", "none") in ("none", "default"):
            block["language"] = language_of(block.astext())


def setup(app):
    app.connect("doctree-read", set_languages)
    app.connect("autodoc-process-docstring", paragraphs)
