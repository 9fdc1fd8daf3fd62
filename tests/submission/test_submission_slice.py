"""`slice_model`: which class, which statements, and what is said when there is none."""

from __future__ import annotations

import ast
import warnings

import pytest
from hypothesis import given, settings, strategies as st

from pytest_backprop.errors import SubmissionProblem
from pytest_backprop.exercises import PASS_NAMES
from pytest_backprop.model import Span, Unit
from pytest_backprop.submission import Slice, load, slice_model
from pytest_backprop.submission.closure import names_of


def slice_homework(units: tuple[Unit, ...], class_name: str | None = None) -> Slice:
    """With the names that the homework's pass may have."""
    return slice_model(units, class_name, PASS_NAMES)


GRAPH = """\
class Graph:
    def forward(self, x):
        return x
    def my_forward_backward(self, x):
        return x
"""


def cells(*texts: str) -> tuple[Unit, ...]:
    return tuple(Unit(text=t, cell=i, original=t) for i, t in enumerate(texts, start=1))


def file(text: str) -> tuple[Unit, ...]:
    return (Unit(text=text, original=text),)


def taken(units, class_name=None) -> list[str]:
    """The chosen statements' first lines."""
    found = slice_homework(units, class_name)
    return [ast.unparse(s.node).split("\n")[0] for s in found.statements]


def graph(body: str, header: str = "class Graph:") -> str:
    """A class whose forward has the given body."""
    inner = "\n".join("        " + line for line in body.split("\n"))
    return f"{header}\n    def forward(self, x):\n{inner}\n    my_forward_backward = forward\n"


def problem(units, class_name=None) -> SubmissionProblem:
    with pytest.raises(SubmissionProblem) as caught:
        slice_homework(units, class_name)
    assert caught.value.message
    assert caught.value.way_out
    return caught.value


# -- what is taken ----------------------------------------------------------------------------


def test_only_what_the_class_needs():
    text = (
        "import torch\nfrom torch import nn\nimport onnx\n"
        + graph("return torch.exp(x)", "class Graph(nn.Module):")
        + "model = Graph()\ncompiled = torch.compile(model)\nassert False\ninput()\n"
        "torch.onnx.export(model, 1, 'x')\nfor i in range(3):\n    model(i)\n"
    )
    assert taken(file(text)) == ["import torch", "from torch import nn", "class Graph(nn.Module):"]


def test_needed_aliases_only():
    text = "import torch, matplotlib.pyplot as plt\nfrom math import sin, cos as c\n"
    assert taken(file(text + graph("return torch.a(c(x))"))) == [
        "import torch",
        "from math import cos as c",
        "class Graph:",
    ]


def test_submodules_are_taken_where_they_are_mentioned():
    text = "import torch\nimport torch.nn\nimport torch.onnx\nimport torch.utils.tensorboard\n"
    assert taken(file(text + graph("return torch.nn.f(x)"))) == [
        "import torch",
        "import torch.nn",
        "class Graph:",
    ]
    only = "import torch.nn\n" + graph("return torch.exp(x)")
    assert taken(file(only)) == ["import torch.nn", "class Graph:"]


def test_star_imports_only_for_names_bound_nowhere_else():
    text = "from math import *\nimport torch\n"
    assert taken(file(text + graph("return torch.sum(len(x))"))) == ["import torch", "class Graph:"]
    assert taken(file(text + graph("return sin(x)"))) == ["from math import *", "class Graph:"]


