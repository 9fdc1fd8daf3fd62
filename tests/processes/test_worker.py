"""What a worker promises, in each of its ways: limits, order, answers, refusals, floods, deaths. Real children, and
submissions that try to break them.

The way of every system is held to a part of it here, to all of it by `-m long` and by test_elsewhere.py.
"""

from __future__ import annotations

import itertools
import json
import os
import random
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
from pytest_backprop.processes.client import FORKS, Worker
from pytest_backprop.processes.fresh import Interpreters
from pytest_backprop.processes.protocol import Limits, LoadProblem, Ran, Request
from pytest_backprop.processes.supervisor import Outcome

WAYS: dict[str, type[Worker]] = {"fresh": Interpreters}
if FORKS:
    from pytest_backprop.processes.forked import Zygote

    WAYS = {"forked": Zygote, **WAYS}

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


IN_EACH = pytest.mark.parametrize("worker", WAYS, indirect=True)
"""Also by fresh interpreters in `make test`: each takes them a second or two."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(way, marks=[pytest.mark.long] if FORKS and way == "fresh" else [])
        for way in WAYS
    ],
)
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    made = WAYS[request.param]()
    yield made
    made.close()


def run(worker: Worker, body: str, top: str = "", **how: Any) -> Outcome:
    return worker.run(asking(text_of(body, top), **how))


def evidence(outcome: Outcome) -> Evidence:
    assert isinstance(outcome.answer, Ran), outcome
    return outcome.answer.evidences[0]


def goes_on(worker: Worker) -> None:
    """The next submission is not harmed."""
    found = evidence(worker.run(asking(text_of())))
    assert gradients(found.pass_runs[0]) == [0.125, -0.5]


def told(worker: Worker, body: str, top: str = "", points: int = 40, **how: Any) -> Any:
    """What a pass has worked out, as JSON: the first run; each run tells a piece, as an error's text is cut."""
    first = textwrap.indent(textwrap.dedent(body), "    ")
    lines = f"import json\nif not PIECES:\n{first}\n    PIECES.extend(json.dumps(told)[i:i + 400] for i in " \
            f"range(0, {points * 400}, 400))\nraise RuntimeError(PIECES.pop(0))"  # fmt: skip
    runs = evidence(run(worker, lines, f"PIECES = []\n{top}", points=points, **how)).pass_runs
    return json.loads("".join(run.fault.message for run in runs if run.fault))


# -- how a child ends -----------------------------------------------------------------------


@IN_EACH
def test_a_right_answer(worker: Worker) -> None:
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
    "deaf": ("import signal\nsignal.signal(getattr(signal, 'SIGUSR1', 15), signal.SIG_DFL)\nwhile True: pass",
             "timeout", "stopped after 0.5 s"),
    "asleep": ("import time\ntime.sleep(10**6)", "timeout", "stopped after 0.5 s"),
    "stopped": ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)", "crashed", "it stopped itself"),
    "waits for itself": ("import threading\nl = threading.Lock(); l.acquire(); l.acquire()",
                         "timeout", "0.5 s"),
    "ignores signals": ("import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\n"
                        "while True: pass", "timeout", "0.5 s"),
}  # fmt: skip


OUTSIDE = [(name, False) for name in ("killed", "segmentation fault", "endless", "stopped")]
IN_WINDOWS = ("exit 3", "exit 0", "endless", "asleep")
"""The others are told by a signal's name."""


SLEEPS = {"waits for itself": pytest.mark.long}  # as long as "asleep"


@pytest.mark.parametrize(
    ("name", "sandbox"),
    [*(pytest.param(name, True, marks=SLEEPS.get(name, ())) for name in ENDS), *OUTSIDE],
)
def test_how_a_child_ends(name: str, sandbox: bool, worker: Worker) -> None:
    if os.name == "nt" and name not in IN_WINDOWS:
        pytest.skip("this system has no signals")
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
    body: str, sandbox: bool, worker: Worker
) -> None:
    """Also in the middle of a call, and while it prints."""
    if isinstance(worker, Interpreters) and "sum" in body:
        pytest.skip("no other thread of it runs during such a call")
    outcome = run(worker, body, seconds=0.5, sandbox=sandbox)
    problem = unfinished(outcome)
    assert problem.kind == "timeout", outcome
    assert problem.span is not None
    assert text_of(body).split("\n")[problem.span.line - 1].strip() == body


