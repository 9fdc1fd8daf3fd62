"""The results of one student, as the graders of courses read them: Gradescope, GitHub Classroom,
PrairieLearn, and Moodle's VPL and CodeRunner.

Each format is a function from what may be told of a submission, judged or without a grade."""

from __future__ import annotations

import functools
import html
import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..errors import UsageProblem
from ..messages import say
from ..model import Status
from .document import CheckEntry, Document, SubmissionEntry, as_json
from .feedback import feedback, hidden_checks, is_judged, points, remarks, share, shown_checks
from .text import clean, cut, decimal


class Results(NamedTuple):
    """A judged submission, and the texts about it, each in at most `each` characters."""

    document: Document
    entry: SubmissionEntry
    each: int

    def remarks(self) -> str:
        """The outcome and the notes."""
        return cut(remarks(self.entry), self.each)

    def feedback(self, check: CheckEntry) -> str:
        """Why a check ended as it did."""
        return cut(feedback(check, self.document), self.each)


class NoGrade(NamedTuple):
    """Why there is nothing to grade, or what kept it from being judged: then there is a `status`.
    What the grader could not judge is never a 0."""

    reason: str
    status: Status | None = None

    @property
    def text(self) -> str:
        """The reason as a sentence."""
        return say("not judged: {reason}", reason=self.reason) if self.status else self.reason


def refuse_several(count: int, format: str) -> None:
    """Raises UsageProblem if a report on one student would have to speak of `count` submissions:
    whose the file would be is not ours to choose."""
    if count > 1:
        raise UsageProblem(
            f"--backprop-report: {format} is a report on one submission, but there are {count}",
            "give the path of one file, or ask for another format: json, html, csv, markdown",
        )


Content = Callable[[Results | NoGrade], Any]


def one_submission(
    format: str, total: int, each: int
) -> Callable[[Content], Callable[[Document], str]]:
    """Makes the renderer of a format of a function that gives its text, or data for JSON.

    The whole has at most `total` bytes, a text of it `each` characters. The renderer raises
    UsageProblem if there are several submissions."""
    return lambda content: functools.partial(_rendered, format, content, total, each)


def _rendered(format: str, content: Content, total: int, each: int, document: Document) -> str:
    def written(results: Results | NoGrade) -> str:
        value = content(results)
        return value if isinstance(value, str) else as_json(value)

    refuse_several(len(document.submissions), format)
    if not document.submissions:
        return written(NoGrade(say("nothing to grade: no .py or .ipynb file was found")))
    (entry,) = document.submissions
    if not is_judged(entry):
        reason = entry.message or say("the rubric gives points for none of its checks")
        return written(NoGrade(cut(reason, each), entry.status))
    while len((text := written(Results(document, entry, each))).encode()) > total and each:
        each //= 2  # only texts are cut: the structure stays whole
    return text


# -- Gradescope -----------------------------------------------------------------------------------

GRADESCOPE = {
    "output_format": "text",
    "test_output_format": "text",
    "test_name_format": "text",
    "visibility": "visible",
    "stdout_visibility": "hidden",
}


def refusal(reason: str, status: Status | None = None) -> str:
    """Results without a test, of a submission that could not be graded; `status` is there where its
    0 is no grade. Gradescope knows no "not graded": so the text begins with that, `extra_data` has
    the `status`, and `run_autograder` exits with 3."""
    if status == "grader_error":
        reason = say(
            "The grader failed, through no fault of yours: this 0 is not your grade. "
            "Tell your instructor. Reason: {reason}",
            reason=reason,
        )
    elif status is not None:
        reason = say(
            "This submission was not judged, and this 0 is not your grade. Tell your instructor. "
            "Reason: {reason}",
            reason=reason,
        )
    about = {"grader_error": status == "grader_error", "status": status}
    return as_json(
        {"score": 0, "output": clean(reason), **GRADESCOPE, "tests": [], "extra_data": about}
    )


@one_submission("gradescope", 1_000_000, 20_000)
def gradescope(results: Results | NoGrade) -> Any:
    """`results.json` of its autograder, in the rubric's own points. Hidden checks go out with their
    visibility; Gradescope hides the total, too, as long as a test is hidden."""
    if isinstance(results, NoGrade):
        return refusal(*results)
    entry = results.entry
    return {
        "score": entry.score,
        "output": results.remarks(),
        **GRADESCOPE,
        "tests": [
            {
                "name": check.id,
                "number": str(place),
                "score": check.score,
                "max_score": check.max_score,
                "status": "passed" if check.outcome == "passed" else "failed",
                "output": results.feedback(check),
                "output_format": "text",
                "visibility": check.visibility,
            }
            for place, check in enumerate(entry.checks, 1)
        ],
        "execution_time": entry.seconds,
        "extra_data": {
            "grader_error": False,
            "status": entry.status,
            "variant": entry.variant or "",
            "max_score": entry.max_score,
        },
    }


# -- GitHub Classroom -----------------------------------------------------------------------------


def inert(text: str) -> str:
    """`text` without what GitHub's runner would take for a command: a line that begins with `::`,
    and `##[` anywhere."""
    return re.sub("(?m)^([^\\S\\n]*)::", r"\1: :", text).replace("##[", "## [")


