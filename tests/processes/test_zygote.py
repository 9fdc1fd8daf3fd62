"""The real client, zygote and child, and submissions that try to break them."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import psutil
import pytest
from told_runs import gradients
from waiting import wait_for_the_end, wait_until

from pytest_backprop.errors import GraderFault
from pytest_backprop.grading.runs import unfinished
from pytest_backprop.model import Evidence, Items, Scenario, Tensor, Unit, scalars
from pytest_backprop.processes.forked import Zygote
from pytest_backprop.processes.protocol import Limits, LoadProblem, Ran, Request
from pytest_backprop.processes.supervisor import Outcome

MIB = 2**20
SECONDS = 8.0
RIGHT = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        return self.w[0] * x1 + self.w[1] * x2

    def my_forward_backward(self, x1, x2):
{body}
        w0, w1 = self.w
        y = w0 * x1 + w1 * x2
        self.w.grad = torch.stack([x1, x2])
        return y
"""


def text_of(body: str = "pass", top: str = "") -> str:
    lines = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
    return textwrap.dedent(top) + RIGHT.format(body=lines)


def asking(
    text: str,
    seconds: float = SECONDS,
    memory: int = 400 * MIB,
    sandbox: bool = True,
    points: int = 2,
) -> Request:
    at = tuple((0.5, 0.25 * i, 0.125, -0.5 * i) for i in range(1, points + 1))
    scenario = Scenario(scalars(("w0", "w1"), ("x1", "x2")), at)
    limits = Limits(seconds, memory, sandbox)
    return Request((Unit(text, original=text),), None, (scenario,), 1, limits)


@pytest.fixture(scope="module")
def worker() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def run(worker: Zygote, body: str, top: str = "", **how: Any) -> Outcome:
    return worker.run(asking(text_of(body, top), **how))


def evidence(outcome: Outcome) -> Evidence:
    assert isinstance(outcome.answer, Ran), outcome
    return outcome.answer.evidences[0]


def goes_on(worker: Zygote) -> None:
    """The next submission is not harmed."""
    found = evidence(worker.run(asking(text_of())))
    assert gradients(found.pass_runs[0]) == [0.125, -0.5]


def told(worker: Zygote, body: str, top: str = "", points: int = 40, **how: Any) -> Any:
    """What a pass has worked out, as JSON: the first run; each run tells a piece, as an error's text is cut."""
    first = textwrap.indent(textwrap.dedent(body), "    ")
    lines = f"import json\nif not PIECES:\n{first}\n    PIECES.extend(json.dumps(told)[i:i + 400] for i in " \
            f"range(0, {points * 400}, 400))\nraise RuntimeError(PIECES.pop(0))"  # fmt: skip
    runs = evidence(run(worker, lines, f"PIECES = []\n{top}", points=points, **how)).pass_runs
    return json.loads("".join(run.fault.message for run in runs if run.fault))


# -- how a child ends -----------------------------------------------------------------------


def test_a_right_answer(worker: Zygote) -> None:
    outcome = worker.run(asking(text_of()))
    found = evidence(outcome)
    assert (outcome.how, outcome.message) == ("answered", "")
    assert found.class_name == "Net"
    assert found.pass_runs[1].outputs["value"] == Tensor((0.0625 - 0.5,), (), "float32")


ENDS = {
    "exit 3": ("import os\nos._exit(3)", "crashed", "exited with status 3"),
    "exit 0": ("import os\nos._exit(0)", "crashed", "exited with status 0"),
    "killed": ("import os\nos.kill(os.getpid(), 9)", "crashed", "SIGKILL"),
    "segmentation fault": ("import ctypes\nctypes.string_at(0)", "crashed", "SIGSEGV"),
    "abort": ("import os\nos.abort()", "crashed", "SIGABRT"),
    "raised signal": ("import signal\nsignal.raise_signal(signal.SIGTERM)", "crashed", "SIGTERM"),
    "endless": ("while True: pass", "timeout", "stopped after 0.5 s"),
    "deaf": ("import signal\nsignal.signal(signal.SIGUSR1, signal.SIG_DFL)\nwhile True: pass",
             "timeout", "stopped after 0.5 s"),
    "asleep": ("import time\ntime.sleep(10**6)", "timeout", "stopped after 0.5 s"),
    "stopped": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", "crashed", "it stopped itself"),
    "waits for itself": ("import threading\nl = threading.Lock(); l.acquire(); l.acquire()",
                         "timeout", "0.5 s"),
    "ignores signals": ("import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n"
                        "while True: pass", "timeout", "0.5 s"),
}  # fmt: skip


