"""What a child gives up before it runs a line of the student's.

What it gives up everywhere is in `limits`. Here is what Linux has for it, without privileges and
inside ordinary containers: a session of its own, Landlock (it may read the interpreter and its
libraries, and write nothing but in a folder that it is given, if it is given one) and seccomp (no
sockets, no new processes, no tracing, signals to itself alone). Each is used where the kernel has
it; `probe` says what there is, by trying it in a forked process."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import operator
import os
import signal
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from .protocol import Policy
from .system_calls import filter_of

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

LIBRARIES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/dev/null",
    "/dev/urandom",
)
"""Read besides the interpreter's own folders, where they exist: shared libraries, time zones."""

WRITTEN = (
    "READ_FILE READ_DIR WRITE_FILE TRUNCATE MAKE_REG MAKE_DIR REMOVE_FILE REMOVE_DIR REFER"
).split()
"""What a child may do in a folder of its own, in the words of Landlock: no links, pipes,
devices."""

LACKING = (ImportError, OSError, RuntimeError, ValueError, AttributeError, KeyError)
"""What is raised where a library, the kernel or the machine does not have it."""


def leave_group(parent: int) -> None:
    """A session and process group of its own, so that it can be ended with all it started; and it
    ends with the process that forked it, at once where that is gone already."""
    os.setsid()
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(os.EX_SOFTWARE)


def adopt() -> None:
    """For the zygote: it ends with the grader, and what its children leave behind becomes its own,
    where the grader finds it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def prctl(option: int, value: int) -> None:
    """Sets an attribute of this process on Linux; nothing elsewhere."""
    with contextlib.suppress(OSError, AttributeError):
        _libc().prctl(option, value, 0, 0, 0)


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def confine(folder: str = "") -> Policy:
    """Gives up what the kernel can take away, for good; in a `folder` it may go on to write. Gives
    what is in force: `landlock-abi7 + seccomp + limits`, less what the kernel does not have."""
    reached = ["", ""]
    # modules that only ask for its name (torch's compiler does) must import all the same
    tempfile.tempdir = folder or "/tmp"
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    for place, restrict in enumerate((_landlock, _seccomp)):
        with contextlib.suppress(*LACKING):
            reached[place] = restrict(folder)
    return Policy(*reached)


@functools.cache
def probe() -> Policy:
    """What children reach, tried once in a forked process."""
    with contextlib.suppress(*LACKING):
        _ruleset("")  # for all that is forked later
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(writer, msgspec.msgpack.encode(confine()))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        reached = answer.read()
    os.waitpid(pid, 0)
    return msgspec.msgpack.decode(reached, type=Policy) if reached else Policy()


@functools.cache
def _ruleset(folder: str) -> tuple[Any, int]:
    """What Landlock will allow: to read the interpreter's library folders and the system's
    libraries, to write plain files and folders in a `folder`, no links, pipes and devices; and its
    ABI version. The one without a folder is made once, before children are forked.

    `sys.path` as a whole is not read: a project that is installed in place would be on it. But
    torch may lie in another environment's `site-packages` that this one builds upon.
    """
    from landlock import Ruleset
    from landlock.plumbing import FSAccess, landlock_abi_version

    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    ruleset = Ruleset()
    for path in filter(os.path.exists, (*folders, *LIBRARIES)):
        listed = FSAccess.READ_DIR if os.path.isdir(path) else FSAccess(0)
        ruleset.allow(path, rules=listed | FSAccess.READ_FILE)
    if folder:
        access = functools.reduce(operator.or_, (FSAccess[name] for name in WRITTEN))
        ruleset.allow(folder, rules=access & ruleset.restrict_rules)
    return ruleset, int(landlock_abi_version())


def _landlock(folder: str) -> str:
    """Restricts the file system. Raises what is in LACKING."""
    ruleset, version = _ruleset(folder)
    ruleset.apply()
    return f"landlock-abi{version}"


class FilterProgram(ctypes.Structure):
    """sock_fprog: how many steps, and where they are."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def _seccomp(folder: str) -> str:
    """Takes system calls away. Raises what is in LACKING."""
    steps = filter_of(os.uname().machine, os.getpid())
    program = ctypes.byref(FilterProgram(len(steps) // 8, steps))
    if _libc().prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        raise OSError("the kernel takes no filter")
    return "seccomp"
