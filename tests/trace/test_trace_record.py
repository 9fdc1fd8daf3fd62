"""What the recorder writes down: ops, operands, names, places, statements, data flow; and that it
holds on to nothing and disturbs nothing."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
import torch
from trace_lab import evidence, late, record, replayed, request, run, source, unused, verified

from pytest_backprop.model import Items, Output, Ref, Span, Tensor
from pytest_backprop.submission import Statements
from pytest_backprop.trace.codes import AnyCodes
from pytest_backprop.trace.graph import DataFlow
from pytest_backprop.trace.record import Recorder
from pytest_backprop.trace.stack import StackReader

HEADER_LINES = source("").split("my_forward_backward")[0].count("\n") + 1
END = "\nself.w.grad = torch.stack([x1, x2])\nreturn y"


def lines_of(body: str, methods: str = "") -> list[str]:
    """Lines of the statements that ran ops, in the body from 1; of helpers, behind their callers,
    as +line in `methods`."""
    length = body.count("\n") + 1

    def shown(span: Span | None) -> str:
        if span is None:
            return "-"
        line = span.line - HEADER_LINES
        return str(line) if line <= length else f"+{line - length}"

    recording = record(body, methods=methods)
    return ["/".join(map(shown, statement.spans)) for statement in recording.statements]


# -- no strong references -------------------------------------------------------------------


def bare() -> Recorder:
    return Recorder(StackReader(AnyCodes(), lambda *_: None), lambda _: None)


def test_the_recorder_holds_no_tensor_during_or_after_the_run() -> None:
    recorder = bare()
    leaf = torch.tensor(2.0)
    recorder.leaf(leaf, "input", 0)
    gone: list[str] = []

    def watch(tensor: torch.Tensor, name: str) -> torch.Tensor:
        weakref.finalize(tensor, gone.append, name)
        weakref.finalize(tensor.untyped_storage(), gone.append, f"{name}'s storage")
        return tensor

    def call() -> torch.Tensor:
        a = watch(leaf * 2, "a")
        b = watch(torch.stack([a, a]), "b")
        del a
        assert sorted(gone) == ["a", "a's storage"]
        view = watch(b[0], "view")
        del b
        assert len(gone) == 2  # b is held by its view
        number = view.item()
        del view
        assert {"view", "b", "b's storage"} <= set(gone)
        c = watch(torch.tensor([number, leaf]), "c")
        c += 1
        list(c)
        repr(c)
        del c
        assert {"c", "c's storage", "b", "b's storage", "view"} <= set(gone)
        return watch(leaf + 1, "y")

    collecting = gc.isenabled()
    gc.disable()
    try:
        y = recorder.run(call)
        recorder.finish({"value": y})
        before = set(gone)
        del y
        assert {"y", "y's storage"} <= set(gone) - before
    finally:
        if collecting:
            gc.enable()


def test_a_pass_that_raises_leaves_nothing_held() -> None:
    recorder = bare()
    gone: list[str] = []

    def call() -> None:
        a = torch.tensor(1.0) * 2
        weakref.finalize(a, gone.append, "a")
        raise ValueError

    with pytest.raises(ValueError):
        recorder.run(call)
    recorder.abandon()
    assert gone == ["a"]


def test_randomness_and_results_are_those_without_a_recorder() -> None:
    body = "w0, w1 = self.w\nr = torch.rand(3)\ny = (w0 * r).sum()\nself.w.grad = r[:2]\nreturn y"
    seen = run(source(body), points=2, recorded=0)
    again = run(source(body), points=2, recorded=2)
    assert seen.pass_runs[0].outputs["value"] == again.pass_runs[0].outputs["value"]
    assert seen.pass_runs[1].outputs == again.pass_runs[1].outputs


# -- ops, operands, names, places -----------------------------------------------------------


def test_ops_operands_constants_names_and_places() -> None:
    recording = record("w0, w1 = self.w\nt1 = w0 ** 2 + 3.5 * x1\ny = torch.exp(t1)" + END)
    shown = [(op.target, op.args, op.name) for op in recording.ops[1:5]]
    values = recording.values
    assert [values[i].origin for i in range(6)] == ["weight", *["input"] * 3, "op", "op"]
    assert [values[i].leaf for i in range(4)] == [0, 2, 3, 4]
    assert values[4].storage == values[5].storage == values[0].storage
    assert shown == [
        ("aten::pow.Tensor_Scalar", (Ref(4), 2), None),
        ("aten::mul.Tensor", (Ref(1), 3.5), None),
        ("aten::add.Tensor", (Ref(6), Ref(7)), "t1"),
        ("aten::exp", (Ref(8),), "y"),
    ]
    sites = [op.site for op in recording.ops[1:5]]
    text = source("w0, w1 = self.w\nt1 = w0 ** 2 + 3.5 * x1\ny = torch.exp(t1)" + END).split("\n")
    cut = [text[s.line - 1][s.column : s.end_column] for s in sites if s is not None]
    assert cut == ["w0 ** 2", "3.5 * x1", "w0 ** 2 + 3.5 * x1", "torch.exp(t1)"]
    stack = recording.ops[5]
    assert stack.name == "self.w.grad"
    assert stack.args == (Items((Ref(1), Ref(2))),)
    assert recording.outputs == {
        "value": Output(9),
        "grad.w0": Output(10, 0),
        "grad.w1": Output(10, 1),
    }
    assert all(op.context == "student" for op in recording.ops)


def test_columns_are_bytes_where_the_line_is_cyrillic() -> None:
    body = "w0, w1 = self.w\nответ = w0 * x1; y = ответ + x2" + END
    recording = record(body)
    text = source(body).split("\n")
    (op,) = (op for op in recording.ops if op.name == "y")
    assert op.site is not None
    line = text[op.site.line - 1].encode()
    assert line[op.site.column : op.site.end_column].decode() == "ответ + x2"
    assert [op.name for op in recording.ops if op.name] == ["ответ", "y", "self.w.grad"]


NAMED = {
    "t = w0 * x1": "t",
    "t: torch.Tensor = w0 * x1": "t",
    "t = u = w0 * x1": "t",
    "self.t = w0 * x1": "self.t",
    "d = {}\nd['k'] = w0 * x1": "d['k']",
    "t = x1 * 1\nt += w0": "t",
    "f((t := w0 * x1))": "t",
    "t = (w0 *\n     x1)": "t",
    "t = w0.mul(x1)": "t",
}


@pytest.mark.parametrize("text", NAMED)
def test_the_name_of_a_node_is_the_students(text: str) -> None:
    recording = record(f"f = print\nw0, w1 = self.w\n{text}\ny = w1 * x3" + END)
    assert NAMED[text] in [op.name for op in recording.ops]


# -- statements -----------------------------------------------------------------------------

HELPERS = """
def h(self, a):
    b = a * 2
    return b + 1

