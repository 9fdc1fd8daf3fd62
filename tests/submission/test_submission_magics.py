"""IPython's syntax: what becomes of it, and that no line moves."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings, strategies as st

from pytest_backprop.submission.read import python_of_cell


def rewritten(text: str) -> list[str]:
    result = python_of_cell(text)
    assert result.count("\n") == text.count("\n")
    return result.split("\n")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%matplotlib inline", "pass"),
        ("!pip install x", "pass"),
        ("torch.stack?", "pass"),
        ("?torch.stack", "pass"),
        ("torch.stack??", "pass"),
        ("x = !ls", "pass"),
        ("x = %pwd", "pass"),
        ("!!ls", "pass"),
        ("%time y = f()", "0;    y = f()"),
        ("%prun  y = f()", "0;     y = f()"),
        ("    %matplotlib inline", "pass"),
    ],
)
def test_line_magics(line, expected):
    assert rewritten(line) == [expected]
    assert rewritten(f"a = 1\n{line.strip()}\nb = 2") == ["a = 1", expected, "b = 2"]


def test_timed_statement_keeps_its_columns():
    lines = rewritten("%time  y = f()")
    assert lines[0].index("y") == "%time  y = f()".index("y")
    assert isinstance(ast.parse(lines[0]).body[1], ast.Assign)


@pytest.mark.parametrize("line", ["%time", "%time for i in x: pass", "%prun -s time f()"])
def test_timing_of_other_things_is_a_command(line):
    assert rewritten(line) == ["pass"]


@pytest.mark.parametrize(
    "magic", ["%%time", "%%capture out --no-stderr", "%%timeit -n 3", "%%prun"]
)
def test_python_cell_magics_keep_their_body(magic):
    assert rewritten(f"{magic}\nx = 1\n%pwd\n") == ["", "x = 1", "pass", ""]
    assert rewritten(f"\n\n{magic}\n\nx = 1") == ["", "", "", "", "x = 1"]


def test_nested_cell_magics():
    assert rewritten("%%time\n%%capture\nx = 1") == ["", "", "x = 1"]
    assert rewritten("%%time\n%%bash\nls") == ["", "", ""]


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%writefile a.py", "%%javascript", "%%R"])
def test_other_cell_magics_blank_the_cell(magic):
    assert rewritten(f"{magic}\nclass Graph: pass\n'''\n") == ["", "", "", ""]


def test_plain_python_is_untouched():
    text = "x = (a\n  % b)\ny = a % b\nif a != b:\n    z = '''\n!ls\n%pwd\n'''\nprint('why?')"
    assert python_of_cell(text) == text


def test_continued_commands_keep_the_lines_after_them():
    text = "a = 1\n!pip install \\\n  one \\\n  two\nb = 2\nx = !ls \\\n  -l\nc = 3"
    lines = rewritten(text)
    assert (lines[0], lines[4], lines[7]) == ("a = 1", "b = 2", "c = 3")
    assert (lines[1:4], lines[5:7]) == (["pass", "", ""], ["pass", ""])


def test_blank_first_lines_and_indented_cells():
    assert rewritten("\n\n%pwd\nx = 1")[3] == "x = 1"
    assert rewritten("\n  x = 1\n  if x:\n    y = 2") == ["", "x = 1", "if x:", "  y = 2"]
    assert rewritten("  %pwd\n  x = 1")[1] == "x = 1"


def test_magic_within_a_block():
    text = "def f():\n    %time x = g()\n    !ls\n    return x"
    lines = rewritten(text)
    assert lines[1] == "    0;    x = g()"
    ast.parse("\n".join(lines))


def test_only_python_s_line_breaks_count():
    text = "s = '\u2028\x0c\x1c\x85'\n%pwd\n\x0cx = 1"
    lines = rewritten(text)
    assert lines[0] == "s = '\u2028\x0c\x1c\x85'"
    assert lines[2] == "\x0cx = 1"


def test_only_commands_are_taken_out():
    text = "a = 1\n%pwd\n!ls \\\n -l\nx = !ls\nf.g?\nif a:\n    %pwd\nb = (a\n  % 2)\nc = a != b"
    assert rewritten(text) == [
        *("a = 1", "pass", "pass", "", "pass", "pass", "if a:", "    pass"),
        *("b = (a", "  % 2)", "c = a != b"),
    ]


@pytest.mark.parametrize(
    "text", ["a" * 500_000 + " ?\n%pwd", "%pwd\n" * 100_000, " " * 500_000 + "(\n%pwd", "a?" + " " * 500_000 + "("]
)  # fmt: skip
def test_a_cell_made_to_be_slow_costs_no_more_than_its_length(text):
    assert rewritten(text + "\nx = 1")[-1] == "x = 1"


pieces = st.sampled_from(
    [
        "x = 1",
        "%matplotlib inline",
        "!pip install a \\",
        "   b \\",
        "f.g?",
        "?f",
        "y = !ls",
        "y = %time f()",
        "%time z = 2",
        "%%time",
        "%%bash",
        "",
        "   ",
        "if x:",
        "    pass",
        "    %pwd",
        "\t!ls",
        "s = '''",
        "'''",
        "(",
        ")",
        "\\",
        "# why?",
        ">>> x",
        "In [1]: y",
        "a\u2028?",
        "\x0c%pwd",
        "f(x,\n  y)?",
        ", a b",
        "/ f x",
        "; f x",
        "\0",
        "%",
        "!",
        "?",
        "%%",
    ]
)


@settings(max_examples=300)
@given(st.lists(pieces, max_size=12).map("\n".join))
def test_lines_are_preserved(text):
    rewritten(text)


@settings(max_examples=200)
@given(st.text("%!?=\\ \nax'\"()[]#.;/,\t0", max_size=60))
def test_lines_are_preserved_in_any_text(text):
    rewritten(text)


@settings(max_examples=100)
@given(
    st.lists(st.sampled_from(["%pwd", "!ls \\\n -l", "f?", "y = !ls", "%time a = 2"]), max_size=6)
)
def test_other_lines_stay_where_they_were(magics):
    """Every plain line between magics is found at its own number."""
    lines = []
    for number, magic in enumerate(magics):
        lines += [magic, f"x{number} = {number}"]
    text = "\n".join(lines)
    before, after = text.split("\n"), rewritten(text)
    for number, line in enumerate(before):
        if line.startswith("x"):
            assert after[number] == line
