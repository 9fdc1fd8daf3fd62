"""What grader, zygote and child say to each other: length-prefixed msgpack, schema-checked, never
pickle.

A fresh interpreter is asked over its standard input and answers over its standard output. A zygote
is sent commands over one socket; who asks for a child has a link to it, where what the zygote tells
of it comes back, and a pipe for its answer. What a child prints goes nowhere. Whatever code of the
child's made an answer, its texts are cut to bounds where it is decoded (`bounded`)."""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import is_not
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field

from ..exercises import FORWARD_BACKWARD
from ..messages import language
from ..model import Evidence, Ref, Scenario, Span, Unit

MAX_REQUEST = 64 * 2**20
MAX_ANSWER = 32 * 2**20
"""Bytes of the largest answer the grader reads from a child."""
MAX_EVENT = 2**16
"""Bytes of what a zygote tells of its children."""

MAX_TEXT = 2_000
"""Characters of one text of an answer. The grader's own messages have fewer."""
MAX_LISTED = 200
"""Texts of one list, such as the notes."""

USUAL_CHILD = FORWARD_BACKWARD.child
"""The child's half of the homework, which a zygote has that nobody tells another."""

LENGTH = struct.Struct("!I")
FINISH = LENGTH.pack(0)
"""To a fresh interpreter: no other request comes."""
LOCATE = LENGTH.pack(1) + b"?"
"""To it: it is to write at which lines it is, in the place of its answer."""
T = TypeVar("T")


class Limits(Struct, frozen=True):
    """What a process and all that it started may use: seconds of a processor, or `clock_times` as
    many by the clock, which one that sleeps takes as well; bytes of memory over the zygote's own.

    `sandbox` False leaves out what the kernel enforces in the child; the grader's own watch on
    time and memory stays. `folder` is the one in which it may write, if there is one, and `quota`
    how many bytes all that lies in it may have. `answer` is how many bytes its answer may have."""

    seconds: float
    memory: int
    sandbox: bool = True
    folder: str = ""
    quota: int = 0
    answer: int = MAX_ANSWER
    clock_times: float = 10.0


class Request(Struct, frozen=True):
    """Run one submission in each of the scenarios, loaded anew for each.

    The first `recorded` points of each run under the recorder, the others plainly. The child gets
    text, never a path."""

    units: tuple[Unit, ...]
    class_name: str | None
    scenarios: tuple[Scenario, ...]
    recorded: int
    limits: Limits
    stops: int = 0
    """How often the child stops itself to be looked at; with stops each scenario is a trial, which
    makes some of them."""
    pass_names: tuple[str, ...] = ()
    """What the judged method may be called; none: as the child's half has it."""
    child: str = USUAL_CHILD
    """The child's half of the exercise, by the name of its module, which the zygote has
    imported."""
    one_call: bool = False
    """Whether a run of the pass may stand for one of forward, too."""
    language: str = field(default_factory=language)
    """Of the messages in the answer: that of whoever asks."""


class Policy(Struct, frozen=True):
    """What keeps a child from doing harm, as tried on this machine; its text is what is told.

    `files` is what limits which files it may open, `calls` what system calls are taken from it;
    empty where there is nothing. `way` is how it is started, where that is not by a fork."""

    files: str = ""
    calls: str = ""
    way: str = ""

    def __str__(self) -> str:
        return " + ".join(filter(None, (self.way, self.files, self.calls, "limits")))

    @property
    def is_full(self) -> bool:
        """Whether it has all there is on Linux."""
        return bool(self.files and self.calls)


class LoadProblem(Struct, frozen=True, tag="problem"):
    """The submission could not be loaded or set up; the student's to mend."""

    kind: str
    message: str
    way_out: str = ""
    span: Span | None = None


class Ran(Struct, frozen=True, tag="ran"):
    """The submission ran; this is what was seen, in each scenario."""

    evidences: tuple[Evidence, ...]


class Broke(Struct, frozen=True, tag="broke"):
    """Code of ours failed; the grader's fault, not the student's."""

    message: str


class NoMemory(Struct, frozen=True, tag="memory"):
    """The kernel refused memory to code of ours."""


Answer = Ran | LoadProblem | Broke


