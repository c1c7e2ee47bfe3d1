"""Pages of the site from the notebooks of docs/tutorials, with the outputs that they hold."""
import base64
import html
import io
import json
import re
import shutil

INDEX = """# Tutorials

Notebooks that begin with a question and end with a check of their own result. `docs/tutorials` has each as a script with cells
(`NAME.py`), which an editor that knows `# %%` or `python3` runs, and as a notebook with its outputs (`NAME.ipynb`). `./dev tutorials`
runs the scripts and writes the notebooks. The tests run all of them.

To run one, let Python find the package first, after `./dev build`: `export PYTHONPATH=$PWD/build/release/python`.

| tutorial | question |
| --- | --- |
{rows}

```{{toctree}}
:hidden:

{names}
```
"""


def write(folder, pages):
    """One page per notebook of `folder`, and their list. Returns the names."""
    pages.mkdir(parents=True, exist_ok=True)
    found = [json.loads(path.read_text(encoding="utf-8")) | {"name": path.stem} for path in folder.glob("*.ipynb")]
    found.sort(key=lambda notebook: notebook["metadata"]["beadwave"]["place"])
    for notebook in found:
        name = notebook["name"]
        shutil.copyfile(folder / f"{name}.ipynb", pages / f"{name}.ipynb")
        shutil.copyfile(folder / f"{name}.py", pages / f"{name}.py")
        text = "\n".join(markdown(notebook, name, pages))
        (pages / f"{name}.md").write_text(text, encoding="utf-8")
    rows = "\n".join(f"| [{heading(one)}]({one['name']}.md) | {question(one)} |" for one in found)
    (pages / "index.md").write_text(INDEX.format(rows=rows, names="\n".join(one["name"] for one in found)), encoding="utf-8")
    return [one["name"] for one in found]


def source(cell):
    return "".join(cell["source"])


def heading(notebook):
    return source(notebook["cells"][0]).splitlines()[0].removeprefix("# ")


def question(notebook):
    """The first sentences of a notebook, up to its first question mark."""
    text = " ".join(source(notebook["cells"][0]).split("\n\n")[1].split())
    return text[:text.index("?") + 1] if "?" in text else text


def markdown(notebook, name, pages):
    figures = 0
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "markdown":
            yield with_pages(source(cell)) + "\n"
            if number == 0:
                yield f"The {{download}}`notebook <{name}.ipynb>` and the {{download}}`script <{name}.py>` of this page.\n"
            continue
        yield f"```python\n{source(cell)}\n```\n"
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                figures += 1
                picture = f"{name}_{figures}.png"
                (pages / picture).write_bytes(base64.b64decode("".join(data["image/png"])))
                yield f"![{alternative(cell)}]({picture})\n"
            elif "text/plain" in data or output["output_type"] == "stream":
                text = "".join(data.get("text/plain", output.get("text", "")))
                yield f"```text\n{text.rstrip()}\n```\n"


def alternative(cell):
    """What a figure shows: the comment above its code."""
    first = source(cell).splitlines()[0]
    return re.sub(r"[\[\]]", "", first.removeprefix("# ")) if first.startswith("# ") else "The figure of this cell"


def formula(tex):
    """A formula between dollar signs as a picture within the line: matplotlib sets it, so the site needs neither LaTeX nor a network."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import math_to_image

    drawn = io.BytesIO()
    depth = math_to_image(f"${tex}$", drawn, prop=FontProperties(size=12, family="DejaVu Sans"), dpi=72, format="svg")
    data = base64.b64encode(drawn.getvalue()).decode()
    return f'<img class="math" alt="{html.escape(tex)}" style="vertical-align: -{depth:.1f}pt" src="data:image/svg+xml;base64,{data}">'


def with_pages(text):
    """Links to scenarios lead to the gallery, links to pages of docs to these; formulas become pictures."""
    text = re.sub(r"\$([^$\n]+)\$", lambda found: formula(found[1]), text)
    text = re.sub(r"\(\.\./\.\./configs/(\w+)\.toml\)", r"(../gallery/\1.md)", text)
    return re.sub(r"\(\.\./(\w+\.md)(#[\w-]+)?\)", lambda link: f"(../docs/{link[1]}{link[2] or ''})", text)