OUTSIDE = [(name, False) for name in ("killed", "segmentation fault", "endless", "stopped")]


SLEEPS = {"waits for itself": pytest.mark.long}  # as long as "asleep"


@pytest.mark.parametrize(
    ("name", "sandbox"),
    [*(pytest.param(name, True, marks=SLEEPS.get(name, ())) for name in ENDS), *OUTSIDE],
)
def test_how_a_child_ends(name: str, sandbox: bool, worker: Zygote) -> None:
    body, how, message = ENDS[name]
    seconds = 0.5 if how == "timeout" else SECONDS
    outcome = run(worker, body, seconds=seconds, sandbox=sandbox)
    assert (outcome.how, outcome.answer) == (how, None)
    assert message in outcome.message
    goes_on(worker)


@pytest.mark.parametrize(
    "body", ["while True: pass", "sum(range(10**12))", "while True: print('x')"]
)
@pytest.mark.parametrize("sandbox", [True, False])
def test_a_child_whose_time_is_up_says_where_it_is(
    body: str, sandbox: bool, worker: Zygote
) -> None:
    """Also in the middle of a call, and while it prints."""
    outcome = run(worker, body, seconds=0.5, sandbox=sandbox)
    problem = unfinished(outcome)
    assert problem.kind == "timeout", outcome
    assert problem.span is not None
    assert text_of(body).split("\n")[problem.span.line - 1].strip() == body


def test_a_real_time_signal_has_no_name(worker: Zygote) -> None:
    outcome = run(worker, "import os\nos.kill(os.getpid(), 40)")
    assert outcome.how == "crashed"
    assert "40" in outcome.message


def test_python_exits_are_faults_of_the_pass(worker: Zygote) -> None:
    for line, kind in (("import sys; sys.exit(3)", "SystemExit"), ("exit()", "SystemExit"),
                       ("raise KeyboardInterrupt", "KeyboardInterrupt"),
                       ("raise MemoryError('no')", "MemoryError"),
                       ("self.my_forward_backward(x1, x2)", "RecursionError"),
                       ("input('?')", "EOFError")):  # fmt: skip
        fault = evidence(run(worker, line)).pass_runs[0].fault
        assert fault is not None
        assert fault.kind == kind
        assert fault.site is not None
        assert fault.site.line == 14


def test_memory_that_is_really_taken_is_stopped(worker: Zygote) -> None:
    outcome = run(worker, "k = []\nwhile True: k.append(torch.ones(2**20))", memory=150 * MIB)
    assert outcome.how in ("out_of_memory", "answered")
    if outcome.how == "out_of_memory":
        assert 140 * MIB < outcome.memory < 1500 * MIB
        assert "the limit is 150 MB" in outcome.message
    else:  # the backstop was faster than the poll: torch refused
        fault = evidence(outcome).pass_runs[0].fault
        assert fault is not None
        assert "alloc" in fault.message
    goes_on(worker)


def test_memory_that_grows_slowly_is_stopped_by_the_watch(worker: Zygote) -> None:
    body = "import time\nk = []\nwhile True:\n    k.append(torch.ones(2**18)); time.sleep(0.005)"
    outcome = run(worker, body, memory=100 * MIB)
    assert outcome.how == "out_of_memory"
    assert 100 * MIB < outcome.memory < 200 * MIB


def test_memory_is_what_the_child_takes_itself(worker: Zygote) -> None:
    """Neither the zygote's own nor the pages of libraries, which a fork maps without having them."""
    outcome = run(worker, "import time\nkept = torch.ones(60 * 2**18)\ntime.sleep(2)\ntold = 0")
    assert 60 * MIB < outcome.memory < 90 * MIB


def test_memory_of_what_it_started_counts_too(worker: Zygote) -> None:
    body = "import os, time, torch\nif os.fork() == 0 and os.fork() == 0:\n" \
           "    kept = torch.ones(50 * 2**20)\ntime.sleep(10**6)\ntold = 0"  # fmt: skip
    outcome = run(worker, body, memory=100 * MIB, sandbox=False)
    assert outcome.how == "out_of_memory"
    assert outcome.memory > 100 * MIB


