"""What a user can do wrong, each with the way out."""

from __future__ import annotations

import re
import shutil
import textwrap

from .model import Span

CODE = re.compile(
    r"\A\w+: |`[^`]*`|(?<!\w)'[^']*'|\b[A-Z]+ = (?:\([^)]*\)|\{[^}]*\}|\S+)|--?[a-z][\w-]* \S+"
)
"""Spaces in it end no line: the head, what is quoted, an assignment, an option with its value."""


class UsageProblem(Exception):
    """The person who runs the grader asked for something that cannot be done.

    `message` names the value, `way_out` says what to do. Ends the run with pytest's usage error."""

    def __init__(self, message: str, way_out: str = "") -> None:
        super().__init__(f"{message}\n  {way_out}" if way_out else message)
        self.message = message
        self.way_out = way_out

    def _render_traceback_(self) -> list[str]:
        """What IPython shows of it in a cell: how the grader came to it is of no use there."""
        return [str(self)]

    def __str__(self) -> str:
        """For a terminal: paths in it may be a student's."""
        return "".join(
            c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in super().__str__()
        )

    def wrapped(self, head: str = "ERROR: ") -> str:
        """Its text in lines for the terminal, which has `head` before it. Paths and code are
        whole."""
        fill = textwrap.TextWrapper(shutil.get_terminal_size().columns, subsequent_indent=" " * 4)
        fill.break_long_words = fill.break_on_hyphens = False
        whole = CODE.sub(lambda code: code[0].replace(" ", "\0"), f"{head}{self}")
        text = "\n".join(map(fill.fill, whole.split("\n")))
        return text.replace("\0", " ").removeprefix(head)


class SubmissionProblem(Exception):
    """A submission cannot be read or loaded. It is graded 0 with this message; the run goes on.

    `kind` is a stable id (`syntax-error`, `no-class`, ...), `span` the place, if there is one."""

    def __init__(
        self, kind: str, message: str, way_out: str = "", span: Span | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.way_out = way_out
        self.span = span


class GraderFault(Exception):
    """Something of ours broke. Never a student's zero: the checks end as `not_judged`."""


class WrongForm(Exception):
    """What a function of the student's returns is not what the exercise asks for."""
