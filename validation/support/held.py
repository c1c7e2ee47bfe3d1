"""A run that pauses at chosen steps, so that a test can act in the middle of the run.

The test waits until the process stops itself (BEADWAVE_PAUSE_AT_STEP) and never for a fixed time.
"""
import os
import signal
import subprocess


def stands(process):
    """Waits until a process stops itself or ends. Returns whether it is stopped."""
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        process.returncode = os.waitstatus_to_exitcode(status)
    return os.WIFSTOPPED(status)


class Held(subprocess.Popen):
    """Starts a command that pauses at these steps, in ascending order, and waits until it pauses at the first of them."""

    def __init__(self, command, steps, **options):
        pauses = ",".join(str(int(step)) for step in steps)
        super().__init__(command, env={**os.environ, "BEADWAVE_PAUSE_AT_STEP": pauses}, **options)
        self.held = stands(self)

    def proceed(self):
        """Continues the run to its next pause or to its end. Returns whether it is paused again."""
        self.send_signal(signal.SIGCONT)
        self.held = stands(self)
        return self.held

    def end_by(self, number):
        """Sends a signal, continues the run to its end, and returns its exit status."""
        self.send_signal(number)
        if number == signal.SIGKILL:  # ends a paused process, too; sending it more could reap it before stands() looks
            self.held = False
            return self.wait()
        while self.held:
            self.proceed()
        return self.returncode
