"""Every code block of the guide, of README.md and of the reference pages runs, and prints what the page shows.

usage: test_blocks.py PAGE     such as docs/GUIDE.md. BEADWAVE_PROGRAM names the program, PYTHONPATH has the package.

The blocks of a page run one after the other in one folder, as a reader would type them. The output must have each shown line, in this order, with
numbers that agree to one in the last shown digit; speeds and wall times may differ (blocks.py). A block that cannot run here is named in NOT_RUN
with the reason, and a name without a block is a mistake.
"""
import contextlib
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

from blocks import Block, Command, blocks, differences

SOURCES = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCES / "validation" / "support"))
from held import Held  # noqa: E402

PROGRAM = os.environ["BEADWAVE_PROGRAM"]

# The first line of a block: why its text is not a command.
TEXTS = {
    "README.md": ["beadwave: chain.toml:18: segment.1.beeds"],
    "docs/GUIDE.md": ["kinetic + stored + dissipated"],
    "docs/WAVES.md": ["Speed 574.5"],
    "docs/PACKINGS.md": ["[[wall]]                # the lid"],
    "docs/HISTORY.md": ["kinetic + potential + stored", "sigma_ij = 1/V", "rho = sum m phi"],
    "docs/SCENARIO.md": ["# measured at the actuator", "--set law.name=hertz"],
    "docs/SCENARIO_PACKINGS.md": ["mass x acceleration", "[box]                             # triaxial", "[press]", "radii = { law",
                                  "[[particles]]                       # rain", "[measure]\ninterval"],
    "docs/SCENARIO_MECHANISMS.md": ["[[spring]]"],
    "docs/CLUSTER.md": ["t = max("],
    "docs/DESIGN_A_CHAIN.md": ["[design]", "[[run]]"],
    "docs/GRADIENTS.md": ["mass = torch.tensor"],
    "docs/SHAPES.md": ["[[particles]]\nshape = \"ellipsoid\"", "[[particles]]\nshape = \"superellipsoid\"",
                       "[[particles]]\nshape = \"clump\"", "[[bond]]\ndistance"],
    "docs/DISSIPATION.md": ["[wear]\nlaw = \"archard\"", "[wear]\nlaw = \"finnie\"", "[heat]"],
    "docs/TRUST.md": ["1000 random chains", "1000 random packings", "1000 random overlapping packings"],
}
NOT_RUN = {
    "docs/CLUSTER.md": {"apt-get install": "installs MPI", "mpirun -n 4": "needs MPI: the tests `mpi: *` run these commands",
                        "#!/bin/bash": "needs Slurm: bash reads it"},
    "docs/RUNNING.md": {"from paraview.simple": "needs ParaView", "$ h5clear": "needs a killed run: validation/attack"},
    "docs/PACKINGS.md": {"from paraview.simple": "needs ParaView",
                         "$ beadwave run configs/drum.toml --device gpu": "needs a graphics processor"},
    "docs/SPEED.md": {"$ ./dev bench": "takes an hour"},
}


