"""The corpus in `tests/submissions`: submissions whose files state their verdicts.

A `.py` file states it in a comment block at its top, which is TOML behind `# `:

    # verdict:
    # gradient = "partial 20: wrong-gradient @A w0"
    # release = "partial 18: late-release @L t5"
    # notes = ["PyTorch skips this path"]

Each check that lost points tells them, and its faults: `kind place name, kind place name`. The place
is a mark (the line whose comment ends in `@A`), a line (`12`), a cell and a line (`3:12`), or `-` for
none; `-` or nothing is no name. `failed` has those that got none, each with its fault where it has one:

    # failed = "integrity autograd @I, gradient, unused-nodes, release"

What a verdict does not say is the best there is: every check `passed` with all its points. `status` is
said where it is not `graded`, with forward's fault: `unreadable: syntax-error 6`; of a pass that
crashed or ran out of time or memory the fault is called so, too. Faults are stated exactly, notes as parts of their text. The variant
is the one in the file's name. A file that cannot carry a header (a notebook, an empty file) has it as
TOML in `<file name>.toml` beside it.

`known_bug` says in what the grader differs from the definition, which the verdict follows.
`why` is for the reader; `class` and `seconds` are `--backprop-class` and `--backprop-timeout`; a
`slow` case (seconds, not hundredths) is left out where the corpus is run as a whole. The header of an
attack (`tests/attacks`) begins with what it tries: `# attack: calls backward on a graph of its own`.

Below the header stands what makes the case another; `corpus_text` says how, and prints the whole text.
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_args

from corpus_text import FOLDER, BadVerdict, graded_file, variant_of

from pytest_backprop.model import Grade
from pytest_backprop.model.verdict import NO_GRADE, Status

HEADER = re.compile(rb"# (verdict:|attack: (?P<attack>.+))")
POINTS = {
    "forward": 15.0,
    "manual-forward": 10.0,
    "gradient": 40.0,
    "unused-nodes": 15.0,
    "release": 20.0,
    "integrity": 0.0,
}
GATED = ("gradient", "unused-nodes", "release")
"""Where integrity fails these are not counted, and their findings are not stated."""
STATUSES = get_args(Status)
ENDS = ("timeout", "out_of_memory", "crashed")
"""Statuses that are the kind of their fault."""
TEXTS = ("status", "why", "class", "known_bug", "attack", "failed", *POINTS)
KEYS = frozenset((*TEXTS, "seconds", "slow", "notes"))
MATRICES = ("v911", "v912", "v913", "v914", "v915", "v916")
MARK = re.compile(r"@([A-Z][A-Z0-9]*)\s*$")


class Fault(NamedTuple):
    """A finding that costs points, as stated and as found."""

    check: str
    kind: str
    cell: int | None
    line: int | None
    name: str | None


class Told(NamedTuple):
    """One check's outcome and points."""

    outcome: str
    score: float


@dataclass(frozen=True)
class Case:
    """A submission with its stated verdict; `path` has the text that is graded."""

    path: Path
    variant: str
    status: str
    checks: dict[str, Told]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()
    known_bug: str | None = None
    class_name: str | None = None
    seconds: float | None = None
    slow: bool = False
    attack: str | None = None

    @property
    def id(self) -> str:
        """`right/loop_v902.py`"""
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def of_matrices(self) -> bool:
        """Whether it is judged at several sizes, which takes seconds."""
        return self.variant in MATRICES

    @property
    def score(self) -> float:
        """Points in all."""
        return sum(told.score for told in self.checks.values())


@functools.cache
def cases() -> list[Case]:
    """All cases. Raises BadVerdict for the first that does not state its verdict well."""
    found = []
    for folder in ("right", "wrong"):
        for path in sorted((FOLDER / folder).rglob("*")):
            if path.suffix in (".py", ".ipynb"):
                found.append(load_case(path))
            elif path.suffix == ".toml" and not path.with_suffix("").exists():
                raise BadVerdict(f"{path.name}: the verdict of a file that is not there")
    return found


