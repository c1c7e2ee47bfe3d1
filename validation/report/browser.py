"""A headless Chromium that opens a page and answers questions, through its debugging pipe (Chrome DevTools Protocol)."""
import base64
import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WITHOUT_WEBGL = ("--disable-gpu", "--disable-3d-apis")
# Resolves when the page has drawn everything, or has said why it cannot.
DRAWN = """new Promise(resolve => {
    const look = () => {
        const notice = document.getElementById("notice");
        if (!notice.hidden) return resolve(notice.textContent), true;
        return document.documentElement.dataset.drawnMs ? (resolve(""), true) : false;
    };
    if (!look()) new MutationObserver(look).observe(document, {attributes: true, subtree: true});
})"""


class Browser:
    """`with Browser(1300, 900) as browser: browser.open("page.html")`."""

    def __init__(self, width, height, *options):
        self._folder = tempfile.TemporaryDirectory()
        commands, answers = os.pipe(), os.pipe()
        words = [PROGRAM, "--headless", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
                 f"--user-data-dir={self._folder.name}", *options, "about:blank"]

        def place():  # the browser reads commands from 3 and writes answers to 4
            read, write = os.dup(commands[0]), os.dup(answers[1])
            os.dup2(read, 3)
            os.dup2(write, 4)

        self._process = subprocess.Popen(words, pass_fds=(3, 4), preexec_fn=place, start_new_session=True, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
        os.close(commands[0])
        os.close(answers[1])
        self._commands, self._answers = os.fdopen(commands[1], "wb"), os.fdopen(answers[0], "rb")
        self._number, self._rest, self._loaded, self.errors = 0, b"", set(), []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = None
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        self.call("Runtime.enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._commands.close()
        self._answers.close()
        self._process.terminate()
        self._process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        while True:  # its other processes write into the folder until they have ended
            try:
                return self._folder.cleanup()
            except OSError as error:
                if error.errno != errno.ENOTEMPTY:
                    raise
                time.sleep(0.01)

    def _message(self):
        while b"\0" not in self._rest:
            part = os.read(self._answers.fileno(), 1 << 16)
            if not part:
                raise RuntimeError("the browser has ended")
            self._rest += part
        text, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(text)
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        if message.get("method") == "Page.lifecycleEvent" and message["params"]["name"] == "load":
            self._loaded.add(message["params"]["loaderId"])
        return message

    def call(self, method, **parameters):
        self._number += 1
        command = {"id": self._number, "method": method, "params": parameters}
        if getattr(self, "_session", None):
            command["sessionId"] = self._session
        self._commands.write(json.dumps(command).encode() + b"\0")
        self._commands.flush()
        while True:
            message = self._message()
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]

    def resize(self, width, height):
        """For the pages that are opened from now on."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 640)

    def open(self, page):
        """Returns when all is drawn: "" or what the page says is wrong."""
        loader = self.call("Page.navigate", url=Path(page).resolve().as_uri())["loaderId"]
        while loader not in self._loaded:  # about:blank, the page before, may still be loading
            self._message()
        return self.ask(DRAWN)

    def ask(self, expression):
        """The value of a JavaScript expression or promise."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        Path(path).write_bytes(base64.b64decode(data))
