"""Lateness, live counts and unused nodes against a reference that shares no code with the package.

Random programs over scalars are written down twice: as the student's Python, which the recorder
watches, and as steps of `Machine`, which counts references by hand. Both must agree to the op.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from trace_lab import evidence, late, record

from pytest_backprop.model import Recording
from pytest_backprop.trace.graph import DataFlow
from pytest_backprop.trace.lateness import late_values, loops_of

SETTINGS = settings(max_examples=40, suppress_health_check=list(HealthCheck), derandomize=True)
LEAVES = ("w0", "w1", "x1", "x2", "x3")

Path = tuple[tuple[int, int], ...]
"""(frame, execution of a statement in it), outermost first."""


@dataclass
class Happened:
    """One op: where, what was alive when it started, what it read, wrote and made."""

    path: Path
    alive: frozenset[int]
    reads: tuple[int, ...]
    made: int | None
    written: int | None
    view: bool
    writers: tuple[int | None, ...] = ()


@dataclass
class Machine:
    """Counts references by hand. Memory is a number; what holds it is any hashable key."""

    held: dict[object, int] = field(default_factory=dict)
    ops: list[Happened] = field(default_factory=list)
    writer: dict[int, int] = field(default_factory=dict)
    path: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])
    frames: int = 1
    executions: int = 0
    memories: int = 0

    def statement(self) -> None:
        self.executions += 1
        self.path[-1] = (self.path[-1][0], self.executions)

    def enter(self) -> None:
        self.path.append((self.frames, 0))
        self.frames += 1

    def leave(self) -> None:
        frame = self.path.pop()[0]
        for key in [k for k in self.held if isinstance(k, tuple) and k[0] == frame]:
            del self.held[key]

    def key(self, name: str) -> object:
        return (self.path[-1][0], name)

    def get(self, name: str) -> int | None:
        """The memory of a name; None for a leaf's."""
        return None if name in LEAVES else self.held[self.key(name)]

    def bind(self, name: str, memory: int | None) -> None:
        if memory is None:
            self.held.pop(self.key(name), None)
        else:
            self.held[self.key(name)] = memory

    def op(
        self, *reads: int | None, fresh: bool = True, view: bool = False, into: int | None = None
    ) -> int:
        used = tuple(r for r in reads if r is not None)
        made = None
        if fresh:
            made = self.memories
            self.memories += 1
        position = len(self.ops)
        writers = tuple(self.writer.get(r) for r in used)
        self.ops.append(
            Happened(
                tuple(self.path), frozenset(self.held.values()), used, made, into, view, writers
            )
        )
        target = made if into is None else into
        if target is not None and not view:
            self.writer[target] = position
        return -1 if target is None else target

    # -- what follows from it ---------------------------------------------------------------

    def live(self) -> tuple[int, ...]:
        born: set[int] = set()
        counts = []
        for op in self.ops:
            counts.append(len(op.alive & born) + (op.made is not None))
            born |= {op.made} - {None}
        return tuple(counts)

    def late(self, exempt: Sequence[int | None]) -> list[tuple[int, int]]:
        """(op that made it, statements by which it is late), in order of birth."""
        found = []
        for memory in range(self.memories):
            if memory in exempt:
                continue
            born = next(i for i, op in enumerate(self.ops) if op.made == memory)
            used = max(
                i
                for i, op in enumerate(self.ops)
                if memory in op.reads or memory in (op.made, op.written)
            )
            common = 0
            for a, b in zip(self.ops[born].path, self.ops[used].path, strict=False):
                if a[0] != b[0]:
                    break
                common += 1
            last = self.ops[used].path
            statements = set()
            for op in self.ops[used + 1 :]:
                if memory not in op.alive:
                    continue
                inside = len(op.path) >= common and op.path[common - 1][0] == last[common - 1][0]
                if inside and op.path[common - 1] != last[common - 1]:
                    statements.add(op.path[:common])
                elif not inside:
                    statements.add(op.path)
            if statements:
                found.append((born, len(statements)))
        return found

    def unused(self, results: Sequence[int | None]) -> set[int]:
        reached: set[int | None] = set()
        todo = [self.writer.get(r) for r in results if r is not None]
        while todo:
            position = todo.pop()
            if position is not None and position not in reached:
                reached.add(position)
                todo.extend(self.ops[position].writers)
        return {i for i, op in enumerate(self.ops) if not op.view} - reached


