"""Markdown as readers render it: CommonMark with GitHub's tables, by markdown-it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
PLAIN = {
    "h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "pre",
}  # fmt: skip
"""What a report of ours is made of; no link, no image, no HTML of anyone else's."""


class Rendered(HTMLParser):
    """`tags` that were used, `cells` of the table by row, and `prose`: text that is not in code, where
    GitHub would look for mentions, issues and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[list[str]] = []
        self.prose = ""
        self.code = ""
        self._open: list[str] = []
        self.feed(_MARKDOWN.render(text))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._open.append(tag)
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "code" in self._open:
            self.code += data
        else:
            self.prose += data
        if {"td", "th"} & set(self._open):
            self.cells[-1][-1] += data


def accept(text: str) -> Rendered:
    """The report as it looks, if it consists of our own markup and fits a comment on GitHub."""
    assert len(text) <= 65_536
    rendered = Rendered(text)
    assert rendered.tags <= PLAIN, rendered.tags - PLAIN
    assert list(_acting(rendered.prose)) == []
    return rendered


def _acting(prose: str) -> Iterator[str]:
    yield from re.findall(r"@\w+|#\d+|https?://\S+|www\.\S+", prose)