@pytest.mark.parametrize(
    "binder",
    [
        "def h(): pass",
        "async def h(): pass",
        "class h: pass",
        "h = 1",
        "h: int = 1",
        "a, (h, *b) = 1, (2, 3)",
        "[a, *h] = 1, 2",
        "(h := 3)",
        "print(h := 3)",
        "for h in range(3): pass",
        "for i in range(3):\n    h = i",
        "while True:\n    h = 1\n    break",
        "with open('x') as h:\n    pass",
        "if 1:\n    h = 1\nelse:\n    h = 2",
        "try:\n    import h\nexcept ImportError:\n    h = None",
        "import h",
        "import a.b as h",
        "from a import h",
        "from a import b as h",
        "match 1:\n    case h:\n        pass",
        "match 1:\n    case [*h]:\n        pass",
        "match 1:\n    case {**h}:\n        pass",
        "x = [h := i for i in range(3)]",
    ],
)
def test_every_way_of_binding(binder):
    units = cells("unrelated = 1", binder, graph("return h"))
    assert {s.unit for s in slice_homework(units).statements} == {1, 2}
    # A helper may also stand below the class.
    units = cells(graph("return h"), "unrelated = 1", binder)
    assert {s.unit for s in slice_homework(units).statements} == {0, 2}


@pytest.mark.parametrize(
    ("body", "needs"),
    [
        ("return (lambda y: y + h)(x)", True),
        ("return (lambda h: h)(x)", False),
        ("return [h for h in x]", False),
        ("return [y for y in h]", True),
        ("return [h for y in x for h in y]", False),
        ("return {k: h for k in x}", True),
        ("def inner():\n    return h\nreturn inner()", True),
        ("h = 1\ndef inner():\n    return h\nreturn inner()", False),
        ("def inner(a=h):\n    return a\nreturn inner()", True),
        ("global h\nh = 1\nreturn h", True),
        ("h = 2\ndef inner():\n    global h\n    h = 1\nreturn h", True),
        ("h = 2\ndef inner():\n    nonlocal h\n    h = 1\nreturn h", False),
        ("for h in x:\n    pass\nreturn h", False),
        ("import h\nreturn h", False),
        ("try:\n    pass\nexcept E as h:\n    pass", False),
        ("with x as h:\n    return h", False),
        ("if (h := x):\n    return h", False),
        ("[h := y for y in x]\nreturn h", False),
        ("match x:\n    case [h]:\n        return h", False),
        ("match x:\n    case h.A:\n        return x", True),
        ("class Inner:\n    h = 1\n    def f(self):\n        return h", True),
        ("class Inner:\n    h = 1\n    g = h", False),
        ("y: h = 1", False),
        ("return x.h", False),
        ("return f(h=1)", False),
        ("return f'{h!r:>{x}}'", True),
        ("h += 1", False),
        ("del h", False),
        ("return super().forward(x), __class__", False),
    ],
)
def test_free_names(body, needs):
    units = cells("h = 1", "__class__ = 2", graph(body))
    assert (0 in {s.unit for s in slice_homework(units).statements}) is needs
    assert 1 not in {s.unit for s in slice_homework(units).statements}


@pytest.mark.parametrize(
    ("header", "extra"),
    [
        ("class Graph(h):", ""),
        ("class Graph(metaclass=h):", ""),
        ("@h\nclass Graph:", ""),
        ("class Graph:", "    w = h\n"),
        ("class Graph:", "    h = h\n"),
        ("class Graph:", "    @h\n    def f(self): pass\n"),
        ("class Graph:", "    def f(self, a=h): pass\n"),
        ("class Graph:", "    def f(self, *, a=h): pass\n"),
        ("class Graph:", "    def f(self, a: h): pass\n"),
        ("class Graph:", "    def f(self) -> h: pass\n"),
        ("class Graph:", "    w: h = 1\n"),
        ("class Graph:", "    w = [i for i in h]\n"),
    ],
)
def test_definition_time_names(header, extra):
    units = cells("h = 1", graph("return x", header) + extra)
    assert 0 in {s.unit for s in slice_homework(units).statements}


def test_postponed_annotations_need_nothing():
    future = "from __future__ import annotations\n"
    text = graph("return x") + "    def f(self, a: h) -> h: pass\n    w: h = 1\n"
    assert taken(file(future + "h = 1\n" + text)) == ["class Graph:"]
    # In a notebook the import holds for the cells below it.
    assert taken(cells(future, "h = 1", text)) == ["class Graph:"]


