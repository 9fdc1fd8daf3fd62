"""A zygote forks a process for each request, and says how that goes on to whoever asked; the
process takes its request, gives up what it must not have, answers, and ends.

The zygote stays single-threaded, because a fork copies only the thread that calls it, and runs
nothing of a student's. Several may ask at a time, each over a link of its own: a judge that is
forked from the grader's process shares the socket.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import select
import signal
import socket
from collections.abc import Callable
from typing import Any, NoReturn

import msgspec
import psutil

from ..messages import read_catalogues, use_language
from . import sandbox
from .protocol import (
    FORK,
    LENGTH,
    MAX_REQUEST,
    WHERE,
    Broke,
    Ended,
    Event,
    Started,
    Stopped,
    bounded,
    frame,
    receive_bytes,
)
from .usage import children_of, kill_descendants, kill_group, resident

MAX_FDS = 2
"""Of one command: a link, and for a fork the pipe that the process answers to."""
ADDRESS_SPACE_FACTOR = 4
"""Address space a child may reserve, as a multiple of its memory limit: a backstop only."""


class ForkServer:
    """A zygote, seen from inside. A subclass may do more before a fork, and on commands of its
    own."""

    ends_strays = True
    """Whether what a process leaves behind is killed."""
    requests = 1
    """That a process may serve, one by one."""

    def __init__(
        self, link_fd: int, requests: msgspec.msgpack.Decoder[Any], answer: Callable[[Any], object]
    ) -> None:
        """Commands come on the socket `link_fd`. In a forked process a request, which has `limits`
        and `language`, goes into `answer`, and what that gives goes back. `requests` is made once,
        as each decoder looks up what the annotations of a request mean."""
        self._commands = socket.socket(fileno=link_fd)
        self._requests = requests
        self._answer = answer
        self._level = sandbox.probe()
        self._reserved = psutil.Process().memory_info().vms
        self._links: dict[int, socket.socket] = {}
        """To who asked for a process, by the ids of those that are not gone."""

    def before_fork(self) -> tuple[int, ...]:
        """Called before each fork; gives the descriptors that the process keeps."""
        return ()

    def obey(self, command: bytes, link: socket.socket) -> None:
        """Does what no process is forked for."""

    def serve(self) -> NoReturn:
        """Serves commands until the socket's other end is closed, and ends, with all that it
        forked. To be called once all that its processes need is imported and warm."""
        read_catalogues()  # children may not read files of ours
        # what is here now is shared by all: keep the collector from writing to its pages
        gc.collect()
        gc.freeze()
        gc.enable()
        deaths, wake = os.pipe()
        for fd in (deaths, wake):
            os.set_blocking(fd, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # or it would be ignored
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self._poll = select.poll()
        for fd in (deaths, self._commands.fileno()):
            self._poll.register(fd, select.POLLIN)
        is_open = True
        while is_open:
            ready = {fd for fd, _ in self._poll.poll()}
            # first, as the number of a link that is closed may be that of the next
            for link in ready - {deaths, self._commands.fileno()}:
                self._abandon(link)
            if deaths in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(deaths, 4096)
                self._reap()
            if self._commands.fileno() in ready:
                is_open = self._take_command()
        for pid in self._links:
            kill_group(pid)
        os._exit(0)  # to take torch apart would cost a third of a second

    def _take_command(self) -> bool:
        command, fds, _, _ = socket.recv_fds(self._commands, 1, MAX_FDS)
        if not command:
            return False  # nobody can ask any more
        link, *answer = fds
        if command == FORK:
            self._fork(socket.socket(fileno=link), *answer)
        else:
            with socket.socket(fileno=link) as answers:
                self.obey(command, answers)
        return True

    def _fork(self, link: socket.socket, answer: int) -> None:
        pid = None
        try:
            kept = self.before_fork()
            memory = resident([os.getpid()])
            pid = os.fork()
        except Exception as fault:  # no memory, no process, no library: not the next one's fault
            self._say(link, Broke(f"{type(fault).__name__}: {fault}"))
        if pid == 0:  # nothing of the zygote's may run here
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                self._respond(link, answer, kept)
            finally:
                os._exit(os.EX_SOFTWARE)
        os.close(answer)
        if pid is None:
            link.close()
            return
        self._links[pid] = link
        self._poll.register(link, 0)  # that the other end was closed is told unasked
        self._say(link, Started(pid, memory))

    def _reap(self) -> None:
        """Takes leave of processes that are gone, and of what lost its parent and came here; says
        so to who asked for it."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid not in self._links:
                continue
            if os.WIFSTOPPED(status):
                self._say(self._links[pid], Stopped())
                continue
            link = self._links.pop(pid)
            if self.ends_strays:
                kill_group(pid)
                # what is below this process and was not forked by it has lost its parent
                if any(each not in self._links for each in children_of(os.getpid())):
                    kill_descendants(os.getpid(), self._links)
            with link, contextlib.suppress(KeyError):
                self._say(link, Ended(status))
                self._poll.unregister(link)

    def _abandon(self, fd: int) -> None:
        """Nobody waits for this process any more."""
        self._poll.unregister(fd)
        for pid, link in self._links.items():
            if link.fileno() == fd:
                kill_group(pid)

    def _say(self, link: socket.socket, event: Event) -> None:
        with contextlib.suppress(OSError):  # who asked may be gone
            link.sendall(frame(event))

    def _respond(self, link: socket.socket, answer: int, kept: tuple[int, ...]) -> NoReturn:
        """In the process that was forked: reads requests from the link, writes what it answers,
        framed, to the descriptor `answer`, and exits. It keeps the descriptors in `kept`.

        With less of the sandbox than the zygote said, nothing of the student's runs.
        """
        sandbox.leave_group()
        null = os.open(os.devnull, os.O_RDWR)
        for fd in range(3):
            os.dup2(null, fd)
        faulthandler.register(WHERE, file=answer, all_threads=False)
        for left in reversed(range(self.requests)):
            request = receive_bytes(link, MAX_REQUEST)
            if request is None:
                break  # who asked is gone
            asked = self._requests.decode(request)
            limits = asked.limits
            use_language(asked.language)
            missing = ""
            if limits.folder:
                sandbox.enter(limits.folder)
            if limits.sandbox:
                reached = sandbox.confine(limits.folder)
                if reached != self._level:
                    missing = f"the sandbox reached {reached!r}, not {self._level!r}"
                sandbox.limit(self._reserved + ADDRESS_SPACE_FACTOR * limits.memory)
            sandbox.close_descriptors({answer, *kept, *([link.fileno()] if left else ())})
            # before the student's code replaces them
            encode, write = msgspec.msgpack.encode, os.write
            response = Broke(missing) if missing else self._answer(asked)
            try:
                reply = encode(response)
            except UnicodeEncodeError:  # what a student names may be no text
                reply = encode(bounded(response))
            except (ValueError, OverflowError) as error:
                reply = encode(Broke(f"an answer that cannot be sent: {error!a}"[:500]))
            reply = LENGTH.pack(len(reply)) + reply
            while reply:
                reply = reply[write(answer, reply) :]
        os._exit(0)
