"""Gradescope's list of who handed in what: `submission_metadata.yml` at the top of its export."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..errors import UsageProblem
from ..messages import say
from ..ordinary_files import ordinary_bytes
from .hand_in import Person

NAME = "submission_metadata.yml"
MAX_BYTES = 100_000_000


class Listed(Struct, frozen=True):
    """Who handed a folder in, and when, as Gradescope writes it; empty where it does not say."""

    people: tuple[Person, ...] = ()
    submitted: str = ""


def submitters(path: Path) -> dict[str, Listed]:
    """Who handed in each folder `submission_123`, and when. Keys are Ruby's, as `:submitters:`.

    Raises UsageProblem for a file that is not Gradescope's list.
    """
    import yaml  # only a class from Gradescope needs it

    # It makes texts, lists and mappings and nothing else. safe_load would read the sid 00123 as an
    # octal number.
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        text = ordinary_bytes(path, MAX_BYTES).decode("utf-8-sig")
        entries = yaml.load(text, Loader=loader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, OSError) as error:
        raise _wrong(str(error).replace("\n", " ")[:300]) from None
    if not isinstance(entries, Mapping):
        raise _wrong(say("it is no list of submissions"))
    return {
        str(folder): Listed(_people(entry.get(":submitters")), _text(entry, ":created_at"))
        for folder, entry in entries.items()
        if isinstance(entry, Mapping)
    }


def _people(submitters: Any) -> tuple[Person, ...]:
    return tuple(
        Person(_text(person, ":name"), _text(person, ":sid"), _text(person, ":email"))
        for person in (submitters if isinstance(submitters, list) else ())
        if isinstance(person, Mapping)
    )


def _text(mapping: Mapping[str, Any], key: str) -> str:
    value = mapping.get(key)
    # a plain `~` or `null` is a text to this loader
    return value.strip() if isinstance(value, str) and value not in ("~", "null") else ""


def _wrong(reason: str) -> UsageProblem:
    return UsageProblem(
        say("{file} cannot be read: {reason}", file=NAME, reason=reason),
        say("export the submissions again; without that file each folder is graded without names"),
    )