def test_address_space_has_a_backstop(worker: Zygote) -> None:
    fault = evidence(run(worker, "torch.empty(10 * 2**30)")).pass_runs[0].fault
    assert fault is not None
    assert "alloc" in fault.message or "memory" in fault.message


# -- forged answers -------------------------------------------------------------------------

FIND = """
import os
def answer_fd():
    for fd in range(3, 256):
        try:
            os.fstat(fd)
        except OSError:
            continue
        return fd
FD = answer_fd
"""


FORGED = {
    "nothing": (b"", "exited with status 0"),
    "one byte": (b"\x00", "not one message"),
    "noise": (b"\xff" * 100, "not one message"),
    "an empty message": (b"\x00\x00\x00\x00", "malformed"),
    "too short": ((50).to_bytes(4, "big") + b"x" * 49, "not one message"),
    "too long": ((50).to_bytes(4, "big") + b"x" * 51, "not one message"),
    "of another schema": ((1).to_bytes(4, "big") + b"\x80", "malformed"),
    "a huge length": (b"\xff\xff\xff\xff" + b"x", "not one message"),
}


@pytest.mark.parametrize("name", FORGED)
def test_malformed_answers_are_a_crash_of_the_submission(name: str, worker: Zygote) -> None:
    data, message = FORGED[name]
    body = f"d = bytes.fromhex({data.hex()!r})\nwhile d: d = d[os.write(FD(), d):]\nos._exit(0)"
    outcome = run(worker, body, FIND)
    assert (outcome.how, outcome.answer) == ("crashed", None)
    assert message in outcome.message
    goes_on(worker)


@pytest.mark.parametrize("levels", [100, pytest.param(100_000, marks=[])])
def test_deeply_nested_operands_are_a_crash_of_the_submission(levels: int, worker: Zygote) -> None:
    """Nothing in the schema bounds how deep lists of operands are nested."""
    true = evidence(worker.run(asking(text_of())))
    recording = true.pass_recordings[0]
    mark = "here" * 10
    op = msgspec.structs.replace(recording.ops[0], args=(mark,))
    recording = msgspec.structs.replace(recording, ops=(op, *recording.ops[1:]))
    reply = msgspec.msgpack.encode(
        Ran((msgspec.structs.replace(true, pass_recordings=(recording,)),))
    )
    before, after = reply.split(msgspec.msgpack.encode(mark))
    one = msgspec.msgpack.encode(Items(()))
    body = (
        f"d = bytes.fromhex({before.hex()!r}) + {one[:-1]!r}\n"
        f"d += b'\\x91' + ({one[:-1]!r} + b'\\x91') * {levels} + {one!r}\n"
        f"d += bytes.fromhex({after.hex()!r})\nd = len(d).to_bytes(4, 'big') + d\n"
        "while d: d = d[os.write(FD(), d):]\nos._exit(0)"
    )
    outcome = run(worker, body, FIND)
    if levels == 100:
        assert outcome.how == "answered"  # and refused by check_recording
    else:
        assert (outcome.how, outcome.answer) == ("crashed", None)
    goes_on(worker)


def test_an_answer_before_the_true_one_is_not_one_message(worker: Zygote) -> None:
    reply = msgspec.msgpack.encode(LoadProblem("x", "y"))
    data = len(reply).to_bytes(4, "big") + reply
    outcome = run(worker, f"os.write(FD(), bytes.fromhex({data.hex()!r}))", FIND)
    assert outcome.how == "crashed"
    assert "not one message" in outcome.message


def test_an_answer_that_never_ends_is_told_so(worker: Zygote) -> None:
    outcome = run(worker, "b = b'x' * 2**20\nwhile True: os.write(FD(), b)", FIND)
    assert "larger than" in outcome.message


def test_an_answer_that_never_ends_is_cut(worker: Zygote) -> None:
    outcome = run(worker, "b = b'x' * 2**20\nwhile True: os.write(FD(), b)", FIND)
    assert outcome.how == "crashed"
    goes_on(worker)