def one(self, a):
    return a * 2

def r(self, a, n):
    if n == 0:
        return a
    b = a * 2
    return self.r(b, n - 1)

def g(self, *ws):
    for w in ws:
        t = w * 2
        yield t + 1

@torch.no_grad()
def d(self, a):
    b = a * 3
    return b
"""
# name -> (body between `w0, w1 = self.w` and END, lines of statements that ran ops; +3 is line 3 of
# HELPERS)
STATEMENTS = {
    "straight": ("t = w0 * x1\ny = t + w1", "1 2 3 4"),
    "for": ("y = w0 * 1\nfor i in range(3):\n    y = y * 2", "1 2 4 4 4 5"),
    "for on one line": ("y = w0 * 1\nfor i in range(3): y = y * 2", "1 2 3 3 3 4"),
    "two on one line": ("y = w0 * 1\nfor i in (1, 2): y = y * 2; y = y + 1", "1 2 3 3 3 3 4"),
    "while": ("y = w0 * 1\ni = 3\nwhile i > 1:\n    y = y * 2; i -= 1", "1 2 5 5 6"),
    "while True": ("y = w0 * 1\nwhile True:\n    y = y * 2\n    break", "1 2 4 6"),
    "nested": ("y = w0 * 1\nfor i in (1, 2):\n  for j in (1, 2):\n    y = y * 2", "1 2 5 5 5 5 6"),
    "nested with more": (
        "y = w0 * 1\nfor i in (1, 2):\n  for j in (1, 2):\n    y = y * 2\n  y = y + 1",
        "1 2 5 5 6 5 5 6 7",
    ),
    "for-else": ("y = w0 * 1\nfor i in (1,):\n  y = y * 2\nelse:\n  y = y - 1", "1 2 4 6 7"),
    "continue": (
        "y = w0 * 1\nfor i in (0, 1, 2):\n  if i == 1: continue\n  y = y * 2",
        "1 2 5 5 6",
    ),
    "condition of a while": (
        "y = w0 * 1\ni = 2\nwhile (y * 1).dim() == 0 and i:\n    i -= 1",
        "1 2 4 4 4 6",
    ),
    "many lines": ("y = (w0 * x1\n     + w1\n     - x2)", "1 2 5"),
    "semicolons": ("t = w0 * x1; u = t * 2; y = u + 1", "1 2 2 2 3"),
    "conditional expression": ("y = w0 * x1 if True else w1 * x1", "1 2 3"),
    "if": ("if (w0 * x1).dim() == 0: y = w0 * x1\nelse: y = w1 * x2", "1 2 2 4"),
    "with": ("with torch.no_grad():\n    t = w0 * x1\n    y = t * 2", "1 3 4 5"),
    "try": (
        "try:\n  t = w0 * x1\n  raise ValueError\nexcept ValueError:\n  y = t * 2\nfinally:\n  y = y + 1",
        "1 3 6 8 9",
    ),
    "walrus": ("y = (t := w0 * x1) + t * 2", "1 2 3"),
    "match": (
        "match [w0 * x1, 2]:\n  case [t, 2]:\n    y = t * 2\n  case _:\n    y = w0",
        "1 2 4 7",
    ),
    "comprehension": ("ts = [w * x1 for w in (w0, w1)]\ny = sum(t * 2 for t in ts)", "1 2 3 4"),
    "lambda": ("f = lambda a: a * x1\ny = f(w0) + f(w1)", "1 3/2 3/2 3 4"),
    "lambda in map": ("y = sum(map(lambda a: a * 2, [w0, w1]))", "1 2/2 2 2/2 3"),
    "helper": ("y = self.h(w0)", "1 2/+3 2/+4 3"),
    "helper twice": ("y = self.h(w0) + self.h(w1)", "1 2/+3 2/+4 2/+3 2/+4 2 3"),
    "helper of helper": ("y = self.h(self.h(w0))", "1 2/+3 2/+4 2/+3 2/+4 3"),
    "helper in a loop": ("y = w0\nfor i in (1, 2): y = self.one(y)", "1 3/+7 3/+7 4"),
    "recursion": ("y = self.r(w0, 3)", "1 2/+12 2/+13/+12 2/+13/+13/+12 3"),
    "generator": (
        "y = w0\nfor t in self.g(w0, w1):\n  y = y + t",
        "1 3/+17 3/+18 4 3/+17 3/+18 4 5",
    ),
    "local function": ("def f(a):\n    b = a * x1\n    return b + 1\ny = f(w0)", "1 5/3 5/4 6"),
    "decorated": ("y = self.d(w0)", "1 2/+22 3"),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str) -> None:
    body, wanted = STATEMENTS[name]
    assert lines_of(f"w0, w1 = self.w\n{body}{END}", HELPERS) == wanted.split()


def test_each_execution_of_a_statement_is_one_and_each_call_has_its_own_frame() -> None:
    recording = record(
        "w0, w1 = self.w\ny = w0\nfor i in range(2):\n    y = self.h(y)" + END, methods=HELPERS
    )
    inner = [s.path for s in recording.statements if len(s.path) == 2]
    assert len(inner) == 4
    assert len({path[0] for path in inner}) == 2  # two rounds of the caller's statement
    assert len({path[1][0] for path in inner}) == 2  # two calls
    assert len({path[1] for path in inner}) == 4
    assert len({s.path for s in recording.statements}) == len(recording.statements)


# -- data flow of every way to put a gradient together --------------------------------------

BACK = "w0, w1 = self.w\nt = w0 * x1\nu = w1 * x2\ny = t * u + x3\ndw0 = u * x1\ndw1 = t * x2\n"
INDEX = "torch.tensor([0, 1])"
WAYS = {
    "stack": "self.w.grad = torch.stack([dw0, dw1])",
    "stack of a tuple": "self.w.grad = torch.stack((dw0, dw1), dim=-1)",
    "tensor": "self.w.grad = torch.tensor([dw0, dw1])",
    "tensor, nested": "self.w.grad = torch.tensor([[dw0], [dw1]]).reshape(2)",
    "tensor, wider": "self.w.grad = torch.tensor([dw0, dw1], dtype=torch.float64).float()",
    "as_tensor": "self.w.grad = torch.as_tensor([dw0, dw1])",
    "asarray": "self.w.grad = torch.asarray([dw0, dw1])",
    "new_tensor": "self.w.grad = self.w.new_tensor([dw0, dw1])",
    "Tensor": "self.w.grad = torch.Tensor([dw0, dw1])",
    "FloatTensor": "self.w.grad = torch.FloatTensor([dw0, dw1])",
    "cat": "self.w.grad = torch.cat([dw0.view(1), dw1.view(1)])",
    "cat of slots": "self.w.grad = torch.cat((dw0[None], dw1.unsqueeze(0)))",
    "concat": "self.w.grad = torch.concat((dw0.reshape(-1), dw1.reshape(1)))",
    "hstack": "self.w.grad = torch.hstack([dw0, dw1])",
    "vstack": "self.w.grad = torch.vstack([dw0, dw1]).squeeze(1)",
    "zeros": "g = torch.zeros(2)\ng[0] = dw0\ng[1] = dw1\nself.w.grad = g",
    "zeros_like": "g = torch.zeros_like(self.w)\ng[0], g[1] = dw0, dw1\nself.w.grad = g",
    "empty": "g = torch.empty(2)\ng[0] = dw0\ng[1] = dw1\nself.w.grad = g",
    "slices": "g = torch.zeros(2)\ng[:1] = dw0\ng[1:] = dw1\nself.w.grad = g",
    "into .grad": "self.w.grad = torch.zeros(2)\nself.w.grad[0] = dw0\nself.w.grad[1] = dw1",
    "added to .grad": "self.w.grad = torch.zeros(2)\nself.w.grad[0] += dw0\nself.w.grad[1] += dw1",
    ".data": "self.w.grad = torch.zeros(2)\nself.w.grad.data[0] = dw0\nself.w.grad.data[1] = dw1",
    ".data.copy_": "self.w.grad = torch.zeros(2)\nself.w.grad.data.copy_(torch.stack([dw0, dw1]))",
    "clone": "self.w.grad = torch.stack([dw0, dw1]).clone()",
    "detach": "self.w.grad = torch.stack([dw0.detach(), dw1.clone().detach()])",
    "item": "self.w.grad = torch.tensor([dw0.item(), dw1.item()])",
    "float": "self.w.grad = torch.Tensor([float(dw0), float(dw1)])",
    "tolist": "self.w.grad = torch.tensor(torch.stack([dw0, dw1]).tolist())",
    "unpacked": "a, b = torch.stack([dw0, dw1]).tolist()\nself.w.grad = torch.tensor((a, b))",
    "item into": "g = torch.zeros(2)\ng[0] = dw0.item()\ng[1] = float(dw1)\nself.w.grad = g",
    "numpy of tensors": "self.w.grad = torch.from_numpy(np.array([dw0, dw1]))",
    "numpy of arrays": "self.w.grad = torch.from_numpy(np.stack([dw0.numpy(), dw1.numpy()]))",
    "numpy of floats": "self.w.grad = torch.tensor(np.array([dw0.item(), dw1.item()])).float()",
    "index_put_": f"g = torch.zeros(2)\ng.index_put_(({INDEX},), torch.stack([dw0, dw1]))\n"
    "self.w.grad = g",
    "fancy index": "g = torch.zeros(2)\ng[[0, 1]] = torch.stack([dw0, dw1])\nself.w.grad = g",
    "masks": "g = torch.zeros(2)\ng[torch.tensor([True, False])] = dw0\n"
    "g[torch.tensor([False, True])] = dw1\nself.w.grad = g",
    "in place": "g = torch.zeros(2)\ng[0].add_(dw0)\ng[1].copy_(dw1)\nself.w.grad = g",
    "unbind": "g = torch.zeros(2)\na, b = g.unbind()\na.copy_(dw0)\nb.copy_(dw1)\nself.w.grad = g",
    "split": "g = torch.zeros(2)\na, b = g.split(1)\na.copy_(dw0)\nb += dw1\nself.w.grad = g",
    "chunk": "g = torch.zeros(2)\na, b = g.chunk(2)\na.fill_(dw0)\nb.fill_(dw1)\nself.w.grad = g",
    "views of views": "g = torch.zeros(2)\nv = g.view(2, 1).t()[0]\nv[0] = dw0\nv[1:][0] = dw1\n"
    "self.w.grad = g",
    "no_grad": "with torch.no_grad():\n    self.w.grad = torch.stack([dw0, dw1])",
    "enable_grad": "with torch.enable_grad():\n    a = dw0 * 1\nself.w.grad = torch.stack([a, dw1])",
    "where": "self.w.grad = torch.where(torch.tensor([True, False]), dw0, dw1)",
    "masks of ones": "self.w.grad = torch.tensor([1.0, 0.0]) * dw0 + torch.tensor([0.0, 1.0]) * dw1",
    "Parameter": "self.w.grad = nn.Parameter(torch.stack([dw0, dw1]), requires_grad=False)",
    "flipped": "self.w.grad = torch.stack([dw1, dw0]).flip(0)",
    "a list": "g = []\nfor d in (dw0, dw1): g.append(d)\nself.w.grad = torch.stack(g)",
    "a dict": "g = {'a': dw0, 'b': dw1}\nself.w.grad = torch.stack(list(g.values()))",
    "returned": "return y, torch.stack([dw0, dw1])",
    "returned apart": "return y, dw0, dw1",
    "returned in a dict": "return y, {'w0': dw0, 'w1': dw1}",
    "out=": "g = torch.empty(2)\ntorch.stack([dw0, dw1], out=g)\nself.w.grad = g",
    ".data =": "self.w.grad = torch.zeros(2)\nself.w.grad.data = torch.stack([dw0, dw1])",
    "full": "self.w.grad = torch.cat([torch.full((1,), dw0), torch.full((1,), dw1)])",
    "full of items": "self.w.grad = torch.cat([torch.full((1,), dw0.item()), dw1[None]])",
    "full_like": "self.w.grad = torch.stack([torch.full_like(y, dw0.item()), dw1])",
    "new_full": "self.w.grad = torch.cat([x1.new_full((1,), dw0.item()), dw1[None]])",
}
WASTED = {".data =": ["aten::zeros"]}
"""Room that is made and never used."""
BROKEN: dict[str, str] = {}


def ways(broken: dict[str, str]) -> list[Any]:
    return [
        pytest.param(
            name,
            marks=pytest.mark.xfail(strict=True, reason=broken[name]) if name in broken else [],
        )
        for name in WAYS
    ]


GRADIENTS = ("grad.w0", "grad.w1")


def of_way(name: str) -> str:
    text = WAYS[name]
    return BACK + text + ("" if text.startswith("return") else "\nreturn y")


@pytest.mark.parametrize("name", ways(BROKEN))
def test_the_flow_to_a_gradient_is_whole(name: str) -> None:
    recording = record(of_way(name))
    flow = DataFlow(recording)
    sources = [
        {recording.ops[p].name for p in flow.upstream(found)}
        for found in [flow.sources[g] for g in GRADIENTS]
    ]
    assert "dw0" in sources[0]
    assert "dw1" in sources[1]
    assert [op.target for op in unused(recording)] == WASTED.get(name, [])
    assert recording.breaches == ()


APART = ("zeros", "zeros_like", "empty", "slices", "into .grad", "added to .grad", ".data",
         "item into", "in place", "unbind", "split", "chunk", "views of views",
         "returned apart")  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_the_flow_to_one_gradient_is_not_the_others(name: str) -> None:
    recording = record(of_way(name))
    flow = DataFlow(recording)
    first, second = (
        {recording.ops[p].name for p in flow.upstream(found)}
        for found in [flow.sources[g] for g in GRADIENTS]
    )
    assert "dw1" not in first
    assert "dw0" not in second


@pytest.mark.parametrize("name", ways(BROKEN))
def test_it_replays(name: str) -> None:
    seen = evidence(of_way(name))
    found = verified(seen)
    assert found.how == "replayable", found.reason
    again = replayed(seen.pass_recordings[0])
    for index, told in enumerate(seen.pass_runs):
        for name, tensor in told.outputs.items():
            assert isinstance(tensor, Tensor)
            assert again.outputs[name][index].tolist() == pytest.approx(tensor.data, rel=1e-5)


# data movement alone: the gradient itself is exempt, so nothing but t and u may be late
MOVED = [n for n in WAYS if n not in ("added to .grad", "in place", "split", "enable_grad", "where",
                                      "masks of ones", "flipped")]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in MOVED if name not in WASTED])
def test_what_reaches_grad_by_movement_alone_is_never_late(name: str) -> None:
    assert {value for value, _ in late(record(of_way(name)))} <= {"t", "u"}


def test_views_of_one_vector_that_was_there_before_replay_as_its_parts() -> None:
    top = "held = torch.arange(6.0)\nlast, first = held[4:], held[:4].view(2, 2)"
    body = (
        "w0, w1 = self.w\nlast.add_(torch.stack([w0 * x1, w1]))\nfirst.t().add_(last)\n"
        "y = first.sum() + last.sum()\nself.w.grad = first[:, 1] + last\nreturn y"
    )
    seen = evidence(body, top, points=1)
    assert verified(seen).how == "replayable"
    own = replayed(seen.pass_recordings[0], 1).outputs
    for name, tensor in seen.pass_runs[0].outputs.items():
        assert isinstance(tensor, Tensor)
        assert own[name][0].tolist() == pytest.approx(tensor.data, rel=1e-5)


@pytest.mark.parametrize(
    ("written", "kept"), [("x2 * w1", [(None, 1)]), ("torch.ones(())", []), ("room[1] + 1", [])]
)
def test_what_is_written_to_what_was_there_before_lives_from_the_write_on(
    written: str, kept: list[tuple[str | None, int]]
) -> None:
    body = f"w0, w1 = self.w\nroom[1] = {written}\ny = room[1] * w0" + END.replace("\ny", "y")
    assert late(record(body, "room = torch.zeros(4)")) == kept


# -- what is no node ------------------------------------------------------------------------

BODY = "w0, w1 = self.w\nt = w0 * x1\n{}\ny = t * w1\nself.w.grad = torch.stack([w1 * x1, t])\nreturn y"
LOOKS = {
    "print": "print(t)",
    "an f-string": "s = f'{t:.3f} {w0}'",
    "a shape": "assert t.shape == () and t.dim() == 0 and t.numel() == 1 and t.dtype.is_floating_point",
    "isnan": "assert not torch.isnan(t)",
    "isnan.any": "assert not torch.isnan(t).any()",
    "isfinite.all": "assert torch.isfinite(t).all()",
    "a comparison": "if t > 1e9: raise ValueError",
    "item": "n = t.item()",
    "tolist of a transposed matrix": "n = torch.stack([torch.stack([t, t]), torch.stack([t, t])]).t().tolist()",
    "allclose": "assert torch.allclose(t, w0 * x1)",
    "equal": "assert torch.equal(t, t)",
}


@pytest.mark.parametrize("name", LOOKS)
def test_looking_at_a_value_makes_no_unused_node(name: str) -> None:
    found = [op.target for op in unused(record(BODY.format(LOOKS[name])))]
    if name.startswith("tolist"):
        found = [target for target in found if target != "aten::stack"]
    assert found == []


def test_the_recorders_own_ops_are_not_recorded() -> None:
    recording = record(BODY.format("n = t.item()"))
    assert [op.target for op in recording.ops[2:4]] == ["python::item", "aten::mul.Tensor"]


def test_writes_into_a_large_tensor_reach_its_sum() -> None:
    recording = record(BODY.format("v = torch.zeros(5000)\nv[3] = t\nt = v.sum()"))
    assert unused(recording) == []


BREACHES = {
    "autograd": "with torch.enable_grad():\n    q = t.clone().requires_grad_()\n    (q * q).backward()",
    "grad": "with torch.enable_grad():\n    q = t.clone().requires_grad_()\n"
    "    torch.autograd.grad(q * q, q)",
    "transform": "torch.func.grad(lambda q: q * q)(t)",
}


@pytest.mark.parametrize("name", BREACHES)
def test_breaches_are_seen_with_their_place(name: str) -> None:
    recording = record(BODY.format(BREACHES[name]))
    kinds = {"grad": "autograd"}.get(name, name)
    found = [breach for breach in recording.breaches if breach.kind == kinds]
    assert any(breach.site is not None for breach in found)


@pytest.mark.parametrize(
    "line",
    ["torch.set_grad_enabled(False)", "t = t.detach()", "self.w.requires_grad_(True)",
     "with torch.enable_grad():\n    t = t * 1", "with torch.inference_mode():\n    t = t * 1"],
)  # fmt: skip
def test_grad_mode_is_no_breach(line: str) -> None:
    assert record(BODY.format(line)).breaches == ()


def test_every_statement_is_one_of_the_text() -> None:
    """Spans lead back to statements: none is off by a column, in the longest of the programs."""
    body = "w0, w1 = self.w\n" + "\n".join(
        f"if True:\n    t{i} = (w0 *\n        {i}.5); u{i} = t{i} + x1" for i in range(20)
    )
    recording = record(body + "\ny = u19" + END)
    text = source(body + "\ny = u19" + END)
    statements = Statements(request(text).units[0], 0)
    for statement in recording.statements:
        for span in statement.spans:
            assert span is not None
            assert statements.at(span.line, span.column) == span
