"""No test says how little time something may take: a busy machine would fail it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
GRADED = ("attacks", "submissions")
"""Folders of what tests grade, by how their names begin."""
CLOCKS = {"monotonic", "perf_counter", "seconds", "time"}


def own_files() -> list[Path]:
    every = [path.relative_to(TESTS) for path in TESTS.rglob("*.py")]
    return sorted(TESTS / path for path in every if not path.parts[0].startswith(GRADED))


def reads_a_clock(node: ast.expr) -> bool:
    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr=name)):
                pass
            case ast.Name(id="seconds" as name) | ast.Attribute(attr="seconds" as name):
                pass
            case ast.Subscript(slice=ast.Constant(value="seconds" as name)):
                pass
            case _:
                continue
        if name in CLOCKS:
            return True
    return False


def bounds_of_time(tree: ast.AST) -> list[int]:
    """Lines that do. How much it takes at least may be asked, and the processor's time of a thread."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword):
            match node:
                case ast.keyword(arg="deadline") | ast.keyword("timeout", ast.Constant()):
                    found.append(node.value.lineno)
                # of hypothesis's: a list of some leaves out that it is too slow, which conftest.py has
                case ast.keyword("suppress_health_check", ast.List()):
                    found.append(node.value.lineno)
        elif isinstance(node, ast.Assert):
            for part in ast.walk(node.test):
                if isinstance(part, ast.Compare):
                    sides = [part.left, *part.comparators]
                    for less, op, more in zip(sides, part.ops, sides[1:], strict=False):
                        below = less if isinstance(op, ast.Lt | ast.LtE) else more
                        if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) and (
                            reads_a_clock(below)
                        ):
                            found.append(part.lineno)
    return found


@pytest.mark.parametrize(
    ("text", "bounded"),
    [
        ("assert time.monotonic() - start < 5", True),
        ("assert 1 < outcome.seconds < 5", True),
        ("assert 5 > told['seconds'], 'slow'", True),
        ("process.wait(timeout=5)", True),
        ("settings(deadline=200)", True),
        ("settings(suppress_health_check=[HealthCheck.data_too_large])", True),
        ("settings(suppress_health_check=list(HealthCheck))", False),
        ("assert outcome.seconds > 5", False),
        ("assert time.thread_time() - start < 5", False),
        ("process.wait(timeout=PATIENCE)", False),
    ],
)
def test_bounds_of_time_are_seen(text: str, bounded: bool) -> None:
    assert bool(bounds_of_time(ast.parse(text))) == bounded


def test_no_test_says_how_fast_a_machine_is() -> None:
    found = {
        path.name: bounds_of_time(ast.parse(path.read_text(encoding="utf-8")))
        for path in own_files()
    }
    assert {name: lines for name, lines in found.items() if lines} == {}
