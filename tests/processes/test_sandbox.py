"""The kernel's sandbox, tried with real children on this machine."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from warm_zygote import warm_zygote

from pytest_backprop.model import Scenario, Unit, scalars
from pytest_backprop.processes import sandbox
from pytest_backprop.processes.forked import Zygote
from pytest_backprop.processes.protocol import Limits, Ran, Request

SUBMISSION = """
import ctypes, fcntl, json, os, resource, socket, subprocess, threading
import numpy as np
import torch
from torch import nn

SECRET = {secret!r}

PARENT = os.getppid()
HIGH = 1 << 32  # the kernel cuts it off

def called(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(*(a if isinstance(a, bytes) else ctypes.c_long(a) for a in (number, *arguments)))
    if result < 0:
        raise OSError(ctypes.get_errno(), "")

def set_attribute():
    value = ctypes.create_string_buffer(b"1")
    pair = (ctypes.c_ulong * 2)(ctypes.addressof(value), 1)
    called(463, -100, SECRET.encode(), 0, b"user.a", ctypes.addressof(pair), 16)

def tried(attempt):
    try:
        attempt()
    except BaseException as error:
        return type(error).__name__
    return "done"

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1):
        return self.w[0] * x1 + self.w[1]

    def my_forward_backward(self, x1):
        found = {{
            "read a file": tried(lambda: open(SECRET).read()),
            "read /etc/passwd": tried(lambda: open("/etc/passwd").read()),
            "list a folder": tried(lambda: os.listdir(os.path.dirname(SECRET))),
            "write a file": tried(lambda: open(SECRET + ".new", "w")),
            "change a mode": tried(lambda: os.chmod(SECRET, 0o777)),
            "touch a file": tried(lambda: os.utime(SECRET)),
            "read its own memory map": tried(lambda: open("/proc/self/maps").read()),
            "read its parent's": tried(lambda: open(f"/proc/{{os.getppid()}}/environ").read()),
            "open a socket": tried(socket.socket),
            "fork": tried(lambda: os.fork() or os._exit(0)),
            "run a program": tried(lambda: subprocess.run(["true"], check=True)),
            "signal its parent": tried(lambda: os.kill(os.getppid(), 0)),
            "signal everybody": tried(lambda: os.kill(-1, 0)),
            "leave its group": tried(lambda: os.setpgid(0, 0)),
            "set a priority": tried(
                lambda: os.setpriority(os.PRIO_PGRP, 0, os.getpriority(os.PRIO_PGRP, 0))),
            "schedule its parent": tried(
                lambda: os.sched_setscheduler(PARENT, os.SCHED_OTHER, os.sched_param(0))),
            "have its parent signalled": tried(lambda: fcntl.fcntl(1, fcntl.F_SETOWN, PARENT)),
            "have it signalled by a long command": tried(
                lambda: called({setown}, 1, HIGH | fcntl.F_SETOWN, PARENT)),
            "watch a folder": tried(lambda: called({inotify}, 0)),
            "set an attribute": tried(set_attribute),
            "raise a limit": tried(
                lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (9999, 9999))),
            "signal itself": tried(lambda: os.kill(os.getpid(), 0)),
            "start a thread": tried(lambda: threading.Thread(target=len, args=((),)).start()),
            "use numpy": tried(lambda: np.arange(3).sum()),
            "import late": tried(lambda: __import__("wave")),
            "environment": sorted(os.environ),
            "folder": os.getcwd(),
            "descriptors": [n for n in range(64) if tried(lambda: os.fstat(n)) == "done"],
            "lease a library": tried(
                lambda: fcntl.fcntl(os.open(os.__file__, 0), fcntl.F_SETLEASE, fcntl.F_RDLCK)),
            "ask for a library's flags": tried(
                lambda: fcntl.ioctl(os.open(os.__file__, 0), 0x80086601, bytes(8))),
        }}
        raise RuntimeError(json.dumps(found, separators=(",", ":")))