def test_transitively_and_in_document_order():
    units = cells(
        "a = 1", "def f():\n    return g()", graph("return f()"), "def g():\n    return a"
    )
    assert taken(units) == ["a = 1", "def f():", "class Graph:", "def g():"]


def test_all_binders_of_a_name():
    units = cells("def f(): return 1", graph("return f()"), "def f(): return 2")
    assert taken(units) == ["def f():", "class Graph:", "def f():"]


def test_changes_of_needed_objects():
    units = cells(
        "t = {}\nother = {}\nt['a'] = 1\nother['a'] = 1\nt.append(1)\nt['k'] += 2",
        graph("return t"),
        "for i in range(3):\n    t[i] = i",
        "for i in range(3):\n    other[i] = i\n    launch()",
    )
    assert taken(units) == [
        "t = {}",
        "t['a'] = 1",
        "t.append(1)",
        "t['k'] += 2",
        "class Graph:",
        "for i in range(3):",
    ]


@pytest.mark.parametrize(
    ("top", "read"),
    [
        ("R = {}\ndef rule(n):\n    return lambda f: R.update({n: f})\n@rule('a')\ndef f(): pass", "R"),
        ("import functools\n@functools.singledispatch\ndef g(x): pass\n@g.register\ndef f(x: int): pass", "g"),
        ("class B:\n    pass\nclass f(B): pass", "B"),
        ("class V: pass\nf = 1\nsetattr(V, 'a', f)", "V"),
        ("class V: pass\nf = 1\nvars(V).update(a=f)", "V"),
        ("class V: pass\nf = 1\nfor n in 'ab':\n    setattr(V, n, f)", "V"),
        ("def f(): pass", "globals()['f']"),
        ("R = {}\ndef rule(n, g):\n    R[n] = g\ndef f(): pass\nrule('a', f)", "R"),
        ("R = []\ndef rule(*g):\n    'A rule.'\n    for x in g: R.append(x)\ndef f(): pass\nrule(f)", "R"),
        ("R = {}\ndef rule(g):\n    R.setdefault(1, []).append(g)\ndef f(): pass\nfor g in [f]: rule(g)", "R"),
    ],
)  # fmt: skip
def test_what_registers_itself_is_needed(top: str, read: str) -> None:
    statements = slice_homework(cells(top, graph(f"return {read}"))).statements
    bound = {name for s in statements for name in names_of(s.node).binds}
    assert "f" in bound


def test_a_class_made_does_not_change_its_base() -> None:
    top = "class B: pass\nclass C(B): pass\nx = open('train.csv')\nc = C(x)"
    statements = slice_homework(cells(top, graph("return B()"))).statements
    bound = {name for s in statements for name in names_of(s.node).binds}
    assert {"B", "C"} <= bound
    assert not {"x", "c"} & bound


