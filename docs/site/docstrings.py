"""Docstrings are plain text: this makes the markup that Sphinx reads of them."""


def paragraphs(_app, _what, _name, _object, _options, lines):
    """An indented block is code. In a sentence the characters of Sphinx mean themselves; examples stay as they are."""
    mended, code = [], False
    for line in lines:
        indented = line.startswith("    ") and (code or not mended or not mended[-1].strip())
        if indented and not code:
            mended += ["::", ""]
        if line.strip():
            code = indented
        mended.append(line if code or line.startswith((">>>", "...")) else line.replace("|", "\\|"))
    lines[:] = mended
