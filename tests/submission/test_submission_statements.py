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


def place_at(statements: Statements, line: int, column: int) -> tuple[int, int, int, int] | None:
    span = statements.at(line, column)
    return span and (span.line, span.column, span.end_line, span.end_column)


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (1, 1, (1, 1, 3, 21)),
        (2, 1, (1, 1, 3, 21)),
        (3, 0, (1, 1, 3, 21)),
        (3, 12, (1, 1, 3, 21)),
        (5, 4, (5, 4, 5, 21)),
        (5, 24, (5, 24, 5, 42)),
        (5, 44, (5, 44, 5, 54)),
        (7, 23, (6, 4, 8, 12)),
        (9, 8, (9, 8, 9, 17)),
        (10, 17, (10, 8, 10, 26)),
        (11, 18, (11, 12, 12, 20)),
        (12, 18, (11, 12, 12, 20)),
        (12, 22, (12, 22, 12, 28)),
        (14, 12, (14, 12, 14, 18)),
        (16, 14, (15, 8, 16, 16)),
        (16, 18, (16, 18, 16, 23)),
        (17, 12, (17, 8, 17, 14)),
        (18, 15, (18, 15, 18, 21)),
        (19, 13, (19, 8, 19, 18)),
        (22, 12, (22, 12, 22, 18)),
        (23, 13, (23, 8, 23, 28)),
        (24, 12, (24, 12, 24, 16)),
        (25, 8, (25, 8, 25, 8)),
        (27, 15, (27, 8, 27, 16)),
        (28, 12, (28, 12, 28, 15)),
        (30, 12, (30, 12, 30, 15)),
        (32, 12, (32, 12, 32, 15)),
        (33, 14, (33, 8, 33, 18)),
        (34, 27, (34, 17, 34, 31)),
        (36, 20, (35, 16, 36, 22)),
        (5, 54, None),
        (99, 0, None),
        (0, 0, None),
    ],
)
def test_at(line, column, expected):
    assert place_at(Statements(Unit(text=SOURCE)), line, column) == expected


def test_columns_are_bytes():
    statements = Statements(Unit(text="ы = 1; я = 2"))
    assert place_at(statements, 1, 0) == (1, 0, 1, 6)
    assert place_at(statements, 1, 8) == (1, 8, 1, 14)


def test_spans_carry_the_unit():
    statements = Statements(Unit(text="x = 1"), 4)
    assert statements.at(1, 0).unit == 4
    assert statements.target_name(Span(4, 1, 4, 1, 5)) == "x"
    assert statements.target_name(Span(3, 1, 4, 1, 5)) is None


@pytest.mark.parametrize("text", ["def (", "x = '\0'", "y = " + "-" * 100_000 + "1", ""])
def test_units_without_statements(text):
    statements = Statements(Unit(text=text))
    assert statements.at(1, 0) is None


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
        assert statements.at(line, column) is not None
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
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    firsts = [next(iter(getattr(node, "decorator_list", ())), node) for node in nodes]
    starts = sorted((first.lineno, first.col_offset) for first in firsts)
    places = [place_at(statements, *start) for start in starts]
    assert [place and place[:2] for place in places] == starts
    for before, after in itertools.pairwise(places):
        assert before is not None
        assert after is not None
        assert before[2:] <= after[:2]