class Session:
    """The folder, the shell and the Python of a reader of one page."""

    def __init__(self, page, folder):
        self.page, self.folder, self.failures, self.skipped = page, Path(folder), [], []
        for name in ("configs", "validation", "docs", "src"):
            (self.folder / name).symlink_to(SOURCES / name)
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "beadwave").symlink_to(PROGRAM)
        (tools / "python3").symlink_to(sys.executable)
        self.environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "MPLBACKEND": "Agg"}
        self.names = {"__name__": "__page__"}
        self.run = {"console": self.console, "pycon": self.pycon, "python": self.python, "toml": self.toml, "text": self.text}

    def fail(self, block, *sentences):
        self.failures.append("\n    ".join([block.place, *sentences]))

    def console(self, block):
        commands = block.commands()
        if any("^C" in line for command in commands for line in command.shown):
            return self.interrupted(block, commands)
        if commands[0].text.endswith("&"):
            return self.watched(block, commands)
        for command in commands:
            tool = command.text.split()[0]
            if tool in ("h5dump",) and not shutil.which(tool):
                self.skipped.append(f"{block.place}: needs {tool} (the package hdf5-tools)")
            else:
                self.compare(block, command.text, command.shown)

    def compare(self, block, script, shown):
        done = subprocess.run(["bash", "-ec", without_comments(script)], cwd=self.folder, env=self.environment, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            return self.fail(block, script, f"exit status {done.returncode}", *done.stdout.splitlines()[-5:])
        missing = differences(shown, done.stdout)
        if missing:
            self.fail(block, script, "the page shows", *missing, "the output is", *done.stdout.splitlines())

    def watched(self, block, commands):
        """A run in the background, and a watcher that begins when its file is there. What it
        prints on the way depends on when it looks; its last two lines do not."""
        run = Held([PROGRAM, *commands[0].text.removesuffix("&").split()[1:]], [400000], cwd=self.folder)
        watcher = subprocess.Popen([PROGRAM, *commands[1].text.split()[1:]], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        run.send_signal(signal.SIGCONT)
        printed = watcher.communicate()[0]
        if run.wait() != 0 or watcher.returncode != 0:
            self.fail(block, f"exit statuses {run.returncode}, {watcher.returncode}", printed)
        missing = differences(commands[1].shown[-2:], printed)
        if missing or not re.match(r"(no sample yet in .*\n)? +[\d.]+ %  t = ", printed):
            self.fail(block, "the page shows", *missing, "the output is", *printed.splitlines())

    def interrupted(self, block, commands):
        """A run that Ctrl-C stops at the step that the page shows, and what continues it."""
        shown = [line for command in commands for line in command.shown if "interrupted at" in line][0]
        time = float(re.search(r"t = (\S+) s of", shown)[1])
        step = float(re.search(r"time\.step=(\S+)", commands[0].text)[1])
        run = Held([PROGRAM, *commands[0].text.split()[1:]], [round(time / step)], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        status = run.end_by(signal.SIGINT)
        message = run.stderr.read()
        run.stderr.close()
        words = re.sub(r"t = \S+ s", "t = TIME s", shown.strip())
        if status != 1 or re.sub(r"t = \S+ s", "t = TIME s", message.strip()) != words:
            return self.fail(block, commands[0].text, f"exit status {status}", message, "the page shows", shown)
        rest = commands[1:]
        if rest and rest[0].text.endswith("&"):
            return self.watched(block, [Command("beadwave " + rest[0].text.split(" ", 1)[1]), Command(rest[1].text, [])])
        for command in rest:
            self.compare(block, command.text, command.shown)

    def python(self, block):
        if "long.running.h5" not in block.text:
            return self.execute(block, block.text, [], "exec")
        # The page follows the run of the block before it: the run pauses when its file is there.
        words = ["run", "configs/chain70.toml", "-o", "long.h5", "--quiet", "--set", "time.step=5e-11"]
        run = Held([PROGRAM, *words], [400000], cwd=self.folder)
        run.send_signal(signal.SIGCONT)
        self.execute(block, block.text, [], "exec")
        if run.wait() != 0:
            self.fail(block, "the run that it follows failed")

    def pycon(self, block):
        for command in block.commands():
            self.execute(block, command.text, command.shown, "single")

    def execute(self, block, code, shown, mode):
        printed, before = io.StringIO(), os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(code + "\n", block.place, mode), self.names)  # noqa: S102 (the code of the page)
        except ModuleNotFoundError as missing:
            if missing.name.split(".")[0] not in ("MDAnalysis", "scipy"):
                return self.fail(block, code, str(missing))
            return self.skipped.append(f"{block.place}: needs {missing.name}")
        except Exception:
            return self.fail(block, code, traceback.format_exc(limit=1))
        finally:
            os.chdir(before)
        missing = differences(shown, printed.getvalue())
        if missing:
            self.fail(block, code, "the page shows", *missing, "the output is", *printed.getvalue().splitlines())

    def toml(self, block):
        file = self.folder / "block.toml"
        file.write_text(block.text + "\n", encoding="utf-8")
        grains = "[[body]]" in block.text and "[time]" not in block.text
        command = "collide" if grains or re.search(r"^speed = ", block.text, flags=re.M) else "run"
        self.compare(block, f"beadwave {command} block.toml{' -o block.h5' if command == 'run' else ''}", [])

    def text(self, block):
        """Commands of ./dev exist; anything else is text that the page is known to have."""
        first = block.text.splitlines()[0]
        if first.startswith("./dev "):
            usage = subprocess.run([SOURCES / "dev", "help"], capture_output=True, text=True, check=True).stdout
            for line in block.text.splitlines():
                if not re.search(rf"^  {re.escape(line.split()[1])}\b", usage, flags=re.M):
                    self.fail(block, line, "./dev help does not have this command")
        elif first.startswith("import ") or re.match(r"\w+ = ", first):
            self.python(block)
        else:
            self.fail(block, first, "neither a command nor a text that test_blocks.py knows")


def without_comments(script):
    return re.sub(r" +# .*$", "", script, flags=re.M)


def starts(block, beginnings):
    return next((one for one in beginnings if block.text.startswith(one)), None)


def main(page):
    # A shell that starts this in the background lets its children ignore Ctrl-C, and beadwave leaves it so.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    texts, not_run = list(TEXTS.get(page, [])), dict(NOT_RUN.get(page, {}))
    count, found = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        session = Session(page, folder)
        if page == "README.md":  # its fit takes the file that the guide makes
            made = next(block for block in blocks("docs/FIT.md", SOURCES) if "laboratory.py" in block.text)
            session.console(made)
        elif page == "docs/HISTORY.md":
            session.compare(Block(page, 0, "console", ""), "beadwave run configs/square_crystal.toml", [])
        for block in blocks(page, SOURCES):
            found += 1
            known, reason = starts(block, texts), starts(block, not_run)
            if known:
                texts.remove(known)
            elif reason:
                session.skipped.append(f"{block.place}: {not_run[reason]}")
                if block.text.startswith("#!/bin/bash"):
                    subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)
            else:
                count += 1
                session.run[block.language](block)
    gone = texts + [one for one in not_run if not any(not_run[one] in line for line in session.skipped)]
    for sentence in session.skipped:
        print(f"not run: {sentence}")
    for failure in session.failures:
        print(failure, file=sys.stderr)
    for one in gone:
        print(f"{page}: no block begins with {one!r}", file=sys.stderr)
    print(f"{page}: {found} blocks, {count} run, {len(session.failures)} failed")
    return 1 if session.failures or gone or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
