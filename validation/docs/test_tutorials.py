"""The tutorials: their notebooks are those of their scripts, mypy accepts them, and each runs with all its checks.

usage: test_tutorials.py NAME     runs one; a smaller version where it has one (BEADWAVE_SHORT). As a notebook if nbclient and ipykernel are there, otherwise
                                  as a script
       test_tutorials.py --files  compares the notebooks with the scripts
       test_tutorials.py --types  runs mypy on the package and the scripts
"""
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2]
FOLDER = SOURCES / "docs" / "tutorials"
sys.path.insert(0, str(SOURCES / "docs" / "site"))
MOST_BYTES = 400_000  # of a notebook with its figures


def needed(path):
    """Libraries of a script that are not there."""
    names = set(re.findall(r"^(?:import|from) (\w+)", path.read_text(encoding="utf-8"), flags=re.M))
    names |= {"scipy"} if ".matrices()" in path.read_text(encoding="utf-8") else set()
    return sorted(name for name in names if importlib.util.find_spec(name) is None)


def run(name):
    path = FOLDER / f"{name}.py"
    missing = needed(path)
    if missing:
        print(f"skipped: {name} needs {', '.join(missing)}")
        return 0
    os.environ["BEADWAVE_SHORT"] = "1"
    # The sanitizer is loaded before Python, which Jupyter's kernel does not survive.
    notebooks = "LD_PRELOAD" not in os.environ and all(importlib.util.find_spec(one) for one in ("nbclient", "ipykernel"))
    if not notebooks:
        print("as a script: nbclient and ipykernel are not used here")
        return subprocess.run([sys.executable, "-B", path], cwd=FOLDER, check=False).returncode
    import tutorials
    with tempfile.TemporaryDirectory() as folder:
        done = tutorials.execute(tutorials.notebook_of(name), folder)
    printed = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs if output.output_type == "stream"]
    figures = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs if "image/png" in output.get("data", {})]
    assert printed and figures, f"{name} shows {len(printed)} texts and {len(figures)} figures"
    print(f"{name}: {len(done.cells)} cells, {len(figures)} figures")
    return 0


def compare_files():
    """Without nbformat: a notebook is JSON."""
    names = {path.stem for path in FOLDER.glob("*.py")}
    failures = [f"{one}: has a script or a notebook, not both" for one in names ^ {path.stem for path in FOLDER.glob("*.ipynb")}]
    for name in sorted(names):
        text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
        parts = re.split(r"^# %%", text, flags=re.M)[1:]
        wanted = []
        for part in parts:
            head, _, body = part.partition("\n")
            markdown = head.strip() == "[markdown]"
            wanted.append(("markdown" if markdown else "code", re.sub(r"^# ?", "", body.strip(), flags=re.M) if markdown else body.strip()))
        found = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
        if found != wanted:
            failures.append(f"{name}.ipynb is not that of {name}.py; ./dev tutorials {name} makes it")
        if not any(cell.get("outputs") for cell in notebook["cells"]):
            failures.append(f"{name}.ipynb holds no output")
        if "assert" not in text or "?" not in text:
            failures.append(f"{name}.py asks no question, or checks no answer")
        size = (FOLDER / f"{name}.ipynb").stat().st_size
        if size > MOST_BYTES:
            failures.append(f"{name}.ipynb has {size} bytes; at most {MOST_BYTES}")
    print(*failures, sep="\n", file=sys.stderr)
    print(f"{len(names)} tutorials compared")
    return 1 if failures or not names else 0


def check_types():
    if "LD_PRELOAD" in os.environ:
        print("skipped: the sanitizer is not for mypy")
        return 0
    package = SOURCES / "src" / "python" / "beadwave"
    with tempfile.TemporaryDirectory() as cache:
        mypy = [sys.executable, "-m", "mypy", "--cache-dir", cache]
        status = subprocess.run([*mypy, "--strict", package], check=False).returncode
        status |= subprocess.run([*mypy, "--ignore-missing-imports", *sorted(FOLDER.glob("*.py"))], check=False,
                                 env=os.environ | {"MYPYPATH": str(package.parent)}).returncode
    return status


if __name__ == "__main__":
    sys.exit({"--files": compare_files, "--types": check_types}.get(sys.argv[1], lambda: run(sys.argv[1]))())
