"""The law of the hints of `release`: who does what one says is rid of that finding, and no check is
worse. The text is changed as a reader of the hint would, and judged anew, in this process."""

from __future__ import annotations

import ast
import contextlib
import re
from collections import Counter
from pathlib import Path

import pytest
from corpus import MATRICES
from corpus_text import FOLDER, text_of, variant_of
from faults import RELEASE_FAULTS, NoPlace
from made_variants import make_variant
from one_pass import case_of
from sampling import few
from submissions import Discarded, make_submission

from pytest_backprop.exercises.by_hand.checks import CHECKS
from pytest_backprop.model import CheckResult, CheckRules, Finding

RULES = CheckRules(20.0, "share")
OF_PASS = ("manual-forward", "gradient", "unused-nodes", "integrity", "release")

AFTER_LINE = re.compile(r"drop it right after line (\d+): `(.+)`")
AFTER_BLOCK = re.compile(r"drop it after the block of lines (\d+) to (\d+): `(.+)`")


def judged(text: str, task: str) -> dict[str, CheckResult]:
    """The results of the checks of the pass."""
    case = case_of(text, task)
    return {id: CHECKS[id](case, RULES) for id in OF_PASS}


# -- obeying -------------------------------------------------------------------------------


def obeyed(text: str, hint: str) -> str | None:
    """The text with what a hint says to write, where it says; None if it says nothing to write."""
    lines = text.split("\n")
    if match := AFTER_LINE.fullmatch(hint):
        line = int(match[1])
        return _inserted(lines, line, _indentation(text, line), match[2])
    if match := AFTER_BLOCK.fullmatch(hint):
        first, line = int(match[1]), int(match[2])
        return _inserted(lines, line, _indent_of(lines[first - 1]), match[3])
    assert ": `" not in hint, hint
    return None


def _inserted(lines: list[str], line: int, indent: str, code: str) -> str:
    return "\n".join([*lines[:line], indent + code, *lines[line:]])


def _indentation(text: str, line: int) -> str:
    """That of the statement that ends on a line, or of the body whose header ends there."""
    lines = text.split("\n")
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    ending = [node for node in statements if node.end_lineno == line]
    if ending:
        simple = [node for node in ending if not hasattr(node, "body")]
        return _indent_of(lines[min(node.lineno for node in simple or ending) - 1])
    below = min((node for node in statements if node.lineno > line), key=lambda node: node.lineno)
    return _indent_of(lines[below.lineno - 1])


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def faults(results: dict[str, CheckResult]) -> list[Finding]:
    return [f for f in results["release"].findings if f.kind == "late-release"]


def assert_obeying_mends(text: str, task: str) -> int:
    """Obeys each hint, one at a time. Gives how many said what to write."""
    before = judged(text, task)
    said = 0
    for number, finding in enumerate(faults(before)):
        mended = obeyed(text, finding.hint or "")
        if mended is None:
            continue
        said += 1
        after = judged(mended, task)
        text_and_hint = f"{finding.hint}\n{mended}"
        left = [source(mended, f) for f in faults(after)]
        others = [source(text, f) for n, f in enumerate(faults(before)) if n != number]
        assert not Counter(left) - Counter(others), text_and_hint
        for id, result in before.items():
            assert after[id].fraction >= result.fraction, (
                f"{id}: {after[id].message}\n{text_and_hint}"
            )
    return said


def source(text: str, finding: Finding) -> tuple[str, str, str]:
    """A finding without the number of its line."""
    line = "" if finding.place is None else finding.place.source
    return finding.message, line, finding.name or ""


# -- the corpus ----------------------------------------------------------------------------

CORPUS = sorted(
    path for path in (FOLDER / "wrong").glob("*.py")
    if b"late-release" in path.read_bytes() and variant_of(path) not in MATRICES
)  # fmt: skip


@pytest.mark.parametrize("path", few(CORPUS), ids=lambda path: path.stem)
def test_obeying_a_hint_of_the_corpus_mends(path: Path) -> None:
    name = variant_of(path)
    bank = next(
        folder / f"{name}.py" for folder in (FOLDER / "bank", Path(__file__).parents[2] / "variants")
        if (folder / f"{name}.py").exists()
    )  # fmt: skip
    assert_obeying_mends(text_of(path).decode(), bank.read_text(encoding="utf-8"))


# -- passes with kept values ---------------------------------------------------------------

