"""The program under attack, and what it must not do with any input."""
import hashlib
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from patience import ended  # noqa: E402

# Output of uncaught errors in libraries, and reports of sanitizers. Users must never see these.
CRASH_WORDS = re.compile(rb"Traceback \(most recent|AddressSanitizer|LeakSanitizer|runtime error:|terminate called|"
                         rb"\[json\.exception|_M_range_check|basic_string::|std::bad_|Segmentation fault")
MOST_BYTES = 64 << 20  # the most that a case may write; none needs a tenth of it


class Fault(Exception):
    pass


class Target:
    def __init__(self, program, patience, sanitized):
        self.program, self.patience, self.sanitized = str(pathlib.Path(program).resolve()), patience, sanitized
        # Threads that wait actively would make runs much longer on a busy machine.
        self.environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}

    def start(self, words, folder, limits=(), closed=(), **more):
        """Starts the program. `limits`: pairs (resource, value); `closed`: descriptors that are closed at its start."""
        def prepare():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 * MOST_BYTES, 4 * MOST_BYTES))
            if not self.sanitized:  # protects this machine
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
            for what, value in limits:
                resource.setrlimit(what, (value, value))
            for descriptor in closed:
                os.close(descriptor)
        options = {"env": self.environment, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.Popen([self.program, *words], cwd=folder, preexec_fn=prepare, **options)

    def run(self, words, folder, **how):
        """Returns the exit status and standard error. Raises Fault if the program crashes or does not end."""
        process = self.start(words, folder, **how)
        try:
            out, err = ended(process, self.patience)
        except subprocess.TimeoutExpired:
            kill(process)
            raise Fault(f"hangs: {self.patience:g} s") from None
        return self.judged(process.returncode, out or b"", err or b""), err or b""

    def run_or_end(self, words, folder, seconds, **how):
        """The same for commands that may take hours: when it has spent these seconds the program gets SIGTERM."""
        process = self.start(words, folder, **how)
        try:
            out, err = ended(process, seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            try:
                out, err = ended(process, self.patience)
            except subprocess.TimeoutExpired:
                kill(process)
                raise Fault(f"does not end {self.patience:g} s after SIGTERM") from None
            if process.returncode == -signal.SIGTERM:  # while it was still reading its input, such as a pipe
                return 1, b"ended by us"
        return self.judged(process.returncode, out or b"", err or b""), err or b""

    @staticmethod
    def judged(status, out, err):
        message = err.decode(errors="replace")[-600:]
        if CRASH_WORDS.search(err) or CRASH_WORDS.search(out):
            raise Fault(f"status {status}, and prints:\n{message}")
        if status < 0:
            raise Fault(f"ended by {signal.Signals(-status).name}: {message}")
        if status not in (0, 1, 2):
            raise Fault(f"status {status}: {message}")
        return status


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.communicate()


def digest(path):
    return hashlib.sha1(path.read_bytes()).hexdigest() if path.is_file() and not path.is_symlink() else "special"


class Kept:
    """The files in a folder before a case. All except `may_change` must be there unchanged after it."""

    def __init__(self, folder, may_change=()):
        self.folder = folder
        self.before = {path: digest(path) for path in folder.rglob("*")
                       if not path.is_dir() and path.name not in may_change}
        self.names = set(folder.rglob("*"))

    def check(self, most_bytes=MOST_BYTES):
        for path, was in self.before.items():
            if not os.path.lexists(path):
                raise Fault(f"{path.name} is gone")
            if digest(path) != was:
                raise Fault(f"{path.name} was changed")
        for path in set(self.folder.rglob("*")) - self.names:
            if ".partial-" in path.name:
                raise Fault(f"{path.name} is left behind")
            if path.is_file() and path.stat().st_size > most_bytes:
                raise Fault(f"{path.name} has {path.stat().st_size >> 20} MiB")
