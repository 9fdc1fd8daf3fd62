"""One style for all that people are told, as docs/architecture.md has it, in every language."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import pytest_backprop
import pytest_backprop_authoring
from pytest_backprop import messages
from pytest_backprop.messages import LANGUAGES

PACKAGE = Path(pytest_backprop.__file__).parent
COMMANDS = Path(pytest_backprop_authoring.__file__).parent / "commands"
"""What else is in authoring makes notebooks to start from: prose, which has sentences; so have templates of pages."""
PARAGRAPH = "this 0 is not your grade"
"""Gradescope shows a student nothing but this: whole sentences, a capital before each."""
NAMES = {"Canvas", "Gradescope", "In", "None", "PyTorch", "Python"}
"""What begins a message, is a name and keeps its capital; a word all in capitals does, too."""
CODE = re.compile(
    r"\.?\b[A-Za-z_]\w*(?:\.(?!(?:py|ipynb|onnx|zip|json|csv)\b)[A-Za-z_]\w*)+"  # nn.Module
    r"|\b[A-Za-z_]\w*\((?=[)\w\[])"  # a call, and its (
    r"|(?<![\w*.])\.(?!(?:py|ipynb|onnx|zip|json|csv)\b)[a-z_]+\b"  # .grad
)


OWN = re.compile(r"\{(?:cls|function|op|way|written)\}|\bclass \{|(?:[Кк]ласс|в классе) \{")
"""What stands for a name, an expression or an op of the student's, and the name of a class."""


@functools.cache
def told() -> dict[str, list[str]]:
    """The messages of modules whose readers see them as lines, by language."""
    keywords = {"say": None, "say_count": (1, 2), "phrase": None}
    ids = {
        message if isinstance(message, str) else message[:2]
        for folder in (PACKAGE, COMMANDS)
        for _, _, message, _, _ in extract_from_dir(
            folder, [("**.py", "python")], keywords=keywords
        )
        if PARAGRAPH not in str(message)
    }
    texts = {"en": [text for id in ids for text in ((id,) if isinstance(id, str) else id)]}
    for language in set(LANGUAGES) - {"en"}:
        path = messages.LOCALE / language / "LC_MESSAGES" / f"{messages.DOMAIN}.po"
        with path.open("rb") as file:
            known = {entry.id: entry.string for entry in read_po(file, locale=language)}
        forms = [known.get(id, "") for id in ids]
        texts[language] = [
            t for form in forms for t in ((form,) if isinstance(form, str) else form)
        ]
    return {name: sorted(text for text in found if text) for name, found in texts.items()}


every = pytest.mark.parametrize("language", LANGUAGES)


def without_code(text: str) -> str:
    """The words of a message: what stands in backticks is left out, and a statement to type that ends
    it after a colon."""
    head, colon, tail = text.rpartition(": ")
    if colon and is_statement(re.sub(r"\{[^}]*\}", "x", tail)):
        text = head
    return re.sub(r"\{[^}]*\}", "x", re.sub(r"`[^`]*`", "", text))


def is_statement(text: str) -> bool:
    """Whether it is Python, and more than a name."""
    for code in (text, f"{text} pass", f"{text}: pass"):
        try:
            body = ast.parse(code).body
        except SyntaxError:
            continue
        return not all(isinstance(s, ast.Expr) and isinstance(s.value, ast.Name) for s in body)
    return False


@every
def test_a_message_begins_in_lower_case_or_with_a_name(language: str) -> None:
    assert len(told()[language]) > 700
    first = {re.split(r"\W", text, maxsplit=1)[0] for text in told()[language] if text[0].isupper()}
    assert {word for word in first if not word.isupper()} <= NAMES


@every
def test_a_message_has_no_full_stop(language: str) -> None:
    assert [t for t in told()[language] if re.search(r"[^.]\.$", t)] == []


@every
def test_code_inside_a_sentence_stands_in_backticks(language: str) -> None:
    assert [t for t in told()[language] if t.count("`") % 2] == []
    assert [t for t in told()[language] if CODE.search(without_code(t))] == []


@every
def test_names_of_the_student_stand_in_backticks(language: str) -> None:
    assert [
        t for t in told()[language] if OWN.search(re.sub(r"`[^`]*`|: class \{.*:$", "", t))
    ] == []


def test_the_style_tells_code_from_words() -> None:
    for bare in (
        "call backward() here",
        "return x.detach()",
        "it sets .grad",
        "not nn.Module",
        "{name}() fails",
        "by its own def {name}()",
        "ctx.{name} holds one",
    ):
        assert CODE.search(without_code(bare)), bare
    for fine in ("hand in a .py file", "set it: self.w.grad = x", "see `x.grad`", "derive it: class X(Y):",
                 "cell {cell}, line {line}"):  # fmt: skip
        assert not CODE.search(without_code(fine)), fine