# -- programs -------------------------------------------------------------------------------


class Writer:
    """Writes a program for Python and for a `Machine` at once."""

    def __init__(self) -> None:
        self.machine = Machine()
        self.lines = ["w0, w1 = self.w"]
        self.machine.statement()
        self.machine.op(fresh=False, view=True)
        self.names: list[str] = []

    def bound(self, draw: st.DrawFn, leaves: bool = True) -> str:
        return draw(st.sampled_from([*self.names, *(LEAVES if leaves else ())]))

    def bind(self, name: str, memory: int | None) -> None:
        self.machine.bind(name, memory)
        if memory is None:
            self.names = [n for n in self.names if n != name]
        elif name not in self.names:
            self.names.append(name)

    def step(self, draw: st.DrawFn, kind: str) -> None:
        machine = self.machine
        target = f"t{draw(st.integers(0, 5))}"
        machine.statement()
        if kind == "binary":
            a, b = self.bound(draw), self.bound(draw)
            self.lines.append(f"{target} = {a} {draw(st.sampled_from('+-*'))} {b}")
            self.bind(target, machine.op(machine.get(a), machine.get(b)))
        elif kind == "fused":
            a, b, c = (self.bound(draw) for _ in range(3))
            self.lines.append(f"{target} = ({a} *\n    {b}) + {c}")
            machine.held["stack"] = machine.op(machine.get(a), machine.get(b))
            made = machine.op(machine.held["stack"], machine.get(c))
            del machine.held["stack"]
            self.bind(target, made)
        elif kind == "call":
            a, b = self.bound(draw), self.bound(draw)
            how = draw(st.sampled_from(["plain", "del", "temporary"]))
            self.call(target, a, b, how)
        elif kind == "leaf":
            a = draw(st.sampled_from(LEAVES))
            self.lines.append(f"{target} = {a} * 2.0")
            self.bind(target, machine.op())
        elif not self.names:
            self.lines.append("pass")
        elif kind == "view":
            a = self.bound(draw, leaves=False)
            self.lines.append(f"{target} = {a}.view(())")
            memory = machine.get(a)
            machine.op(memory, fresh=False, view=True)
            self.bind(target, memory)
        elif kind == "alias":
            a = self.bound(draw, leaves=False)
            self.lines.append(f"{target} = {a}")
            self.bind(target, machine.get(a))
        elif kind == "in-place":
            a, b = self.bound(draw, leaves=False), self.bound(draw)
            self.lines.append(f"{a} += {b}")
            machine.op(machine.get(a), machine.get(b), fresh=False, into=machine.get(a))
        elif kind in ("del", "None"):
            a = self.bound(draw, leaves=False)
            self.lines.append(f"del {a}" if kind == "del" else f"{a} = None")
            self.bind(a, None)

    def call(self, target: str, a: str, b: str, how: str) -> None:
        machine = self.machine
        first, second = machine.get(a), machine.get(b)
        if how == "temporary":
            self.lines.append(f"{target} = self.plain({a} * {b}, {b})")
            first = machine.op(first, second)
            how = "plain"
        else:
            self.lines.append(
                f"{target} = self.{'plain' if how == 'plain' else 'dropping'}({a}, {b})"
            )
        machine.enter()
        machine.bind("a", first)
        machine.bind("b", second)
        machine.statement()
        machine.bind("c", machine.op(first, second))
        if how == "del":
            machine.statement()
            machine.bind("b", None)
        machine.statement()
        machine.bind("d", machine.op(machine.get("c"), first))
        if how == "del":
            machine.statement()
            machine.bind("c", None)
        machine.statement()
        made = machine.op(machine.get("d"), machine.get("d"))
        machine.leave()
        self.bind(target, made)


HELPERS = """
def plain(self, a, b):
    c = a * b
    d = c + a
    return d * d

def dropping(self, a, b):
    c = a * b
    del b
    d = c + a
    del c
    return d * d
"""
KINDS = ("binary", "fused", "leaf", "view", "alias", "in-place", "del", "None", "call")


