"""The catalogues: each has every message of the code, whole, and nothing else."""

from __future__ import annotations

import ast
import functools
import io
import re
import string
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from jinja2 import nodes

import pytest_backprop
import pytest_backprop_authoring
from pytest_backprop import messages
from pytest_backprop.messages import LANGUAGES, either, listed, say, say_count, use_language

PACKAGES = [
    Path(package.__file__).parent for package in (pytest_backprop, pytest_backprop_authoring)
]
TRANSLATED = [language for language in LANGUAGES if language != "en"]
KEYWORDS = {"say": None, "say_count": (1, 2), "phrase": None}
METHODS = [("**.py", "python"), ("**.jinja", "jinja2")]
Message = str | tuple[str, str]

FOR_INSTRUCTORS = {"bank/reading.py", "bank/steps.py", "roster.py"}
"""Modules whose texts are for who runs the grader, and stay in English."""
NO_WORDS = {"{path}: {old} -> {new}", "{where}: {message}", "{where}: {problem}"}
"""Messages without a word to translate."""


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


@functools.cache
def in_code() -> set[Message]:
    """The messages that Babel finds in both packages, as `make messages` does."""
    return {
        message if isinstance(message, str) else message[:2]
        for package in PACKAGES
        for _, _, message, _, _ in extract_from_dir(package, METHODS, keywords=KEYWORDS)
    }


def sources(suffix: str) -> list[tuple[str, Path]]:
    """The files of both packages, each with its path in its package."""
    return [
        (path.relative_to(package).as_posix(), path)
        for package in PACKAGES
        for path in sorted(package.rglob(f"*{suffix}"))
    ]


def file_of(language: str, suffix: str) -> Path:
    return messages.LOCALE / language / "LC_MESSAGES" / f"{messages.DOMAIN}{suffix}"


def catalogue(language: str) -> Catalog:
    with file_of(language, ".po").open("rb") as file:
        return read_po(file, locale=language)


CATALOGUES = {language: catalogue(language) for language in TRANSLATED}
ENTRIES = [
    (language, entry) for language in TRANSLATED for entry in CATALOGUES[language] if entry.id
]


def forms(entry: object) -> tuple[str, ...]:
    """One text, or one a plural form."""
    return (entry,) if isinstance(entry, str) else tuple(entry)  # type: ignore[arg-type]


def places(text: str) -> set[tuple[str, str, str | None]]:
    """The places of a message: name, format, conversion."""
    parsed = string.Formatter().parse(text)
    return {(name, spec or "", as_) for _, name, spec, as_ in parsed if name is not None}


def samples(text: str) -> dict[str, object]:
    """A value for each place, with which its format can do something."""
    return {name: 3 if spec or name == "count" else "`t9`" for name, spec, _ in places(text)}


def test_messages_are_found_in_code_and_templates() -> None:
    assert len(in_code()) > 350
    assert ("{message} (and {count} more)", "{message} (and {count} more)") in in_code()
    assert "Skip to the content" in in_code()
    assert "it is too long" in in_code()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_the_messages_of_the_code_and_no_others(language: str) -> None:
    ids = {entry.id for entry in CATALOGUES[language] if entry.id}
    assert sorted(map(str, in_code() - ids)) == [], "run `make messages`, and translate these"
    assert sorted(map(str, ids - in_code())) == [], "run `make messages`"
    assert not CATALOGUES[language].obsolete


def test_every_message_is_translated() -> None:
    empty = [
        (language, e.id) for language, e in ENTRIES if not all(t.strip() for t in forms(e.string))
    ]
    fuzzy = [(language, e.id) for language, e in ENTRIES if e.fuzzy]
    assert empty + fuzzy == []


def test_plural_messages_have_all_forms() -> None:
    for language, entry in ENTRIES:
        wanted = CATALOGUES[language].num_plurals if isinstance(entry.id, tuple | list) else 1
        assert len(forms(entry.string)) == wanted, entry.id
    assert {CATALOGUES["ru"].num_plurals} == {3}


def test_translations_have_the_places_of_their_messages() -> None:
    for _, entry in ENTRIES:
        wanted = places(forms(entry.id)[-1])
        assert {frozenset(places(text)) for text in (*forms(entry.id), *forms(entry.string))} == {
            frozenset(wanted)
        }, entry.id


def test_translations_have_the_code_of_their_messages() -> None:
    """What stands in backticks, options and calls are for a student to type: they stay."""
    code = re.compile(r"`[^`]+`|--[a-z][a-z-]+|[a-z_]+(?:\.[A-Za-z_]+)+(?:\(\))?")
    for _, entry in ENTRIES:
        wanted = sorted(code.findall(forms(entry.id)[-1]))
        for text in forms(entry.string):
            assert sorted(code.findall(text)) == wanted, text


def test_russian_is_in_russian() -> None:
    entries = [
        entry for language, entry in ENTRIES if language == "ru" and entry.id not in NO_WORDS
    ]
    assert [
        e.id for e in entries if not all(re.search("[а-яё]", t, re.I) for t in forms(e.string))
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_place_is_left_over(language: str) -> None:
    use_language(language)
    for message in in_code():
        if isinstance(message, str):
            told = [say(message, **samples(message))]
        else:
            values = {k: v for k, v in samples(message[1]).items() if k != "count"}
            told = [say_count(*message, count, **values) for count in (0, 1, 2, 5, 11, 21, 101)]
        for text in told:
            assert not re.search("[{}]", text), text


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, CATALOGUES[language])
    assert compiled.getvalue() == file_of(language, ".mo").read_bytes(), "run `make messages`"


