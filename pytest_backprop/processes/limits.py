"""What a child gives up on every system before it runs a line of the student's: modules of ours,
descriptors, and what `resource` or a job of Windows can limit. `sandbox` has what Linux adds."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable

import psutil

OPEN_FILES = 256
FILE_BYTES = 16 * 2**20

OWN = ("pytest_backprop", "pytest_backprop_authoring")
"""Our packages."""


def hide_modules(halves: Iterable[str] = ()) -> None:
    """From here on `import` finds no module of ours, nor of the packages of `halves`, those of
    exercises that plugins add. Those who have one already keep it."""
    packages = {*OWN, *(half.partition(".")[0] for half in halves)}
    for name in {*sys.modules, *packages}:
        if name.partition(".")[0] in packages:
            sys.modules[name] = None  # type: ignore[assignment]


def silence() -> None:
    """What is printed goes nowhere, and nothing is to be read."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(null, fd)


def close_descriptors(keep: Collection[int]) -> None:
    """Closes every descriptor but 0, 1, 2 and those in `keep`."""
    start = 3
    for fd in sorted({*keep, OPEN_FILES * 16}):
        os.closerange(start, fd)
        start = max(start, fd + 1)


def enter(folder: str) -> None:
    """Has all that Python writes without being told where lie in a folder: names alone, temporary
    files. New files have the usual mode, whatever that of the grader's own."""
    os.chdir(folder)
    os.environ["TMPDIR"] = os.environ["HOME"] = folder
    os.umask(0o022)
    tempfile.tempdir = folder


def stopper() -> Callable[[], object]:
    """What stops this process until whoever watches lets it go on."""
    if hasattr(signal, "SIGSTOP"):
        return functools.partial(os.kill, os.getpid(), signal.SIGSTOP)
    return psutil.Process().suspend  # type: ignore[unreachable, unused-ignore]


def limit(address_space: int) -> None:
    """Limits on bytes of address space, size of files, descriptors; no core dumps. Time and
    resident memory are watched from outside."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError, AttributeError):
            _join_job(address_space)
        return
    for name, value in (
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", FILE_BYTES),
        ("RLIMIT_NOFILE", OPEN_FILES),
        ("RLIMIT_AS", address_space),
    ):
        _set_limit(name, value)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)


def limit_memory(more: int) -> None:
    """Limits for good what this process and those that it starts may reserve beyond what it has."""
    _set_limit("RLIMIT_AS", psutil.Process().memory_info().vms + more)


def _set_limit(name: str, value: int) -> None:
    """Limits a resource, to what is allowed already if that is less, where there is `resource`."""
    with contextlib.suppress(ImportError):
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


# -- a job of Windows ---------------------------------------------------------------------------

ONE_PROCESS, PROCESS_MEMORY, NO_DIALOG = 0x8, 0x100, 0x400
"""Limits of a job: on processes and on the memory of each, and that a crash asks nobody."""
EXTENDED_LIMITS = 9


class JobLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("working_set", ctypes.c_size_t * 2),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("classes", ctypes.c_uint32 * 2),
        ("transfers", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t),
        ("others", ctypes.c_size_t * 3),
    )


def _join_job(memory: int) -> None:
    """Puts this process into a job that no other may join, not even one that it starts. Raises
    OSError. Never run on Windows itself."""
    dll = ctypes.WinDLL  # type: ignore[attr-defined, unused-ignore]
    kernel = dll("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = kernel.GetCurrentProcess.restype = ctypes.c_void_p
    limits = JobLimits(flags=ONE_PROCESS | PROCESS_MEMORY | NO_DIALOG, processes=1, memory=memory)
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    process = ctypes.c_void_p(kernel.GetCurrentProcess())
    size = ctypes.sizeof(limits)
    if not (
        kernel.SetInformationJobObject(job, EXTENDED_LIMITS, ctypes.byref(limits), size)
        and kernel.AssignProcessToJobObject(job, process)
    ):
        raise OSError(ctypes.get_last_error())  # type: ignore[attr-defined, unused-ignore]
    kernel.CloseHandle(job)  # students' code may not change it
