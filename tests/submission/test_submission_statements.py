"""`Statements`: from a place to a statement, and from an expression to its name."""

from __future__ import annotations

import ast
import itertools
import textwrap

import pytest
from hypothesis import given, settings, strategies as st

from pytest_backprop.model import Span, Unit
from pytest_backprop.submission import Statements

SOURCE = textwrap.dedent(
    """\
    @deco(1)
    @other
    class Graph(nn.Module):  # comment

        def __init__(self): super().__init__(); self.w = 1
        def forward(
            self, X: int = f(2),
        ) -> int:
            \"\"\"doc\"\"\"
            for a in g(X)[1:2]:
                t1 = (a +
                      1); t2 = 3
            else:
                t3 = 4
            while t1 and \\
                  t2: break
            if (t1
                ): t4 = 1
            elif h(t2):
                t5 = 2
            else:
                t6 = 3
            with o(1) as f, p(2):
                pass
            try:
                q()
            except E as e:
                r()
            else:
                s()
            finally:
                u()
            match v(1):
                case [a, b] if w(2):
                    return lambda: (
                        a)
    """
)


def found_at(statements: Statements, line: int, column: int | None = None):
    found = statements.at(line, column)
    if found is None:
        return None
    span = found.span
    return type(found.node).__name__, (span.line, span.column, span.end_line, span.end_column)


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (1, 1, ("ClassDef", (1, 1, 3, 22))),
        (2, 1, ("ClassDef", (1, 1, 3, 22))),
        (3, 0, ("ClassDef", (1, 1, 3, 22))),
        (3, 12, ("ClassDef", (1, 1, 3, 22))),
        (5, 4, ("FunctionDef", (5, 4, 5, 22))),
        (5, 24, ("Expr", (5, 24, 5, 42))),
        (5, 44, ("Assign", (5, 44, 5, 54))),
        (7, 23, ("FunctionDef", (6, 4, 8, 12))),
        (9, 8, ("Expr", (9, 8, 9, 17))),
        (10, 17, ("For", (10, 8, 10, 26))),
        (11, 18, ("Assign", (11, 12, 12, 20))),
        (12, 18, ("Assign", (11, 12, 12, 20))),
        (12, 22, ("Assign", (12, 22, 12, 28))),
        (14, 12, ("Assign", (14, 12, 14, 18))),
        (16, 14, ("While", (15, 8, 16, 16))),
        (16, 18, ("Break", (16, 18, 16, 23))),
        (17, 12, ("If", (17, 8, 17, 14))),
        (18, 15, ("Assign", (18, 15, 18, 21))),
        (19, 13, ("If", (19, 8, 19, 18))),
        (22, 12, ("Assign", (22, 12, 22, 18))),
        (23, 13, ("With", (23, 8, 23, 28))),
        (24, 12, ("Pass", (24, 12, 24, 16))),
        (25, 8, ("Try", (25, 8, 25, 11))),
        (27, 15, ("Try", (27, 8, 27, 21))),
        (28, 12, ("Expr", (28, 12, 28, 15))),
        (30, 12, ("Expr", (30, 12, 30, 15))),
        (32, 12, ("Expr", (32, 12, 32, 15))),
        (33, 14, ("Match", (33, 8, 33, 18))),
        (34, 27, ("Match", (34, 17, 34, 31))),
        (36, 20, ("Return", (35, 16, 36, 22))),
        (5, 54, None),
        (99, 0, None),
        (0, 0, None),
    ],
)
def test_at(line, column, expected):
    assert found_at(Statements(Unit(text=SOURCE)), line, column) == expected


def test_at_line_only():
    statements = Statements(Unit(text=SOURCE))
    assert found_at(statements, 12)[0] == "Assign"
    assert found_at(statements, 9)[0] == "Expr"
    assert found_at(statements, 7)[0] == "FunctionDef"
    assert found_at(statements, 24)[0] == "Pass"
    assert found_at(statements, 36)[0] == "Return"
    assert statements.at(50) is None


def test_columns_are_bytes():
    statements = Statements(Unit(text="ы = 1; я = 2"))
    assert found_at(statements, 1, 0) == ("Assign", (1, 0, 1, 6))
    assert found_at(statements, 1, 8) == ("Assign", (1, 8, 1, 14))


def test_spans_carry_the_unit():
    statements = Statements(Unit(text="x = 1"), 4)
    assert statements.at(1, 0).span.unit == 4
    assert statements.target_name(Span(4, 1, 4, 1, 5)) == "x"
    assert statements.target_name(Span(3, 1, 4, 1, 5)) is None