HEAD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(2))

    def forward(self, x1, x2, x3):
        return self.w[0] * x1 * (self.w[1] * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
"""
TASK = (FOLDER / "bank" / "v902.py").read_text(encoding="utf-8")


KEPT = {
    "alias of the next line": "df = -g\nde = g\ng = None",
    "alias on the same line": "df = -g; de = g\ng = None",
    "alias and a late op on one line": "df = -g; de = g; g = None; df = df * 1.5",
    "late op on the line": "df = -g; de = g; df = df * 1.5",
    "two names": "de = g\ndf = -g",
    "unpacked": "de, n = g, 2\ndf = -g",
    "starred": "*_, de = 1, g\ndf = -g",
    "rebound": "df = -g\nde = g\ndf = df * 1.5\nde = df * 2.0\ndf = de * 0.5\nde = None",
    "walrus": "df = -(de := g)\ng = None",
    "late alias": "df = -g\ndf = df * 2.0\nde = g",
    "shape read later": "df = -g\ndf = df * 2.0\ndf = df * (1.0 + g.dim())",
    "in a branch": "if x1.dim() == 0:\n    df = -g\n    de = g\ng = None",
    "bound in a branch": "df = -g\nif x1.dim() == 0:\n    de = g\ng = None",
    "used in the test": "if g.dim() == 0 and -g != 77.0:\n    df = x1 * 1.5\n"
        "else:\n    df = x1 * 2.5",
    "one line of an if": "if x1.dim() == 0: df = -g; de = g\ng = None",
    "loop": "df = x1 * 1.5\nfor k in range(2):\n    df = df * g\n    n = k",
    "loop on a line": "df = x1 * 1.5\nfor k in range(2): df = df * g",
    "loop over a pair": "df = x1 * 1.5\nfor k in (g, g):\n    df = df * k\n    df = df * 0.5",
    "loop that makes it": "df = x1 * 1.5\nfor k in range(3):\n    h = df * 2.0\n"
        "    df = -h\n    e = h\n    df = df * 0.5",
    "while": "df, n = x1 * 1.5, 0\nwhile n < 2:\n    df = df * g\n    n += 1",
    "two loops": "df = x1 * 1.5\nfor k in range(2):\n    for m in range(2):\n        df = df * g",
    "an alias in a loop": "df = x1 * 1.5\nfor k in range(2):\n"
        "    df = df * g\n    de = g\ng = None",
    "an alias after a loop": "df = x1 * 1.5\nfor k in range(2):\n    df = df * g\nde = g\ng = None",
    "last round": "df = x1 * 1.5\nfor k in range(4):\n"
        "    if k < 2:\n        df = df * g\n    df = df * 0.5",
    "with": "with torch.no_grad():\n    df = -g\n    de = g\ng = None",
    "try": "try:\n    df = -g\nfinally:\n    de = g\ng = None",
    "several lines": "df = (\n    -g\n)\nde = (\n    g\n)\ng = None",
    "semicolon before lines": "df = -g; de = (\n    g\n)\ng = None",
    "helper": "def minus(a):\n    b = a * 2.0\n    c = -b\n"
        "    d = b\n    c = c * 0.5\n    return c\ndf = minus(g)",
    "helper leaks": "def both(a):\n    b = a * 2.0\n    return -b, b\ndf, de = both(g)",
    "helper has the name": "def over(a, de):\n    return a * 1.5\ndf = -g\ndf = over(df, g)",
    "closure": "def minus():\n    return -g\ndf = minus()",
    "in a list": "kept = [g]\ndf = -g\ng = None",
    "on self": "self.kept = g\ndf = -g\ng = None",
    "list and name": "kept = [g]\ndf = -g",
    "view": "de = g.view(())\ndf = -g\ng = None",
    "many names": "a1 = a2 = a3 = a4 = a5 = a6 = g\ndf = -g",
    "a comment between": "df = -g\n# the other one\n\nde = g\ng = None",
    "comprehension": "df = sum([-v for v in (g, g)])",
    "match": "match x1.dim():\n    case 0:\n        df = -g\n"
        "        de = g\n    case _:\n        df = g\ng = None",
    "in place": "df = -g\nde = g\ng = None\ndf *= 2.0",
    "eight names": "a1 = a2 = a3 = a4 = a5 = a6 = a7 = g\ndf = -g",
    "numpy": "de = g.numpy()\ndf = -g\ng = None",
}  # fmt: skip
"""Statements that use `g`, which is made before, and make `df`, with which the pass goes on."""


def pass_of(lines: str) -> str:
    body = f"""\
w0, w1 = self.w
g = w0 * w1
{lines}
a = w0 * x1
b = w1 * x2
y = a * b + x3 + 0.0 * df
df = None
dw0 = b * x1
b = None
dw1 = a * x2
a = None
self.w.grad = torch.stack([dw0, dw1])
return y"""
    return HEAD + "\n".join(f"        {line}".rstrip() for line in body.split("\n")) + "\n"


UNSAID = (
    "late alias", "shape read later", "helper has the name", "closure", "in a list", "on self",
    "list and name", "eight names", "numpy", "alias on the same line", "late op on the line",
    "alias and a late op on one line", "one line of an if", "semicolon before lines", "try", "used in the test",
)  # fmt: skip
"""Where a hint says no more than the line: what holds the value is no plain name, is read later, or shares its line with other statements."""


@pytest.mark.parametrize("name", few(KEPT, ["alias of the next line", "alias and a late op on one line",
                                            "helper", "an alias in a loop", "bound in a branch"]))  # fmt: skip
def test_obeying_a_hint_mends(name: str) -> None:
    said = assert_obeying_mends(pass_of(KEPT[name]), TASK)
    assert (said == 0) == (name in UNSAID)


# -- passes of the generator ---------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_obeying_a_hint_of_a_drawn_pass_mends(seed: int) -> None:
    variant, said = make_variant(seed), 0
    for kind in RELEASE_FAULTS:
        for each in range(4):
            with contextlib.suppress(NoPlace, Discarded):
                drawn = make_submission(variant, each, kind)
                said += assert_obeying_mends(drawn.text, variant.text)
    assert said > 0