def test_a_well_formed_forgery_is_only_evidence(worker: Zygote) -> None:
    """It gets through the worker; what it says is then replayed by the grader."""
    true = evidence(worker.run(asking(text_of())))
    reply = msgspec.msgpack.encode(Ran((msgspec.structs.replace(true, class_name="Forged"),)))
    data = len(reply).to_bytes(4, "big") + reply
    body = f"d = bytes.fromhex({data.hex()!r})\nos.write(FD(), d)\nos._exit(0)"
    assert evidence(run(worker, body, FIND)).class_name == "Forged"


def test_a_closed_answer_is_a_crash(worker: Zygote) -> None:
    outcome = run(worker, "os.close(FD())", FIND)
    assert outcome.how == "crashed"
    goes_on(worker)


# -- output ---------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_is_printed_goes_nowhere(stream: str, worker: Zygote) -> None:
    body = f"import sys\nfor _ in range(200): sys.{stream}.write('Ж' * 2**20)"
    assert run(worker, body, points=1).how == "answered"


def test_broken_streams_do_not_cost_the_answer(worker: Zygote) -> None:
    for line in ("import sys; sys.stdout = None", "import sys; sys.stdout.close()",
                 "import os; os.close(1); os.close(2)"):  # fmt: skip
        assert run(worker, line).how == "answered", line


# -- what a child sees ----------------------------------------------------------------------


WORLD = """
import os, sys, gc
fds = []
for fd in range(1024):
    try:
        os.fstat(fd)
    except OSError:
        continue
    fds.append(fd)
told = [dict(os.environ), os.getcwd(), fds, sys.argv, sys.path, sys.flags.isolated,
        sys.stdin.read(), os.getsid(0) == os.getpid(),
        [m for m in sys.modules if 'pytest' in m]]
"""


def test_the_childs_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "sesame")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("LD_PRELOAD", "")
    fresh = Zygote()
    hidden = os.open(__file__, os.O_RDONLY)
    os.set_inheritable(hidden, True)
    try:
        worlds = [told(fresh, WORLD, sandbox=sandbox) for sandbox in (True, False)]
    finally:
        fresh.close()
        os.close(hidden)
    for seen in worlds:
        environment, folder, descriptors, arguments, path, isolated, read, leads, modules = seen
        assert "SECRET_TOKEN" not in environment
        assert "sesame" not in json.dumps(seen)
        assert set(environment) <= {"LANG", "LC_CTYPE", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
                                    "OPENBLAS_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "GLIBC_TUNABLES", "LD_LIBRARY_PATH", "KMP_DUPLICATE_LIB_OK",
                                    "TORCHINDUCTOR_CACHE_DIR", "TORCHDYNAMO_DISABLE", "KMP_INIT_AT_FORK"}  # fmt: skip
        assert folder == "/"
        assert len(descriptors) == 4
        assert descriptors[:3] == [0, 1, 2]
        assert os.getcwd() not in json.dumps([arguments, path[:1]])
        assert isolated == 1
        assert read == ""
        assert leads
        assert {m for m in modules if m.partition(".")[0] == "pytest"} == set()
        assert not [m for m in modules if ".exercises.functions" in m]
        graders = ("grading", "classroom", "repair", "resume", "session")
        assert {m for m in modules if m.split(".")[1:2] and m.split(".")[1] in graders} == set()


def test_a_child_never_sees_a_path_of_the_submission(worker: Zygote) -> None:
    line = "raise ValueError(type(self).my_forward_backward.__code__.co_filename)"
    assert told(worker, "told = __file__") == "<submission 0>"
    found = evidence(run(worker, line))
    fault = found.pass_runs[0].fault
    assert fault is not None
    assert fault.message == "<submission 0>"


def test_a_child_starts_fresh(worker: Zygote) -> None:
    """Nothing that one submission changes is there for the next."""
    body = "import torch, sys\ntold = [getattr(torch, 'mark', None), 'mark' in sys.modules]\n" \
           "torch.mark = 1\nsys.modules['mark'] = torch\ntorch.manual_seed(7)\n" \
           "torch.set_default_dtype(torch.float64)"  # fmt: skip
    assert told(worker, body) == [None, False]
    assert told(worker, body) == [None, False]
    goes_on(worker)


# -- what is left behind --------------------------------------------------------------------

