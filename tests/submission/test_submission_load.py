"""`compile_slice` and `load`: true places, true errors, and nothing of ours in the namespace."""

from __future__ import annotations
import __future__

import inspect
import sys
import traceback

import pytest

from pytest_backprop.errors import SubmissionProblem
from pytest_backprop.model import Unit
from pytest_backprop.submission import compile_slice, load, slice_model
from pytest_backprop.submission.load import unit_filename, unit_of_filename

GRAPH = """\
class Graph:
    def forward(self, x):
        return x / 0
    def my_forward_backward(self, x):
        return x
"""


def sliced(*texts: str):
    return slice_model(
        tuple(Unit(text=t, cell=i, original=t) for i, t in enumerate(texts, start=1)),
        None, ("my_forward_backward",),
    )  # fmt: skip


def problem(*texts: str) -> SubmissionProblem:
    found = sliced(*texts)
    with pytest.raises(SubmissionProblem) as caught:
        load(found, {})
    assert caught.value.way_out
    return caught.value


def test_file_names():
    assert unit_filename(3) == "<submission 3>"
    assert unit_of_filename("<submission 3>") == 3
    for other in ("<submission>", "a.py", "<submission -1>", "<submission 3>\n", "<submission x>"):
        assert unit_of_filename(other) is None


def test_places_are_the_unit_s():
    model = load(sliced("x = 1", "\n\n" + GRAPH), {})
    with pytest.raises(ZeroDivisionError) as caught:
        model().forward(1)
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.filename, frame.lineno) == ("<submission 1>", 5)
    assert (frame.colno, frame.end_colno) == (15, 20)
    assert frame.line == "return x / 0"
    assert inspect.getsource(model.forward) == "    def forward(self, x):\n        return x / 0\n"


def test_one_code_object_a_statement():
    found = sliced("import math, os\nh = math.pi", GRAPH.replace("/ 0", "* h"))
    codes = compile_slice(found)
    assert [c.co_filename for c in codes] == ["<submission 0>"] * 2 + ["<submission 1>"]
    assert len(found.statements) == 3


def test_namespace():
    namespace: dict[str, object] = {}
    model = load(sliced("if __name__ == '__main__':\n    h = 1\nelse:\n    h = 2",
                        GRAPH.replace("/ 0", "* h")), namespace)  # fmt: skip
    assert namespace["__name__"] == "submission"
    assert model.__module__ == "submission"
    assert model().forward(1) == 2
    assert model is namespace["Graph"]
    # dataclasses look a class's module up; it has nothing of the student's
    assert not vars(sys.modules["submission"]).keys() & namespace.keys() - {
        "__name__",
        "__builtins__",
    }


def test_future_imports_are_honoured_and_ours_are_not():
    plain = sliced(GRAPH.replace("self, x)", "self, x: 1 + 1)"))
    assert load(plain, {}).forward.__annotations__ == {"x": 2}
    future = "from __future__ import annotations\n"
    text = GRAPH.replace("self, x)", "self, x: nothing)")
    for units in ((future + text,), (future, text)):
        found = sliced(*units)
        assert found.statements[-1].flags & __future__.annotations.compiler_flag
        assert load(found, {}).forward.__annotations__ == {"x": "nothing"}


@pytest.mark.parametrize(
    ("binder", "raised"),
    [
        ("h = 1 / 0", "ZeroDivisionError: division by zero"),
        ("h = exit(3)", "SystemExit: 3"),
        ("def f():\n    raise KeyboardInterrupt\nh = f()", "KeyboardInterrupt"),
        ("import h_no_such as m\nh = m.f()", "ModuleNotFoundError: No module named"),
        ("from .tools import f\nh = f()", "ImportError"),
        ("h = undefined_name", "NameError: name 'undefined_name'"),
        ("def f():\n    return f()\nh = f()", "RecursionError"),
        ("h = eval('1 +')", "SyntaxError"),
        ("class E(Exception):\n    def __str__(self): raise E\ndef f(): raise E\nh = f()", "E"),
        ("h = 'x' * 9000\nh = int(h)", "ValueError"),
    ],
)
def test_errors_of_the_student_s_code(binder, raised):
    found = problem(binder, GRAPH.replace("/ 0", "* h"))
    assert found.kind == "load-error"
    assert raised in found.message
    assert found.span is not None
    assert found.span.unit == 0
    assert len(found.message) < 700


def test_error_points_at_the_innermost_line_of_theirs():
    found = problem(
        "import functools\ndef f(x):\n    y = 1\n    return functools.reduce(max, x)\nh = f([])",
        GRAPH.replace("/ 0", "* h"),
    )
    assert (found.span.line, found.span.column, found.span.end_column) == (4, 11, 35)
    assert "cell 1, line 4 raises TypeError" in found.message


def test_a_class_that_is_none():
    found = problem("def deco(c): return c()", "@deco\n" + GRAPH)
    assert found.kind == "load-error"
    assert "not the class" in found.message


def test_what_only_the_compiler_sees():
    found = problem("y = 1", "ы = 2\n" + GRAPH.replace("return x\n", "nonlocal q\n"))
    assert (found.kind, found.span.unit, found.span.line) == ("syntax-error", 1, 6)
    # In a statement that is not needed it does not matter.
    assert load(sliced("return 3\nawait x", GRAPH), {})


def test_the_class_is_caught_before_a_needed_loop_rebinds_it():
    found = sliced(GRAPH.replace("/ 0", "* h"), "for Graph in [3]:\n    h = Graph")
    assert load(found, {})().forward(2) == 6


@pytest.mark.parametrize(
    ("binder", "use"),
    [
        ("import h_no_such_module as h", "h.draw"),
        ("import h_no_such_package.colors", "h_no_such_package.colors"),
        ("from h_no_such_module import h", "h(1)"),
        ("from h_no_such_module import *", "h + 1"),
        ("from torch import h_no_such_name as h", "[*h]"),
        ("import torch.h_no_such_part", "torch.h_no_such_part"),
        ("from .tools import h", "h[0]()"),
    ],
)
def test_what_cannot_be_imported_raises_at_each_use_and_not_before(binder: str, use: str) -> None:
    names: dict[str, object] = {}
    load(sliced(binder, GRAPH.replace("/ 0", f"if x else {use}")), names)
    graph = names["Graph"]()  # type: ignore[operator]
    assert graph.forward(2) == 2
    for _ in range(2):
        with pytest.raises((ImportError, AttributeError), match=r"h_no_such|relative"):
            graph.forward(0)


def test_a_hint_of_a_type_uses_no_library() -> None:
    binder = "from h_no_such_module import Float\ndef h(x: Float[int, 'n'] | None = None): return 3"
    assert load(sliced(binder, GRAPH.replace("/ 0", "* h()")), {})().forward(2) == 6
