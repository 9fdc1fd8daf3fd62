"""Texts that only a newer Python reads, each held to that Python's own grammar, and to one that is wrong in both."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from plugin_samples import RIGHT, grade_folder

from pytest_backprop.submission.newer import NEWER, needed_python

NEW = (
    'x = f"{d["a"]}"',
    "x = f'{d['a']}'",
    'x = f"{a\n}"',
    'x = f"{chr(10).join(["a", "b"])} {d["b"]:.3f}"',
    "x = f\"{'\\n'.join(v)}\"",
    'x = f"{a # why\n}"',
    'x = f"{f"{f"{1}"}"}"',
    'x = rf"{d["a"]:>{w}} {y!r} {z=} {a != b}"',
    'x = f"""{d["""a"""]}"""',
    "type X = int",
    "type X[T] = list[T]",
    "def f[T](x: T) -> T: return x",
    "class A[T]:\n    async def g[*Ts](self): pass",
)
WRONG = (
    'x = f"{a"', 'x = f"{d["a"}"', 'x = f"{}" f"{d["a"]}"', 'x = f"{d["a"]}"\ny = (', "type X int", "x = 'a",
    'x = f"{a b}" + f"{d["a"]}"', "def f[T: pass",
)  # fmt: skip
OLD = ("x = f\"{d['a']:>{w}}\"", "type = 3", "x = 'f\"{'  # f\"{")


@pytest.mark.parametrize("text", [*NEW, *WRONG, *OLD])
def test_it_agrees_with_the_newer_grammar(text: str) -> None:
    if sys.version_info >= NEWER:
        assert needed_python(text) is None
        if text in WRONG:
            with pytest.raises(SyntaxError):
                ast.parse(text)
        else:
            ast.parse(text)
        return
    if text not in OLD:
        with pytest.raises(SyntaxError):
            ast.parse(text)
    assert needed_python(text) == ("3.12" if text in NEW else None)


@pytest.mark.skipif(sys.version_info >= NEWER, reason="this Python reads it")
def test_what_only_the_grader_cannot_read_is_no_zero(tmp_path: Path) -> None:
    text = RIGHT + NEW[0] + "\n"
    run = grade_folder(tmp_path, {"a_v1.py": text, "b_v1.py": RIGHT + WRONG[0] + "\n"})
    new, wrong = (run.by_name[name] for name in ("a_v1.py", "b_v1.py"))
    assert (new["status"], wrong["status"]) == ("not_judged", "unreadable")
    message = f"the file needs Python 3.12: this grader runs {sys.version_info.major}.{sys.version_info.minor}"
    assert any(message in line for line in run.section("backprop"))
    assert wrong["score"] == 0
