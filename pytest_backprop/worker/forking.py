"""How a zygote forks a child for each request, and how that child answers; for every zygote alike.

A zygote stays single-threaded, because a fork copies only the thread that calls it, and it runs
nothing of the student's.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import socket
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

import msgspec
import psutil

from ..messages import read_catalogues, use_language
from . import sandbox
from .protocol import ANSWER, MAX_REQUEST, WHERE, Broke, Ended, Hello, Started, Stopped, frame
from .seal import hide_modules

REQUEST_FDS = 2
"""File descriptors sent with each request: where the child answers, and where its output goes."""

EXIT_BROKE = 70
"""Exit status of a child that died in our own code."""

ADDRESS_SPACE_FACTOR = 4
"""Address space a child may reserve, as a multiple of its memory limit: a backstop only."""


class ZygoteRole(NamedTuple):
    """What the children of a zygote do: a request, which has `limits` and `language`, goes into `answer`, and
    what that gives goes back. `version` is that of the library they run, `left_out` what they cannot do with
    it, and why. `requests` is made once, as each looks up what the annotations of a request mean."""

    requests: msgspec.msgpack.Decoder[Any]
    answer: Callable[[Any], object]
    version: str
    left_out: Mapping[str, str] = {}


def serve(link_fd: int, role: ZygoteRole, level: str | None = None) -> NoReturn:
    """Serves requests on the socket `link_fd` until its other end is closed, and ends. Call it once all
    that children need is imported and warm. `level` is the sandbox that they reach, None to try it."""
    read_catalogues()  # children may not read files of ours
    hide_modules()  # here, as a child that does it copies a page of memory for nearly every module
    # what is here now is shared by all children: keep the collector from writing to its pages
    gc.collect()
    gc.freeze()
    gc.enable()
    level = level or sandbox.probe()
    sibling: int | None = link_fd
    while sibling is not None:
        sibling = _serve(socket.socket(fileno=sibling), level, role)
    os._exit(0)  # to take torch apart would cost a third of a second


def _serve(link: socket.socket, level: str, role: ZygoteRole) -> int | None:
    """Serves one link to its end. In a sibling that was asked for, gives the link it is to serve."""
    version = sys.version.split()[0]
    memory = psutil.Process().memory_info()
    hello = Hello(role.version, version, memory.rss, os.getpid(), level, dict(role.left_out))
    link.sendall(frame(hello))
    while True:
        received = _receive_request(link)
        if received is None:
            return None
        request, fds = received
        pid = os.fork()
        if pid == 0 and not request:
            sandbox.adopt()
            link.close()
            return fds[0]
        if not request:
            os.close(fds[0])
            _reap()
            continue
        if pid == 0:
            _in_child(link, request, fds, memory.vms, level, role)
        for fd in fds:
            os.close(fd)
        link.sendall(frame(Started(pid)))
        link.sendall(frame(Ended(_wait(pid, link))))
        _reap()


def _wait(pid: int, link: socket.socket) -> int:
    """The child's exit status; tells of each time that it stops."""
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            return status
        link.sendall(frame(Stopped()))


def _reap() -> None:
    """Takes leave of what children left behind, once it is gone."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            continue


def _receive_request(link: socket.socket) -> tuple[bytes, list[int]] | None:
    head, fds, _, _ = socket.recv_fds(link, 4, REQUEST_FDS)
    if len(head) < 4:
        return None
    length = int.from_bytes(head, "big")
    if length > MAX_REQUEST:
        raise ValueError(f"a request of {length} bytes")
    body = bytearray()
    while len(body) < length:
        part = link.recv(length - len(body))
        if not part:
            return None
        body += part
    return bytes(body), fds


# -- in the child ---------------------------------------------------------------------------


def _in_child(
    link: socket.socket, request: bytes, fds: list[int], reserved: int, level: str, role: ZygoteRole
) -> NoReturn:
    # os._exit on every way out: nothing of the zygote's may run in the child
    try:
        link.close()
        _respond(request, fds[0], fds[1], reserved, level, role)
    finally:
        os._exit(EXIT_BROKE)


def _respond(
    request: bytes, answer_fd: int, output_fd: int, reserved: int, level: str, role: ZygoteRole
) -> NoReturn:
    """Runs the request in this process, writes the answer, framed, to `answer_fd`, and exits.

    `reserved` is the address space in bytes that the process had before, `level` the sandbox that
    it must reach: with less, nothing of the student's runs.
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
    asked = role.requests.decode(request)
    use_language(asked.language)
    missing = ""
    if asked.limits.folder:
        sandbox.enter(asked.limits.folder)
    if asked.limits.sandbox:
        reached = " + ".join([*sandbox.confine(asked.limits.folder), "limits"])
        if reached != level:
            missing = f"the sandbox reached {reached!r}, not {level!r}"
        address_space = reserved + ADDRESS_SPACE_FACTOR * asked.limits.memory
        sandbox.limit(asked.limits.seconds, address_space)
    if answer_fd != ANSWER:
        os.dup2(answer_fd, ANSWER)
    sandbox.close_descriptors(keep=ANSWER)
    encode, write = msgspec.msgpack.encode, os.write  # before the student's code replaces them
    reply = _encoded(Broke(missing) if missing else role.answer(asked), encode)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the student may have closed or replaced it
            continue
    reply = len(reply).to_bytes(4, "big") + reply
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
