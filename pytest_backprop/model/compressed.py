"""Containers for the grades of a class: each value takes the room of what it has other than the first ones.

What comes out equals what was put in, and is another object each time.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from typing import Any, Generic, TypeVar, overload

import msgspec

T = TypeVar("T")

WINDOW = 2**15
"""Bytes that zlib looks back."""


class _Codec(Generic[T]):
    """Values of one type to compressed JSON and back. A value that JSON would change is held as it is."""

    def __init__(self, type: Any) -> None:
        self._decoder: msgspec.json.Decoder[T] = msgspec.json.Decoder(type)
        self._sample = b""
        """JSON of the first values: what later ones share with it is not held again."""

    def compressed(self, value: T) -> bytes | T:
        try:
            data = msgspec.json.encode(value)
            if self._decoder.decode(data) != value:
                return value
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
            return value
        if len(self._sample) < WINDOW:
            self._sample = (self._sample + data)[-WINDOW:]
            return zlib.compress(data, 1)
        compressor = zlib.compressobj(1, zdict=self._sample)
        return compressor.compress(data) + compressor.flush()

    def value(self, held: bytes | T) -> T:
        if not isinstance(held, bytes):
            return held
        # of the first values, which were compressed without it, zlib asks for no sample
        return self._decoder.decode(zlib.decompressobj(zdict=self._sample).decompress(held))


class CompressedList(Sequence[T]):
    """Values in order. A deep copy is an ordinary list."""

    def __init__(self, type: Any, values: Iterable[T] = ()) -> None:
        self._codec: _Codec[T] = _Codec(type)
        self._held: list[bytes | T] = []
        for value in values:
            self.append(value)

    def append(self, value: T) -> None:
        self._held.append(self._codec.compressed(value))

    def arrange(self, order: Iterable[int]) -> None:
        """Puts the values in another order, given by their positions in this one."""
        self._held = [self._held[place] for place in order]

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        if isinstance(place, slice):
            return [self._codec.value(held) for held in self._held[place]]
        return self._codec.value(self._held[place])

    def __iter__(self) -> Iterator[T]:
        return map(self._codec.value, self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: object) -> list[T]:
        return list(self)


class CompressedDict(MutableMapping[str, T]):
    """Values by name. The one that was used last is at hand."""

    def __init__(self, type: Any) -> None:
        self._codec: _Codec[T] = _Codec(type)
        self._held: dict[str, bytes | T] = {}
        self._last: tuple[str, T] | None = None

    def __getitem__(self, name: str) -> T:
        if self._last is None or self._last[0] != name:
            self._last = name, self._codec.value(self._held[name])
        return self._last[1]

    def __setitem__(self, name: str, value: T) -> None:
        self._held[name] = self._codec.compressed(value)
        self._last = name, value

    def __delitem__(self, name: str) -> None:
        del self._held[name]
        if self._last is not None and self._last[0] == name:
            self._last = None

    def __contains__(self, name: object) -> bool:
        return name in self._held

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)
