# verdict:
# why = "entries are a dataclass"
#: note
from dataclasses import dataclass, field


@dataclass
class TapeEntry:
    inputs: list
    outputs: list = field(default_factory=list)
    propagate: object = None
