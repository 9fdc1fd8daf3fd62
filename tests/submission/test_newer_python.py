"""Texts that only a newer Python reads, each held to that Python's own grammar where it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from interpreters import reads
from plugin_samples import RIGHT, grade_folder

from pytest_backprop.submission.parse import needed_python

NEW = {
    "3.12": (
        'x = f"{d["a"]}"', "x = f'{d['a']}'", 'x = f"{a\n}"', 'x = f"{chr(10).join(["a", "b"])} {d["b"]:.3f}"',
        "x = f\"{'\\n'.join(v)}\"", 'x = f"{a # why\n}"', 'x = f"{f"{f"{1}"}"}"',
        'x = rf"{d["a"]:>{w}} {y!r} {z=} {a != b}"', 'x = f"""{d["""a"""]}"""', "type X = int",
        "type X[T] = list[T]", "def f[T](x: T) -> T: return x", "class A[T]:\n    async def g[*Ts](self): pass",
        "await x\ny = f'{d['a']}'",
    ),
    "3.13": ("type X[T = int] = list[T]", "class A[T = int]: pass", "class A[T = int]:\n    x = f'{d['a']}'"),
    "3.14": ('x = t"{a}"', "try:\n    pass\nexcept A, B:\n    pass"),
}  # fmt: skip
WRONG = (
    'x = f"{a"', 'x = f"{d["a"}"', 'x = f"{}" f"{d["a"]}"', 'x = f"{d["a"]}"\ny = (', "type X int", "x = 'a",
    'x = f"{a b}" + f"{d["a"]}"', "def f[T: pass", "x = f'{a!x}'", "print 3",
)  # fmt: skip
OLD = (
    "x = f\"{d['a']:>{w}}\"",
    "type = 3",
    "x = 'f\"{'  # f\"{",
    "try:\n    pass\nexcept* A:\n    pass",
)
HERE = f"3.{sys.version_info.minor}"


@pytest.mark.parametrize(
    ("version", "text"), [(v, text) for v, texts in NEW.items() for text in texts]
)
def test_a_text_needs_the_first_python_whose_grammar_has_it(version: str, text: str) -> None:
    is_newer = int(version.partition(".")[2]) > sys.version_info.minor
    assert needed_python(text) == (version if is_newer else None)
    for each in NEW:
        assert reads(each, text) in (None, each >= version)


@pytest.mark.parametrize("text", [*WRONG, *OLD])
def test_what_is_wrong_or_old_needs_no_other(text: str) -> None:
    assert needed_python(text) is None
    for version in (HERE, *NEW):
        assert reads(version, text) in (None, text in OLD)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="no newer grammar is known")
def test_what_only_the_grader_cannot_read_is_no_zero(tmp_path: Path) -> None:
    text = RIGHT + NEW["3.14"][0] + "\n"
    run = grade_folder(tmp_path, {"a_v1.py": text, "b_v1.py": RIGHT + WRONG[0] + "\n"})
    new, wrong = (run.by_name[name] for name in ("a_v1.py", "b_v1.py"))
    assert (new["status"], wrong["status"]) == ("not_judged", "unreadable")
    message = f"the file needs Python 3.14: this grader runs {HERE}"
    assert any(message in line for line in run.section("backprop"))
    assert "--backprop-python 3.14" in str(new)
    assert wrong["score"] == 0
