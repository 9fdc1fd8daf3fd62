"""What a child gives up before it runs a line of the student's.

What it gives up everywhere is in `limits`. Here is what Linux has for it, without privileges and
inside ordinary containers: a session of its own, Landlock (it may read the interpreter and its
libraries, and write nothing but in a folder that it is given, if it is given one) and seccomp (no
sockets, no new processes, no tracing, signals to itself alone). Each is used where the kernel has
it; `probe` says what there is, by trying it in a forked process.

The filter of system calls is a program of the kernel's own small machine, classic BPF: it reads a
call's number and its arguments, and answers. It is written here, so that nothing has to be
installed for it."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import operator
import os
import signal
import struct
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from .protocol import Policy

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

LIBRARIES = (
    "/lib /lib64 /usr/lib /usr/lib64 /usr/local/lib /etc/ld.so.cache /etc/localtime "
    "/usr/share/zoneinfo /dev/null /dev/urandom".split()
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
    torch may lie in another environment's `site-packages` that this one builds upon."""
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


# -- the system calls that a child gives up -------------------------------------------------------


REFUSED = (
    # the network
    "socket:41:198 socketpair:53:199 connect:42:203 bind:49:200 listen:50:201 accept:43:202 "
    "accept4:288:242 sendto:44:206 sendmsg:46:211 sendmmsg:307:269 recvmmsg:299:243 "
    # other processes
    "ptrace:101:117 process_vm_readv:310:270 process_vm_writev:311:271 process_madvise:440:440 "
    "kcmp:312:272 pidfd_open:434:434 pidfd_getfd:438:438 pidfd_send_signal:424:424 "
    "rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240 tkill:200:130 execve:59:221 "
    "execveat:322:281 fork:57:- vfork:58:- setsid:112:157 setpgid:109:154 migrate_pages:256:238 "
    "move_pages:279:239 setpriority:141:140 ioprio_set:251:30 sched_setscheduler:144:119 "
    "sched_setparam:142:118 sched_setattr:314:274 "
    # the machine
    "mount:165:40 umount2:166:39 move_mount:429:429 open_tree:428:428 fsopen:430:430 "
    "fsconfig:431:431 fsmount:432:432 fspick:433:433 mount_setattr:442:442 pivot_root:155:41 "
    "chroot:161:51 unshare:272:97 setns:308:268 keyctl:250:219 add_key:248:217 request_key:249:218 "
    "bpf:321:280 perf_event_open:298:241 userfaultfd:323:282 io_uring_setup:425:425 "
    "io_uring_enter:426:426 io_uring_register:427:427 init_module:175:105 finit_module:313:273 "
    "delete_module:176:106 kexec_load:246:104 kexec_file_load:320:294 reboot:169:142 "
    "swapon:167:224 swapoff:168:225 acct:163:89 quotactl:179:60 syslog:103:116 "
    "settimeofday:164:170 clock_settime:227:112 clock_adjtime:305:266 adjtimex:159:171 "
    "sethostname:170:161 setdomainname:171:162 iopl:172:- ioperm:173:- personality:135:92 "
    "open_by_handle_at:304:265 name_to_handle_at:303:264 fanotify_init:300:262 "
    "lookup_dcookie:212:18 nfsservctl:180:42 vhangup:153:58 uselib:134:- quotactl_fd:443:443 "
    # what Landlock leaves open: owners, modes, times and attributes of files, and who opens which
    "inotify_init:253:- inotify_init1:294:26 chmod:90:- fchmod:91:52 fchmodat:268:53 "
    "fchmodat2:452:452 chown:92:- lchown:94:- fchown:93:55 fchownat:260:54 utime:132:- "
    "utimes:235:- utimensat:280:88 futimesat:261:- setxattr:188:5 lsetxattr:189:6 fsetxattr:190:7 "
    "removexattr:197:14 lremovexattr:198:15 fremovexattr:199:16 "
    # memory that no limit counts, and memory and queues shared with others
    "memfd_create:319:279 memfd_secret:447:447 shmget:29:194 shmat:30:196 shmctl:31:195 "
    "semget:64:190 semop:65:193 semctl:66:191 semtimedop:220:192 msgget:68:186 msgsnd:69:189 "
    "msgrcv:70:188 msgctl:71:187 mq_open:240:180 "
    # what starts a process, or may reach another: only WHERE it does
    "clone:56:220 prlimit64:302:261 sched_setaffinity:203:122 kill:62:129 tgkill:234:131 "
    "fcntl:72:25 ioctl:16:29"
).split()
"""Their names, and their numbers on x86_64 and aarch64; `-` where a machine does not have it."""
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""By machine, which of these numbers are its own, and how the kernel calls it."""
CLONE3 = 435
"""glibc asks for it first, and takes `clone` where it is missing: what it asks for lies in memory,
which a filter cannot read."""
FIRST_NEW = 463
"""From this number on calls came, or will come, after the list was written, `setxattrat` first:
alike on every machine. They are answered as by a kernel that is older than they are."""

LOAD, RETURN = 0x20, 0x06
EQUAL, OVER, AT_LEAST, HAS = 0x15, 0x25, 0x35, 0x45
"""Steps of that machine: to read four bytes of a call, to answer, and to jump."""
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
"""Where these stand in a call. An argument has eight bytes, the lower four first; those are all
that the kernel reads of the ones in WHERE."""
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000

CLONE_THREAD = 0x10000
SIGNALLED = (8, 10, 15, 1024, 1026)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY of Linux: who is signalled when a file is
ready, and with what; who must wait, or is told, when it is opened."""
TERMINAL = (0x5400, 0x5460)
"""Between these are the requests of ioctl about terminals and descriptors. Those of file systems
need no more than a file that may be read: they change its flags, or as root the whole file
system."""