@st.composite
def programs(
    draw: st.DrawFn, kinds: Sequence[str] = KINDS
) -> tuple[str, Machine, list[int | None]]:
    """Source of a pass, its machine, and the memories that are exempt: y, gradients."""
    writer = Writer()
    machine = writer.machine
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=25)):
        writer.step(draw, kind)
    a, b = writer.bound(draw), writer.bound(draw)
    machine.statement()
    y = machine.op(machine.get(a), machine.get(b))
    machine.bind("y", y)
    p, q = writer.bound(draw), writer.bound(draw)
    machine.statement()
    parts = [machine.get(p), machine.get(q)]
    grad = machine.op(*parts)
    writer.lines += [f"y = {a} - {b}", f"self.w.grad = torch.stack([{p}, {q}])", "return y"]
    return "\n".join(writer.lines), machine, [y, grad, *parts]


def judged(recording: Recording) -> list[tuple[int, int]]:
    flow = DataFlow(recording)
    return [(value.life.born, value.statements) for value in late_values(flow)]


@given(programs())
@SETTINGS
def test_late_values_and_live_counts_are_those_of_counting_by_hand(program) -> None:
    body, machine, exempt = program
    recording = evidence(body, methods=HELPERS, points=1).pass_recordings[0]
    assert len(recording.ops) == len(machine.ops), body
    assert recording.live == machine.live(), body
    assert judged(recording) == machine.late(exempt), body


@given(programs())
@SETTINGS
def test_unused_nodes_are_those_of_following_names_by_hand(program) -> None:
    body, machine, exempt = program
    recording = record(body, methods=HELPERS)
    flow = DataFlow(recording)
    assert set(range(len(recording.ops))) - flow.reached - flow.views == machine.unused(
        exempt[:2]
    ), body


# -- a tape that is popped ------------------------------------------------------------------


@given(
    count=st.integers(1, 6),
    named=st.sets(st.integers(0, 5)),
    body=st.sampled_from(["one", "two", "two-del", "inline", "for"]),
)
@SETTINGS
def test_a_tape_in_a_loop(count: int, named: set[int], body: str) -> None:
    """Values in a list, some of them named too, that a loop takes out and uses."""
    machine = Machine()
    machine.statement()
    machine.op(fresh=False, view=True)
    lines = ["w0, w1 = self.w", "tape = []"]
    for i in range(count):
        machine.statement()
        memory = machine.op()
        machine.held["tape", i] = memory
        lines.append(f"t{i} = w0 * {i + 2}.0")
        if i in named:
            machine.bind(f"t{i}", memory)
            lines.append(f"tape.append(t{i})")
        else:
            lines.append(f"tape.append(t{i}); del t{i}")
    lines.append("s = x1 * 1.0")
    machine.statement()
    machine.bind("s", machine.op())
    loops = {
        "one": "while tape:\n    a = tape.pop()\n    s = s * a",
        "two": "while tape:\n    a = tape.pop()\n    s = s * a\n    s = s + x1",
        "two-del": "while tape:\n    a = tape.pop()\n    s = s * a\n    del a\n    s = s + x1",
        "inline": "while tape:\n    s = s * tape.pop()",
        "for": "for a in tape:\n    s = s * a",
    }
    lines.append(loops[body])
    order = range(count) if body == "for" else reversed(range(count))
    for i in order:
        machine.statement()
        memory = machine.held["tape", i]
        machine.bind("a", memory)
        if body != "for":
            del machine.held["tape", i]
        machine.statement()
        machine.bind("s", machine.op(machine.get("s"), memory))
        if body in ("two-del", "inline"):
            machine.bind("a", None)
        if body in ("two", "two-del"):
            machine.statement()
            machine.bind("s", machine.op(machine.get("s")))
    lines += ["y = s - x1", "self.w.grad = torch.stack([x1, x2])", "return y"]
    machine.statement()
    y = machine.op(machine.get("s"))
    machine.bind("y", y)
    machine.statement()
    grad = machine.op()
    recording = record("\n".join(lines))
    assert recording.live == machine.live(), lines
    assert judged(recording) == machine.late([y, grad]), lines


