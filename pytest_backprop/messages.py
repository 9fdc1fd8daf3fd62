"""What is told to people, in their language: gettext catalogues under `locale/`.

A message is a whole sentence with named places (`"`{name}` is kept after its last use"`), never
put together from fragments: word order differs between languages.
"""

from __future__ import annotations

import gettext
from pathlib import Path

LANGUAGES = ("en", "ru")
"""English is the text in the code; the others have a catalogue each."""

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "pytest_backprop"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def use_language(language: str) -> None:
    """Tells all later messages of this process in `language`, one of LANGUAGES.

    Raises ValueError for another, OSError if its catalogue is missing.
    """
    global _catalogue, _language
    if language not in LANGUAGES:
        raise ValueError(f"no messages in {language!r}; there are {', '.join(LANGUAGES)}")
    _catalogue = (
        gettext.NullTranslations()
        if language == "en"
        else gettext.translation(DOMAIN, LOCALE, [language])
    )
    _language = language


def language() -> str:
    """The language in use, one of LANGUAGES."""
    return _language


def say(message: str, /, **values: object) -> str:
    """The message in the language in use, with its places filled in as `str.format` does."""
    return _catalogue.gettext(message).format(**values)


def say_count(one: str, many: str, count: int, /, **values: object) -> str:
    """The same for a message that depends on a number; `{count}` is filled in."""
    return _catalogue.ngettext(one, many, count).format(count=count, **values)