Where = tuple[int, tuple[tuple[int, int, bool], ...]]
"""Which argument decides; and jumps with their value: the call is refused where one of them is
taken, or is not."""


def where(pid: int) -> dict[str, Where]:
    """The calls that are refused to a process by what they are asked for."""
    other = (0, ((EQUAL, pid, False),))
    not_itself = (0, ((EQUAL, 0, False),))
    return {
        "clone": (0, ((HAS, CLONE_THREAD, False),)),
        "prlimit64": not_itself,
        "sched_setaffinity": not_itself,
        "kill": other,
        "tgkill": other,
        "fcntl": (1, tuple((EQUAL, command, True) for command in SIGNALLED)),
        "ioctl": (1, ((AT_LEAST, TERMINAL[0], False), (OVER, TERMINAL[1], True))),
    }


def filter_of(machine: str, pid: int) -> bytes:
    """The filter of a process, eight bytes a step. Raises KeyError for a machine that has none."""
    column, architecture = MACHINES[machine]
    refuse, allow = _step(RETURN, ERROR | errno.EPERM), _step(RETURN, ALLOW)
    steps = [
        _step(LOAD, ARCHITECTURE),
        _step(EQUAL, architecture, 1, 0),
        _step(RETURN, KILL),  # the numbers are another machine's
        _step(LOAD, NUMBER),
        _step(EQUAL, CLONE3, 1, 0),
        _step(AT_LEAST, FIRST_NEW, 0, 1),  # so are all calls of x32
        _step(RETURN, ERROR | errno.ENOSYS),
    ]
    conditions = where(pid)
    for call in REFUSED:
        name, *numbers = call.split(":")
        if numbers[column] == "-":
            continue
        block = [refuse]
        if name in conditions:
            argument, tests = conditions[name]
            block = [_step(LOAD, ARGUMENTS + 8 * argument)]
            for test, value, refused in tests:
                block += [_step(test, value, not refused, refused), refuse]
            block.append(allow)
        steps += [_step(EQUAL, int(numbers[column]), 0, len(block)), *block]
    return b"".join([*steps, allow])


def _step(code: int, value: int, taken: int = 0, other: int = 0) -> bytes:
    """One step; a jump leaves out so many of the next where it is taken, or is not."""
    return struct.pack("=HBBI", code, taken, other, value)
