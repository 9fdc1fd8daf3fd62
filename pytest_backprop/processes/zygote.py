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
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

import msgspec
import psutil

from ..messages import read_catalogues, use_language
from . import sandbox
from .protocol import (
    ANSWER,
    FORK,
    HELLO,
    LENGTH,
    MAX_REQUEST,
    WHERE,
    Broke,
    Ended,
    Event,
    Hello,
    Started,
    Stopped,
    Unforked,
    frame,
    receive_bytes,
)
from .usage import children_of, kill_descendants, kill_group, resident

MAX_FDS = 3
"""Of one command: a link, and for a fork the pipes that the process answers and prints to."""
ADDRESS_SPACE_FACTOR = 4
"""Address space a child may reserve, as a multiple of its memory limit: a backstop only."""


class ZygoteRole(NamedTuple):
    """What the processes of a zygote do: a request, which has `limits` and `language`, goes into
    `answer`, and what that gives goes back. `version` is that of the library they use, `left_out`
    what they cannot do with it, and why. `requests` is made once, as each decoder looks up what the
    annotations of a request mean.

    `commands` are what the zygote does itself, by their byte, with a link to who wants it.
    `before_fork` is called before each fork, and gives the descriptors that the process keeps.
    With `adopts` what a process leaves behind is killed.
    """

    requests: msgspec.msgpack.Decoder[Any]
    answer: Callable[[Any], object]
    version: str
    left_out: Mapping[str, str] = {}
    commands: Mapping[bytes, Callable[[socket.socket], None]] = {}
    before_fork: Callable[[], tuple[int, ...]] = tuple
    adopts: bool = True


def serve(link_fd: int, role: ZygoteRole, level: str | None = None) -> NoReturn:
    """Serves commands on the socket `link_fd` until its other end is closed, and ends, with all
    that it forked. Call it once all that its processes need is imported and warm. `level` is the
    sandbox that they reach, None to try it."""
    read_catalogues()  # children may not read files of ours
    # what is here now is shared by all: keep the collector from writing to its pages
    gc.collect()
    gc.freeze()
    gc.enable()
    with socket.socket(fileno=link_fd) as commands:
        zygote = _Zygote(commands, role, level or sandbox.probe())
        while zygote.turn():
            continue
    zygote.end()
    os._exit(0)  # to take torch apart would cost a third of a second


class _Zygote:
    """The processes that were forked and are not gone, by their ids, each with the link to who
    asked for it."""

    def __init__(self, commands: socket.socket, role: ZygoteRole, level: str) -> None:
        self._commands = commands
        self._role = role
        self._level = level
        self._reserved = psutil.Process().memory_info().vms
        self._links: dict[int, socket.socket] = {}
        self._deaths, wake = os.pipe()
        for fd in (self._deaths, wake):
            os.set_blocking(fd, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # or it would be ignored
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self._poll = select.poll()
        for end in (self._deaths, commands.fileno()):
            self._poll.register(end, select.POLLIN)

    def turn(self) -> bool:
        """Does what there is to do, once there is something; False when nobody can ask any more."""
        for fd, _ in self._poll.poll():
            if fd == self._deaths:
                with contextlib.suppress(BlockingIOError):
                    os.read(fd, 4096)
                self._take_leave()
            elif fd != self._commands.fileno():
                self._abandon(fd)
            elif not self._obey():
                return False
        return True

    def end(self) -> None:
        """Kills what is left."""
        for pid in self._links:
            kill_group(pid)

    def _obey(self) -> bool:
        command, fds, _, _ = socket.recv_fds(self._commands, 1, MAX_FDS)
        if not command:
            return False
        link = socket.socket(fileno=fds.pop(0))
        if command == FORK:
            self._fork(link, fds)
            return True
        with link:
            if command == HELLO:
                python, role = sys.version.split()[0], self._role
                hello = Hello(role.version, python, os.getpid(), self._level, dict(role.left_out))
                self._say(link, hello)
            else:
                self._role.commands[command](link)
        return True

    def _fork(self, link: socket.socket, pipes: list[int]) -> None:
        pid = None
        try:
            kept = self._role.before_fork()
            memory = resident([os.getpid()])
            pid = os.fork()
        except Exception as fault:  # no memory, no process, no library: not the next one's fault
            self._say(link, Unforked(f"{type(fault).__name__}: {fault}"))
        if pid == 0:  # nothing of the zygote's may run here
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                self._respond(link, pipes[0], pipes[1], kept)
            finally:
                os._exit(os.EX_SOFTWARE)
        for fd in pipes:
            os.close(fd)
        if pid is None:
            link.close()
            return
        self._links[pid] = link
        self._poll.register(link, 0)  # that the other end was closed is told unasked
        self._say(link, Started(pid, memory))

    def _take_leave(self) -> None:
        """Of processes that are gone, and of what lost its parent and came here; says so to who
        asked for it."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if os.WIFSTOPPED(status):
                if pid in self._links:
                    self._say(self._links[pid], Stopped())
                continue
            link = self._links.pop(pid, None)
            if link is None:
                continue
            if self._role.adopts:
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

    def _respond(
        self, link: socket.socket, answer_fd: int, output_fd: int, kept: tuple[int, ...]
    ) -> NoReturn:
        """In the process that was forked: reads the request from the link, writes the answer,
        framed, to `answer_fd`, and exits. It keeps the descriptors in `kept`.

        With less of the sandbox than the zygote said, nothing of the student's runs.
        """
        sandbox.leave_group()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output_fd, 1)
        os.dup2(output_fd, 2)
        for fd in (null, output_fd):
            if fd > 2:
                os.close(fd)
        faulthandler.register(WHERE, file=2, all_threads=False)
        request = receive_bytes(link, MAX_REQUEST)
        if request is None:
            os._exit(0)  # who asked is gone
        asked = self._role.requests.decode(request)
        use_language(asked.language)
        missing = ""
        if asked.limits.folder:
            sandbox.enter(asked.limits.folder)
        if asked.limits.sandbox:
            reached = " + ".join([*sandbox.confine(asked.limits.folder), "limits"])
            if reached != self._level:
                missing = f"the sandbox reached {reached!r}, not {self._level!r}"
            address_space = self._reserved + ADDRESS_SPACE_FACTOR * asked.limits.memory
            sandbox.limit(asked.limits.seconds, address_space)
        if answer_fd != ANSWER:
            os.dup2(answer_fd, ANSWER)
        sandbox.close_descriptors({ANSWER, *kept})
        encode, write = msgspec.msgpack.encode, os.write  # before the student's code replaces them
        reply = _encoded(Broke(missing) if missing else self._role.answer(asked), encode)
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:  # the student may have closed or replaced it
                continue
        reply = LENGTH.pack(len(reply)) + reply
        while reply:
            reply = reply[write(ANSWER, reply) :]
        os._exit(0)


def _encoded(reply: object, encode: Callable[[Any], bytes]) -> bytes:
    try:
        return encode(reply)
    except (UnicodeEncodeError, ValueError, OverflowError):
        pass
    try:  # what a student names may hold half characters, which no encoder takes
        return encode(_sendable(msgspec.to_builtins(reply, builtin_types=(bytes,))))
    except (UnicodeEncodeError, ValueError, OverflowError) as error:
        return encode(Broke(f"an answer that cannot be sent: {error!a}"[:500]))


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_sendable(key): _sendable(item) for key, item in value.items()}
    return [_sendable(item) for item in value] if isinstance(value, list | tuple) else value