LEAVES = """
import os, time
pid = os.fork()
if pid == 0:
    {first}
    time.sleep(10**6)
    os._exit(0)
told = pid
"""


def test_children_find_no_compiler_imported() -> None:
    """It takes seconds to import, is not for what runs here, and says more of itself in the environment."""
    code = (
        "import sys\n"
        "from pytest_backprop.exercises import BUILT_IN\n"
        "from pytest_backprop.processes import child\n"
        "child.warm_up([exercise.child for exercise in BUILT_IN.values()])\n"
        "print(sorted({'sympy', 'torch._dynamo', 'torch._inductor'} & sys.modules.keys()))"
    )
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, capture_output=True, text=True).stdout.strip() == "[]"


def test_a_process_left_behind_is_killed(worker: Zygote) -> None:
    wait_for_the_end([told(worker, LEAVES.format(first="pass"), sandbox=False)])


def test_a_daemon_is_killed_too(worker: Zygote) -> None:
    pid = told(worker, LEAVES.format(first="os.setsid()"), sandbox=False)
    try:
        wait_for_the_end([pid])
    finally:
        if psutil.pid_exists(pid):
            os.kill(pid, signal.SIGKILL)


def test_a_process_that_holds_the_pipes_does_not_keep_us(worker: Zygote) -> None:
    wait_for_the_end([told(worker, LEAVES.format(first="os.setpgid(0, 0)"), sandbox=False)])


def descriptors() -> int:
    return psutil.Process().num_fds()


def test_many_runs_leave_no_process_and_no_descriptor() -> None:
    fresh = Zygote()
    bodies = ["pass", "import os; os._exit(3)", "raise ValueError", "print('x' * 10**6)",
              "import os; os.kill(os.getpid(), 9)"]  # fmt: skip
    try:
        run(fresh, "pass")
        zygote = psutil.Process(fresh.pid)
        inside = zygote.num_fds()
        before = descriptors()
        for index in range(30):
            run(fresh, bodies[index % len(bodies)], points=1)
        assert descriptors() == before
        # it says that a child is gone, and then closes the link to who asked
        wait_until(lambda: zygote.num_fds() <= inside, "a descriptor was left")
        assert zygote.children(recursive=True) == []
        assert zygote.num_threads() == 1
    finally:
        fresh.close()
    wait_for_the_end([zygote])


# -- the zygote -----------------------------------------------------------------------------


