"""The gallery: every scenario of configs with a picture of its run, what to expect, what came out, and its source."""
import html
import os
import re
import shutil
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor

# The runs that take longest, first. Some are made smaller: a whole settling_column takes ten minutes, the others a quarter of a minute and more.
LONG = ["hopper", "direct_shear", "drum", "rods_drum", "ellipsoids", "intruder", "projectile", "mesh_funnel", "poured_silo", "dice", "silo"]
SMALLER = {"settling_column": {"particles.0.random": 300}, "hopper": {"particles.0.random": 200}, "drum": {"time.end": 1.2},
           "rods_drum": {"time.end": 0.4}, "dice": {"time.end": 0.12}, "pressed_spheroids": {"particles.0.random": 30}}


def head_of(text):
    """The comment at the head of a scenario."""
    return [line[1:].removeprefix(" ") for line in re.match(r"(?:#[^\n]*\n)+", text)[0].splitlines()]


def prose(lines):
    """A comment as Markdown: its indented lines are formulas and commands, the others are text."""
    parts, before = [], False
    for line in lines:
        code = line.startswith("  ")
        if code != before:
            parts.append("```" if before else "")
            parts += ["```none"] if code else [""]
        before = code
        parts.append(line if code else re.sub(r"([\\*_<`|\[\]#])", r"\\\1", line))
    return "\n".join(parts + (["```"] if before else []))


def title_of(text):
    return re.search(r'^title *= *"(.*)"', text, flags=re.M)[1]


def run(scenario, folder, work, program):
    """Runs a scenario and draws it. Returns its kind, and the summary that the program prints."""
    import beadwave as bw
    from drawing import save

    name = scenario.stem
    history = work / f"{name}.h5"
    began = time.perf_counter()
    words = [word for key, value in SMALLER.get(name, {}).items() for word in ("--set", f"{key}={value}")]
    done = subprocess.run([program, "run", str(scenario), "-o", history.name, "--threads", "1", *words],
                          cwd=work, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{scenario}: {done.stderr}")
    with bw.History(history) as read:
        save(read.plot(), folder / f"gallery_{name}.png")
        kind = read.system
    history.unlink()
    return kind, done.stdout.rstrip(), done.stderr.rstrip(), time.perf_counter() - began


def write(root, pages, work, program):
    """A page per scenario and the page of all. Returns the seconds of each."""
    pages.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    scenarios = {path.stem: path for path in sorted((root / "configs").glob("*.toml"))}
    order = [name for name in LONG if name in scenarios] + [name for name in scenarios if name not in LONG]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        started = {name: pool.submit(run, scenarios[name], pages, work, program) for name in order}
        done = {name: future.result() for name, future in started.items()}
    kinds = {}
    for name, scenario in scenarios.items():
        kind, summary, warnings, _ = done[name]
        text = scenario.read_text(encoding="utf-8")
        kinds.setdefault(kind, []).append((name, title_of(text)))
        (pages / f"{name}.md").write_text(page_of(name, text, summary, warnings), encoding="utf-8")
        shutil.copyfile(scenario, pages / f"{name}.toml")
    for file in (root / "configs").glob("*.csv"):
        shutil.copyfile(file, pages / file.name)
    (pages / "index.md").write_text(index_of(kinds), encoding="utf-8")
    return {name: one[3] for name, one in done.items()}


def page_of(name, text, summary, warnings):
    changed = "".join(f" --set {key}={value}" for key, value in SMALLER.get(name, {}).items())
    smaller = (f"\nThe picture and the output are of a smaller run, `beadwave run configs/{name}.toml{changed}`.\n" if changed else "")
    warned = f"\nThe run warns:\n\n```text\n{warnings}\n```\n" if warnings else ""
    return f"""# {name}

{title_of(text)}: {{download}}`{name}.toml`
{smaller}
![{title_of(text)}](gallery_{name}.png)

## What to expect

{prose(head_of(text))}

## The run

```text
$ beadwave run configs/{name}.toml{changed}
{summary}
```
{warned}
## The scenario

:::{{literalinclude}} {name}.toml
:language: toml
:::
"""


def index_of(kinds):
    lines = ["# Gallery", "", "Every scenario of `configs`, run when this site was built. Each page says what to expect, by which formula and "
             "from whom, and what came out. The tests check each of them.", ""]
    names = []
    for kind, heading in (("chain", "Chains"), ("packing", "Packings"), ("mechanism", "Mechanisms")):
        lines += [f"## {heading}", "", "```{raw} html", '<div class="gallery">']
        for name, title in kinds[kind]:
            names.append(name)
            lines.append(f'<a href="{name}.html"><img src="../_images/gallery_{name}.png" alt="" loading="lazy"><span><b>{name}</b>'
                         f"{html.escape(title)}</span></a>")
        lines += ["</div>", "```", ""]
    lines += ["```{toctree}", ":hidden:", "", *names, "```", ""]
    return "\n".join(lines)
