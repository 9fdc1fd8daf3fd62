"""What a change of the grader changes in its grades: `python benchmarks/report_changes.py BEFORE`.

BEFORE is another checkout with a `.venv`, or what `--save FILE` wrote. The six corpora, the attacks and the examples,
as they stand here, are graded by BEFORE and by this checkout, through real runs of pytest; times and measured memory
are left out. A case whose report differs is graded once more by both, and counts where no two of their reports agree.

Printed are, for each group of cases, how many verdicts (status, outcomes, points), findings (kind and place) and texts
differ, and each changed verdict by name. `--without NAME` switches one mechanism of this checkout off, in a copy, and
compares the copy with this checkout: what that mechanism decides. Exit status 1: a verdict or a finding differs.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from attack_class import filled
from corpus import _table
from corpus_text import graded_file
from stated import cases_in

HERE = Path(__file__).resolve().parents[1]
TESTS = HERE / "tests"

Entry = dict[str, Any]
Entries = dict[str, Entry]

MEASURED = {"seconds", "peak_memory", "tool", "time", "started", "path"}
"""Keys whose values the clock, the kernel, the version and the folder decide."""

SWITCHES: dict[str, tuple[str, str]] = {
    "differences": ("judging/differences.py", "finite_difference = lambda case: None"),
    "amplified": ("judging/differences.py", "_amplified = lambda case, at: None"),
    "repeated": ("judging/differences.py", "repetition = lambda case, at: None"),
    "effects": ("trace/adjoints.py", "idle_ops = lambda *_: frozenset()"),
    "destinations": ("submission/destinations.py", "Destinations.is_kept = lambda *_: False"),
}
"""By mechanism: a module of the package, and what is written below it, so that the mechanism says
nothing."""


class Group(NamedTuple):
    """Cases that are graded by one run of pytest, by name: `tape/wrong/no_minus_v943.py`."""

    cases: dict[str, Path]
    banks: tuple[Path, ...]
    options: tuple[str, ...]


def main() -> int:
    """1 if a verdict or a finding differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path, nargs="?", help="a checkout, or a file by --save")
    parser.add_argument("--without", choices=SWITCHES, help="compare with this mechanism off")
    parser.add_argument("--only", default="", help="groups and cases whose name has this in it")
    parser.add_argument("--slow", action="store_true", help="also what takes seconds a case")
    parser.add_argument("--all", action="store_true", help="print each place that differs")
    parser.add_argument("--save", type=Path, help="write this checkout's reports to a file")
    asked = parser.parse_args()
    groups = [group for group in selected(all_groups(asked.slow), asked.only) if group.cases]
    with tempfile.TemporaryDirectory() as folder:
        own = Grader(HERE / ".venv/bin/python")
        before: Grader | None = None
        after = own
        if asked.without:
            before, after = own, Grader(switched_off(asked.without, Path(folder)))
        elif asked.before and asked.before.is_dir():
            before = Grader(asked.before.resolve() / ".venv/bin/python")
        now = {name: entry for group in groups for name, entry in after.grade(group).items()}
        if asked.save:
            asked.save.write_text(json.dumps(now), encoding="utf-8")
        if before:
            earlier = {name: e for group in groups for name, e in before.grade(group).items()}
        elif asked.before:
            earlier = json.loads(asked.before.read_text(encoding="utf-8"))
        else:
            return 0
        return told(len(now), compare(groups, earlier, now, before, after), asked.all)


# -- cases -------------------------------------------------------------------------------------


def all_groups(slow: bool) -> Iterator[Group]:
    """Each corpus by its settings, the attacks, the examples."""
    homework = (HERE / "variants", TESTS / "submissions" / "bank")
    yield from by_settings(
        "homework", TESTS / "submissions", homework, ("--backprop-memory=400M",), slow
    )
    for name in ("function", "layer", "tape", "intermediate", "accumulation", "hooks"):
        folder = TESTS / f"submissions_{name}"
        yield from by_settings(name, folder, (folder / "bank",), (), slow)
    settings = ("--backprop-memory=200M", "--backprop-points=256")
    yield from by_settings("attacks", TESTS / "attacks", homework, settings, slow)
    examples = {"homework": (HERE / "examples" / "class", HERE / "variants")}
    examples |= {p.parent.name: (p, p.parent / "tasks") for p in HERE.glob("examples/*/class")}
    for name, (classes, bank) in sorted(examples.items()):
        cases = {f"examples/{name}/{path.name}": path for path in cases_in(classes)}
        yield Group(cases, (bank,), ())