@pytest.mark.parametrize(
    "top",
    [
        "for i in range(2): R.append(i)  # run",
        "[R.append(i) for i in 'ab']  # run",
        "while len(R) < 2: R.append(1)  # run",
        "with open('x') as f: R.append(1)  # run",
        "try: R.append(1)\nexcept E: pass  # run",
        "if R is not None: R.append(1)  # run",
        "match R:\n    case []: R.append(1)  # run",
        "x = R.pop()  # run",
        "del R[0]  # run",
        "for R[0] in 'ab': pass  # run",
        "R.a.b.append(1)  # run",
        "vars(R)['a'] = 1  # run",
        "def run(n):\n    R.append(train(n))\nrun(3)",
        "def run():\n    global R\n    R = 2\nrun()",
        "def add(n): R.append(n)\ndef run(n): add(n)\nrun(3)",
        "def add(n): R.append(n)\nlist(map(add, 'ab'))  # run",
        "def add(n): R.append(n)\nfor f in [add]: f(1)  # run",
        "def add(n):\n    def inner(g): R.append((n, g))\n    return inner\nadd('a')(print)  # run",
        "def run(table): table.append(1)\nrun(R)",
        "def run(table):\n    for row in table: row.append(1)\nrun(table=R)",
        "def run(f):\n    def inner(g): f.g = g\n    return inner\nrun(R)(print)",
        "add = R.append\nadd(1)  # run",
        "S = R\nS.append(1)  # run",
        "for S in [R]: S.append(1)  # run",
        "class C:\n    def __init__(self, t): self.t = t\n    def put(self, n): self.t.append(n)\n"
        "c = C(R)\nc.put(1)  # run",
        "class C:\n    def put(self, n): R.append(n)\nc = C()\nc.put(1)  # run",
        "class C:\n    def __init_subclass__(cls): R.append(cls)\nclass D(C): pass  # run",
        "def add(f): R.append(f)\n@add\ndef g(): pass  # run",
        "import random\nrandom.shuffle(R)  # run",
    ],
)
@pytest.mark.parametrize("below", [False, True])
def test_what_may_change_a_needed_name_runs(top: str, below: bool) -> None:
    texts = [graph("return R"), top] if below else [top, graph("return R")]
    statements = slice_homework(cells("R = []", *texts)).statements
    last = top.split("\n")[-1]
    ends = [s.node.end_lineno for s in statements if s.unit == (2 if below else 1)]
    assert "run" in last
    assert max(ends, default=0) == len(top.split("\n"))


@pytest.mark.parametrize(
    "top",
    [
        "def run(R):\n    R[0] = 1\nrun([0])",
        "print(R)\nassert R.pop()",
        "def run(f): return f(1)\ndef f(n): return N\nx = run(f)",
        "plt.plot(R)",
        "x = torch.tensor(R)\nloss = (x * x).sum()\nloss.backward()",
        "x = [r for r in R if r.startswith('a')]",
        "for r in R:\n    print(r)\n    y = r + 1",
        "if __name__ == '__main__':\n    R.append(1)",
        "n = len(R)\nfor i in range(n): launch(n)",
        "data = load(len(R))\ndata.normalize(N)",
        "class Other:\n    def f(self): R.append(1)",
        "x = sorted(R, key=len)",
    ],
)
@pytest.mark.parametrize("below", [False, True])
def test_what_only_looks_at_a_needed_name_does_not_run(top: str, below: bool) -> None:
    body = graph("return R, N, torch, plt")
    texts = [body, top] if below else [top, body]
    first = "R = []\nN = 1\nimport torch, plt"
    statements = slice_homework(cells(first, *texts)).statements
    assert {s.unit for s in statements} == {0, 2 - below}


@pytest.mark.parametrize(
    "top",
    [
        "for n in 'ab': globals()['d_' + n] = n",
        "globals().update(d_a=1)",
        "exec('d_a = 1')",
        "def make(n): globals()[n] = 1\nmake('d_a')",
    ],
)
def test_what_writes_into_the_namespace_may_bind_what_nothing_binds(top: str) -> None:
    assert len(taken(cells(top, graph("return d_a")))) == 1 + len(top.split("\n"))
    assert taken(cells(top, graph("return x"))) == ["class Graph:"]


def test_tests_of_the_class_below_it_do_not_run() -> None:
    units = cells(
        "R = []\ndef note(x):\n    R.append(x)\n    return x",
        graph("return note(x)"),
        "net = Graph()\nnote(net(1))\nfor i in range(3):\n    R.append(net(i))",
        "note(Graph().forward(2))",
    )
    assert taken(units) == ["R = []", "def note(x):", "class Graph:"]


def test_a_helper_that_is_handed_the_class_is_a_test_of_it() -> None:
    check = "def check(cls, log):\n    log.append(cls.apply(1))"
    units = cells("R = []", check, graph("return x"), "check(Graph, R)")
    assert taken(units) == ["class Graph:"]


