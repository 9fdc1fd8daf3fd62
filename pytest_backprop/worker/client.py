"""The grader's side: starts the zygote, hands it one submission at a time, watches the child.

The child is judged from outside: its wall-clock time, the resident memory of it and all it started
(psutil), and how it ended. Only a well-formed answer from a child that then exited 0 is evidence.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from typing import Any, Literal

import msgspec
import psutil
from msgspec import Struct

from ..errors import GraderFault
from .onnx_protocol import Evaluate, Evaluated, Export, Exported
from .protocol import (
    MAX_ANSWER,
    Answer,
    Broke,
    Ended,
    Event,
    Hello,
    Limits,
    Problem,
    Ran,
    Request,
    Started,
    frame,
    receive,
)

MAX_OUTPUT = 64 * 2**10
"""Bytes kept of what a submission prints; the rest is read and dropped."""

START_SECONDS = 120.0
"""How long the zygote may take to import torch."""

POLL_SECONDS = 0.02
BOOT = "import sys; from pytest_backprop.worker.{} import main; main(int(sys.argv[1]))"
KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # large tensors go back to the kernel when they are released: memory is what is alive
    "MALLOC_MMAP_THRESHOLD_": "262144",
}

How = Literal["answered", "timeout", "out_of_memory", "crashed"]

ANSWERS: dict[str, Any] = {
    "zygote": Answer,
    "onnx_evaluate": Evaluated | Broke,
    "onnx_export": Exported | Problem | Broke,
}
"""The modules that have a `main` for a zygote, and what their children may answer."""


class Outcome(Struct, frozen=True):
    """How a child ended. `answer` is there only if it answered well and exited 0; else `message`
    says what happened (`killed by signal 9 (SIGKILL)`, `exited 3`, ...).

    `output` is what it printed, cut at MAX_OUTPUT bytes. `memory` is its highest resident size
    above the zygote's, in bytes, as polled.
    """

    how: How
    message: str
    answer: Ran | Problem | Exported | Evaluated | None
    output: str
    seconds: float
    memory: int


class Worker:
    """One zygote and its children, which do what the module `does` says. Not for use by several
    threads."""

    def __init__(self, does: str = "zygote") -> None:
        self._does = does
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self.hello: Hello | None = None

    def start(self) -> None:
        """Starts the zygote and returns at once; it imports torch meanwhile."""
        if self._process is not None:
            return
        if not hasattr(os, "fork"):
            raise GraderFault("grading needs os.fork, which this system does not have")
        ours, theirs = socket.socketpair()
        environment = ENVIRONMENT | {
            key: os.environ[key] for key in KEPT_ENVIRONMENT if key in os.environ
        }
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", BOOT.format(self._does), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=environment,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                cwd="/",
            )
        self._link = ours

    def ready(self) -> Hello:
        """Waits for the zygote. Raises GraderFault with its stderr if it does not come up."""
        if self.hello is None:
            self.start()
            event = self._event(START_SECONDS)
            if not isinstance(event, Hello):
                raise GraderFault(f"the worker did not start: {self._last_words()}")
            self.hello = event
        return self.hello

    def run(self, request: Request | Export | Evaluate) -> Outcome:
        """Runs one submission, or its model. Raises GraderFault for a fault of ours; the zygote is then gone,
        and the next call starts a new one."""
        hello = self.ready()
        assert self._link is not None
        answer_end, answer_start = os.pipe()
        output_end, output_start = os.pipe()
        try:
            try:
                socket.send_fds(self._link, [(message := frame(request))[:4]],
                                [answer_start, output_start])  # fmt: skip
                self._link.sendall(message[4:])
            finally:
                os.close(answer_start)
                os.close(output_start)
            started = self._event(START_SECONDS)
            if not isinstance(started, Started):
                raise GraderFault(f"the worker did not fork: {self._last_words()}")
            watch = _Watch(started.pid, request.limits, hello.memory, ANSWERS[self._does])
            watch.follow(self._link, answer_end, output_end)
            if not request.limits.sandbox or "seccomp" not in hello.sandbox:
                self._kill_descendants()  # it may have left its group
        except (OSError, ValueError, msgspec.DecodeError) as error:
            reason = f"the worker failed: {error}; {self._last_words()}"
            self.close()
            raise GraderFault(reason) from error
        except GraderFault:
            self.close()
            raise
        finally:
            os.close(answer_end)
            os.close(output_end)
        return watch.outcome()

    def close(self) -> None:
        """Ends the zygote and whatever it started."""
        self._kill_descendants()
        process, link = self._process, self._link
        self._process = self._link = self.hello = None
        if link is not None:
            link.close()
        if process is None:
            return
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()

    def _kill_descendants(self) -> None:
        """Kills all that descends from the zygote, which adopts what its children leave behind."""
        process = self._process
        left: list[psutil.Process] = []
        with contextlib.suppress(psutil.Error):
            left = psutil.Process(process.pid).children(recursive=True) if process else []
        for other in left:
            with contextlib.suppress(psutil.Error):
                other.kill()

    def _event(self, seconds: float) -> Event | None:
        assert self._link is not None
        self._link.settimeout(seconds)
        try:
            return receive(self._link, Event, 2**16)  # type: ignore[arg-type]
        except TimeoutError:
            return None
        finally:
            self._link.settimeout(None)

    def _last_words(self) -> str:
        process = self._process
        if process is None or process.stderr is None:
            return "it is gone"
        os.set_blocking(process.stderr.fileno(), False)
        text = (process.stderr.read() or b"").decode("utf-8", "replace").strip()
        return text[-2_000:] or f"exit status {process.poll()}"


class _Watch:
    """One child, from its start until it is gone."""

    def __init__(self, pid: int, limits: Limits, baseline: int, answers: Any) -> None:
        self._pid = pid
        self._limits = limits
        self._answers = answers
        self._baseline = baseline
        self._answer = bytearray()
        self._output = bytearray()
        self._status: int | None = None
        self._stopped: Literal["timeout", "out_of_memory", "answer"] | None = None
        self._start = time.monotonic()
        self._seconds = 0.0
        self._memory = 0

    def follow(self, link: socket.socket, answer: int, output: int) -> None:
        """Reads both pipes and the link until the zygote says that the child is gone."""
        deadline = self._start + self._limits.seconds
        with selectors.DefaultSelector() as selector:
            for fd in (answer, output):
                os.set_blocking(fd, False)
                selector.register(fd, selectors.EVENT_READ)
            selector.register(link, selectors.EVENT_READ)
            poll = 0.0
            while self._status is None:
                events = selector.select(POLL_SECONDS)
                if link.fileno() < 0:  # a closed descriptor leaves the selector without a word
                    raise GraderFault("the worker was closed")
                for key, _ in events:
                    if key.fileobj is link:
                        ended = receive(link, Event, 2**16)  # type: ignore[arg-type]
                        if not isinstance(ended, Ended):
                            raise GraderFault("the worker died with its child")
                        self._status = ended.status
                    elif not self._read(int(key.fd), key.fd == answer):
                        selector.unregister(key.fileobj)
                now = time.monotonic()
                if self._stopped is None and now >= deadline:
                    self._stop("timeout")
                elif self._stopped is None and now >= poll:
                    poll = now + POLL_SECONDS
                    self._measure()
        self._seconds = time.monotonic() - self._start
        self._kill()  # what it left behind in its group
        while self._read(answer, True) or self._read(output, False):
            pass

    def outcome(self) -> Outcome:
        """What became of the child."""
        status = self._status or 0
        output = self._output[:MAX_OUTPUT].decode("utf-8", "replace")
        answer: Ran | Problem | Exported | Evaluated | None = None
        how: How = "crashed"
        if self._stopped == "timeout":
            how, message = "timeout", f"stopped after {self._limits.seconds:g} s"
        elif self._stopped == "out_of_memory":
            how = "out_of_memory"
            message = f"stopped at {self._memory / 2**20:.0f} MB; the limit is " \
                      f"{self._limits.memory / 2**20:.0f} MB"  # fmt: skip
        elif self._stopped == "answer":
            message = f"stopped: its answer is larger than {MAX_ANSWER} bytes"
        elif os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            name = f" ({signal.Signals(number).name})" if number in set(signal.Signals) else ""
            message = f"killed by signal {number}{name}"
        elif os.WEXITSTATUS(status) != 0:
            message = f"exited with status {os.WEXITSTATUS(status)} before it was done"
        else:
            decoded, message = self._decode()
            if isinstance(decoded, Broke):
                raise GraderFault(decoded.message)
            if decoded is not None:
                how, answer = "answered", decoded
        return Outcome(how, message, answer, output, self._seconds, self._memory)

    def _decode(self) -> tuple[Answer | Exported | Evaluated | None, str]:
        if not self._answer:
            return None, "exited with status 0 before it was done"
        length = int.from_bytes(self._answer[:4], "big")
        if len(self._answer) != length + 4:
            return None, "its answer is not one message"
        try:
            return msgspec.msgpack.decode(self._answer[4:], type=self._answers), ""
        except (msgspec.DecodeError, RecursionError) as error:
            return None, f"its answer is malformed: {error}"

    def _read(self, fd: int, answer: bool) -> bool:
        """Reads what is there; False at the end of the pipe or when there is nothing."""
        try:
            part = os.read(fd, 2**18)
        except BlockingIOError:
            return False
        if answer:
            self._answer += part
            if len(self._answer) > MAX_ANSWER + 4:
                self._answer.clear()
                self._stop("answer")
        elif len(self._output) <= MAX_OUTPUT:
            self._output += part
        return bool(part)

    def _measure(self) -> None:
        try:
            child = psutil.Process(self._pid)
            total = sum(p.memory_info().rss for p in (child, *child.children(recursive=True)))
        except psutil.Error:
            return
        self._memory = max(self._memory, total - self._baseline)
        if self._memory > self._limits.memory:
            self._stop("out_of_memory")

    def _stop(self, why: Literal["timeout", "out_of_memory", "answer"]) -> None:
        self._stopped = why
        self._kill()

    def _kill(self) -> None:
        for end in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(self._pid, signal.SIGKILL)
