"""`script`: statements in a line, cells of a notebook or a file, which give `h`, `logits`, ...,
`loss` and then `dlogits`, `dh`, ...: a gradient for each name of the forward, as the lecture on
becoming fluent in backprop has it.

The task's function has the same intermediates under the same names. Its leaves are given, and what
`MAKES` names (`{"n": "n"}`, a dimension); statements that bind one of these do not run."""

from __future__ import annotations

from msgspec.structs import replace

from ....messages import phrase
from ....model import CheckRules
from ..form import HandForm, exercise_of

SCRIPT_FORM = HandForm(
    name="script",
    delivers="d{name}",
    argument_delivers="d{name}",
    asks_arguments=False,
    is_loss=True,
    probed=True,
    sign=r"(?m)^d[A-Za-z]\w* *=",
)
SCRIPT = replace(
    exercise_of(
        SCRIPT_FORM,
        {"forward": CheckRules(points=10), "gradient": CheckRules(points=90, credit="share")},
        value=phrase("the script"),
        raises=phrase("run its cells from the top in a fresh Python, with the leaves alone"),
        no_gradient=phrase("assign it at the top level: `d{name} = …`"),
        wrong_gradient=phrase("follow each use of the name: every use adds one term"),
    ),
    child="pytest_backprop.exercises.by_hand.scripts",
    checks="pytest_backprop.exercises.by_hand.script_checks",
)