@pytest.mark.skipif(os.name == "nt", reason="this system has no signals")
def test_a_real_time_signal_has_no_name(worker: Worker) -> None:
    outcome = run(worker, "import os\nos.kill(os.getpid(), 40)")
    assert outcome.how == "crashed"
    assert "40" in outcome.message


def test_python_exits_are_faults_of_the_pass(worker: Worker) -> None:
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


def test_memory_that_is_really_taken_is_stopped(worker: Worker) -> None:
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


@IN_EACH
def test_memory_that_grows_slowly_is_stopped_by_the_watch(worker: Worker) -> None:
    body = "import time\nk = []\nwhile True:\n    k.append(torch.ones(2**18)); time.sleep(0.005)"
    outcome = run(worker, body, memory=100 * MIB)
    assert outcome.how == "out_of_memory"
    assert 100 * MIB < outcome.memory < 200 * MIB


def test_memory_is_what_the_child_takes_itself(worker: Worker) -> None:
    """Neither the zygote's own nor the pages of libraries, which a fork maps without having them."""
    outcome = run(worker, "import time\nkept = torch.ones(60 * 2**18)\ntime.sleep(2)\ntold = 0")
    assert 60 * MIB < outcome.memory < 90 * MIB


STARTS = """
import subprocess, sys, time
told = subprocess.Popen([sys.executable, "-c", "import time; {code}"]).pid
time.sleep(10**6)
"""


@IN_EACH
def test_memory_of_what_it_started_counts_too(worker: Worker) -> None:
    outcome = run(worker, STARTS.format(code="k = bytearray(200 * 2**20); time.sleep(10**6)"), memory=100 * MIB,
                  sandbox=False)  # fmt: skip
    assert outcome.how == "out_of_memory"
    assert outcome.memory > 100 * MIB


def test_address_space_has_a_backstop(worker: Worker) -> None:
    pytest.importorskip("resource")
    fault = evidence(run(worker, "torch.empty(10 * 2**30)")).pass_runs[0].fault
    assert fault is not None
    assert "alloc" in fault.message or "memory" in fault.message


# -- forged answers -------------------------------------------------------------------------