def by_settings(
    name: str, folder: Path, banks: tuple[Path, ...], options: tuple[str, ...], slow: bool
) -> Iterator[Group]:
    """One group for all cases of a corpus with the same `class` and `seconds` in their headers."""
    groups: dict[tuple[str, ...], dict[str, Path]] = {}
    for place in (folder, *(folder / part for part in ("right", "wrong", "attacks"))):
        for path in cases_in(place) if place.exists() else ():
            header = _table(path)
            if slow or not header.get("slow"):
                own = tuple(
                    f"--backprop-{option}={header[key]}"
                    for key, option in (("class", "class"), ("seconds", "timeout"))
                    if key in header
                )
                groups.setdefault(own, {})[f"{name}/{place.name}/{path.name}"] = path
    for own, cases in groups.items():
        yield Group(cases, banks, (*options, *own))


def selected(groups: Iterable[Group], only: str) -> Iterator[Group]:
    """The groups with the cases whose name has a text in it."""
    for group in groups:
        yield group._replace(cases={n: path for n, path in group.cases.items() if only in n})


# -- grading -----------------------------------------------------------------------------------


class Grader:
    """The grader of one environment, run as users run it."""

    def __init__(self, python: Path) -> None:
        self.python = python

    def grade(self, group: Group) -> Entries:
        """The entries of its JSON report by case, without what is measured. Raises RuntimeError."""
        with tempfile.TemporaryDirectory() as top:
            places = dict.fromkeys(("class", "root", "home", "outside", "socket"), top) | {
                "port": "9"
            }
            for name, path in group.cases.items():
                text = graded_file(path).read_bytes().decode("utf-8", "surrogateescape")
                to = Path(top, "class", flat(name))
                to.parent.mkdir(exist_ok=True)
                to.write_bytes(filled(text, places).encode("utf-8", "surrogateescape"))
            for bank in group.banks:
                shutil.copytree(bank, Path(top, "bank"), dirs_exist_ok=True)
            command = [str(self.python), "-P", "-m", "pytest", "-q", "--tb=no", "--backprop"]
            command += ["class", "--backprop-variants=bank", "--backprop-report=json:report.json"]
            done = subprocess.run(
                [*command, *group.options],
                cwd=top,
                env=os.environ | {"PYTHONPATH": ""},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            if done.returncode > 1:
                raise RuntimeError(f"{self.python}: {done.stdout[-2000:]}")
            report = json.loads(Path(top, "report.json").read_text(encoding="utf-8"))
        entries = {entry["path"].removeprefix("class/"): entry for entry in report["submissions"]}
        return {name: without_measures(entries[flat(name)], top) for name in group.cases}


def flat(name: str) -> str:
    """A case's file in the graded folder: a folder of many files could be one student's."""
    return name.replace("/", "--")


def without_measures(value: Any, top: str) -> Any:
    """A report without the keys that are measured, and without the folder of its run."""
    if isinstance(value, dict):
        return {k: without_measures(v, top) for k, v in value.items() if k not in MEASURED}
    if isinstance(value, list):
        return [without_measures(item, top) for item in value]
    return value.replace(top, "") if isinstance(value, str) else value


def switched_off(mechanism: str, top: Path) -> Path:
    """The interpreter of an environment over this one, whose package has a mechanism off."""
    module, below = SWITCHES[mechanism]
    shutil.copytree(HERE / "pytest_backprop", top / "copy" / "pytest_backprop")
    with Path(top, "copy", "pytest_backprop", module).open("a", encoding="utf-8") as file:
        file.write(f"\n\n{below}\n")
    venv.create(top / "venv", symlinks=True)
    python = top / "venv" / "bin" / "python"
    [packages] = (top / "venv").glob("lib/python*/site-packages")
    own = sysconfig.get_path("purelib")
    packages.joinpath("copy.pth").write_text(f"{top / 'copy'}\n{own}\n", encoding="utf-8")
    return python


# -- comparing ---------------------------------------------------------------------------------


def verdict(entry: Entry) -> Any:
    """Status, and each check's outcome and points."""
    return entry["status"], {c["id"]: (c["outcome"], c["score"]) for c in entry["checks"]}


def findings(entry: Entry) -> Any:
    """Kind and place of each finding, by check, in order."""
    keys = ("level", "kind", "cell", "line", "name")
    return [[c["id"], *([f.get(k) for k in keys] for f in c["findings"])] for c in entry["checks"]]


LEVELS: dict[str, Callable[[Entry], Any]] = {
    "verdicts": verdict,
    "findings": findings,
    "texts": dict,
}
"""What two reports may differ in, the gravest first."""


class Change(NamedTuple):
    """A case that two graders report differently."""

    case: str
    level: str
    before: Entry
    after: Entry


def level_of(before: Entry, after: Entry) -> str | None:
    """The gravest of LEVELS in which two reports differ; None if they agree."""
    return next((name for name, part in LEVELS.items() if part(before) != part(after)), None)


def compare(
    groups: Iterable[Group], earlier: Entries, now: Entries, before: Grader | None, after: Grader
) -> Iterator[Change]:
    """The cases that differ, also when they are graded once more."""
    for group in groups:
        suspects = {
            n: path for n, path in group.cases.items() if n in earlier and earlier[n] != now[n]
        }
        if suspects:
            again = group._replace(cases=suspects)
            ones = [earlier, before.grade(again)] if before else [earlier]
            twos = [now, after.grade(again)]
            for name in suspects:
                levels = [level_of(a[name], b[name]) for a in ones for b in twos]
                if None not in levels:
                    least = max(filter(None, levels), key=list(LEVELS).index)
                    yield Change(name, least, earlier[name], now[name])


def told(graded: int, changes: Iterable[Change], everything: bool) -> int:
    """Prints them; 1 if a verdict or a finding differs."""
    counts = dict.fromkeys(LEVELS, 0)
    for change in changes:
        counts[change.level] += 1
        if change.level != "texts" or everything:
            print(
                f"{change.level[:-1]}: {change.case}: {summary(change.before)} -> {summary(change.after)}"
            )
        if everything:
            print(
                *(f"    {line}" for line in differences(change.before, change.after, "")), sep="\n"
            )
    print(
        f"{graded} cases graded; different: "
        + ", ".join(f"{n} {name}" for name, n in counts.items())
    )
    return int(bool(counts["verdicts"] or counts["findings"]))


def summary(entry: Entry) -> str:
    """`78 (gradient 20: wrong-gradient 12 w0)`: its points, and the checks that lost some."""
    lost = []
    for check in entry["checks"]:
        if check["outcome"] != "passed":
            keys = ("kind", "line", "name")
            texts = [" ".join(str(f[k]) for k in keys if f.get(k)) for f in check["findings"]]
            lost.append(f"{check['id']} {check['score']:g}: {', '.join(texts)}")
    status = "" if entry["status"] == "graded" else f" {entry['status']}"
    return f"{entry['score']:g}{status}" + (f" ({'; '.join(lost)})" if lost else "")


def differences(before: Any, after: Any, where: str) -> Iterator[str]:
    """Each place at which two reports differ, with both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from differences(before.get(key), after.get(key), f"{where}/{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, two) in enumerate(zip(before, after, strict=True)):
            name = two.get("id", number) if isinstance(two, dict) else number
            yield from differences(one, two, f"{where}/{name}")
    elif before != after:
        yield f"{where}: {str(before)[:200]} | {str(after)[:200]}"


if __name__ == "__main__":
    sys.exit(main())
