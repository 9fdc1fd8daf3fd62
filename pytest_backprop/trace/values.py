"""The values of a recording: what each tensor was when it was first seen. It holds no tensor."""

from __future__ import annotations

from weakref import ref

import torch

from ..model import Value
from ..model.recording import Origin


class ValueTable:
    """The values so far, and which tensors they are, as long as these are alive."""

    def __init__(self) -> None:
        self.all: list[Value] = []
        self._numbers: dict[int, tuple[ref[torch.Tensor], int]] = {}
        self._dtypes: dict[torch.dtype, str] = {}

    def find(self, tensor: torch.Tensor) -> int | None:
        """The number of a tensor's value; None for a tensor that was never seen."""
        entry = self._numbers.get(id(tensor))
        return entry[1] if entry is not None and entry[0]() is tensor else None

    def in_storage(self, storage: int) -> int:
        """The number of the first value in a storage."""
        return next(number for number, value in enumerate(self.all) if value.storage == storage)

    def add(
        self,
        tensor: torch.Tensor,
        storage: int,
        origin: Origin,
        leaf: tuple[int, ...] = (),
        data: tuple[float, ...] = (),
    ) -> int:
        """The number of a new value, of a tensor in a storage."""
        dtype = self._dtypes.get(tensor.dtype)
        if dtype is None:
            dtype = self._dtypes[tensor.dtype] = str(tensor.dtype).removeprefix("torch.")
        number = len(self.all)
        layout = tuple(tensor.shape), tensor.stride(), int(tensor.storage_offset())
        self.all.append(Value(storage, *layout, dtype, origin, leaf, data))
        self._numbers[id(tensor)] = (ref(tensor), number)
        return number

    def add_element(self, value: int) -> int:
        """The number of a new value: one number of another, in a storage of its own."""
        number = len(self.all)
        self.all.append(Value(-1 - number, (), (), 0, self.all[value].dtype, "op"))
        return number