def test_all():
    statements = Statements(Unit(text="a = 1\nif a:\n    b = 2\n\nc = 3; d = 4\n"))
    assert [type(x.node).__name__ for x in statements.all()] == ["Assign", "If"] + ["Assign"] * 3


@pytest.mark.parametrize("text", ["def (", "x = '\0'", "y = " + "-" * 100_000 + "1", ""])
def test_units_without_statements(text):
    statements = Statements(Unit(text=text))
    assert statements.at(1, 0) is None
    assert statements.at(1) is None
    assert statements.all() == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("t1 = «w0 ** 2»", "t1"),
        (f"d[{'+'.join(['1'] * 600)}] = «w0»", None),
        ("t1 = («w0 ** 2»)", "t1"),
        ("t1 = (\n  «w0 +\n w1»\n)", "t1"),
        ("a = b = «f(x)»", "a"),
        ("self.t1 = «w0 ** 2»", "self.t1"),
        ('d[ "k" ] = «w0»', "d['k']"),
        ("self.d[0].x = «w0»", "self.d[0].x"),
        ("t: Tensor = «w0 ** 2»", "t"),
        ("if (y := «w0 ** 2»): pass", "y"),
        ("«x += w0»", "x"),
        ("x += «w0 ** 2»", None),
        ("a, b = «w0 ** 2», w1", "a"),
        ("a, b = w0, «w1 ** 2»", "b"),
        ("a, (b, c) = w0, (w1, «w1 ** 2»)", "c"),
        ("[a, b] = w0, «w1»", "b"),
        ("a, b = «f(x)»", None),
        ("a, *b = w0, «w1 ** 2», 3", None),
        ("*a, b = w0, «w1»", None),
        ("t = «w0 ** 2» + 1", None),
        ("t = f(«w0 ** 2»)", None),
        ("t = «w0 ** 2» if c else 1", "t"),
        ("t = c if x else «w0 ** 2»", "t"),
        ("return «w0 ** 2»", None),
        ("def f():\n    ы = «w0 ** 2»", "ы"),
        ("(t) = «w0 ** 2»", "t"),
    ],
)
def test_target_name(text, name):
    start, end = text.index("«"), text.index("»") - 1
    text = text.replace("«", "").replace("»", "")

    def position(offset: int) -> tuple[int, int]:
        before = text[:offset]
        line = before.rpartition("\n")[2]
        return before.count("\n") + 1, len(line.encode())

    span = Span(0, *position(start), *position(end))
    assert Statements(Unit(text=text)).target_name(span) == name


def test_instructions_of_real_code_find_their_statement():
    """What `co_positions` gives is what `at` and `target_name` take."""
    text = "def f(w0, w1):\n    t1 = w0 ** 2\n    t1 += (w1\n      * 3)\n    return t1\n"
    code = compile(text, "x", "exec").co_consts[0]
    statements = Statements(Unit(text=text))
    names = []
    for line, end_line, column, end_column in code.co_positions():
        found = statements.at(line, column)
        assert found is not None
        names.append(statements.target_name(Span(0, line, column, end_line, end_column)))
    assert set(names) == {None, "t1"}


simple = st.sampled_from(["x = 1", "y = (1 +\n 2)", "pass", "f(x); g(y)", "z: int = 3", "# note"])


@st.composite
def programs(draw, depth=2) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["simple", "if", "for", "try", "def", "with", "class"]))
        if kind == "simple" or depth == 0:
            parts.append(draw(simple))
            continue
        body = textwrap.indent(draw(programs(depth=depth - 1)) + "\npass", "    ")
        header = {
            "if": "if a:\n{0}\nelse:\n{0}",
            "for": "for i in b:\n{0}",
            "try": "try:\n{0}\nexcept E:\n{0}",
            "def": "@d\ndef h(a=1):\n{0}",
            "with": "with c as e:\n{0}",
            "class": "class K:\n{0}",
        }[kind]
        parts.append(header.format(body))
    return "\n".join(parts)


@settings(max_examples=100)
@given(programs())
def test_every_statement_is_found_at_its_start_and_regions_do_not_overlap(text):
    statements = Statements(Unit(text=text))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            found = statements.at(node.lineno, node.col_offset)
            assert found is not None
            assert (found.node.lineno, found.node.col_offset) == (node.lineno, node.col_offset)
    spans = [(x.span.line, x.span.column, x.span.end_line, x.span.end_column)
             for x in statements.all()]  # fmt: skip
    for before, after in itertools.pairwise(spans):
        assert before[2:] <= after[:2]
