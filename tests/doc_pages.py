"""The pages of docs/ and the README as data: their blocks, and the commands in these.

A block of `sh` has commands, one a line and without a prompt, so that they can be copied as they are.
Remarks that readers do not see stand right before a block: `<!-- exit: 0 1 -->` (of each command; 0 by
default), `<!-- not run: REASON -->`, `<!-- output -->` (all that the page's last command prints, with `...` for
lines, or the rest of a line, that are left out), `<!-- output: COMMAND -->` (of another one),
`<!-- printed -->` (a part of what the last one prints); and `<!-- folder: NAME -->` at the top of a page, which
says what its commands find (`doc_folders`). A block with a title is a file that they find, too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "docs"))

from generated import expand  # type: ignore[import-not-found]  # noqa: E402

README = ROOT / "README.md"
PAGES = {path.name: path for path in (README, *sorted((ROOT / "docs").glob("*.md")))}
REMARK = re.compile(r"<!--\s*([a-z ]+?)(?::\s*(.*?))?\s*-->")


class Block(NamedTuple):
    """A fenced block. `remarks` are those right before it."""

    language: str
    title: str | None
    text: str
    line: int
    remarks: Mapping[str, str]

    @property
    def commands(self) -> list[str]:
        """The commands of a block of `sh`."""
        return self.text.replace("\\\n", " ").splitlines()


class Page(NamedTuple):
    """A page: its text with the generated parts, its blocks, the folder that its commands need."""

    name: str
    text: str
    blocks: tuple[Block, ...]
    folder: str | None


def read(name: str) -> Page:
    """One of `PAGES`."""
    text: str = expand(PAGES[name].read_text(encoding="utf-8"))
    blocks = []
    remarks: dict[str, str] = {}
    folder = None
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "html_block":
            remarks = {key: value or "" for key, value in REMARK.findall(token.content)}
            folder = remarks.pop("folder", folder)
        elif token.type == "fence":
            language, _, rest = token.info.partition(" ")
            title = re.fullmatch(r'title="([\w./-]+)"', rest.strip())
            assert title or not rest.strip(), f"{name}: {token.info}"
            line = token.map[0] + 1 if token.map else 0
            blocks.append(Block(language, title and title[1], token.content, line, remarks))
            remarks = {}
        elif token.nesting >= 0:
            remarks = {}
    return Page(name, text, tuple(blocks), folder)


def matches(shown: str, printed: str) -> bool:
    """Whether a command printed what the page shows."""
    pattern = ""
    for line in shown.rstrip("\n").split("\n"):
        if line == "...":
            pattern += r"(?:.*\n)*?"
        elif line.endswith("..."):
            pattern += re.escape(line.removesuffix("...")) + r".*\n"
        else:
            pattern += re.escape(line.rstrip()) + r"[ ]*\n"
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None
