"""A zygote forks a process for each request, and says how that goes on to whoever asked; the
process takes its request, gives up what it must not have, answers, and ends.

The zygote stays single-threaded, because a fork copies only the thread that calls it, and runs
nothing of a student's. Several may ask at a time, each over a link of its own: a judge that is
forked from the grader's process shares the socket."""

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

from ..messages import read_catalogues
from . import limits, sandbox
from .protocol import FORK, MAX_REQUEST, Broke, ChildKind, Ended, Started, frame, receive_bytes
from .serving import Server
from .usage import children_of, kill_descendants, kill_group, resident

WHERE = signal.SIGUSR1
"""On it a child writes which lines it is at, in the place of its answer."""
MAX_FDS = 2
"""Of one command: a link, and for a fork the pipe that the process answers to."""


class ForkServer(Server):
    """A zygote, seen from inside."""

    def __init__(
        self,
        link_fd: int,
        kind: ChildKind,
        requests: msgspec.msgpack.Decoder[Any],
        answer: Callable[[Any], object],
        before_fork: Callable[[], tuple[int, ...]] = tuple,
        instructed: Callable[[Any], object] | None = None,
    ) -> None:
        """Commands come on the socket `link_fd`; requests are answered in processes that are
        forked. `before_fork` gives the descriptors that such a process keeps, `instructed` answers
        what is asked of the zygote itself, if anything may be."""
        super().__init__(kind, requests, answer)
        self._commands = socket.socket(fileno=link_fd)
        self._before_fork = before_fork
        self._instructed = instructed
        self._policy = sandbox.probe()
        self._links: dict[int, socket.socket] = {}
        """To who asked for a process, by the ids of those that are not gone."""

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
            with socket.socket(fileno=link) as asked:
                request = receive_bytes(asked.recv, MAX_REQUEST) if self._instructed else None
                if self._instructed and request:
                    event = self._instructed(self._requests.decode(request))
                    gc.freeze()  # what is here is shared by all
                    self._say(asked, event)
        return True

    def _fork(self, link: socket.socket, answer: int) -> None:
        pid = None
        try:
            kept = self._before_fork()
            own = os.getpid()
            memory = resident([own])
            pid = os.fork()
        except Exception as fault:  # no memory, no process, no library: not the next one's fault
            self._say(link, Broke(f"{type(fault).__name__}: {fault}"))
        if pid == 0:  # nothing of the zygote's may run here
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                self._respond(link, answer, kept, own)
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
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid not in self._links:
                continue
            link = self._links.pop(pid)
            if self.kind.has_descendants:
                kill_group(pid)
                # what is below this process and was not forked by it has lost its parent
                if any(each not in self._links for each in children_of(os.getpid())):
                    kill_descendants(os.getpid(), self._links)
            with link, contextlib.suppress(KeyError):
                self._say(link, Ended(os.waitstatus_to_exitcode(status)))
                self._poll.unregister(link)

    def _abandon(self, fd: int) -> None:
        """Nobody waits for this process any more."""
        self._poll.unregister(fd)
        for pid, link in self._links.items():
            if link.fileno() == fd:
                kill_group(pid)

    def _say(self, link: socket.socket, event: object) -> None:
        with contextlib.suppress(OSError):  # who asked may be gone
            link.sendall(frame(event))

    def _respond(
        self, link: socket.socket, answer: int, kept: tuple[int, ...], zygote: int
    ) -> NoReturn:
        """In the process that the zygote forked: answers requests from the link, and exits. It
        keeps the descriptors in `kept`."""
        sandbox.leave_group(zygote)
        limits.silence()
        faulthandler.register(WHERE, file=answer, all_threads=False)
        for left in reversed(range(self.kind.requests)):
            request = receive_bytes(link.recv, MAX_REQUEST)
            if request is None:
                break  # who asked is gone
            self.reply(request, answer, (*kept, link.fileno()) if left else kept)
        os._exit(0)

    def confine(self, folder: str) -> str:
        reached = sandbox.confine(folder)
        if reached == self._policy:
            return ""
        return f"the sandbox reached '{reached}', not '{self._policy}'"
