"""What a change of the grader changes in its reports: `python benchmarks/report_changes.py CHECKOUT`.

Grades the examples, `tests/submissions` and `tests/attacks` (as they stand here) with the grader of
another checkout and with this one, and prints every place at which the two JSON reports differ, times
and measured memory aside. For moves and renames, which must change nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

import corpus
from attack_class import attacks
from corpus_text import graded_file

HERE = Path(__file__).resolve().parents[1]

MEASURED = {"seconds", "outside", "tool", "time", "started"}
"""Keys whose values the clock and the kernel decide, and the version."""


def main() -> int:
    """1 if a report differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path, help="the other checkout, with a `.venv`")
    parser.add_argument("--attacks", action="store_true", help="the attacks, too (minutes)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        lay_out(top / "class", asked.attacks)
        before, after = (
            report(checkout.resolve(), top, name)
            for checkout, name in ((asked.checkout, "before"), (HERE, "after"))
        )
    told = list(differences(before, after, ""))
    for line in told:
        print(line)
    print(f"{len(after['submissions'])} submissions, {len(told)} differences")
    return int(bool(told))


def lay_out(folder: Path, with_attacks: bool) -> None:
    """The submissions, a folder a source, so that names do not meet."""
    shutil.copytree(HERE / "examples" / "class", folder / "examples")
    cases = [case for case in corpus.cases() if not case.slow]
    if with_attacks:
        cases += [case for case in attacks() if not case.slow]
    for case in cases:
        path = graded_file(case.path)
        to = folder / case.path.parent.name / path.name
        to.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, to)


def report(checkout: Path, top: Path, name: str) -> dict[str, Any]:
    """The JSON report of a checkout's grader, without what is measured."""
    bank = top / "bank"
    if not bank.exists():
        shutil.copytree(HERE / "tests" / "submissions" / "bank", bank)
        for variant in (HERE / "variants").glob("*.py"):
            shutil.copy(variant, bank)
    target = top / f"{name}.json"
    command = [str(checkout / ".venv/bin/pytest"), "-q", "--no-header", "--tb=no", "--backprop"]
    options = [
        "--backprop-variants=bank",
        "--backprop-timeout=4",
        f"--backprop-report=json:{target}",
    ]
    subprocess.run(
        [*command, "class", *options],
        cwd=top, env=os.environ | {"PYTHONPATH": str(checkout)}, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    made: dict[str, Any] = without_measures(json.loads(target.read_text()))
    return made


def without_measures(value: Any) -> Any:
    """A report without the keys that are measured."""
    if isinstance(value, dict):
        return {k: without_measures(v) for k, v in value.items() if k not in MEASURED}
    return [without_measures(item) for item in value] if isinstance(value, list) else value


def differences(before: Any, after: Any, where: str) -> Iterator[str]:
    """Each place at which two reports differ, with both values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            yield from differences(before.get(key), after.get(key), f"{where}/{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        names = [part.get("path", part.get("id", n)) if isinstance(part, dict) else n
                 for n, part in enumerate(after)]  # fmt: skip
        for name, one, another in zip(names, before, after, strict=True):
            yield from differences(one, another, f"{where}/{name}")
    elif before != after:
        yield f"{where}: {str(before)[:200]} | {str(after)[:200]}"


if __name__ == "__main__":
    sys.exit(main())
