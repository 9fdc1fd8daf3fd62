"""What a forked process does: takes its request, gives up what it must not have, answers, and ends."""

from __future__ import annotations

import faulthandler
import os
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from ..messages import use_language
from . import sandbox
from .protocol import ANSWER, LENGTH, MAX_REQUEST, WHERE, Broke, receive_bytes

if TYPE_CHECKING:
    from .zygote import ZygoteRole

ADDRESS_SPACE_FACTOR = 4
"""Address space a child may reserve, as a multiple of its memory limit: a backstop only."""


def respond(
    role: ZygoteRole, link: socket.socket, answer_fd: int, output_fd: int, reserved: int, level: str, kept: tuple[int, ...]
) -> NoReturn:  # fmt: skip
    """Reads the request from the link, writes the answer, framed, to `answer_fd`, and exits.

    `reserved` is the address space in bytes that the process had before, `level` the sandbox that a request may
    want it to reach: with less, nothing of the student's runs. It keeps the descriptors in `kept`.
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
    sandbox.close_descriptors({ANSWER, *kept})
    encode, write = msgspec.msgpack.encode, os.write  # before the student's code replaces them
    reply = _encoded(Broke(missing) if missing else role.answer(asked), encode)
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
