"""Commands whose calls are recorded or that are killed at one of them, in an own folder; see recorded_calls.c."""
import os
import pathlib
import subprocess
import sys

ATTACK = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(ATTACK.parent / "cli"), str(ATTACK.parent / "support")]
from compare_histories import differences, of_file  # noqa: E402
from held import stands  # noqa: E402
from seeds import CHAIN, PACKING, TABLES, mechanism  # noqa: E402

LAWS = (["hertz"], ["ma-liu"], ["thornton"], ["flores", "restitution=0.7"], ["wang-liu", "restitution=0.65"])
NOT_COMPARED = ("/parameters/threads",)  # of the process that created the history


class Fault(Exception):
    pass


def without(text, table):
    """The scenario without a table."""
    before, _, after = text.partition(f"[{table}]\n")
    _, bracket, rest = after.partition("\n[")
    return before + bracket[1:] + rest if bracket else before


def scenario(system, dice):
    """Text and settings of a scenario of some thousand steps: with or without sensors, snapshots and checkpoints."""
    text = {"chain": CHAIN, "packing": PACKING}[system] if system != "mechanism" else mechanism()
    settings = []
    for table in ("sensors", "snapshots"):
        if dice.random() < 0.4:
            text = without(text, table)
    if system == "chain":
        law = dice.choice(LAWS)
        settings += [f"law.name={law[0]}", *(f"law.{value}" for value in law[1:]), "time.step=2e-8",
                     f"segment.1.beads={dice.choice((19, 19, 60, 300))}"]
        intervals = (5e-6, 1.5e-5, 4e-5)
    elif system == "packing":
        settings += [f"friction.law={dice.choice(('none', 'linear', 'mindlin', 'mindlin-displacement'))}", "time.step=2e-8",
                     "friction.stiffness=5e5", "friction.damping=0.01"]
        intervals = (3e-6, 8e-6, 2e-5)
    else:
        settings += [f"integrator.accuracy={dice.choice(('1e-6', '1e-8'))}"]
        intervals = (1e-4, 4e-4, 1e-3)
    if dice.random() < 0.75:
        settings.append(f"checkpoint.interval={dice.choice(intervals)}")
    return text, settings


def laid_out(folder, system, text):
    folder.mkdir(exist_ok=True)
    (folder / f"{system}.toml").write_text(text)
    for name, table in TABLES.items():
        (folder / name).write_text(table)
    return folder


class Recorder:
    """Starts commands in `folder` with the recording library; `log` is outside of it."""

    def __init__(self, program, library, folder, log):
        self.program, self.preloaded, self.folder, self.log = program, library, folder, log

    def environment(self, **more):
        # Threads that wait actively would make runs much longer on a busy machine.
        return {**os.environ, "OMP_WAIT_POLICY": "passive", "LD_PRELOAD": self.preloaded, "RECORDED_FOLDER": str(self.folder), **more}

    def run(self, words, **more):
        return subprocess.run([*self.program, *words], cwd=self.folder, env=self.environment(**more), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300)

    def recorded(self, words, data=False):
        """Runs a command that must succeed. Returns its log."""
        self.log.unlink(missing_ok=True)
        done = self.run(words, RECORDED_LOG=str(self.log), **({"RECORDED_DATA": "1"} if data else {}))
        if done.returncode != 0:
            raise Fault(f"{' '.join(words)}: status {done.returncode}: {done.stderr}")
        return self.log.read_bytes() if self.log.exists() else b""

    def ended_at_step(self, words, step, number):
        """Whether a signal ended the command at this step. Otherwise the command ended before."""
        process = subprocess.Popen([*self.program, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True,
                                   env=self.environment(BEADWAVE_PAUSE_AT_STEP=str(step)))
        held = stands(process)
        if held:
            process.send_signal(number)
            process.send_signal(18)  # SIGCONT
        _, errors = process.communicate()
        if not held and process.returncode != 0:
            raise Fault(f"{' '.join(words)}: status {process.returncode}: {errors}")
        return held


def is_same(one, other, but=NOT_COMPARED):
    """Whether two results are equal to the bit; histories but for what the process is, fits but for their seconds."""
    if one.suffix != ".h5":
        return one.read_bytes() == other.read_bytes()
    a, b = ({name: value for name, value in of_file(path).items() if name not in but and not name.endswith("/seconds")}
            for path in (one, other))
    return not any(True for _ in differences(a, b))
