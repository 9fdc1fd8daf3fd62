"""The report format `plain`: a line for each submission, and one for each check that lost points."""

from __future__ import annotations

from pytest_backprop.extension import Document


def render(document: Document) -> str:
    """The report as plain text."""
    lines = []
    for entry in document.submissions:
        lines.append(f"{entry.path}: {entry.score:g} of {entry.max_score:g}")
        lines += [
            f"    {check.id}: {check.score:g} of {check.max_score:g}, {check.message}"
            for check in entry.checks
            if check.score < check.max_score
        ]
    return "\n".join(lines) + "\n"
