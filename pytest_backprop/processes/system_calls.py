"""The system calls that a child gives up on Linux, and the filter that has the kernel refuse them.

The filter is a program of the kernel's own small machine, classic BPF: it reads a call's number and
its arguments, and answers. It is written here, so that nothing has to be installed for it."""

from __future__ import annotations

import errno
import struct

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
