"""`backprop variants assign`: a class list in, the same with everybody's variant out."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from pathlib import Path

import click

from pytest_backprop.classroom.roster_file import read_rows
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import Bank, load_bank
from pytest_backprop.messages import say, say_count
from pytest_backprop.options import course_bank
from pytest_backprop.ordinary_files import TEXT, ordinary_bytes

from ..variants.assignment import (
    LEAST_SECRET,
    Student,
    assigned,
    columns_of,
    distribution,
    students_of,
)
from .output import put


@click.command()
@click.argument("roster", type=click.Path(path_type=Path))
@click.option("--secret-file", type=click.Path(path_type=Path),
              help="File with the course's secret; 16 bytes or more.")  # fmt: skip
@click.option("--secret-env", metavar="NAME", help="Environment variable with the secret.")
@click.option("--variants", type=click.Path(path_type=Path), default=None,
              help="Folder of variants; default: the built-in.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), default=None,
              help="File to write, which may be ROSTER itself; default: stdout.")  # fmt: skip
@click.option("--reassign", is_flag=True, help="Also for rows that have a variant.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def assign(
    roster: Path,
    secret_file: Path | None,
    secret_env: str | None,
    variants: Path | None,
    out: Path | None,
    reassign: bool,
    force: bool,
) -> None:
    """Give each student of ROSTER, a CSV file with the column id or email, a variant.

    Who gets which follows from the id and the secret alone, so it stays when students join.
    """
    secret = _secret(secret_file, secret_env)
    bank = load_bank(variants or course_bank())
    delimiter, (first, *rows) = _rows(roster)
    header = first[1]
    try:
        students = students_of(header, rows)
        given = [_variant(student, bank, secret, reassign) for student in students]
    except UsageProblem as problem:
        raise UsageProblem(f"{roster}: {problem.message}", problem.way_out) from None
    at = columns_of(header).get("variant", len(header))
    table = [_with(header, at, header[at] if at < len(header) else "variant")]
    table += [_with(row, at, name) for (_, row), name in zip(rows, given, strict=True)]
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(table)
    put(out, text.getvalue(), force or (out is not None and _same(out, roster)))
    kept = 0 if reassign else sum(student.variant is not None for student in students)
    if kept:
        click.echo(say_count("{count} row keeps its variant", "{count} rows keep their variant", kept),
                   err=True)  # fmt: skip
    times = Counter(given)
    click.echo(distribution({name: times[name] for name in bank.names}, len(given)), err=True)


def _rows(roster: Path) -> tuple[str, list[tuple[int, list[str]]]]:
    delimiter, rows, _ = read_rows(roster)
    if len(rows) < 2:
        raise UsageProblem(
            say("{path} has no students", path=roster),
            say("give a CSV file with a header, with the columns student and id"),
        )
    return delimiter, rows


def _secret(file: Path | None, variable: str | None) -> bytes:
    """The secret; it is never shown, also not in errors."""
    if (file is None) == (variable is None):
        raise UsageProblem(
            say("the secret is to come from one place"),
            say("give --secret-file FILE or --secret-env NAME; `python -c 'import secrets;"
                " print(secrets.token_hex(32))'` makes a secret"),
        )  # fmt: skip
    if file is not None:
        try:
            secret = ordinary_bytes(file, TEXT).strip()
        except OSError as error:
            raise UsageProblem(
                say("the secret in {path} cannot be read: {reason}", path=file,
                    reason=error.strerror or error),
                say("give the file that holds the course's secret"),
            ) from None  # fmt: skip
    else:
        named = os.environb.get(os.fsencode(variable or ""))
        if named is None:
            raise UsageProblem(
                say("there is no environment variable {name}", name=variable),
                say("set it to the course's secret, or give --secret-file FILE"),
            )
        secret = named.strip()
    if len(secret) < LEAST_SECRET:
        raise UsageProblem(
            say("the secret has {length} bytes; it could be guessed", length=len(secret)),
            say("use one of {least} bytes or more", least=LEAST_SECRET),
        )
    return secret


def _variant(student: Student, bank: Bank, secret: bytes, reassign: bool) -> str:
    if student.variant is None or reassign:
        return assigned(secret, student.key, bank.names)
    try:
        return bank.get(student.variant).name
    except UsageProblem as problem:
        raise UsageProblem(
            say("line {line}: {problem}", line=student.line, problem=problem.message),
            say("{way_out}; --reassign gives all a new one", way_out=problem.way_out),
        ) from None


def _with(row: list[str], at: int, value: str) -> list[str]:
    return [*row[:at], *[""] * (at - len(row)), value, *row[at + 1 :]]


def _same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)
