"""Whose code a frame runs: told by identity and by what a library's file holds, never by a name."""

from __future__ import annotations

import abc
import functools
import marshal
import types

import pytest
import torch
from trace_lab import record

from pytest_backprop.trace.codes import Codes, nested
from pytest_backprop.trace.watch import stand_guard

TEXT = "def f(a):\n    g = lambda b: b * 2\n    return [g(c) for c in a]\n"


def copied(code: types.CodeType) -> types.CodeType:
    return code.replace(co_name=code.co_name)


def test_all_code_of_a_statement_is_the_submissions_and_no_copy_is() -> None:
    codes, code = Codes(), compile(TEXT, "<submission 0>", "exec")
    codes.add(code, 3)
    inner = list(nested(code))
    assert len(inner) >= 3
    assert {codes.kind(each) for each in inner} == {3}
    for twin in (
        copied(code),
        marshal.loads(marshal.dumps(code)),
        compile(TEXT, "<submission 0>", "exec"),
    ):
        assert twin == code
        assert codes.kind(twin) == "foreign"


@pytest.mark.parametrize(
    "function",
    [torch.Tensor.__rpow__, torch.nn.functional.softmax, torch.nn.Module.__call__, torch.einsum,
     functools.lru_cache, abc.ABC.register],
)  # fmt: skip
def test_code_as_its_file_holds_it_is_a_librarys(function: types.FunctionType) -> None:
    code = function.__code__
    assert Codes().kind(code) == "library"
    assert Codes().kind(code.replace(co_consts=(*code.co_consts, 7))) == "foreign"
    assert Codes().kind(code.replace(co_filename="pass.py")) == "foreign"


def test_a_librarys_name_on_other_code_says_nothing() -> None:
    mine = test_a_librarys_name_on_other_code_says_nothing.__code__
    for module in (torch.nn.functional, functools):
        assert Codes().kind(mine.replace(co_filename=module.__file__)) == "foreign"
    twin = mine.replace(co_filename="<string>", co_name="__eq__")
    assert Codes().kind(twin) == "foreign"


def test_what_differentiates_is_a_transform() -> None:
    assert Codes().kind(torch.func.grad.__code__) == "transform"
    assert Codes().kind(torch.vmap.__code__) == "library"  # it differentiates nothing
    assert Codes().kind(torch.fx.Interpreter.run.__code__) == "transform"


PASS = """
w0, w1 = self.w
y = w0 * x1 + w1 * x2 + x3
self.w.grad = {}
return y
"""


@pytest.mark.parametrize(
    ("expression", "foreign"),
    [
        ("torch.stack([x1, x2])", 0),
        ("eval('torch.stack([x1, x2])')", 1),
        ("(lambda: torch.stack([x1, x2]))()", 0),
        ("eval('f()', {'f': lambda: torch.stack([x1, x2])})", 0),  # text that runs no op itself
        ("torch.stack([eval('x1 * 1.0'), x2])", 1),
    ],
)
def test_an_op_is_the_work_of_the_innermost_frame_that_is_no_librarys(
    expression: str, foreign: int
) -> None:
    recording = record(PASS.format(expression))
    assert sum(op.context == "foreign" for op in recording.ops) == foreign
    found = [breach for breach in recording.breaches if breach.kind == "foreign-code"]
    assert len(found) == foreign
    for breach in found:
        assert breach.detail.endswith("<module>, compiled as <string>")
        assert breach.site is not None


@pytest.mark.parametrize(
    ("top", "kinds"),
    [
        ("K = float(torch.ones(2).sum())", set()),
        ("P = torch.ones(2, requires_grad=True)\nK = torch.autograd.grad(P.sum(), P)[0].sum()", {"autograd"}),
        ("K = len(torch.fx.symbolic_trace(lambda a: a * 2).graph.nodes)", {"transform"}),
    ],
)  # fmt: skip
def test_loading_is_watched(top: str, kinds: set[str]) -> None:
    stand_guard()  # as a child's zygote does
    recording = record(PASS.format("torch.stack([x1, x2])").replace("return", "K\nreturn"), top=top)
    assert {breach.kind for breach in recording.breaches} == kinds
    assert all(breach.site is not None for breach in recording.breaches)
