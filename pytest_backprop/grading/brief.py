"""What a judge is told of one submission where it does not know the class: on another machine."""

from __future__ import annotations

from msgspec import Struct

from ..classroom import HandIn
from ..classroom.roster import Roster
from ..onnx.model_file import FoundModel


class Brief(Struct, frozen=True):
    """The class, as far as one submission goes. `roster` has its row alone, None if there is no roster;
    `handed` is there if it cannot be read; `model` is what was found where it lies, None where no check asks."""

    shown: str
    roster: Roster | None = None
    handed: HandIn | None = None
    model: FoundModel | None = None
