"""The other side: requests are read, and each is answered by a function once the process has given
up what it must not have. Here is the fresh interpreter's; `zygote` forks."""

from __future__ import annotations

import _thread
import faulthandler
import functools
import os
import queue
from collections.abc import Callable, Collection
from typing import Any, NoReturn

import msgspec
import psutil

from ..messages import read_catalogues, use_language
from . import limits
from .protocol import LENGTH, MAX_REQUEST, Broke, ChildKind, Started, bounded, frame, receive_bytes

ADDRESS_SPACE_FACTOR = 4
"""Address space a child may reserve, as a multiple of its memory limit: a backstop only."""
FAULT = 70
"""The exit code of a process in which code of ours failed, or that nobody asks any more."""
STANDARD_INPUT = 0
"""The descriptor on which a fresh interpreter is asked."""


class Server:
    """Answers requests in the process that it is made in, one by one."""

    def __init__(
        self,
        kind: ChildKind,
        requests: msgspec.msgpack.Decoder[Any],
        answer: Callable[[Any], object],
    ) -> None:
        """A request, which has `limits` and `language`, goes into `answer`, and what that gives
        goes back. `requests` is made once, as each decoder looks up what the annotations of a
        request mean."""
        self.kind = kind
        self._requests = requests
        self._answer = answer
        self._reserved = psutil.Process().memory_info().vms

    def serve(self) -> NoReturn:
        """Answers what comes on the standard input until it is told that this was all, or the input
        ends. To be called once all that is needed is imported and warm."""
        read_catalogues()  # no file of ours need be read any more
        link, answer = os.dup(STANDARD_INPUT), os.dup(1)
        limits.silence()
        asked = queue.SimpleQueue[bytes]()
        _thread.start_new_thread(self._listen, (link, answer, asked))
        code = FAULT
        try:
            os.write(answer, frame(Started(os.getpid())))
            left = self.kind.requests
            while request := asked.get():
                # a judge has processes of its own, which it asks by others
                self.reply(request, answer, {link} if self.kind.has_descendants else None)
                left -= 1
                if not left:
                    os.close(answer)  # that was all, whatever a student's code wrote there
            code = 0
        finally:
            os._exit(code)  # to take torch apart would cost a third of a second

    def _listen(self, link: int, answer: int, asked: queue.SimpleQueue[bytes]) -> None:
        """In a thread: hands on what comes. This process ends with whoever asks it."""
        locate = functools.partial(faulthandler.dump_traceback, answer, all_threads=True)
        try:
            while True:
                request = receive_bytes(functools.partial(os.read, link), MAX_REQUEST)
                if request is None:
                    break
                if len(request) == 1:
                    locate()
                else:
                    asked.put(request)
        finally:
            os._exit(FAULT)

    def reply(self, request: bytes, answer: int, kept: Collection[int] | None) -> None:
        """Answers a request, framed, on the descriptor `answer`; those in `kept` stay open, too, or
        all.

        With less of the sandbox than was said, nothing of the student's runs."""
        asked = self._requests.decode(request)
        use_language(asked.language)
        missing = ""
        if asked.limits.folder:
            limits.enter(asked.limits.folder)
        if asked.limits.sandbox:
            missing = self.confine(asked.limits.folder)
            limits.limit(self._reserved + ADDRESS_SPACE_FACTOR * asked.limits.memory)
        if kept is not None:
            limits.close_descriptors({answer, *kept})
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

    def confine(self, folder: str) -> str:
        """Gives up what only some systems can take away; says what of it is missing."""
        return ""


def server(
    descriptor: int,
    kind: ChildKind,
    requests: msgspec.msgpack.Decoder[Any],
    answer: Callable[[Any], object],
) -> Server:
    """What serves the descriptor on which `main` is asked: a zygote's socket, or its standard
    input."""
    if descriptor == STANDARD_INPUT:
        return Server(kind, requests, answer)
    from .zygote import ForkServer

    return ForkServer(descriptor, kind, requests, answer)
