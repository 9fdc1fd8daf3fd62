"""IPython's own syntax rewritten as Python, line for line.

A finding points at a line of the cell as the student sees it, so a rewritten cell has the same
number of lines and every other line keeps its number. IPython's `transform_cell` promises
neither; hence its steps are taken one at a time here and each is repaired.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

# A line that may be IPython's. Wrong guesses cost the import of IPython (90 ms) and nothing else.
_MAGIC_LINE = re.compile(
    r"[ \t\f]*[%!?]"
    r"|[ \t\f]*(>>>|In \[\d+\]:|\.{3,}:)"
    r"|[^#\n]*\?[ \t]*$"
    r"|[ \t\f]*[A-Za-z_][\w.,*\[\] \t]*=[ \t]*[!%]"
)
_PROMPT = re.compile(r"[ \t\f]*(>>>|In \[\d+\]:)")
_CELL_MAGIC = re.compile(r"%%(\w+)(?!\w*\?)")
_TIMED_STATEMENT = re.compile(r"([ \t\f]*)(%(?:time|prun))([ \t]+)(?=[^-\s])")
_COMPOUND = re.compile(r"(?:for|while|if|with|try|def|class|async|match)\b|@")

PYTHON_CELL_MAGICS = frozenset(
    {"time", "timeit", "capture", "prun", "memit", "mprun", "debug", "pyinstrument", "snakeviz"}
)
"""Cell magics whose body is Python that runs in the notebook itself."""

# IPython tokenizes the cell anew for every magic and searches lines with a quadratic pattern:
# the grader does not spend minutes on a notebook that was made to cost them. Work is counted in
# characters times magics, and a million take 4 seconds; a real notebook has ten thousand.
_MAX_LINE = 4_000
_MAX_WORK = 1_000_000


class MagicRewriter:
    """Rewrites the code cells of one notebook, and spends a bounded time on all of them."""

    def __init__(self) -> None:
        self._work_left = _MAX_WORK

    def python_of_cell(self, text: str) -> str:
        """A code cell as Python text with the same number of lines; `text` has `\\n` line breaks.

        Magic and shell lines become calls of `get_ipython()`; `%time x = f()` keeps its statement;
        a cell magic's line is blank, and so is the whole cell unless its body is Python that runs
        in the notebook. Where IPython is missing or fails, or the notebook asks for more work than
        any honest one, its lines are blanked. Raises nothing.
        """
        lines = text.split("\n")
        if not _blank_cell_magics(lines):
            return "\n" * text.count("\n")
        _dedent(lines)
        magic = sum(1 for line in lines if _MAGIC_LINE.match(line))
        if not magic:
            return "\n".join(lines)
        work = magic * len(text)
        rewritten = None
        if work <= self._work_left and all(len(line) <= _MAX_LINE for line in lines):
            self._work_left -= work
            rewritten = _by_ipython(lines, steps=2 * magic + 10)
        if rewritten is None:
            rewritten = _without_magics(lines)
        return "\n".join(rewritten)


def _blank_cell_magics(lines: list[str]) -> bool:
    """Blank `%%time` and its like at the top, in place. False: the cell's body is not Python."""
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        magic = _CELL_MAGIC.match(line)
        if magic is None:
            return True
        if magic.group(1) not in PYTHON_CELL_MAGICS:
            return False
        lines[number] = ""
    return True


def _dedent(lines: list[str]) -> None:
    """Take the first line's indentation off every line that has it, as IPython does."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip(" \t"))]
    if indent:
        lines[:] = [line.removeprefix(indent) for line in lines]


def load_ipython() -> Any:
    """What transforms cells. It takes a twentieth of a second to import: not for each submission."""
    return importlib.import_module("IPython.core.inputtransformer2")


def _by_ipython(lines: list[str], steps: int) -> list[str] | None:
    """The lines after at most so many of IPython's transformations; None if it did not work out."""
    try:
        ipython = load_ipython()
        manager = ipython.TransformerManager()
        current = [line + "\n" for line in lines]
        if _PROMPT.match(next((line for line in lines if line.strip()), "")):
            for strip_prompts in (ipython.classic_prompt, ipython.ipython_prompt):
                current = list(strip_prompts(current))
        for _ in range(steps):
            changed, after = manager.do_one_token_transform(current)
            if not changed:
                break
            current = _repaired(current, after)
        else:
            return None
    except Exception:
        # It is another project's parser on a stranger's text: whatever it raises, go without it.
        return None
    # A U+2028 or the like is no line break to us; a real one inside a line would be a bug.
    result = [line.removesuffix("\n") for line in current]
    return result if len(result) == len(lines) and not any("\n" in x for x in result) else None


def _repaired(before: list[str], after: list[str]) -> list[str]:
    """`after`, one transformation later than `before`, with blank lines where lines were joined."""
    same = 0
    while same < len(after) and same < len(before) and before[same] == after[same]:
        same += 1
    if same == len(after):
        return after + ["\n"] * (len(before) - len(after))
    line = after[same]
    timed = _TIMED_STATEMENT.match(before[same])
    if timed is not None and len(before) == len(after):
        statement = before[same][timed.end() :]
        if not _COMPOUND.match(statement):
            # `0;` and blanks are as long as `%time`, so columns stay the student's as well.
            indent, magic, blanks = timed.groups()
            line = f"{indent}{'0;'.ljust(len(magic))}{blanks}{statement}"
    joined = len(before) - len(after)
    return after[:same] + [line] + ["\n"] * joined + after[same + 1 :]


_PLAIN_MAGIC = re.compile(r"[ \t\f]*(%{1,2}[A-Za-z]|!|\?)")
_PLAIN_HELP = re.compile(r"[ \t\f]*%{0,2}[\w.*]+\?{1,2}[ \t]*$")
_PLAIN_ASSIGN = re.compile(r"[ \t\f]*[A-Za-z_][\w.,*\[\] \t]*=[ \t]*(![^=]|%[A-Za-z])")


def _without_magics(lines: list[str]) -> list[str]:
    """The lines with those that are surely IPython's taken out, for want of IPython."""
    result = []
    continued = False
    for line in lines:
        if continued:
            continued = line.endswith("\\")
            result.append("")
            continue
        if any(x.match(line) for x in (_PLAIN_MAGIC, _PLAIN_HELP, _PLAIN_ASSIGN)):
            continued = line.endswith("\\")
            indent = line[: len(line) - len(line.lstrip(" \t\f"))]
            # An indented magic may be all that its block has.
            result.append(f"{indent}pass" if indent else "")
        else:
            result.append(line)
    return result
