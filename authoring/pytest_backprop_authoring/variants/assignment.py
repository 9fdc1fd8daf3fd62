"""Which student gets which variant: a keyed hash decides, so nobody can foresee or choose it, and it
stays the same when others join. No torch."""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pytest_backprop.errors import UsageProblem
from pytest_backprop.messages import say

LEAST_SECRET = 16
"""Bytes. A shorter secret could be guessed by trying, and with it everybody's variant."""


class Student(Struct, frozen=True):
    """A row of a class list: its line in the file, what identifies the student, and the variant that
    the row has already, if it has one."""

    line: int
    key: str
    variant: str | None


def assigned(secret: bytes, key: str, variants: Sequence[str]) -> str:
    """The variant of a student, by rendezvous hashing (Thaler and Ravishankar 1998): that for which
    HMAC-SHA256(secret, variant and student) is greatest. A variant more or less moves only the
    students that it gets or had.

    Raises ValueError for no variants.
    """
    text = unicodedata.normalize("NFC", key)

    def weight(variant: str) -> bytes:
        return hmac.digest(secret, f"{variant}\0{text}".encode(), hashlib.sha256)

    return max(variants, key=lambda variant: (weight(variant), variant))


def students_of(header: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> list[Student]:
    """The students of a class list. The id identifies one, or the e-mail where there is no id.

    Raises UsageProblem naming the line: a row without both, the same id or e-mail twice.
    """
    at = columns_of(header)
    if "id" not in at and "email" not in at:
        raise UsageProblem(
            say("the list has no column id and no column email: {header}", header=list(header)),
            say("add a column id, with what does not change when a name does"),
        )
    students = []
    lines: dict[str, int] = {}
    for line, row in rows:
        cells = {name: row[place] if place < len(row) else "" for name, place in at.items()}
        id, email = cells.get("id", ""), cells.get("email", "").casefold()
        if not id and not email:
            raise UsageProblem(
                say("line {line}: no id and no email in {row}", line=line, row=list(row)),
                say("fill it in, or take the row out"),
            )
        key = f"id:{id}" if id else f"email:{email}"
        if key in lines:
            raise UsageProblem(
                say(
                    "line {line}: {key} is on line {other} too",
                    line=line,
                    key=repr(id or email),
                    other=lines[key],
                ),
                say("keep one row for each student"),
            )
        lines[key] = line
        students.append(Student(line, key, cells.get("variant") or None))
    return students


def columns_of(header: Sequence[str]) -> dict[str, int]:
    """Where the columns are that count here, by name.

    Raises UsageProblem for one that is there twice.
    """
    names = [name.casefold() for name in header]
    for name in ("id", "email", "variant"):
        if names.count(name) > 1:
            raise UsageProblem(
                say("the list has more than one column {name}", name=name),
                say("leave one of them"),
            )
    return {name: names.index(name) for name in ("id", "email", "variant") if name in names}


def distribution(variants: Mapping[str, int], students: int) -> str:
    """How many variants have how many students, in one line."""
    times = Counter(variants.values())
    shares = ", ".join(
        say("{number} with {students}", number=times[count], students=count)
        for count in sorted(times)
    )
    return say(
        "{students} students on {variants} variants: {shares}",
        students=students,
        variants=len(variants),
        shares=shares,
    )
