"""The filter of system calls, held against libseccomp's for the same policy, on both machines: each has its own numbers
and its own code. Both are read by a small machine here; test_sandbox.py and the attacks run ours in the kernel."""

from __future__ import annotations

import errno
import struct
import sys
import tempfile

import pytest

from pytest_backprop.processes.sandbox import FIRST_NEW, MACHINES, REFUSED, filter_of

if sys.platform != "linux":
    pytest.skip("libseccomp is of Linux", allow_module_level=True)
import pyseccomp

PID = 4711
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
I386 = 0x40000003
X32 = 0x40000000
LOW = 0xFFFFFFFF
DENIED, MISSING = pyseccomp.ERRNO(errno.EPERM), pyseccomp.ERRNO(errno.ENOSYS)
COMMANDS = (8, 10, 15, 1024, 1026)  # F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY
BORDERS = (0, PID, 0x10000, 0x5400, 0x5460, *COMMANDS)
VALUES = sorted(
    {(v + d) & LOW for v in BORDERS for d in (-1, 0, 1)}
    | {LOW - PID, 0x3D0F00, 0x1200011, 0x80086601}
)
"""Of arguments: the borders of all conditions, negative numbers, the flags of a thread and of a fork."""


def answer(program: bytes, number: int, arguments: tuple[int, ...] = (), machine: int = 0) -> int:
    """What the kernel's small machine answers a call."""
    call = struct.pack("<IIQ6Q", number & LOW, machine, 0, *arguments, *[0] * (6 - len(arguments)))
    at, a = 0, 0
    while True:
        code, yes, no, k = struct.unpack_from("<HBBI", program, 8 * at)
        at += 1
        match code:
            case 0x06:
                return int(k)
            case 0x20:
                (a,) = struct.unpack_from("<I", call, k)
            case 0x54:
                a &= k
            case 0x05:
                at += k
            case _:
                taken = {0x15: a == k, 0x25: a > k, 0x35: a >= k, 0x45: bool(a & k)}[code]
                at += yes if taken else no


def theirs(machine: str) -> bytes:
    """The policy in libseccomp's words."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    native = pyseccomp.system_arch()
    if native != ARCHITECTURES[machine]:
        rules.add_arch(ARCHITECTURES[machine])
        rules.remove_arch(native)
    conditional = {
        "clone": [pyseccomp.Arg(0, pyseccomp.MASKED_EQ, 0x10000, 0)],
        "prlimit64": [pyseccomp.Arg(0, pyseccomp.NE, 0)],
        "sched_setaffinity": [pyseccomp.Arg(0, pyseccomp.NE, 0)],
        "kill": [pyseccomp.Arg(0, pyseccomp.NE, PID)],
        "tgkill": [pyseccomp.Arg(0, pyseccomp.NE, PID)],
        "fcntl": [pyseccomp.Arg(1, pyseccomp.MASKED_EQ, LOW, command) for command in COMMANDS],
        "ioctl": [pyseccomp.Arg(1, pyseccomp.LT, 0x5400), pyseccomp.Arg(1, pyseccomp.GT, 0x5460)],
    }
    for name in (call.partition(":")[0] for call in REFUSED):
        for condition in conditional.get(name, [None]):
            rules.add_rule(DENIED, name, *filter(None, [condition]))
    rules.add_rule(MISSING, "clone3")
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


@pytest.mark.parametrize("machine", MACHINES)
def test_each_call_has_the_answer_that_libseccomp_gives(machine: str) -> None:
    ours, other, architecture = filter_of(machine, PID), theirs(machine), ARCHITECTURES[machine]
    listed = {call.split(":")[1 + MACHINES[machine][0]] for call in REFUSED}
    for number in range(FIRST_NEW):
        for value in VALUES if str(number) in listed else [0]:
            for arguments in ((value,), (0, value), (PID, value)):
                told = answer(ours, number, arguments, architecture)
                assert told == answer(other, number, arguments, architecture), (number, arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_the_list_does_not_know_is_no_call(machine: str) -> None:
    """Calls that came later, and those of x32, which libseccomp kills for."""
    ours, architecture = filter_of(machine, PID), ARCHITECTURES[machine]
    for number in (*range(FIRST_NEW, 1024), *(X32 | n for n in (0, 41, 57, 520)), -1):
        assert answer(ours, number, (), architecture) == MISSING


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_of_another_machine_end_the_process(machine: str) -> None:
    for other in {*ARCHITECTURES.values(), I386} - {ARCHITECTURES[machine]}:
        assert answer(theirs(machine), 0, (), other) == pyseccomp.KILL_THREAD
        assert answer(filter_of(machine, PID), 0, (), other) == pyseccomp.KILL_PROCESS


def test_what_stands_above_an_argument_is_cut_off_as_the_kernel_does() -> None:
    ours = filter_of("x86_64", PID)
    for number, arguments in ((72, (1, 8)), (62, (1,)), (16, (1, 0x80086601)), (302, (PID + 1,))):
        high = tuple(value | 1 << 32 for value in arguments)
        assert answer(ours, number, high, ARCHITECTURES["x86_64"]) == DENIED
    assert answer(ours, 62, (PID | 1 << 32,), ARCHITECTURES["x86_64"]) == pyseccomp.ALLOW


def test_the_names_are_all_there_once() -> None:
    names = [call.partition(":")[0] for call in REFUSED]
    assert len(set(names)) == len(names)
    assert all(call.count(":") == len(MACHINES) for call in REFUSED)