def load_case(path: Path) -> Case:
    """The case of one file. Raises BadVerdict."""
    table = _table(path)
    unknown = set(table) - KEYS
    if unknown:
        raise BadVerdict(f"{path.name}: unknown key {', '.join(sorted(unknown))}")
    for key in TEXTS:
        if key in table and (not isinstance(table[key], str) or not table[key]):
            raise BadVerdict(f"{path.name}: {key} is not a text")
    for key, type_ in (("seconds", int), ("slow", bool)):
        if type(table.get(key, type_())) is not type_:
            raise BadVerdict(f"{path.name}: {key} is not of type {type_.__name__}")
    status, _, kinds = table.get("status", "graded").partition(": ")
    if status not in STATUSES:
        raise BadVerdict(f"{path.name}: there is no status {status!r}")
    checks, said = _checks(path, table, status)
    said += [f"forward {kind}" for kind in _list(kinds or (status if status in ENDS else ""))]
    graded = graded_file(path)
    marks = _marks(graded)
    faults = tuple(_fault(path, text, marks) for text in said)
    used = {word for text in said for word in text.split() if word[0] == "@"}
    if unused := {f"@{name}" for name in marks} - used:
        raise BadVerdict(f"{path.name}: no fault is stated at {', '.join(sorted(unused))}")
    failed = [id for id, told in checks.items() if told.outcome in ("partial", "failed")]
    if bool(failed) != bool(faults):
        raise BadVerdict(f"{path.name}: faults and points must go together")
    return Case(
        graded,
        variant_of(path),
        status,
        checks,
        faults,
        tuple(_notes(path, table)),
        table.get("known_bug"),
        table.get("class"),
        table.get("seconds"),
        table.get("slow", False),
        table.get("attack"),
    )


def _table(path: Path) -> dict[str, Any]:
    beside = path.with_name(f"{path.name}.toml")
    lines = path.read_bytes().splitlines()
    heads = list(map(HEADER.fullmatch, lines[:3]))  # a coding line may stand above
    head = next(filter(None, heads), None)
    table: dict[str, Any] = {}
    if beside.exists():
        text = beside.read_text(encoding="utf-8")
        if head:
            raise BadVerdict(f"{path.name}: two verdicts")
    else:
        if head is None:
            raise BadVerdict(f"{path.name}: no verdict: no `# verdict:` at the top, no sidecar")
        if head["attack"]:
            table["attack"] = head["attack"].decode("ascii")
        block: list[bytes] = []
        for line in lines[heads.index(head) + 1 :]:
            if not line.startswith(b"# "):
                break
            block.append(line[2:])
        text = b"\n".join(block).decode("ascii")
    try:
        return table | tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadVerdict(f"{path.name}: the verdict is not TOML: {error}") from None


def _notes(path: Path, table: dict[str, Any]) -> list[str]:
    texts = table.get("notes", [])
    if not isinstance(texts, list) or not all(isinstance(t, str) and t.strip() for t in texts):
        raise BadVerdict(f"{path.name}: notes is not a list of texts")
    return texts


def _list(text: str) -> list[str]:
    return text.split(", ") if text else []


def _checks(path: Path, table: dict[str, Any], status: str) -> tuple[dict[str, Told], list[str]]:
    """What each check earns, and the faults, each as `check kind place name`."""
    if status == "graded":
        checks = {id: Told("passed", points) for id, points in POINTS.items()}
    else:
        outcome = "not_judged" if status in NO_GRADE else "failed"
        checks = dict.fromkeys(POINTS, Told(outcome, 0.0))
    faults = []
    for item in _list(table.get("failed", "")):
        id, _, fault = item.partition(" ")
        if id not in POINTS or id in table or status != "graded":
            raise BadVerdict(f"{path.name}: {id} is no check that can have failed")
        checks[id] = Told("failed", 0.0)
        faults += [item] if fault else []
    for id in POINTS:
        if id in table:
            told, _, kinds = table[id].partition(": ")
            if status != "graded":
                raise BadVerdict(f"{path.name}: {id} earns nothing where the status is {status}")
            checks[id] = _partial(path, id, told)
            faults += [f"{id} {kind}" for kind in _list(kinds)]
    return checks, faults