FIND = """
import os
def answer_fd():
    for fd in range(3, 256):
        try:
            os.write(fd, b"")  # not that by which it is asked
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
def test_malformed_answers_are_a_crash_of_the_submission(name: str, worker: Worker) -> None:
    data, message = FORGED[name]
    body = f"d = bytes.fromhex({data.hex()!r})\nwhile d: d = d[os.write(FD(), d):]\nos._exit(0)"
    outcome = run(worker, body, FIND)
    assert (outcome.how, outcome.answer) == ("crashed", None)
    assert message in outcome.message
    goes_on(worker)


@pytest.mark.parametrize("levels", [100, pytest.param(100_000, marks=[])])
def test_deeply_nested_operands_are_a_crash_of_the_submission(levels: int, worker: Worker) -> None:
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


@IN_EACH
def test_an_answer_before_the_true_one_is_not_one_message(worker: Worker) -> None:
    reply = msgspec.msgpack.encode(LoadProblem("x", "y"))
    data = len(reply).to_bytes(4, "big") + reply
    outcome = run(worker, f"os.write(FD(), bytes.fromhex({data.hex()!r}))", FIND)
    assert outcome.how == "crashed"
    assert "not one message" in outcome.message


@IN_EACH
def test_an_answer_that_never_ends_is_told_so(worker: Worker) -> None:
    outcome = run(worker, "b = b'x' * 2**20\nwhile True: os.write(FD(), b)", FIND)
    assert "larger than" in outcome.message


def test_an_answer_that_never_ends_is_cut(worker: Worker) -> None:
    outcome = run(worker, "b = b'x' * 2**20\nwhile True: os.write(FD(), b)", FIND)
    assert outcome.how == "crashed"
    goes_on(worker)


def test_a_well_formed_forgery_is_only_evidence(worker: Worker) -> None:
    """It gets through the worker; what it says is then replayed by the grader."""
    true = evidence(worker.run(asking(text_of())))
    reply = msgspec.msgpack.encode(Ran((msgspec.structs.replace(true, class_name="Forged"),)))
    data = len(reply).to_bytes(4, "big") + reply
    body = f"d = bytes.fromhex({data.hex()!r})\nos.write(FD(), d)\nos._exit(0)"
    assert evidence(run(worker, body, FIND)).class_name == "Forged"


def test_a_closed_answer_is_a_crash(worker: Worker) -> None:
    outcome = run(worker, "os.close(FD())", FIND)
    assert outcome.how == "crashed"
    goes_on(worker)


# -- output ---------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_is_printed_goes_nowhere(stream: str, worker: Worker) -> None:
    body = f"import sys\nfor _ in range(200): sys.{stream}.write('Ж' * 2**20)"
    assert run(worker, body, points=1).how == "answered"


def test_broken_streams_do_not_cost_the_answer(worker: Worker) -> None:
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


@pytest.mark.skipif(os.name == "nt", reason="its environment and descriptors are of POSIX")
@pytest.mark.parametrize("way", WAYS)
def test_the_childs_world(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "sesame")
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    monkeypatch.setenv("LD_PRELOAD", "")
    fresh = WAYS[way]()
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
        assert len(descriptors) == (4 if way == "forked" else 5)  # and what it is asked by
        assert descriptors[:3] == [0, 1, 2]
        assert os.getcwd() not in json.dumps([arguments, path[:1]])
        assert isolated == 1
        assert read == ""
        assert leads
        assert {m for m in modules if m.partition(".")[0] == "pytest"} == set()
        assert not [m for m in modules if ".exercises.functions" in m]
        graders = ("grading", "classroom", "repair", "resume", "session")
        assert {m for m in modules if m.split(".")[1:2] and m.split(".")[1] in graders} == set()


def test_a_child_never_sees_a_path_of_the_submission(worker: Worker) -> None:
    line = "raise ValueError(type(self).my_forward_backward.__code__.co_filename)"
    assert told(worker, "told = __file__") == "<submission 0>"
    found = evidence(run(worker, line))
    fault = found.pass_runs[0].fault
    assert fault is not None
    assert fault.message == "<submission 0>"


@IN_EACH
def test_a_child_starts_fresh(worker: Worker) -> None:
    """Nothing that one submission changes is there for the next."""
    body = "import torch, sys\ntold = [getattr(torch, 'mark', None), 'mark' in sys.modules]\n" \
           "torch.mark = 1\nsys.modules['mark'] = torch\ntorch.manual_seed(7)\n" \
           "torch.set_default_dtype(torch.float64)"  # fmt: skip
    assert told(worker, body) == [None, False]
    assert told(worker, body) == [None, False]
    goes_on(worker)


# -- what is left behind --------------------------------------------------------------------


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


LEAVES = STARTS.replace("time.sleep(10**6)\n", "")


@IN_EACH
def test_a_process_left_behind_is_killed(worker: Worker) -> None:
    wait_for_the_end([told(worker, LEAVES.format(code="time.sleep(10**6)"), sandbox=False)])


def test_what_ignores_signals_is_killed_too(worker: Worker) -> None:
    code = "import signal; signal.signal(15, signal.SIG_IGN); time.sleep(10**6)"
    wait_for_the_end([told(worker, LEAVES.format(code=code), sandbox=False)])


def open_files() -> int:
    process = psutil.Process()
    return process.num_handles() if os.name == "nt" else process.num_fds()


ENDINGS = ("pass", "import os; os._exit(3)", "raise ValueError", "print('x' * 10**6)",
           "import os; os.kill(os.getpid(), 9)")  # fmt: skip


def count_processes() -> int:
    return len(psutil.Process().children(recursive=True))


def test_runs_leave_no_process_and_no_descriptor(worker: Worker) -> None:
    run(worker, "pass", points=1)
    before, processes = open_files(), count_processes()  # what forks, or is warm for the next
    for body in ENDINGS * (1 if isinstance(worker, Interpreters) else 6):
        run(worker, body, points=1)
    assert open_files() == before
    wait_until(lambda: count_processes() <= processes, "a process was left")


# -- who asks -------------------------------------------------------------------------------


def test_several_may_ask_at_a_time(worker: Worker) -> None:
    """Each thread has its own answer."""

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


ASKS = """
import sys
sys.path[:0] = {path!r}
import test_worker
with_what = test_worker.WAYS[{way!r}]()
test_worker.run(with_what, "import time; time.sleep(10**6)")
"""


@pytest.mark.parametrize("way", WAYS)
def test_a_child_whose_asker_is_killed_is_ended(way: str) -> None:
    """As of a judge that is stopped while it waits. What it has started goes with it."""
    asker = subprocess.Popen([sys.executable, "-c", ASKS.format(path=sys.path, way=way)])
    process = psutil.Process(asker.pid)
    least = 2  # a zygote and its child; one that answers and one that is warm
    wait_until(lambda: len(process.children(recursive=True)) >= least, "no child came")
    started = process.children(recursive=True)
    process.kill()
    asker.wait()
    wait_for_the_end(started)


@pytest.mark.parametrize("way", WAYS)
def test_one_that_is_closed_while_a_thread_waits(way: str) -> None:
    fresh = WAYS[way]()
    faults: list[BaseException] = []

    def wait() -> None:
        try:
            run(fresh, "import time; time.sleep(10**6)")
        except GraderFault as fault:
            faults.append(fault)

    thread = threading.Thread(target=wait)
    before = len(psutil.Process().children(recursive=True))
    thread.start()
    wait_until(
        lambda: len(psutil.Process().children(recursive=True)) >= before + 2, "no child came"
    )
    fresh.close()
    thread.join()
    assert faults


@pytest.mark.parametrize("way", WAYS)
def test_one_that_was_killed_while_nobody_asked_is_started_again(way: str) -> None:
    fresh = WAYS[way]()
    before = psutil.Process().children()
    try:
        goes_on(fresh)
        (one,) = set(psutil.Process().children()) - set(
            before
        )  # what forks, or is warm for the next
        one.kill()
        wait_for_the_end([one])
        goes_on(fresh)
    finally:
        fresh.close()


@pytest.mark.parametrize("way", WAYS)
def test_closing_twice_or_before_the_start_is_no_error(way: str) -> None:
    fresh = WAYS[way]()
    fresh.close()
    fresh.start()
    fresh.close()
    fresh.close()


@IN_EACH
def test_a_request_that_is_too_large_is_our_fault(worker: Worker) -> None:
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


def test_the_order_of_submissions_does_not_matter(worker: Worker) -> None:
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


def test_the_same_submission_gives_the_same_bytes(worker: Worker) -> None:
    answers = {msgspec.msgpack.encode(worker.run(asking(text_of())).answer) for _ in range(5)}
    assert len(answers) == 1


# -- on a busy machine: last, as others take a processor meanwhile -------------------------------


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


@pytest.fixture(scope="module")
def busy(worker: Worker) -> Iterator[Worker]:
    """A worker whose children have one processor, which four others want as well."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system does not let a process choose its processor")
    before = os.sched_getaffinity(0)
    others = []
    made = type(worker)()
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


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.long] if n == "asleep" else []) for n in ON_A_BUSY_MACHINE],
)
def test_a_busy_machine_changes_nothing(name: str, busy: Worker) -> None:
    """What works takes 0.6 of its second, and some 3 of the clock's."""
    if isinstance(busy, Interpreters) and name != "works":
        pytest.skip("only the one that was warm has the busy processor")
    body, how, message = ON_A_BUSY_MACHINE[name]
    outcome = run(busy, body, seconds=1.0, points=1)
    assert (outcome.how, outcome.message) == (how, message)
