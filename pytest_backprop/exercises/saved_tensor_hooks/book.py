"""What goes through the student's hooks, tensor by tensor. It holds none of them, only what pack_hook returned."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import Any

import torch
from msgspec.structs import replace

from .facts import HookFacts
from .tensors import bytes_of

MAX_LISTED, MAX_DEPTH = 2_000, 20


class Packed:
    """What pack_hook returned for a tensor, and what that was like."""

    __slots__ = ("digest", "dtype", "held", "shape", "unpack")

    def __init__(
        self, held: Any, x: torch.Tensor, digest: bytes, unpack: Callable[[Any], Any]
    ) -> None:
        self.held = held
        self.dtype, self.shape, self.digest = x.dtype, x.shape, digest
        self.unpack = unpack


class Book:
    """The student's hooks, watched. `looks` False: with no time or memory for looks."""

    def __init__(
        self,
        pack: Callable[..., Any],
        unpack: Callable[..., Any],
        threshold: int,
        folder: str,
    ) -> None:
        self._hooks = pack, unpack
        self._threshold = threshold
        self._folder = folder
        self.looks = True
        self.emptied = False
        """Whether all files were."""
        self._unpacked = ""
        self._counts = {"small": 0, "nothing": 0, "again": 0, "kept": 0, "lost": 0}
        self._changed = self._itself = False

    def take(self, pack: Callable[..., Any], unpack: Callable[..., Any]) -> None:
        """Other hooks from now on; what was packed is unpacked by those that packed it."""
        self._hooks = pack, unpack

    def pack(self, x: torch.Tensor) -> Packed:
        """What torch calls."""
        pack, unpack = self._hooks
        if not self.looks:
            return Packed(_free_of(x, pack(x)), x, b"", unpack)
        digest, files = _digest(x), self._files()
        held = pack(x)
        self._changed |= _digest(x) != digest
        self._count(x, files, self._files())
        free = _free_of(x, held)
        self._itself |= free is not held
        return Packed(free, x, digest, unpack)

    def unpack(self, packed: Packed) -> Any:
        """What torch calls."""
        if self.emptied:
            return self._left(packed)
        x = packed.unpack(packed.held)
        if self.looks and not self._unpacked:
            if not issubclass(type(x), torch.Tensor):
                self._unpacked = "type"
            elif x.dtype != packed.dtype:
                self._unpacked = "dtype"
            elif x.shape != packed.shape:
                self._unpacked = "shape"
            elif _digest(x) != packed.digest:
                self._unpacked = "numbers"
        return x

    def _left(self, packed: Packed) -> Any:
        """What comes back of a tensor when files are empty; zeros where nothing does, so that the others are asked
        for, too."""
        try:
            x = packed.unpack(packed.held)
            same = issubclass(type(x), torch.Tensor) and _digest(x) == packed.digest
        except Exception:
            same = False
        if not same:
            x = torch.zeros(packed.shape, dtype=packed.dtype)
        if packed.shape.numel() >= self._threshold:
            self._counts["kept" if same else "lost"] += 1
        return x

    def told(self, facts: HookFacts) -> HookFacts:
        """The facts with what was seen here."""
        return replace(
            facts, unpacked=self._unpacked, changed=self._changed, itself=self._itself,
            **self._counts,
        )  # fmt: skip

    def holds_files(self) -> bool:
        """Whether there are any."""
        return bool(self._files())

    def _count(
        self, x: torch.Tensor, before: dict[int, tuple[int, int]], after: dict[int, tuple[int, int]]
    ) -> None:
        if x.numel() < self._threshold:
            self._counts["small"] += bool(after.keys() - before.keys())
        elif not after.keys() - before.keys():
            self._counts["nothing" if after == before else "again"] += 1

    def _files(self) -> dict[int, tuple[int, int]]:
        """Files by their numbers: size and time of the last change."""
        found: dict[int, tuple[int, int]] = {}
        for folder, inner, names in os.walk(self._folder):
            if folder.count(os.sep) - self._folder.count(os.sep) > MAX_DEPTH:
                inner.clear()
            for name in names[:MAX_LISTED]:
                try:
                    status = os.lstat(os.path.join(folder, name))
                except OSError:
                    continue
                found[status.st_ino] = status.st_size, status.st_mtime_ns
        return found


def _free_of(x: torch.Tensor, held: Any) -> Any:
    """What pack_hook returned, with another tensor of the same memory for the very one that it was given: with
    that, torch's graph would hold itself, and never be freed."""
    if held is x:
        return x.detach()
    if type(held) in (tuple, list) and any(each is x for each in held):
        return type(held)(_free_of(x, each) for each in held)
    if type(held) is dict and any(each is x for each in held.values()):
        return {key: _free_of(x, each) for key, each in held.items()}
    return held


def _digest(x: torch.Tensor) -> bytes:
    return hashlib.blake2b(bytes_of(x)).digest()
