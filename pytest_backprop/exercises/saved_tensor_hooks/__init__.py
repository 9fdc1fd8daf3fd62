"""Hooks for saved tensors that put large ones on disk, as in the course's note on gradient
accumulation.

`task` reads the tasks and says what is right, `child` runs the model of a task under the student's
`pack_hook` and `unpack_hook`, `facts` is what both know, `checks` judges the runs in a `case`. It
does not know how a submission is run.
"""

from __future__ import annotations

from ...messages import phrase
from ...model import CheckRules
from ..base import Exercise, Wording, later, tasks_of
from .facts import HookFacts

NAME = "saved-tensor-hooks"
PACK, UNPACK = "pack_hook", "unpack_hook"
PASS_NAMES = (PACK,)
QUOTA = 192 * 2**20
"""Bytes that a submission may have on disk at once."""


SAVED_TENSOR_HOOKS = Exercise(
    name=NAME,
    child=f"{__name__}.child",
    pass_names=PASS_NAMES,
    rules={
        "gradient": CheckRules(points=35, credit="share"),
        "threshold": CheckRules(points=25),
        "release": CheckRules(points=25),
        "files": CheckRules(points=15, credit="per-finding", penalty=0.4),
        "integrity": CheckRules(points=0),
    },
    load_bank=tasks_of(NAME, f"{__name__}.task"),
    wording=Wording(
        value=phrase("the value"),
        gradient=phrase("the gradient of {weight}: {text}"),
        raises=phrase(
            "run the model under `torch.autograd.graph.saved_tensors_hooks`, call "
            "`backward()` and read the traceback from the bottom"
        ),
        no_gradient=phrase("have unpack_hook return a tensor for whatever pack_hook returned"),
        wrong_gradient=phrase("have unpack_hook return just the numbers that pack_hook was given"),
    ),
    references=later(f"{__name__}.task", "references"),
    facts=HookFacts,
    replays=False,
    quota=QUOTA,
    checks=f"{__name__}.checks",
)
