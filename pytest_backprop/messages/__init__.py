"""What is told to people, in their language: gettext catalogues under `locale/`.

A message is a whole sentence with named places (`"`{name}` is kept after its last use"`), never
put together from fragments: word order differs between languages. Lists of names and places
(`cell 4, line 2`) are the only parts that go into a sentence ready made; a translation must have
them where they may stand as they are."""

from __future__ import annotations

import contextlib
import difflib
import functools
import gettext
import io
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

LANGUAGES = ("en", "ru")
"""English is the text in the code; the others have a catalogue each."""
SPELT = 0.8
"""How like, for difflib, a name is to the one that was meant."""

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "pytest_backprop"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def use_language(language: str) -> None:
    """Tells all later messages of this process in `language`, one of LANGUAGES.

    Raises ValueError for another, OSError if its catalogue is missing."""
    global _catalogue, _language
    if language not in LANGUAGES:
        raise ValueError(f"no messages in {language!r}; there are {', '.join(LANGUAGES)}")
    _catalogue = _read(language)
    _language = language


@contextlib.contextmanager
def speaking(language: str) -> Iterator[None]:
    """Tells messages in a language, and goes on in the one before."""
    before = _language
    use_language(language)
    try:
        yield
    finally:
        use_language(before)


def read_catalogues() -> None:
    """Reads all catalogues: from then on `use_language` needs no file."""
    for language in LANGUAGES:
        _read(language)


def bear_console() -> None:
    """A console that lacks a character (cp866, cp1251, cp1252) shows `?` for it."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def language() -> str:
    """The language in use, one of LANGUAGES."""
    return _language


@functools.cache
def _read(language: str) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, LOCALE, [language])


def phrase(message: str, /) -> str:
    """Marks a message that is given to `say` later, by a name: it goes into the catalogues."""
    return message


ON_ITS_OWN = phrase(
    "hand in what it imports with it, in one folder or zip, or put that code into your own file; a "
    "file of the course's is the instructor's to name in `SUPPORT`"
)
"""The way out where a submission uses what it could not import."""


def say(message: str, /, **values: object) -> str:
    """The message in the language in use, with its places filled in as `str.format` does."""
    return _catalogue.gettext(message).format(**values)


def say_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The same for a message that depends on a number; `{count}` is filled in."""
    return _catalogue.ngettext(one, many, count).format(count=count, **values)


def listed(names: Sequence[str]) -> str:
    """`w0, w1 and w2`."""
    *first, last = names
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


def either(names: Sequence[str]) -> str:
    """`w0, w1 or w2`."""
    *first, last = names
    return say("{first} or {last}", first=", ".join(first), last=last) if first else last


def meant(name: str, others: Iterable[str]) -> str | None:
    """The one of some names that is spelt nearly as another: as long as it but for a letter, and
    one more of each eight."""
    name = name.replace("_", "").lower()
    plain = {other.replace("_", "").lower(): other for other in others}
    near = [other for other in plain if abs(len(other) - len(name)) <= 1 + len(name) // 8]
    close = difflib.get_close_matches(name, near, 1, SPELT)
    return plain[close[0]] if close else None


def place_label(
    line: int, cell: int | None, execution_count: int | None = None, file: str | None = ""
) -> str:
    """`line 17`, `cell 4, line 17`, `cell 4 (In [12]), line 17`, `linear.py, line 17`, or, where
    the two numbers of a cell are one, `In [12], line 17`."""
    if file:
        return say("{file}, line {line}", file=file, line=line)
    if cell is None:
        return say("line {line}", line=line)
    if execution_count is None:
        return say("cell {cell}, line {line}", cell=cell, line=line)
    if cell == execution_count:
        return say("In [{count}], line {line}", count=cell, line=line)
    return say(
        "cell {cell} (In [{count}]), line {line}", cell=cell, count=execution_count, line=line
    )