# -- vectors --------------------------------------------------------------------------------


@st.composite
def tapes(draw: st.DrawFn) -> tuple[str, set[int]]:
    """A program that keeps its scalars in the elements of a vector, and its unused ops."""
    size = 4
    lines = ["w0, w1 = self.w", f"v = torch.zeros({size})"]
    reads: list[set[int]] = [set(), set()]  # by op: the ops it reads
    views = {0}
    written = dict.fromkeys(range(size), 1)  # the zeros
    names: dict[str, int] = {}
    for number in range(draw(st.integers(1, 14))):
        what = draw(st.sampled_from(["make", "write", "read", "slice", "add"]))
        i = draw(st.integers(0, size - 1))
        name = f"t{number}"
        if what == "make" or (what in ("write", "add") and not names):
            other = draw(st.sampled_from([*names, "x1"]))
            lines.append(f"{name} = {other} * w0")
            reads.append({names[other]} if other in names else set())
            names[name] = len(reads) - 1
        elif what == "write":
            source = draw(st.sampled_from(list(names)))
            lines.append(f"v[{i}] = {source}")
            reads += [set(), {names[source]}]
            views.add(len(reads) - 2)
            written[i] = len(reads) - 1
        elif what == "add":
            source = draw(st.sampled_from(list(names)))
            lines.append(f"v[{i}].add_({source})")
            reads += [set(), {names[source], written[i]}]
            views.add(len(reads) - 2)
            written[i] = len(reads) - 1
        elif what == "read":
            lines.append(f"{name} = v[{i}] * w1")
            reads += [set(), {written[i]}]
            views.add(len(reads) - 2)
            names[name] = len(reads) - 1
        else:
            j = draw(st.integers(i + 1, size))
            lines.append(f"{name} = v.view(2, 2).view(-1)[{i}:{j}].sum()")
            first = len(reads)
            reads += [set(), set(), set(), {written[k] for k in range(i, j)}]
            views |= set(range(first, len(reads) - 1))
            names[name] = len(reads) - 1
    result = draw(st.sampled_from([*names, "x1"]))
    lines.append(f"y = {result} - x2")
    reads.append({names[result]} if result in names else set())
    y = len(reads) - 1
    lines += ["self.w.grad = v[:2]", "return y"]
    reads.append(set())
    views.add(len(reads) - 1)
    reached: set[int] = set()
    todo = [y, written[0], written[1]]
    while todo:
        position = todo.pop()
        if position not in reached:
            reached.add(position)
            todo.extend(reads[position])
    return "\n".join(lines), set(range(len(reads))) - reached - views


@given(tapes())
@SETTINGS
def test_elements_of_a_vector_keep_their_flow_apart(tape: tuple[str, set[int]]) -> None:
    body, unused = tape
    recording = record(body)
    flow = DataFlow(recording)
    found = set(range(len(recording.ops))) - flow.reached - flow.views
    assert found == unused, (body, [op.target for op in recording.ops])


# -- loops ----------------------------------------------------------------------------------

LOOP = """\
w0, w1 = self.w
t = w0 * w1
s = x1 * 1.0
for a in (x2, x3)[:ROUNDS]:
    u = a * t
    s = s + u
    u = None
{after}
y = s - x1
s = None
self.w.grad = torch.stack([x1, x2])
return y"""


@pytest.mark.parametrize(
    ("after", "late_by"),
    [("t = None", []), ("s = s * x2\nt = None", [("t", 1)]), ("s = s * x2", [("t", 3)])],
)
def test_what_a_loop_uses_in_each_round_is_late_once_it_is_left(
    after: str, late_by: list[tuple[str, int]]
) -> None:
    body = LOOP.format(after=after)
    several, once = [record(body, f"ROUNDS = {count}") for count in (2, 1)]
    assert late(several) == late_by
    assert late(once) == [("t", sum(count for _, count in late_by) + 1)]
    values = late_values(DataFlow(once), loops=loops_of((once, several)))
    assert [(once.ops[v.life.born].name, v.statements) for v in values] == late_by
    assert all(value.is_in_loop for value in values)
