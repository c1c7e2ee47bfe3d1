"""Builds the documentation site: puts the pages together, runs what they show, and lets Sphinx make HTML of it.

usage: python3 docs/site BUILD OUTPUT     BUILD has the program and python/, such as build/release
"""
import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent


@contextlib.contextmanager
def step(name):
    began = time.perf_counter()
    print(f"  {name:<12}", end="", flush=True)
    found = []
    yield found
    print(f"{time.perf_counter() - began:6.1f} s  {', '.join(map(str, found))}", flush=True)


def main(build, output):
    build, output = Path(build).resolve(), Path(output).resolve()
    sys.path.insert(0, str(build / "python"))
    sys.dont_write_bytecode = True
    import cpp
    import gallery
    import keys
    import laws
    import links
    import notebooks
    import pages

    program = build / "beadwave"
    work = output.parent / f"{output.name}-work"
    for folder in (output, work):
        shutil.rmtree(folder, ignore_errors=True)
    source = work / "source"
    source.mkdir(parents=True)

    with step("pages") as found:
        pages.stage(ROOT, source)
        index = (HERE / "front.txt").read_text(encoding="utf-8")
        (source / "index.md").write_text(pages.with_links(index, ROOT, source, PurePosixPath("index.md")), encoding="utf-8")
        found.append(f"{sum(1 for _ in source.rglob('*.md'))} pages of the repository")
    with step("keys"):
        keys.write(program, source / "reference" / "keys.md")
        shutil.copyfile(HERE / "python.rst", source / "reference" / "python.rst")
    with step("C++"):
        cpp.write(ROOT, work / "doxygen", source / "reference" / "cpp")
    with step("tutorials") as found:
        found.append(f"{len(notebooks.write(ROOT / 'docs' / 'tutorials', source / 'tutorials'))} notebooks")
    with step("laws") as found:
        page = source / "docs" / "LAWS.md"
        found.append(f"{laws.write(source, page, page.read_text(encoding='utf-8'), page.parent / 'curves', ROOT / 'validation' / 'physics' / 'indentation_example.csv')} curves")
    with step("gallery") as found:
        seconds = gallery.write(ROOT, source / "gallery", work / "runs", program)
        slowest = max(seconds, key=seconds.get)
        found.append(f"{len(seconds)} runs, the longest {slowest} with {seconds[slowest]:.1f} s")
    with step("sphinx") as found:
        done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-b", "html", "-c", str(HERE),
                               "-d", str(work / "doctrees"), str(source), str(output)], check=False,
                              env=os.environ | {"PYTHONPATH": str(build / "python"), "PYTHONDONTWRITEBYTECODE": "1"})
        if done.returncode != 0:
            raise SystemExit("docs: mend what Sphinx warns of")
    with step("links") as found:
        count, total, dead = links.check(output)
        found.append(f"{count} pages, {total} links, {len(dead)} dead")
    if dead:
        raise SystemExit("\n".join(dead))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(sys.argv[1], sys.argv[2])