def test_a_zygote_that_is_killed_is_our_fault_and_the_next_run_works() -> None:
    fresh = Zygote()
    try:
        goes_on(fresh)
        first = fresh.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)  # between runs
        wait_for_the_end([first])
        goes_on(fresh)
        assert fresh.pid != first
        pid = fresh.pid
        assert pid is not None
        children: list[psutil.Process] = []

        def kill() -> None:
            wait_until(lambda: psutil.Process(pid).children(), "no child came")
            children.extend(psutil.Process(pid).children())
            os.kill(pid, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        with pytest.raises(GraderFault, match="the process that forks others is gone"):
            run(fresh, "import time; time.sleep(10**6)")
        killer.join()
        wait_for_the_end(
            children
        )  # of a submission that could go on, to kill the next one's zygote
        goes_on(fresh)
    finally:
        fresh.close()


def test_several_may_ask_at_a_time(worker: Zygote) -> None:
    """Threads, and processes that share the socket: each has its own answer."""

    def ask(number: int) -> None:
        body = f"import time; time.sleep(0.3)\ntold = {number}"
        outputs[number] = told(worker, body)

    outputs: dict[int, int] = {}
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outputs == {number: number for number in range(6)}
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            os.write(writer, told(worker, "told = 'forked'").encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as told_there:
        assert told_there.read() == b"forked"
    os.waitpid(pid, 0)


def test_a_child_whose_asker_is_gone_is_ended(worker: Zygote) -> None:
    """As of a judge that is stopped while it waits."""
    goes_on(worker)
    before = set(psutil.Process(worker.pid).children())
    if (pid := os.fork()) == 0:
        try:
            run(worker, "import time; time.sleep(10**6)")
        finally:
            os._exit(0)

    def started() -> set[psutil.Process]:
        return set(psutil.Process(worker.pid).children()) - before

    wait_until(lambda: bool(started()), "no child came")
    children = list(started())
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    wait_for_the_end(children)
    goes_on(worker)


def test_what_one_leaves_behind_is_killed_while_another_runs(worker: Zygote) -> None:
    outcomes: list[Outcome] = []
    thread = threading.Thread(
        target=lambda: outcomes.append(run(worker, "import time; time.sleep(1.5)", points=1))
    )
    thread.start()
    wait_for_the_end([told(worker, LEAVES.format(first="os.setsid()"), sandbox=False)])
    thread.join()
    assert outcomes[0].how == "answered"


def test_a_child_cannot_kill_the_zygote(worker: Zygote) -> None:
    outcome = run(worker, "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)", points=1)
    fault = evidence(outcome).pass_runs[0].fault
    assert fault is not None
    assert fault.kind == "PermissionError"
    goes_on(worker)


def test_closing_twice_or_before_the_start_is_no_error() -> None:
    fresh = Zygote()
    fresh.close()
    fresh.start()
    fresh.close()
    fresh.close()


def test_a_request_that_is_too_large_is_our_fault(worker: Zygote) -> None:
    with pytest.raises(GraderFault):
        worker.run(asking("#" * (65 * MIB) + text_of()))
    goes_on(worker)


# -- order ----------------------------------------------------------------------------------

BODIES = (
    "pass",
    "torch.manual_seed(3); torch.rand(5)",
    "torch.set_default_dtype(torch.float64)",
    "raise ValueError('no')",
    "import os; os._exit(2)",
    "self.w.data *= 2",
    "print('hello')",
    "t = torch.rand(2).sum(); x1 = x1 + t * 0",
)


def test_the_order_of_submissions_does_not_matter(worker: Zygote) -> None:
    def summary(index: int) -> tuple[Any, ...]:
        outcome = run(worker, BODIES[index])
        return outcome.how, outcome.message, outcome.answer

    alone = [summary(index) for index in range(len(BODIES))]
    source = random.Random(4)
    orders = [
        list(range(len(BODIES)))[::-1],
        *(source.sample(range(len(BODIES)), 8) for _ in "123"),
    ]
    for index in itertools.chain.from_iterable(orders):
        assert summary(index) == alone[index], BODIES[index]


def test_the_same_submission_gives_the_same_bytes(worker: Zygote) -> None:
    answers = {msgspec.msgpack.encode(worker.run(asking(text_of())).answer) for _ in range(5)}
    assert len(answers) == 1


# -- on a busy machine: last, as others take a processor meanwhile -------------------------------


@pytest.fixture(scope="module")
def busy() -> Iterator[Zygote]:
    """A worker whose children have one processor, which four others want as well."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system does not let a process choose its processor")
    before = os.sched_getaffinity(0)
    others = []
    made = Zygote()
    try:
        os.sched_setaffinity(0, {min(before)})
        made.start()
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
        os.sched_setaffinity(0, before)
        yield made
    finally:
        for other in others:
            other.kill()
            other.wait()
        made.close()
        os.sched_setaffinity(0, before)


WORKS = "import time\nend = time.process_time() + 0.6\nwhile time.process_time() < end: pass"
ON_A_BUSY_MACHINE = {
    "works": (WORKS, "answered", ""),
    "works on a thread": (
        f"import threading\ndef work():\n{textwrap.indent(WORKS, '    ')}\n"
        "t = threading.Thread(target=work); t.start(); t.join()",
        "answered",
        "",
    ),
    "endless": ("while True: pass", "timeout", "stopped after 1 s"),
    "endless on a thread": (
        "import threading\nt = threading.Thread(target=lambda: [0 for _ in iter(int, 1)]); t.start(); t.join()",
        "timeout",
        "stopped after 1 s",
    ),
    "asleep": ("import time; time.sleep(1000)", "timeout", "stopped after 1 s"),
    "prints": ("while True: print('x' * 2**20)", "timeout", "stopped after 1 s"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.long] if n == "asleep" else []) for n in ON_A_BUSY_MACHINE],
)
def test_a_busy_machine_changes_nothing(name: str, busy: Zygote) -> None:
    """What works takes 0.6 of its second, and some 3 of the clock's."""
    body, how, message = ON_A_BUSY_MACHINE[name]
    outcome = run(busy, body, seconds=1.0, points=1)
    assert (outcome.how, outcome.message) == (how, message)