def test_a_helper_that_calls_the_class_and_is_handed_what_it_needs_is_a_test_of_it() -> None:
    check = "def check(w):\n    return Graph().forward(w)"
    assert taken(cells("W = make()", check, graph("return W"), "check(W)")) == [
        "W = make()",
        "class Graph:",
    ]


def test_calls_on_a_model_are_not_needed() -> None:
    units = cells("import torch", graph("return 1"), "net = Graph()\nnet.train()\nGraph.x()")
    assert taken(units) == ["class Graph:"]


def test_a_loop_s_own_names_ask_for_no_others():
    units = cells(
        "for i in range(9):\n    launch(i)\n",
        "t = [0]\nfor i in range(1):\n    t[i] = [i for _ in t]",
        graph("return t"),
    )
    assert taken(units) == ["t = [0]", "for i in range(1):", "class Graph:"]


def test_settings_of_modules_are_left_alone():
    units = cells("import plt\nplt.rc['x'] = 1\nplt.a.b = 2", graph("return plt.f(x)"))
    assert taken(units) == ["import plt", "class Graph:"]


def test_own_name_binds_the_chosen_class_only():
    first = GRAPH.replace("return x", "return 'first'")
    second = graph("super(Graph, self)\nreturn Graph")
    units = cells(first, second, "Graph = compile(Graph)", "Graph = 3")
    found = slice_homework(units)
    assert [s.unit for s in found.statements] == [1]
    assert found.class_position == 0


def test_class_extending_its_earlier_self():
    one = "class Graph:\n    def forward(self, x):\n        return x\n"
    two = "class Graph(Graph):\n    def my_forward_backward(self, x):\n        return x\n"
    found = slice_homework(cells("class Graph: pass", one, two))
    assert [s.unit for s in found.statements] == [1, 2]
    assert (found.class_position, found.forward.unit) == (1, 1)
    assert hasattr(load(found, {}), "forward")


# -- which class ------------------------------------------------------------------------------


def test_the_last_candidate_wins():
    units = cells(GRAPH, GRAPH, "class Graph: pass")
    found = slice_homework(units)
    assert [s.unit for s in found.statements] == [1]
    assert "2 times" in found.notes[0]
    assert "cell 2" in found.notes[0]


def test_candidates_of_different_names_are_noted():
    found = slice_homework(cells(GRAPH.replace("Graph", "Example"), GRAPH))
    assert found.class_name == "Graph"
    (note,) = found.notes
    assert "Example" in note
    assert "Graph" in note
    assert "none is asked for by its name" in note


def test_class_name_overrides():
    units = cells(GRAPH.replace("Graph", "Example"), GRAPH)
    found = slice_homework(units, "Example")
    assert (found.class_name, found.notes) == ("Example", ())
    missing = problem(units, "Model")
    assert missing.kind == "unknown-class"
    assert "`Example` and `Graph`" in missing.message
    assert problem(units, "Grpah").way_out == "rename `Graph` to `Grpah`"
    assert problem(cells("class A:\n    def forward(self): pass"), "A").kind == "no-pass"
    assert problem(cells("x = 1"), "A").kind == "unknown-class"


def test_inherited_methods():
    base = "class Base(nn.Module):\n    def forward(self, x):\n        return x\n"
    graph_ = "class Graph(Base):\n    def your_forward_backward(self, x):\n        return x\n"
    for texts in ((base, graph_), (graph_, base)):
        found = slice_homework(cells("import nn", *texts))
        assert (found.class_name, found.pass_name) == ("Graph", "your_forward_backward")
        assert len(found.statements) == 3
        assert found.notes == ()
    mixed = "class Both(Mixin, Base): pass"
    mixin = "class Mixin:\n    def my_forward_backward(self): pass\n"
    assert slice_homework(cells("import nn", base, mixin, mixed)).class_name == "Both"
    # A base that is a candidate itself is no rival.
    assert slice_homework(cells(GRAPH.replace("Graph", "A"), "class B(A): pass")).notes == ()


