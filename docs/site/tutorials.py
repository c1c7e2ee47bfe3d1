"""Makes the notebooks of docs/tutorials from the scripts beside them: runs them, and keeps what they show.

usage: python3 docs/site/tutorials.py [NAME...]     all, if no name is given. PYTHONPATH has the package.

A script has cells: `# %%` begins code, `# %% [markdown]` begins text in comments. The notebook holds no times, no machine and no numbers of
cells, so the same outputs give the same file. A notebook is not edited by hand; a test compares it with its script.
"""
import os
import re
import sys
from pathlib import Path

import nbclient
import nbformat
from traitlets.config import Config

FOLDER = Path(__file__).resolve().parents[1] / "tutorials"
# In the order of the site: from the first run to the largest.
ORDER = ["first_hour", "which_law", "laboratory_fit", "band_gap", "breather", "localisation", "press_and_probe", "point_strike", "slider_crank",
         "phase_diagram", "design", "million_beads"]
STYLE = "figure.dpi: 80\nsavefig.dpi: 80\naxes.grid: True\ngrid.color: dddddd\naxes.axisbelow: True\naxes.spines.top: False\naxes.spines.right: False\n"


def cells(text):
    """The cells of a script, as (is it code, its lines without the markers)."""
    for part in re.split(r"^# %%", text, flags=re.M)[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            yield False, re.sub(r"^# ?", "", body.strip(), flags=re.M)
        else:
            yield True, body.strip()


def notebook_of(name):
    """The notebook of a script, without outputs."""
    notebook = nbformat.v4.new_notebook()
    for number, (code, text) in enumerate(cells((FOLDER / f"{name}.py").read_text(encoding="utf-8"))):
        cell = nbformat.v4.new_code_cell(text) if code else nbformat.v4.new_markdown_cell(text)
        cell["id"] = f"cell-{number}"
        notebook.cells.append(cell)
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}, "beadwave": {"place": ORDER.index(name)}}
    return notebook


def execute(notebook, folder, seconds=600):
    """Runs a notebook in docs/tutorials. Raises nbclient's CellExecutionError, with the cell and its error."""
    style = Path(folder) / "matplotlibrc"
    style.write_text(STYLE, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"} | {
        "MATPLOTLIBRC": str(style), "JUPYTER_PLATFORM_DIRS": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        "PYTHONPATH": os.pathsep.join(str(Path(one).resolve()) for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one)}
    # Sockets in the folder: a free port, once found, may be taken by another notebook before the kernel listens to it.
    sockets = Config(KernelManager={"transport": "ipc", "ip": str(Path(folder).resolve() / "kernel")})
    client = nbclient.NotebookClient(notebook, timeout=seconds, kernel_name="python3", config=sockets,
                                     resources={"metadata": {"path": str(FOLDER)}})
    client.execute(env=environment)
    return notebook


def without_noise(notebook):
    """What a reader sees: printed text and figures; not the values of last lines, progress, times or counts of executions."""
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type != "code":
            continue
        cell.execution_count = None
        kept = []
        for output in cell.outputs:
            if output.output_type == "stream" and output.name == "stdout":
                kept.append(output)
            elif output.output_type == "display_data" and "image/png" in output.data:
                output.data = {"image/png": output.data["image/png"]}
                output.metadata = {}
                kept.append(output)
        cell.outputs = kept
    return notebook


def main(names):
    import tempfile
    import time

    for name in names or ORDER:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            done = without_noise(execute(notebook_of(name), folder))
        path = FOLDER / f"{name}.ipynb"
        path.write_text(nbformat.writes(done) + "\n", encoding="utf-8")
        print(f"{name:16} {time.perf_counter() - began:5.1f} s  {path.stat().st_size / 1e3:6.0f} kB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
