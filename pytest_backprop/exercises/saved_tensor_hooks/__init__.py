"""Hooks for saved tensors that put large ones on disk, as in the course's note on gradient
accumulation.

`task` reads the tasks and says what is right, `child` runs the model of a task under the student's
`pack_hook` and `unpack_hook`, `checks` judges the runs in a `case`. Here is what all of them know:
how it is run, and what the child tells of a run. It does not know how a submission is run."""

from __future__ import annotations

from msgspec import Struct

from ...messages import phrase
from ...model import CheckRules, Fault, Scenario, Tensor
from ..base import Wording, in_package

PACK, UNPACK = "pack_hook", "unpack_hook"
PASS_NAMES = (PACK,)
QUOTA = 192 * 2**20
"""Bytes that a submission may have on disk at once."""
BACKWARD = "backward"
AGAIN = "again"
"""Two backwards through one graph."""
GRAPHS = "graphs"
"""Three graphs, of which the first is dropped; then comes one more, and the last two go back."""
GRAPH_COUNT = 3


class HookFacts(Struct, frozen=True):
    """What came of a run. A large tensor is one that is to be on disk.

    `gradients` has those of each backward: one for each tensor that requires it, None where there
    is none. `fault` is an error of the student's, in the `step` (pack, unpack, again) where it was.
    `small` counts small tensors for which a file was made, `again` large ones that were written to
    a file which was there before, `changed` tensors that pack_hook changed. `kept` counts tensors
    with the numbers of a large one that are alive after all files were overwritten."""

    gradients: tuple[tuple[Tensor | None, ...], ...] = ()
    fault: Fault | None = None
    step: str = ""
    small: int = 0
    again: int = 0
    changed: int = 0
    kept: int = 0


class HookReference(Struct, frozen=True):
    """What is right in one run: how many elements each large tensor has that torch saves in one
    graph (`saves`), and the gradient of each tensor that requires one. `stops` are where the child
    stops, so that the grader can look at its files: when all is packed, when the first of several
    graphs is dropped, and when all are."""

    label: str
    scenario: Scenario
    threshold: int
    saves: tuple[int, ...]
    gradients: tuple[Tensor, ...]
    stops: tuple[str, ...] = ("packed", "dropped", "freed")

    @property
    def large(self) -> tuple[int, ...]:
        """The saves that are to be on disk, in all graphs of the run."""
        return self.saves * (GRAPH_COUNT if self.scenario.variation == GRAPHS else 1)


SAVED_TENSOR_HOOKS = in_package(
    __name__,
    "saved-tensor-hooks",
    pass_names=PASS_NAMES,
    rules={
        "gradient": CheckRules(points=35, credit="share"),
        "threshold": CheckRules(points=25),
        "release": CheckRules(points=25),
        "files": CheckRules(points=15, credit="per-finding", penalty=0.4),
    },
    wording=Wording(
        value=phrase("the value"),
        raises=phrase(
            "run the model under `torch.autograd.graph.saved_tensors_hooks`, call "
            "`backward()` and read the traceback from the bottom"
        ),
        no_gradient=phrase("have unpack_hook return a tensor for whatever pack_hook returned"),
        wrong_gradient=phrase("have unpack_hook return just the numbers that pack_hook was given"),
    ),
    facts=HookFacts,
    replays=False,
    quota=QUOTA,
)