def test_a_cycle_of_bases_ends():
    one, two = GRAPH.replace("Graph:", "A(B):"), GRAPH.replace("Graph:", "B(A):")
    assert slice_homework(cells(one, two)).class_name == "B"


def test_attached_methods():
    one = "class Graph:\n    def forward(self, x):\n        return x\n"
    two = "def manual(self, x):\n    return helper(x)\n"
    three = "Graph.my_forward_backward = manual"
    units = cells("helper = abs", one, two, three, "Graph.note = 1")
    found = slice_homework(units)
    assert [s.unit for s in found.statements] == [0, 1, 2, 3, 4]
    assert found.manual_pass == Span(2, 1, 0, 2, 20)
    assert load(found, {})().my_forward_backward(-3) == 3
    lambdas = slice_homework(cells(one, "Graph.my_forward_backward = lambda self, x: x"))
    assert lambdas.manual_pass == Span(1, 1, 28, 1, 45)


def test_methods_are_attached_to_the_class_that_stands_above():
    one = "class Graph:\n    def forward(self, x):\n        return {}\n"
    units = cells(
        one.format(1),
        "Graph.my_forward_backward = lambda self: 1",
        one.format(2),
        "Graph.my_forward_backward = lambda self: 2",
    )
    assert [s.unit for s in slice_homework(units).statements] == [2, 3]


def test_both_pass_names():
    text = GRAPH + "    def your_forward_backward(self, x):\n        pass\n"
    found = slice_homework(file(text))
    assert found.pass_name == "my_forward_backward"
    assert "both" in found.notes[0]
    stub = text.replace(
        "(self, x):\n        return x\n    def your", "(self, x):\n        ...\n    def your"
    )
    real = stub.replace("        pass\n", "        return x\n")
    assert slice_homework(file(real)).pass_name == "your_forward_backward"


@pytest.mark.parametrize(
    "block",
    [
        "if __name__ == '__main__':\n{}\n    launch()",
        "if False:\n    y = 1\nelse:\n{}\n",
        "try:\n{}\nexcept Exception:\n    launch()",
        "try:\n    from a import Graph\nexcept ImportError:\n{}",
        "with launch():\n{}\n",
        "if True:\n  try:\n{}\n  finally:\n    launch()",
    ],
)
def test_classes_in_blocks(block):
    indented = "\n".join("    " + line for line in ("h = 5\n" + graph("return h")).split("\n"))
    found = slice_homework(file("import os\n" + block.format(indented)))
    assert [ast.unparse(s.node).split("\n")[0] for s in found.statements] == [
        "h = 5",
        "class Graph:",
    ]
    assert "taken out of the block" in found.notes[0]
    assert load(found, {})().forward(1) == 5


def test_spans_are_those_of_the_defs():
    units = cells("x = 1", "\n" + GRAPH)
    found = slice_homework(units)
    assert found.forward == Span(1, 3, 4, 4, 16)
    assert found.manual_pass == Span(1, 5, 4, 6, 16)


# -- no class ---------------------------------------------------------------------------------


def test_nearest_misses():
    forward = "class A:\n    def forward(self): return 1\n"
    manual = "class B:\n    def my_forward_backward(self): return 1\n"

    found = problem(file("x = 1"))
    assert (found.kind, found.span) == ("no-class", None)
    assert problem(file("class A: pass")).kind == "no-class"

    found = problem(cells("", forward))
    assert found.kind == "no-pass"
    assert "`A` (cell 2, line 1)" in found.message
    assert found.span == Span(1, 1, 0, 2, 31)

    found = problem(file(manual))
    assert found.kind == "no-forward"
    assert "no forward" in found.message

    found = problem(file(forward + manual))
    assert "the class `B` (line 3) has my_forward_backward, but no forward" in found.message
    assert "one class must have both" in found.way_out

    found = problem(file(forward + "def my_forward_backward(self): pass"))
    assert "indent it" in found.way_out


