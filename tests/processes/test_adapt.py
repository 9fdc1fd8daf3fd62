"""Signatures and layouts seen in the wild, by `adapt` and through a whole run of the child."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable
from typing import Any

import pytest
import torch
from told_runs import gradients
from torch import nn

from pytest_backprop.errors import SubmissionProblem
from pytest_backprop.exercises.adapt import Caller, find_tensors, gradients_left
from pytest_backprop.model import Evidence, Scenario, Unit, scalars
from pytest_backprop.processes.child import answer
from pytest_backprop.processes.protocol import Limits, LoadProblem, Ran, Request

LEAVES = scalars(("w0", "w1"), ("x1", "x2"))


class Holder(nn.Module):
    """A module with the given parameters."""

    def __init__(self, **held: torch.Tensor) -> None:
        super().__init__()
        for name, value in held.items():
            setattr(self, name, nn.Parameter(value) if value.is_floating_point() else value)


# -- where the weights are ------------------------------------------------------------------

TWO = torch.tensor([0.5, 0.25])
S = torch.tensor(0.5)
LAYOUTS: dict[str, tuple[dict[str, torch.Tensor], list[tuple[str, int]], tuple[int, ...]]] = {
    "one vector": ({"w": TWO}, [("w", 0), ("w", 1)], ()),
    "a column": ({"w": TWO[:, None]}, [("w", 0), ("w", 1)], (1,)),
    "a row": ({"w": TWO[None]}, [("w", 0), ("w", 1)], ()),
    "of another name": ({"theta": TWO}, [("theta", 0), ("theta", 1)], ()),
    "one each": ({"w0": S, "w1": S}, [("w0", 0), ("w1", 0)], ()),
    "one each, the other way round": ({"w1": S, "w0": S}, [("w0", 0), ("w1", 0)], ()),
    "one each, of shape (1,)": ({"w0": S[None], "w1": S[None]}, [("w0", 0), ("w1", 0)], (1,)),
    "other names": ({"a": S, "b": S}, [("a", 0), ("b", 0)], ()),
    "other names, shape (1, 1)": (
        {"a": S.view(1, 1), "b": S.view(1, 1)},
        [("a", 0), ("b", 0)],
        (1, 1),
    ),
    "a bias besides": ({"b": torch.zeros(3), "w": TWO}, [("w", 0), ("w", 1)], ()),
    "two of the size, one called w": ({"a": TWO, "w": TWO}, [("w", 0), ("w", 1)], ()),
    "two of the size": ({"a": TWO, "b": TWO}, [("a", 0), ("a", 1)], ()),
    "names and a vector": ({"w0": S, "w1": S, "w": TWO}, [("w0", 0), ("w1", 0)], ()),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_weights_are_found(name: str) -> None:
    held, labels, shape = LAYOUTS[name]
    model = Holder(**{key: value.clone() for key, value in held.items()})
    found = find_tensors(model, LEAVES)
    assert found.labels == labels
    assert found.piece_shape == shape
    assert [(tensor is getattr(model, label), at) for (tensor, at), (label, _) in
            zip(found.slots, labels, strict=True)] == [(True, at) for _, at in labels]  # fmt: skip
    noted = name in ("other names", "other names, shape (1, 1)", "two of the size")
    assert bool(found.notes) == noted


def test_weights_in_a_submodule_and_in_a_list_are_found() -> None:
    model = nn.Module()
    model.inner = Holder(w0=S.clone(), w1=S.clone())
    assert find_tensors(model, LEAVES).labels == [("inner.w0", 0), ("inner.w1", 0)]
    model = nn.Module()
    model.ws = nn.ParameterList([nn.Parameter(S.clone()), nn.Parameter(S.clone())])
    assert find_tensors(model, LEAVES).labels == [("ws.0", 0), ("ws.1", 0)]


def test_plain_tensors_do_with_a_note() -> None:
    model = nn.Module()
    model.w = TWO.clone()
    found = find_tensors(model, LEAVES)
    assert found.labels == [("w", 0), ("w", 1)]
    assert "not `nn.Parameter`" in found.notes[0]


@pytest.mark.parametrize("held", [{}, {"w": torch.zeros(3)}, {"a": S}, {"w": torch.tensor([1, 2])}])
def test_a_model_without_weights_is_told_what_it_holds(held: dict[str, torch.Tensor]) -> None:
    with pytest.raises(SubmissionProblem) as problem:
        find_tensors(Holder(**held), LEAVES)
    assert problem.value.kind == "no-weights"
    assert "w0, w1" in problem.value.message


# -- signatures -----------------------------------------------------------------------------

SIGNATURES: dict[str, tuple[Callable[..., Any], str | None]] = {
    "separate": (lambda x1, x2: (x1, x2), "separate"),
    "other names": (lambda a, b: (a, b), "separate"),
    "defaults": (lambda x1, x2=0: (x1, x2), "separate"),
    "more with defaults": (lambda x1, x2, debug=False: (x1, x2), "separate"),
    "starred": (lambda *xs: xs, "separate"),
    "one and starred": (lambda x1, *xs: (x1, *xs), "separate"),
    "keyword-only with default": (lambda x1, x2, *, verbose=False: (x1, x2), "separate"),
    "stacked": (lambda xs: tuple(xs), "stacked"),
    "stacked with default": (lambda xs, debug=None: tuple(xs), None),
    "named": (lambda w0, w1, x1, x2: (x1, x2), "named"),
    "named in another order": (lambda x2, x1, w1, w0: (x1, x2), "named"),
    "too many": (lambda x1, x2, x3, x4, x5: None, None),
    "none": (lambda: None, None),
    "unknown names": (lambda a, b, c, d: None, None),
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name: str) -> None:
    method, way = SIGNATURES[name]
    if name == "stacked with default":
        way = "separate"  # two positions for two inputs
    if way is None:
        with pytest.raises(SubmissionProblem) as problem:
            Caller(method, "forward", LEAVES)
        assert "declare it as `forward(self, x1, x2)`" in problem.value.way_out
        return
    caller = Caller(method, "forward", LEAVES)
    assert caller.way == way
    assert bool(caller.notes) == (way != "separate")
    if name == "stacked with default":
        return
    arguments = caller.arguments((0.75, 0.25, 0.5, 2.0))
    assert all(a.dtype == torch.float32 for a in arguments)
    slots = [(TWO, 0), (TWO, 1)]
    assert [float(x) for x in caller.call(arguments, slots)] == [0.5, 2.0]


# -- gradients ------------------------------------------------------------------------------


def parameter(grad: torch.Tensor | None) -> nn.Parameter:
    made = nn.Parameter(TWO.clone())
    made.grad = grad
    return made


G = torch.tensor([1.0, 2.0])
RETURNED: dict[str, tuple[list[Any], list[float | None]]] = {
    "nothing": ([], [None, None]),
    "a vector": ([G], [1.0, 2.0]),
    "a column": ([G[:, None]], [1.0, 2.0]),
    "one each": ([G[0], G[1]], [1.0, 2.0]),
    "a list": ([[G[0], G[1]]], [1.0, 2.0]),
    "a tuple": ([(G[0], G[1])], [1.0, 2.0]),
    "a dict": ([{"w0": G[0], "w1": G[1]}], [1.0, 2.0]),
    "one of two": ([G[0]], [None, None]),
    "three": ([G[0], G[1], G[0]], [None, None]),
    "numbers": ([1.0, 2.0], [None, None]),
}


@pytest.mark.parametrize("name", RETURNED)
def test_gradients_that_are_returned(name: str) -> None:
    returned, wanted = RETURNED[name]
    held = parameter(None)
    found, problems, notes = gradients_left([(held, 0), (held, 1)], returned, ("w0", "w1"))
    got = [None if slot is None else slot[0].reshape(-1)[slot[1]].item() for slot in found]
    assert got == wanted
    assert problems == []
    assert bool(notes) == (wanted != [None, None])


def test_grad_goes_before_what_is_returned() -> None:
    held = parameter(G.clone())
    found, _, notes = gradients_left([(held, 0), (held, 1)], [G * 5], ("w0", "w1"))
    assert [slot[0][slot[1]].item() for slot in found if slot is not None] == [1.0, 2.0]
    assert notes == []


def test_a_returned_dict_is_read_by_its_keys() -> None:
    held = parameter(None)
    found, _, _ = gradients_left([(held, 0), (held, 1)], [{"w1": G[1], "w0": G[0]}], ("w0", "w1"))
    assert [slot[0].item() for slot in found if slot is not None] == [1.0, 2.0]


# -- the whole way --------------------------------------------------------------------------

FORMS = {
    "one vector": (
        "self.w = nn.Parameter(torch.tensor([0.5, 0.25]))",
        "w0, w1 = self.w", "x1, x2", "pass", "self.w.grad = torch.stack([x1, x2])",
    ),
    "one each": (
        "self.w0 = nn.Parameter(torch.tensor(0.5)); self.w1 = nn.Parameter(torch.tensor(0.5))",
        "w0, w1 = self.w0, self.w1", "x1, x2", "pass",
        "self.w0.grad, self.w1.grad = x1.clone(), x2.clone()",
    ),
    "one each of shape (1,)": (
        "self.w0 = nn.Parameter(torch.rand(1)); self.w1 = nn.Parameter(torch.rand(1))",
        "w0, w1 = self.w0, self.w1", "x1, x2", "pass",
        "self.w0.grad = x1.view(1); self.w1.grad = x2.view(1)",
    ),
    "a column": (
        "self.w = nn.Parameter(torch.rand(2, 1))",
        "w0, w1 = self.w", "x1, x2", "pass", "self.w.grad = torch.stack([x1, x2]).view(2, 1)",
    ),
    "stacked inputs": (
        "self.w = nn.Parameter(torch.rand(2))",
        "w0, w1 = self.w", "X", "x1, x2 = X", "self.w.grad = torch.stack([x1, x2])",
    ),
    "double weights": (
        "self.w = nn.Parameter(torch.rand(2, dtype=torch.float64))",
        "w0, w1 = self.w", "x1, x2", "pass", "self.w.grad = torch.stack([x1, x2]).double()",
    ),
    "plain tensors": (
        "self.w = torch.rand(2)",
        "w0, w1 = self.w", "x1, x2", "pass", "self.w.grad = torch.stack([x1, x2])",
    ),
}  # fmt: skip


def whole(name: str) -> Evidence:
    made, unpack, signature, inputs, left = FORMS[name]
    text = textwrap.dedent(
        f"""
        import torch
        from torch import nn
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                {made}
            def forward(self, {signature}):
                {inputs}
                {unpack}
                return w0 * x1 + w1 * x2
            def your_forward_backward(self, {signature}):
                {inputs}
                {unpack}
                y = w0 * x1 + w1 * x2
                {left}
                return y
        """
    )
    told = answer(Request((Unit(text, original=text),), None,
                          (Scenario(LEAVES, ((0.5, 0.25, 0.125, 1.5), (2.0, -1.0, 3.0, -0.5))),),
                          1, Limits(9, 2**30)))  # fmt: skip
    assert isinstance(told, Ran), told
    return told.evidences[0]


@pytest.mark.parametrize("name", FORMS)
def test_every_form_runs_and_gives_gradients(name: str) -> None:
    seen = whole(name)
    assert seen.pass_name == "your_forward_backward"
    values = []
    for run in (*seen.pass_runs, *seen.forward_runs):
        assert run.fault is None, run.fault
        value = run.tensor("value")
        assert value is not None
        values.append(value.data)
    assert values == [(0.0625 + 0.375,), (6.0 + 0.5,)] * 2
    assert [gradients(run) for run in seen.pass_runs] == [[0.125, 1.5], [3.0, -0.5]]
    weights = [v for v in seen.pass_recordings[0].values if v.origin == "weight"]
    assert [v.leaf + at for v in weights for at in range(math.prod(v.shape))] == [0, 1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("class Net:\n    def forward(self, x1, x2): pass\n    def my_forward_backward(self): pass",
         "no-weights"),
        ("class Net:\n    def __init__(self): 1 / 0\n    def forward(self, x1, x2): pass\n"
         "    def my_forward_backward(self, x1, x2): pass", "constructor"),
        ("class Net:\n    def __init__(self, w0, w1): pass\n    def forward(self, x1, x2): pass\n"
         "    def my_forward_backward(self, x1, x2): pass", "constructor"),
        ("class Net:\n    w = None\n    def __init__(self):\n        import torch\n"
         "        self.w = torch.rand(2)\n    def forward(self, x1, x2): pass\n"
         "    def my_forward_backward(self, x1, x2, x3, x4): pass", "signature"),
    ],
)  # fmt: skip
def test_problems_say_what_to_change(text: str, kind: str) -> None:
    told = answer(Request((Unit(text, original=text),), None,
                          (Scenario(LEAVES, ((0.5, 0.25, 0.125, 1.5),)),),
                          1, Limits(9, 2**30)))  # fmt: skip
    assert isinstance(told, LoadProblem)
    assert told.kind == kind
    assert told.way_out
