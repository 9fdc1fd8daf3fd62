"""Ways in which right tapes are written: how an operator is recorded, what entries are, how grad walks."""

from __future__ import annotations

from random import Random
from typing import NamedTuple


class Style(NamedTuple):
    """A way of writing. `names` are what it is counted by."""

    recording: str
    keys: str
    tape: str
    walk: str
    adjoints: str
    adding: str
    working: str
    manner: str
    aggregate: str = ""

    @property
    def names(self) -> str:
        """For the table of styles."""
        return " + ".join(part for part in self if part)


ENTRIES = ("named tuples", "tuples", "dicts", "dataclasses", "slotted objects")
"""An entry for each operator, with its closure."""
RECORDINGS = (*ENTRIES, "lambdas", "partials", "operation classes", "table of rules", "decorated functions",
              "generators", "graph in the Variables", "parallel lists")  # fmt: skip
MANY_OUTPUTS = (*ENTRIES, "parallel lists")
"""Ways in which an entry may have several outputs."""
GRAPH = "graph in the Variables"
CLOSURES = (*MANY_OUTPUTS, "lambdas", GRAPH)
KEYS = (
    "names by a counter",
    "names by count()",
    "names by uuid",
    "keyed by Variables",
    "keyed by id",
)
TAPES = (
    "a list",
    "a list that is rebound",
    "an object",
    "a class attribute",
    "a deque",
    "a list in a dict",
)
WALKS = ("reversed", "slice backwards", "by index", "pops a copy", "recursion")
GRAPH_WALKS = ("depth first", "heap", "counts uses")
ADJOINTS = ("asks by in", "get", "lists of contributions", "pairs in a list", "pop and put")
ADDINGS = ("new after old", "old after new", "try")
WORKINGS = ("propagates Variables", "propagates values", "adjoints are tensors")
MANNERS = ("methods", "functions", "set on the class later", "prints", "type hints", "docstrings and tests",
           "subclassed again")  # fmt: skip
AGGREGATES = ("composed", "calculates t again", "t is an output")


def draw_style(random: Random, order: int, has_operator: bool) -> Style:
    """A style that is right for a task of this order."""
    recording = random.choice(RECORDINGS)
    graph = recording == GRAPH
    aggregate = random.choice(AGGREGATES) if has_operator else ""
    if aggregate == "t is an output" and recording not in MANY_OUTPUTS:
        aggregate = "calculates t again"
    if aggregate and recording not in CLOSURES:
        aggregate = "composed"
    adjoints = random.choice(ADJOINTS)
    listed = adjoints == "lists of contributions"
    keys = random.choice(KEYS)
    if graph and keys.startswith("names"):
        keys = random.choice(KEYS[3:])
    return Style(
        recording, keys, "no tape" if graph else "three lists" if recording == "parallel lists"
        else random.choice(TAPES),
        random.choice(GRAPH_WALKS if graph else WALKS), adjoints,
        "sums lists" if listed else random.choice(ADDINGS[: 3 if adjoints == "asks by in" else 2]),
        WORKINGS[0] if order == 2 else random.choice(WORKINGS), random.choice(MANNERS), aggregate,
    )  # fmt: skip
