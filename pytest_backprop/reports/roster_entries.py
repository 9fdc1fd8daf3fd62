"""The part of the report about who handed in what."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from .fields import Text, about as _about


class StudentEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A student of the roster, with the submissions that are theirs."""

    student: Annotated[Text, _about("the name in the roster")]
    id: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    email: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    variant: Annotated[Text, _about("from the roster")]
    submission: Annotated[Text | None, _about("what the roster expects; null if it does not tell")]
    paths: Annotated[list[Text], _about("their submissions in the report")]


class ExtraEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A submission that the roster does not list. It is graded all the same."""

    path: Annotated[Text, _about("the submission in the report")]
    names: Annotated[list[Text], _about("whose it is, as the LMS has it; a profile says anything")]
    ids: Annotated[list[Text], _about("their ids in the LMS")]


class RosterInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The roster held against what was handed in."""

    missing: Annotated[list[StudentEntry], _about("students without a submission")]
    extra: Annotated[list[ExtraEntry], _about("submissions that the roster does not list")]
    several: Annotated[list[StudentEntry], _about("students with several graded submissions")]


class LeftOutEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A file or folder that belongs to no graded submission."""

    path: Annotated[Text, _about("the file or folder")]
    reason: Annotated[Text, _about("why it was not graded")]
