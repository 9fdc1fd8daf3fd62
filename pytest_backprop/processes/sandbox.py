"""What a child gives up before it runs a line of the student's.

What it gives up everywhere is in `limits`. Here is what Linux has for it, without privileges and
inside ordinary containers: a session of its own, Landlock (it may read the interpreter and its
libraries, and write nothing but in a folder that it is given, if it is given one) and seccomp (no
sockets, no new processes, no tracing, signals to itself alone). Each is used where the kernel has
it; `probe` says what there is, by trying it in a forked process."""

from __future__ import annotations

import contextlib
import ctypes
import errno
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

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
CLONE_THREAD = 0x10000

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

FORBIDDEN = (
    # the network
    "socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg recvmmsg"
    # other processes
    " ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_open pidfd_getfd"
    " pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo tkill execve execveat fork vfork setsid"
    " setpgid migrate_pages move_pages setpriority ioprio_set sched_setscheduler sched_setparam"
    " sched_setattr"
    # the machine
    " mount umount2 move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr pivot_root"
    " chroot unshare setns keyctl add_key request_key bpf perf_event_open userfaultfd"
    " io_uring_setup io_uring_enter io_uring_register init_module finit_module delete_module"
    " kexec_load kexec_file_load reboot swapon swapoff acct quotactl syslog settimeofday "
    "clock_settime"
    " clock_adjtime adjtimex sethostname setdomainname iopl ioperm personality open_by_handle_at"
    " name_to_handle_at fanotify_init lookup_dcookie nfsservctl vhangup uselib quotactl_fd"
    # what Landlock leaves open: owners, modes, times and attributes of files, and who opens which
    " inotify_init inotify_init1"
    " chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes utimensat futimesat"
    " setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr"
    # memory that no limit counts, and memory and queues shared with others
    " memfd_create memfd_secret shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd"
    " msgrcv msgctl mq_open"
).split()

WRITTEN = (
    "READ_FILE READ_DIR WRITE_FILE TRUNCATE MAKE_REG MAKE_DIR REMOVE_FILE REMOVE_DIR REFER"
).split()
"""What a child may do in a folder of its own, in the words of Landlock: no links, pipes,
devices."""
NEW_CALLS = range(463, 512)
"""Numbers of system calls that came, or will come, after this list was written, `setxattrat` first:
alike on every machine, and mostly without a name in libseccomp. They are answered as by a kernel
that is older than they are."""

SIGNALLED = (8, 10, 15, 1024, 1026)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY of Linux: who is signalled when a file is
ready, and with what; who must wait, or is told, when it is opened."""
COMMAND = 0xFFFFFFFF
"""The part of a command that the kernel reads; what stands above, it cuts off."""
TERMINAL = (0x5400, 0x5460)
"""Between these are the requests of ioctl about terminals and descriptors. Those of file systems
need no more than a file that may be read: they change its flags, or as root the whole file
system."""

LACKING = (ImportError, OSError, RuntimeError, ValueError, AttributeError)
"""What is raised where a library or the kernel does not have it."""


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
    for prepare in (lambda: _ruleset(""), _filter):  # for all that is forked later
        with contextlib.suppress(*LACKING):
            prepare()
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


@functools.cache
def _filter() -> Any:
    """The system calls that are denied to every child; made once, before children are forked."""
    import pyseccomp

    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    denied = pyseccomp.ERRNO(errno.EPERM)
    for name in FORBIDDEN:
        with contextlib.suppress(OSError, ValueError):  # a call that this machine has not
            rules.add_rule(denied, name)
    # glibc asks for clone3 first and takes clone where it is missing
    rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    no_thread = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, CLONE_THREAD, 0)
    rules.add_rule(denied, "clone", no_thread)
    for number in NEW_CALLS:
        rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), number)
    for name in ("prlimit64", "sched_setaffinity"):
        rules.add_rule(denied, name, pyseccomp.Arg(0, pyseccomp.GT, 0))  # another process
    for command in SIGNALLED:
        rules.add_rule(denied, "fcntl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, COMMAND, command))
    for relation, request in zip((pyseccomp.LT, pyseccomp.GT), TERMINAL, strict=True):
        rules.add_rule(denied, "ioctl", pyseccomp.Arg(1, relation, request))
    return rules


def _seccomp(folder: str) -> str:
    """Takes system calls away. Raises what is in LACKING."""
    import pyseccomp

    rules = _filter()
    denied = pyseccomp.ERRNO(errno.EPERM)
    for name in ("kill", "tgkill"):
        for relation in (pyseccomp.LT, pyseccomp.GT):
            rules.add_rule(denied, name, pyseccomp.Arg(0, relation, os.getpid()))
    rules.load()
    return "seccomp"