@pytest.mark.parametrize(
    "name",
    [
        *("my_foward_backward", "forward_backward", "my_forward_backwards", "My_Forward_Backward"),
        *("myforwardbackward", "backward", "manual_backward"),
    ],
)
def test_misspelt_pass_names(name):
    text = f"class A:\n    def forward(self): pass\n    def {name}(self): pass\n"
    pasted = "class GraphModule(Module):\n    def forward(self): pass\n"
    found = problem(cells(text, pasted))
    assert found.kind == "no-pass"
    assert name in found.message
    assert found.way_out == f"rename `{name}` to `my_forward_backward`"
    assert found.span == Span(0, 3, 4, 3, 4 + len(f"def {name}(self): pass"))


def test_missing_pass_is_told_of_the_student_s_class():
    own = "class A:\n    def __init__(self): pass\n    def forward(self): pass\n"
    pasted = "class GraphModule(Module):\n    def forward(self): pass\n"
    assert "class `A`" in problem(cells(own, pasted)).message


def test_class_inside_a_function():
    inner = "\n".join("    " + line for line in GRAPH.split("\n"))
    for header in ("def make():", "for i in x:", "class Outer:"):
        found = problem(file(f"{header}\n{inner}\n"))
        assert found.kind == "no-class"
        assert "inside a function" in found.message
        assert found.span is not None
        assert found.span.line == 2


def test_class_that_a_function_returns():
    inner = "\n".join("    " + line for line in GRAPH.split("\n"))
    made = f"import torch\nSTART = 1\ndef make(start):\n{inner}\n    return Graph\n"
    units = cells(made, "Net = make(START)\nnet = Net()", "other = 2")
    found = slice_homework(units)
    assert taken(units) == ["START = 1", "def make(start):", "Net = make(START)"]
    assert (found.class_name, found.class_position) == ("Net", 2)
    assert (found.manual_pass.unit, found.manual_pass.line) == (0, 7)
    assert problem(cells(made, "Net = make")).kind == "no-class"


# -- what does not parse ----------------------------------------------------------------------


def test_broken_cells_nobody_needs():
    found = slice_homework(cells("def (", "h = 1", GRAPH, "class Other(:\n  pass", "x = 1\0"))
    assert [s.unit for s in found.statements] == [2]
    assert found.notes == ()


def test_broken_cell_with_the_class():
    units = cells("import torch", "ы = 1\n" + GRAPH + "ы = (1 +* 2)\n", "x = (")
    found = problem(units)
    assert found.kind == "syntax-error"
    assert found.span is not None
    assert (found.span.unit, found.span.line, found.span.column) == (1, 7, len("ы = (1 +".encode()))
    assert "cell 2, line 7" in found.message
    assert "invalid syntax" in found.message


def test_a_broken_cell_without_a_class_is_not_to_blame_for_a_misspelling():
    forward = "class A:\n    def forward(self): pass\n    def my_foward_backward(self): pass\n"
    assert problem(cells("x = (", forward)).kind == "no-pass"


def test_broken_cell_with_a_needed_name():
    broken = "def helper(:\n    pass"
    assert problem(cells(broken, graph("return helper(x)"))).kind == "syntax-error"
    assert taken(cells(broken, "def helper(): pass", graph("return helper(x)"))) == [
        "def helper():",
        "class Graph:",
    ]
    assert taken(cells(broken, graph("return helpers(x)"))) == ["class Graph:"]
    # A cell that only uses the name would not have bound it.
    assert taken(cells("print(x3", graph("return x3"))) == ["class Graph:"]


@pytest.mark.parametrize(
    "line", ["a, h = 1, 2", "h: int = 3", "import h", "from a import b, h", "import a as h",
             "for h in b: pass", "class h: pass", "x = (h := 1)"]
)  # fmt: skip
def test_broken_cells_that_would_have_bound_a_needed_name(line):
    assert problem(cells(line + "\n(", graph("return h"))).kind == "syntax-error"


