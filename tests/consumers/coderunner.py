"""What Moodle's CodeRunner makes of a combinator template grader's output, ported from
`do_combinator_grading` in `classes/jobrunner.php` and `valid_table` and `valid_table_formats` in
`classes/combinator_grader_outcome.php` of trampgeek/moodle-qtype_coderunner (at 6ecd07e)."""

from __future__ import annotations

import json
from typing import Any

ALLOWED = {
    "fraction", "prologuehtml", "testresults", "files", "epiloguehtml", "columnformats",
    "showdifferences", "showoutputonly", "graderstate", "instructorhtml",
}  # fmt: skip
CONTROL = ("iscorrect", "ishidden")


class BadCombinator(Exception):
    """The answer stays ungraded, and the question is told to be broken."""


def accept(output: str, errors: str = "") -> dict[str, Any]:
    """`fraction`, `all_rows` and `student_rows` (tables with a header row)."""
    if errors:
        raise BadCombinator("stderr")
    try:
        result = json.loads(output)
    except ValueError as error:
        raise BadCombinator(str(error)) from None
    fraction = result.get("fraction")
    if result.get("showoutputonly"):
        fraction = 1.0
    elif isinstance(fraction, bool) or not isinstance(fraction, int | float):
        raise BadCombinator("missing or bad fraction")
    elif not 0.0 <= float(fraction) <= 1.0:
        raise BadCombinator("fraction out of range")
    unknown = set(result) - ALLOWED
    if unknown:
        raise BadCombinator(f"unknown field {unknown}")
    table = result.get("testresults")
    if table is not None and not (
        isinstance(table, list) and all(isinstance(r, list) for r in table)
    ):
        raise BadCombinator("results table")
    formats = result.get("columnformats")
    if table and formats:
        columns = [name for name in table[0] if name not in CONTROL]
        if len(columns) != len(formats):
            raise BadCombinator("number of formats")
        if set(formats) - {"%s", "%h"}:
            raise BadCombinator("format")
        assert all(len(row) == len(table[0]) for row in table)
    students = table
    if table and "ishidden" in table[0]:
        at = table[0].index("ishidden")
        students = [table[0], *(row for row in table[1:] if not row[at])]
    return {**result, "fraction": fraction, "all_rows": table, "student_rows": students}
