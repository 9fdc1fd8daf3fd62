"""Bounds on the texts of a child's answer: the one place where what a submission says is cut.

A name or an error of megabytes would else stand in every finding that tells of it, in the journal and in
pytest's memory. What a child answers is cut where it is decoded, whatever code of the child's made it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache
from operator import is_
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, inspect

MAX_TEXT = 2_000
"""Characters of one text. The grader's own messages have fewer."""
SHORT = 64
"""Characters of a text that is never cut, such as the name of an op."""
MAX_TOGETHER = 2**18
"""Characters that all texts of an answer may have together beyond SHORT each."""
MAX_LISTED = 200
"""Texts of one list, such as the notes."""

T = TypeVar("T")


def bounded(answer: T) -> T:
    """The answer, a tree of msgspec structs, with its texts cut to the bounds above."""
    result: T = _Cutter().cut(answer)
    return result


def learn(kind: type[Struct]) -> None:
    """Finds out which fields of a struct, and of those in it, hold texts: once, for processes that are forked then."""
    todo = [kind]
    for each in todo:  # grows meanwhile
        _text_fields(each)
        info = inspect.type_info(each)
        assert isinstance(info, inspect.StructType)
        found = (cls for field in info.fields for cls in _structs_in(field.type))
        todo += [cls for cls in dict.fromkeys(found) if cls not in todo]


class _Cutter:
    """Cuts the texts of one answer, in the order in which they stand there."""

    def __init__(self) -> None:
        self._left = MAX_TOGETHER

    def cut(self, value: Any) -> Any:
        """The same value, or a copy with shorter texts."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Struct):
            kept = {name: getattr(value, name) for name in _text_fields(type(value))}
            cut = {name: self.cut(part) for name, part in kept.items()}
            changed = {name: part for name, part in cut.items() if part is not kept[name]}
            return msgspec.structs.replace(value, **changed) if changed else value
        if isinstance(value, tuple):
            items = tuple([self.cut(item) for item in self._listed(value)])
            return value if len(items) == len(value) and all(map(is_, items, value)) else items
        if isinstance(value, dict) and value:
            parts = [(self.cut(key), self.cut(part)) for key, part in value.items()]
            is_same = all(map(is_, itertools.chain(*parts), itertools.chain(*value.items())))
            return value if is_same else dict(parts)
        return value

    def _listed(self, items: tuple[Any, ...]) -> tuple[Any, ...]:
        """All items, or the first ones of what is a list of texts."""
        if len(items) > MAX_LISTED and all(isinstance(item, str) for item in items):
            return items[:MAX_LISTED]
        return items

    def _text(self, text: str) -> str:
        if len(text) <= SHORT:
            return text
        length = min(len(text), MAX_TEXT, SHORT + self._left)
        self._left -= length - SHORT
        return text if length == len(text) else text[: length - 1] + "…"


@cache
def _text_fields(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a struct that may hold a text somewhere: most hold numbers alone."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple(field.name for field in info.fields if _holds_text(field.type, (kind,)))


def _holds_text(info: inspect.Type, above: tuple[type, ...] = ()) -> bool:
    if isinstance(info, inspect.StrType):
        return True
    if isinstance(info, inspect.StructType):
        if info.cls in above:
            return False  # looked at where it began
        fields = (field.type for field in info.fields)
        return any(_holds_text(each, (*above, info.cls)) for each in fields)
    if isinstance(info, inspect.UnionType):
        return any(_holds_text(each, above) for each in info.types)
    if isinstance(info, inspect.VarTupleType):
        return _holds_text(info.item_type, above)
    if isinstance(info, inspect.TupleType):
        return any(_holds_text(each, above) for each in info.item_types)
    if isinstance(info, inspect.DictType):
        return _holds_text(info.key_type, above) or _holds_text(info.value_type, above)
    return False


def _structs_in(info: inspect.Type) -> Iterator[type[Struct]]:
    if isinstance(info, inspect.StructType):
        yield info.cls
    elif isinstance(info, inspect.UnionType):
        for each in info.types:
            yield from _structs_in(each)
    elif isinstance(info, inspect.VarTupleType):
        yield from _structs_in(info.item_type)
    elif isinstance(info, inspect.TupleType):
        for each in info.item_types:
            yield from _structs_in(each)
    elif isinstance(info, inspect.DictType):
        yield from _structs_in(info.value_type)
