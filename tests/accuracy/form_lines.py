"""How often the wrong line is named in the forms in which courses ask: the bank's answer keys, or right
passes in other styles (`--styles`), with one fault each, graded in a child as a class is. What is as good
to mend is asked of plain torch."""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "exercises"))

import torch
from forms_grading import TASKS, Grading, grading
from forms_oracle import is_right, read_task
from line_edits import first_edit
from tensor_faults import mutations, statements
from tensor_steps import bound, is_size, pairs

from pytest_backprop.model import LINES, Finding

KEYS = Path(__file__).parents[1] / "submissions_forms" / "keys"
STYLES = KEYS.parent / "styles"
LABELS = ("y", "labels", "ids", "idx", "target")
CHECKS = ("forward", "manual-forward", "gradient")
WRONG = ("wrong-gradient", "wrong-value")


class FormFault(NamedTuple):
    """An answer key with a fault of a kind at a line; `now` is what stands there. `lines` are where
    it may be told: where the line does nothing any more, also those that use what it made."""

    key: str
    kind: str
    line: int
    now: str
    text: str
    lines: frozenset[int]


class FormRow(NamedTuple):
    """What was told of a fault: the lines, likeliest first, and the first one's edit that makes the
    file right by plain torch, where it is another line and there is one."""

    fault: FormFault
    told: tuple[tuple[int, str], ...]
    as_good: str | None

    @property
    def verdict(self) -> str:
        if not self.told:
            return "nothing"
        if self.told[0][0] in self.fault.lines:
            return "first"
        return "right line" if self.as_good is None else "as good"


def faults(key: Path) -> Iterator[FormFault]:
    """All faults of a key. A line that gives a size, or hands several values on, has none."""
    text = key.read_text(encoding="utf-8")
    lines, random = text.split("\n"), Random(key.stem)
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    for function in functions:
        named = [arg.arg for arg in function.args.args if arg.arg not in ("self", "ctx", "cache")]
        names = dict.fromkeys(named, False)
        program: Any = SimpleNamespace(labels=[n for n in names if n in LABELS], weights={})
        for statement in statements(function) if function.name != "__init__" else ():
            if not _is_quiet(statement, names):
                for kind, changed, touched in mutations(program, statement, names, random):
                    now = "pass" if changed is None else ast.unparse(changed)
                    own = range(statement.lineno, (statement.end_lineno or 0) + 1)
                    first = lines[own.start - 1]
                    indent = first[: len(first) - len(first.lstrip())]
                    empty = [""] * (len(own) - 1)
                    body = [*lines[: own.start - 1], indent + now, *empty, *lines[own.stop - 1 :]]
                    if changed is not None and not _computes(changed):
                        touched |= {name for t, _ in pairs(statement) for name in bound([t])}
                    using = [n.lineno for n in statements(function) if _names(n) & touched]
                    if changed is None:  # another method made what is not changed any more
                        parts = _attributes(statement)
                        every = [n for each in functions for n in statements(each)]
                        using += [n.lineno for n in every if _attributes(n) & parts]
                    if now != ast.unparse(statement):
                        at = frozenset((*own, *using))
                        yield FormFault(key.stem, kind, own.start, now, "\n".join(body), at)
            for target, value in pairs(statement):
                for name in bound([target]):
                    names.setdefault(name, is_size(value, names))


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _attributes(node: ast.AST) -> set[str]:
    """Those that get something, or to which something is done."""
    match node:
        case ast.Assign([target], _) | ast.AugAssign(target):
            owner = target.value if isinstance(target, ast.Subscript) else target
        case ast.Expr(ast.Call(ast.Attribute(owner))):
            pass
        case _:
            return set()
    return {ast.unparse(owner)} if isinstance(owner, ast.Attribute) else set()


def _computes(statement: ast.stmt) -> bool:
    """Whether a statement is more than another name for something, or a call of the student's."""
    value = getattr(statement, "value", None)
    return isinstance(value, ast.BinOp | ast.Call | ast.UnaryOp | ast.Compare | ast.Subscript) or (
        isinstance(statement, ast.AugAssign)
    )


def _is_quiet(statement: ast.stmt, names: dict[str, bool]) -> bool:
    own_call = "self." in ast.unparse(statement) and isinstance(statement, ast.Expr)
    value = getattr(statement, "value", None)
    several = isinstance(value, ast.Tuple | ast.Dict)
    return own_call or several or any(is_size(value, names) for _, value in pairs(statement))


_GRADING: list[Any] = []


def told(fault: FormFault) -> FormRow | None:
    """What the grader tells; None of what is right all the same, or goes wrong otherwise."""
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    if not _GRADING:
        context = grading()
        _GRADING.extend((context, context.__enter__()))
    grade: Grading = _GRADING[1]
    task = read_task(TASKS / f"{fault.key.rpartition('_')[2]}.py")
    path = Path(tempfile.mkdtemp()) / f"{fault.key}.py"
    path.write_text(fault.text, encoding="utf-8")
    checks = grade(path, task.form).checks
    every = [(check.result.id, each) for check in checks for each in check.result.findings]
    wrong = [f for name, f in every if name in CHECKS and f.level == "fault"]
    if not wrong or any(f.kind not in WRONG for f in wrong):
        return None
    lines = [f for _, f in every if f.place is not None and (f.kind in LINES or _is_line(f))]
    lines.sort(key=lambda f: LINES.index(f.kind) if f.kind in LINES else len(LINES))
    shown = tuple((f.place.line, f.message) for f in lines if f.place is not None)
    first = shown[0][0] if shown else None
    if first is None or first in fault.lines:
        return FormRow(fault, shown, None)
    own = KEYS / path.name if (KEYS / path.name).exists() else STYLES / path.name
    program: Any = SimpleNamespace(inputs=[], weights={}, body=own.read_text(encoding="utf-8"))
    as_good = first_edit(program, fault.text, first, lambda text: is_right(task, text))
    return FormRow(fault, shown, as_good)


def _is_line(finding: Finding) -> bool:
    """Whether a finding of another kind says what is wrong at a line: what was sent is changed in
    place there, or a gradient is overwritten to which others were to be added."""
    hint = finding.hint or ""
    return finding.kind == "input-changed" or "are added to, not overwritten" in hint


def seek(count: int, seed: int, keys: Path = KEYS, processes: int = 2) -> list[FormRow]:
    """The rows of so many faults in the files of a folder, less those that are none."""
    every = [fault for key in sorted(keys.glob("*.py")) for fault in faults(key)]
    Random(seed).shuffle(every)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return [row for row in pool.imap(told, every[:count], 4) if row is not None]


def table(rows: Sequence[FormRow]) -> str:
    """For people: how many passes, and what was told first."""
    counts = Counter(row.verdict for row in rows)
    shares = {
        v: counts[v] / max(1, len(rows)) for v in ("first", "as good", "right line", "nothing")
    }
    return f"{len(rows)} passes: " + ", ".join(f"{v} {share:.1%}" for v, share in shares.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="of which about half are none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--styles", action="store_true", help="the right passes in other styles")
    asked = parser.parse_args()
    rows = seek(asked.count, asked.seed, STYLES if asked.styles else KEYS)
    for row in [row for row in rows if asked.misses and row.verdict != "first"]:
        print(f"--- {row.verdict}: {row.fault.key}, {row.fault.kind}, line {row.fault.line}")
        print(f"    {row.fault.now}\n    told {row.told[:2]} {row.as_good or ''}")
    print(table(rows))


if __name__ == "__main__":
    main()