@pytest.mark.parametrize(
    ("count", "told"),
    [(1, "1 оценка взята"), (3, "3 оценки взяты"), (5, "5 оценок взяты"), (11, "11 оценок взяты"),
     (21, "21 оценка взята"), (112, "112 оценок взяты")],
)  # fmt: skip
def test_russian_counts(count: int, told: str) -> None:
    use_language("ru")
    assert say_count(
        "{count} grade was taken from the journal {journal}",
        "{count} grades were taken from the journal {journal}",
        count,
        journal="j",
    ).startswith(told)


# -- how messages are told ----------------------------------------------------------------------


def test_values_are_not_interpreted() -> None:
    hostile = "{0.__class__} {name} %s {"
    for language in LANGUAGES:
        use_language(language)
        told = say("{value} is kept after its last use", value=hostile)
        assert hostile in told
        assert told.count("{") == hostile.count("{")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="'de'; there are en, ru"):
        use_language("de")
    assert messages.language() == "en"


def test_a_catalogue_read_ahead_needs_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    messages.read_catalogues()
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    use_language("ru")
    assert say("timeout") == "превышено время"


def test_lists_in_words() -> None:
    assert [listed(["a"]), listed(["a", "b"]), either(["a", "b", "c"])] == [
        "a",
        "a and b",
        "a, b or c",
    ]
    use_language("ru")
    assert [listed(["a", "b"]), either(["a", "b", "c"])] == ["a и b", "a, b или c"]


# -- the code -----------------------------------------------------------------------------------


def calls(names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Calls of functions with these names in the package, with where they stand."""
    for shown, path in sources(".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in names
            ):
                yield shown, node


def test_no_message_is_inside_an_f_string() -> None:
    """There babel does not find it, and it would stay English."""
    for _, path in sources(".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            inside = ast.walk(node) if isinstance(node, ast.JoinedStr) else ()
            found = [n for n in inside if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
                     and n.func.id in KEYWORDS and isinstance(n.args[0], ast.Constant)]  # fmt: skip
            assert not found, path


def phrases() -> set[str]:
    return {n.args[0].value for _, n in calls({"phrase"}) if isinstance(n.args[0], ast.Constant)}


def test_messages_are_literals_with_all_their_places_filled_in() -> None:
    by_name = []
    for shown, call in calls(set(KEYWORDS)):
        where = f"{shown}:{call.lineno}"
        texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        name = call.func.id  # type: ignore[attr-defined]
        if name == "phrase":
            assert len(texts) == len(call.args) == 1, where
            continue
        if not texts:
            by_name.append(where)
            continue
        assert len(texts) == {"say": 1, "say_count": 2}[name], where
        given = {keyword.arg for keyword in call.keywords}
        if None not in given:  # `**peaks`
            wanted = {place for text in texts for place, _, _ in places(str(text))}
            assert wanted - ({"count"} if name == "say_count" else set()) == given, where
    assert len(by_name) <= len(phrases())  # the others are phrases


def test_messages_of_templates_are_literals_with_all_their_places_filled_in() -> None:
    environment = jinja2.Environment(autoescape=True)
    seen = 0
    for _, path in sources(".jinja"):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        for call in tree.find_all(nodes.Call):
            if not isinstance(call.node, nodes.Name) or call.node.name not in KEYWORDS:
                continue
            texts = [arg.value for arg in call.args if isinstance(arg, nodes.Const)]
            where = f"{path.name}:{call.lineno}"
            assert len(texts) == {"say": 1, "say_count": 2}[call.node.name], where
            wanted = {place for text in texts for place, _, _ in places(text)}
            given = {keyword.key for keyword in call.kwargs}
            assert wanted - ({"count"} if call.node.name == "say_count" else set()) == given, where
            seen += 1
    assert seen > 50


TOLD = {
    "SubmissionProblem": (1, 2), "Finding": (1, 5), "CheckResult": (3,), "NotReplayable": (0,),
    "Verified": (1,), "Breach": (1,), "Malformed": (0,),
}  # fmt: skip
"""What carries a text to a student, and which of its arguments are texts."""
BY_NAME = ("message", "way_out", "hint", "reason", "note", "notes", "problem", "detail", "told")
"""Names of arguments and variables that hold such a text."""


WORDS = re.compile("[a-z]{2} |[a-z] [a-z]")


def english_only() -> Iterator[tuple[str, int]]:
    for shown, call in calls(set(TOLD)):
        name = call.func.id  # type: ignore[attr-defined]
        given = [arg for place, arg in enumerate(call.args) if place in TOLD[name]]
        given += [keyword.value for keyword in call.keywords if keyword.arg in BY_NAME]
        for arg in given:
            if is_text(arg):
                yield shown, arg.lineno
    for shown, path in sources(".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign):
                names = {name.id for name in node.targets if isinstance(name, ast.Name)}
                if names & set(BY_NAME) - {"reason"} and is_text(node.value):
                    yield shown, node.lineno
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = node.func.value
                name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
                if name in BY_NAME and node.func.attr == "append" and is_text(node.args[0]):
                    yield shown, node.lineno


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a text of words put down here, or put together here."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(WORDS.search(node.value))
    if isinstance(node, ast.JoinedStr):
        return any(is_text(part) for part in node.values)
    return isinstance(node, ast.BinOp) and (is_text(node.left) or is_text(node.right))


def test_what_students_are_told_goes_through_messages() -> None:
    found = [(shown, line) for shown, line in english_only() if shown not in FOR_INSTRUCTORS]
    assert found == []