def _case(name: str, status: str, score: float = 0, **more: Any) -> dict[str, Any]:
    case = {"name": name, "status": status, "score": score, "line_no": 0, "message": ""}
    return case | {"test_code": "", "filename": "", "duration": 0, "output": ""} | more


# a step's output may have 96 KB, in base64
@one_submission("github-classroom", 70_000, 10_000)
def github_classroom(results: Results | NoGrade) -> Any:
    """The JSON of which a step's output `result` is the base64 form. The reporter posts the sum of
    the scores, so the points of hidden checks are in one test that does not say what was checked.
    With `max_score` 0 it posts nothing."""
    if isinstance(results, NoGrade):
        status = "error" if results.status else "fail"
        test = _case("submission", status, message=inert(results.text))
        return {"version": 1, "status": status, "max_score": 0, "tests": [test]}
    entry, hidden = results.entry, hidden_checks(results.entry)
    tests = [
        _case(
            check.id,
            {"passed": "pass", "not_judged": "error"}.get(check.outcome, "fail"),
            check.score,
            message=inert(cut(check.message, min(results.each, 1_000))),
            filename=cut(inert(entry.path), 300),
            duration=entry.seconds,
            output=inert(results.feedback(check)),
        )
        for check in shown_checks(entry)
    ]
    if hidden:
        score = math.fsum(check.score for check in hidden)
        most = math.fsum(check.max_score for check in hidden)
        status = "pass" if score >= most else "fail"
        tests.append(_case(say("checks that are not shown"), status, score))
    if tests and (notes := results.remarks()):
        tests[0]["output"] = cut(inert(f"{tests[0]['output']}\n{notes}".strip()), results.each)
    return {
        "version": 1,
        "status": "pass" if all(test["status"] == "pass" for test in tests) else "fail",
        "max_score": entry.max_score,
        "tests": tests or [_case("submission", "pass")],
    }


# -- PrairieLearn ---------------------------------------------------------------------------------


# a file over 1 MiB would be refused whole
@one_submission("prairielearn", 900_000, 20_000)
def prairielearn(results: Results | NoGrade) -> Any:
    """`results.json` of its external grader. `score` is the share of the points, in [0, 1]. Where
    there is no grade, no attempt is used up and nothing is recorded."""
    if isinstance(results, NoGrade):
        about = {"gradable": False, "score": 0, "format_errors": [results.text]}
        return about | {"message": "", "output": "", "tests": []}
    return {
        "gradable": True,
        "score": share(results.entry),
        "message": results.remarks(),
        "output": "",
        "tests": [
            {
                "name": check.id,
                "description": "",
                "points": check.score,
                "max_points": check.max_score,
                "message": "",
                "output": results.feedback(check),
            }
            for check in shown_checks(results.entry)
        ],
    }


# -- Moodle: VPL ----------------------------------------------------------------------------------


def _comment(text: str, mark: str = "") -> str:
    """A line of comment for each line of `text`. VPL reads a line that begins with `-` as a title,
    and shows one that begins with `>` as it is."""
    while ":=>>" in text:
        text = text.replace(":=>>", ": =>>")
    return "".join(f"Comment :=>>{mark}{line}\n" for line in text.split("\n"))


@one_submission("moodle-vpl", 200_000, 10_000)
def moodle_vpl(results: Results | NoGrade) -> str:
    """What VPL reads from the standard output of `vpl_evaluate.sh`: comments, then the grade, if
    there is one. It takes the last line that begins with `Grade :=>>`, whoever wrote it: so in a
    comment `:=>>` is broken up. There is nothing above the activity's maximum grade."""
    if isinstance(results, NoGrade):
        return _comment(results.text) + ("" if results.status else "Grade :=>>0\n")
    remark = results.remarks()
    parts = [_comment(remark, ">")] if remark else []
    for check in shown_checks(results.entry):
        parts.append(_comment(f"{check.id}: {points(check)}", "-"))
        parts.append(_comment(results.feedback(check), ">"))
    grade = decimal(min(results.entry.score, results.entry.max_score))
    return f"{''.join(parts)}Grade :=>>{grade}\n"


# -- Moodle: CodeRunner ---------------------------------------------------------------------------


def _as_html(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>" if text else ""


# its sandbox cuts long output off
@one_submission("coderunner", 200_000, 10_000)
def coderunner(results: Results | NoGrade) -> Any:
    """What a combinator template grader prints: one JSON object without unknown keys. An answer
    without `fraction` stays ungraded. `ishidden` keeps a row from students: hidden checks are
    there for teachers."""
    if isinstance(results, NoGrade):
        return ({} if results.status else {"fraction": 0}) | {
            "prologuehtml": _as_html(results.text)
        }
    head: list[Any] = ["iscorrect", "ishidden", say("check"), say("points"), say("feedback")]
    rows = [
        [
            int(check.outcome == "passed"),
            int(check.visibility != "visible"),
            check.id,
            points(check),
            results.feedback(check),
        ]
        for check in results.entry.checks
    ]
    return {
        "fraction": share(results.entry),
        "prologuehtml": _as_html(results.remarks()),
        "testresults": [head, *rows],
        "columnformats": ["%s", "%s", "%s"],
    }