def _partial(path: Path, id: str, text: str) -> Told:
    if not (found := re.fullmatch(r"partial (\d+(?:\.\d+)?)", text)):
        raise BadVerdict(f"{path.name}: {id} is {text!r}, not `partial` and its points")
    if not 0 < float(found[1]) < POINTS[id]:
        raise BadVerdict(f"{path.name}: {id} cannot be partial with {found[1]} points")
    return Told("partial", float(found[1]))


def _marks(path: Path) -> dict[str, tuple[int | None, int]]:
    """Place, by mark: (cell, line), the cell None in a `.py`."""
    pieces: list[tuple[int | None, str]] = []
    raw = path.read_bytes().decode("utf-8", "replace")
    if path.suffix == ".py":
        pieces.append((None, raw))
    else:
        try:
            cells = json.loads(raw)["cells"]
        except (ValueError, KeyError, TypeError):
            cells = []
        pieces += [(n, "".join(cell["source"])) for n, cell in enumerate(cells, 1)]
    found: dict[str, tuple[int | None, int]] = {}
    for cell, text in pieces:
        for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):
            if "#" in line and not line.startswith("# ") and (mark := MARK.search(line)):
                if mark[1] in found:
                    raise BadVerdict(f"{path.name}: the mark @{mark[1]} stands twice")
                found[mark[1]] = (cell, number)
    return found


def _fault(path: Path, text: str, marks: dict[str, tuple[int | None, int]]) -> Fault:
    words = text.split()
    if not 2 <= len(words) <= 4:
        raise BadVerdict(f"{path.name}: the fault {text!r} is not `check kind place name`")
    check, kind, where, name = [*words, "-", "-"][:4]
    cell: int | None = None
    line: int | None = None
    if where[0] == "@":
        if where[1:] not in marks:
            raise BadVerdict(f"{path.name}: there is no line marked {where}")
        cell, line = marks[where[1:]]
    elif where != "-":
        head, colon, tail = where.rpartition(":")
        if not tail.isdecimal() or (colon and not head.isdecimal()):
            raise BadVerdict(f"{path.name}: {where} is no place")
        cell, line = int(head) if colon else None, int(tail)
    return Fault(check, kind, cell, line, None if name == "-" else name)


# -- what the grader says, in the same words ---------------------------------------------------


def told(grade: Grade) -> dict[str, Told]:
    """Outcome and points of each check of a grade, rounded as reports round them."""
    return {c.result.id: Told(c.result.outcome, round(c.score, 6)) for c in grade.checks}


def stated(case: Case) -> dict[str, Told]:
    """The same of a case."""
    return {id: Told(t.outcome, round(t.score, 6)) for id, t in case.checks.items()}


def faults_of(grade: Grade) -> list[Fault]:
    """The faults of a grade, sorted; of checks that count."""
    outcomes = {c.result.id: c.result.outcome for c in grade.checks}
    gated = grade.status == "graded" and outcomes.get("integrity") == "failed"
    found = [
        Fault(
            check.result.id,
            finding.kind,
            None if finding.place is None else finding.place.cell,
            None if finding.place is None else finding.place.line,
            finding.name,
        )
        for check in grade.checks
        if not (gated and check.result.id in GATED)
        for finding in check.result.findings
        if finding.level == "fault"
    ]
    return sorted(found, key=repr)


def notes_of(grade: Grade) -> list[str]:
    """Every text of a grade that is not a fault: notes, and findings that cost nothing."""
    findings = [f for check in grade.checks for f in check.result.findings]
    return [*grade.notes, *(f.message for f in findings if f.level == "note")]