def test_a_later_broken_class_is_the_problem():
    """The worked example above it must not be graded in its place."""
    found = problem(cells(GRAPH, GRAPH + "x = ("))
    assert (found.kind, found.span and found.span.unit) == ("syntax-error", 1)
    named = slice_homework(cells(GRAPH, GRAPH + "x = ("), "Graph")
    assert [s.unit for s in named.statements] == [0]


def test_a_python_file_must_parse():
    found = problem(file(GRAPH + "print 1\n"))
    assert (found.kind, found.span and found.span.line) == ("syntax-error", 6)
    assert "notebook's command" in problem(file("!pip install x\n" + GRAPH)).way_out
    found = problem(file("x = 1\ny = '\0'\n"))
    assert (found.kind, found.span and found.span.line) in {
        ("syntax-error", 2),
        ("syntax-error", 1),
    }


@pytest.mark.parametrize("text", ["-" * 100_000 + "1", "1" + "+1" * 50_000, "x" + ".a" * 50_000])
def test_absurd_nesting(text):
    assert problem(file(GRAPH + "y = " + text)).kind == "too-complex"
    assert taken(cells("y = " + text, GRAPH)) == ["class Graph:"]


def test_deep_but_legal_expressions():
    long = "+".join(["h"] * 600)
    units = cells("h = 1", f"a = {long}", f"b = {long}", graph("return a"))
    assert [s.unit for s in slice_homework(units).statements] == [0, 1, 3]


def test_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = slice_homework(cells("s = '\\d'\n1 is 1\n" + graph("return '\\d' is x")))
        load(found, {})


# -- nothing runs -----------------------------------------------------------------------------

harmful = st.sampled_from(
    [
        "boom()",
        "x = boom()",
        "assert boom()",
        "for i in boom(): pass",
        "with boom() as y: pass",
        "if boom():\n    z = 1",
        "try:\n    boom()\nexcept ValueError:\n    q = 1",
        "Graph = boom(Graph)",
        "model = Graph(boom())",
        "@boom\ndef test(): pass",
        "class Other(boom()): pass",
        "del boom",
        "raise boom()",
        "print(Graph, boom())",
        "import boom_no_such_module",
        "from boom_no_such_module import *",
        "boom().attribute = 1",
        "[boom() for _ in range(1)]",
        "lambda: boom()",
        "def (",
    ]
)


@settings(max_examples=150)
@given(st.lists(harmful, max_size=6), st.lists(harmful, max_size=6))
def test_what_is_not_needed_never_runs(before, after):
    calls = []
    needed = "import math\ndef helper(x):\n    return math.floor(x)"
    units = cells(*before, needed, graph("return helper(x)"), *after)
    found = slice_homework(units)
    assert not calls
    namespace = {"boom": lambda *args: calls.append(args)}
    model = load(found, namespace)
    assert not calls
    assert model().forward(2.5) == 2
    assert [s.unit for s in found.statements] == [len(before)] * 2 + [len(before) + 1]


def test_slicing_runs_nothing_even_if_needed(tmp_path):
    target = tmp_path / "written"
    text = f"h = open({str(target)!r}, 'w')\n" + graph("return h")
    found = slice_homework(file(text))
    assert not target.exists()
    assert len(found.statements) == 2


def test_another_kind_of_assignment_calls_the_pass_otherwise() -> None:
    other = GRAPH.replace("my_forward_backward", "by_hand")
    assert slice_model(file(other), None, ("by_hand",)).pass_name == "by_hand"
    with pytest.raises(SubmissionProblem) as caught:
        slice_model(file(GRAPH), None, ("by_hand", "manual"))
    assert caught.value.kind == "no-pass"
    assert "none called by_hand or manual" in caught.value.message