class ChildKind(NamedTuple):
    """What the children of a zygote do: the module of ours that has its `main`, what they may
    answer, how many requests each may serve, one by one, and whether what it starts is its own,
    measured and ended with it. To be made when a module is imported,
    in one thread: msgspec learns a type when it is first asked for, and crashes if two threads do
    that at once."""

    module: str
    answers: msgspec.msgpack.Decoder[Any]
    requests: int = 1
    has_descendants: bool = True


SUBMISSION = ChildKind("processes.child", msgspec.msgpack.Decoder(Answer))

# -- to a zygote: one byte each, with descriptors -------------------------------------------------

FORK = b"f"
"""Comes with a link, on which the request follows, and with the pipe that the process answers
to."""
INSTRUCT = b"i"
"""Comes with a link, on which a request follows that the zygote itself answers."""

# -- from a zygote, on the link of who asked, and from a fresh interpreter before its answer ------


class Started(Struct, frozen=True, tag="started"):
    """A process waits for a request. What starts it has so much resident memory, in bytes."""

    pid: int
    memory: int = 0


class Ended(Struct, frozen=True, tag="ended"):
    """The process is gone, with an exit code, negative for a signal."""

    code: int


Event = Started | Ended | Broke
"""`Broke` where no process could be forked."""


def frame(message: object) -> bytes:
    """A message with its length in front."""
    body = msgspec.msgpack.encode(message)
    return LENGTH.pack(len(body)) + body


def receive(read: Callable[[int], bytes], kind: type[T], limit: int) -> T | None:
    """The next message from a stream, of which `read` gives at most so many bytes; None at its end.

    Raises ValueError for one over `limit` bytes, msgspec.DecodeError or ValidationError for one
    that is not a `kind`."""
    body = receive_bytes(read, limit)
    return None if body is None else msgspec.msgpack.decode(body, type=kind)


def receive_bytes(read: Callable[[int], bytes], limit: int) -> bytes | None:
    """The same, as it travels."""
    head = _exactly(read, LENGTH.size)
    if head is None:
        return None
    (length,) = LENGTH.unpack(head)
    if length > limit:
        raise ValueError(f"a message of {length} bytes; {limit} are allowed")
    return _exactly(read, length)


def _exactly(read: Callable[[int], bytes], count: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < count:
        part = read(min(count - len(parts), 2**20))
        if not part:
            return None
        parts += part
    return bytes(parts)


# -- bounds on what is received -------------------------------------------------------------------


def bounded(answer: T) -> T:
    """The answer, a tree of msgspec structs, with its texts cut to the bounds above, and without
    half characters, which no encoder takes.

    A name or an error of megabytes would else stand in every finding that tells of it, in the
    journal and in the memory of pytest's process."""
    result: T = _cut(answer)
    return result


_NO_TEXTS = frozenset({int, float, bool, type(None), Ref, Span})


def _cut(value: Any) -> Any:
    """The same object, or a copy with other texts."""
    if isinstance(value, str):
        text = value if value.isascii() else value.encode("utf-8", "replace").decode()
        text = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
        return value if text == value else text
    if isinstance(value, Struct):
        if value.__struct_config__.array_like and _is_short(value):
            return value  # one of thousands
        parts = {}
        for name in value.__struct_fields__:
            part = getattr(value, name)
            if type(part) not in _NO_TEXTS and (own := _cut(part)) is not part:
                parts[name] = own
        return msgspec.structs.replace(value, **parts) if parts else value
    if isinstance(value, tuple) and not _NO_TEXTS.issuperset(map(type, value)):
        if len(value) > MAX_LISTED and all(isinstance(item, str) for item in value):
            value = value[:MAX_LISTED]
        items = tuple([_cut(item) for item in value])
        return items if any(map(is_not, items, value)) else value
    if isinstance(value, dict) and value:
        return {_cut(key): _cut(part) for key, part in value.items()}
    return value


def _is_short(value: Struct) -> bool:
    """Whether it takes so few bytes that no text or list in it can be over a bound."""
    try:
        return len(msgspec.msgpack.encode(value)) <= MAX_LISTED
    except (ValueError, OverflowError):  # half a character, or a number that no encoder takes
        return False