"""

ALLOWED = {"signal itself", "start a thread", "use numpy", "import late"}
FILES = {"read a file", "read /etc/passwd", "list a folder", "write a file",
         "read its own memory map", "read its parent's"}  # fmt: skip
SYSTEM_CALLS = {"change a mode", "touch a file", "open a socket", "fork", "run a program",
                "signal its parent", "signal everybody", "leave its group", "set a priority",
                "schedule its parent", "have its parent signalled", "have it signalled by a long command",
                "lease a library", "ask for a library's flags", "watch a folder", "set an attribute"}  # fmt: skip
"""Asked of the kernel in these words, refused by Landlock and seccomp in turn."""


@pytest.fixture(scope="module")
def level() -> str:
    return str(sandbox.probe())


@pytest.fixture(scope="module")
def worker() -> Iterator[Zygote]:
    worker = warm_zygote()
    yield worker
    worker.close()


def found_by(worker: Zygote, secret: Path, confined: bool = True) -> dict[str, object]:
    """What a submission could do, in its own words."""
    numbers = {"x86_64": (72, 294), "aarch64": (25, 26)}[platform.machine()]
    text = SUBMISSION.format(secret=str(secret), setown=numbers[0], inotify=numbers[1])
    # the answer goes out in pieces: an exception's text is cut
    found: dict[str, object] = {}
    for part in range(8):
        piece = text.replace("json.dumps(found", f"json.dumps(dict(list(found.items())[{part}::8])")
        scenario = Scenario(scalars(("w0", "w1"), ("x1",)), ((0.5, 0.25, 0.75),))
        limits = Limits(20.0, 2**31, confined)
        request = Request((Unit(piece, None, piece),), None, (scenario,), 0, limits)
        outcome = worker.run(request)
        assert isinstance(outcome.answer, Ran), outcome
        fault = outcome.answer.evidences[0].pass_runs[0].fault
        assert fault is not None
        found |= json.loads(fault.message)
    return found


def test_a_child_is_refused_what_the_level_says(worker: Zygote, level: str, tmp_path: Path) -> None:
    secret = tmp_path / "grades.csv"
    secret.write_text("anna,100\n")
    before = secret.stat()
    found = found_by(worker, secret)
    done = {name for name, how in found.items() if how == "done"}
    forbidden = {"raise a limit"} if os.geteuid() else set()
    forbidden |= FILES if "landlock" in level else set()
    forbidden |= SYSTEM_CALLS if "seccomp" in level else set()
    assert not done & forbidden
    assert done >= ALLOWED
    assert found["descriptors"] in ([0, 1, 2], [0, 1, 2, 3], *([0, 1, 2, n] for n in range(4, 64)))
    assert not set(found["environment"]) - {  # type: ignore[call-overload]
        "LANG", "LC_CTYPE", "LD_LIBRARY_PATH", "MKL_NUM_THREADS", "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "GLIBC_TUNABLES",
        "TORCHINDUCTOR_CACHE_DIR", "TORCHDYNAMO_DISABLE"}  # fmt: skip
    assert found["folder"] == "/"
    after = secret.stat()
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert [entry.name for entry in tmp_path.iterdir()] == ["grades.csv"]


def test_without_the_sandbox_a_child_can_read(worker: Zygote, tmp_path: Path) -> None:
    """The test above would mean nothing if these attempts failed for another reason."""
    secret = tmp_path / "grades.csv"
    secret.write_text("anna,100\n")
    found = found_by(worker, secret, confined=False)
    done = {name for name, how in found.items() if how == "done"}
    assert done >= ALLOWED | {"read a file", "list a folder", "write a file", "open a socket",
                              "run a program", "signal its parent", "change a mode", "set a priority",
                              "schedule its parent", "have it signalled by a long command",
                              "watch a folder"}  # fmt: skip


OLD_KERNEL = """
import os, sys, errno, pyseccomp
rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
for name in sys.argv[1].split():
    rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), name)
rules.load()
os.execv(sys.executable, [sys.executable, "-m", "pytest", *sys.argv[2:]])
"""


def on_old_kernel(missing: str, folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """pytest where the kernel says ENOSYS to some system calls, as an older one would."""
    return subprocess.run([sys.executable, "-c", OLD_KERNEL, missing, "-p", "no:cacheprovider", *args],
                          cwd=folder, capture_output=True, text=True, check=False)  # fmt: skip


@pytest.mark.parametrize(
    ("missing", "reached"),
    [
        ("landlock_create_ruleset", "seccomp + limits"),
        pytest.param("landlock_restrict_self", "seccomp + limits", marks=pytest.mark.long),
    ],
)
def test_an_older_kernel_gives_less_and_says_so(
    missing: str, reached: str, level: str, tmp_path: Path
) -> None:
    if not sandbox.probe().is_full:
        reached = level  # nothing to take away here
    (tmp_path / "hw_v902.py").write_text(
        textwrap.dedent("""
        class Net:
            pass
    """)
    )
    run = on_old_kernel(missing, tmp_path, "--backprop", "hw_v902.py", "--backprop-variant=v1")
    assert f"backprop: sandbox {reached};" in run.stdout
    assert run.returncode == pytest.ExitCode.TESTS_FAILED
    run = on_old_kernel(missing, tmp_path, "--backprop", "hw_v902.py", "--backprop-variant=v1",
                        "--backprop-sandbox=require")  # fmt: skip
    assert run.returncode == pytest.ExitCode.USAGE_ERROR
    assert "'require'" in run.stderr
    assert repr(reached) in run.stderr


def test_on_a_machine_whose_numbers_are_not_known_the_lack_is_said(level: str) -> None:
    code = (
        "from pytest_backprop.processes import sandbox as s; s.MACHINES.clear(); print(s.probe())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == level.replace("seccomp + ", "")
