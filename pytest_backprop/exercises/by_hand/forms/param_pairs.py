"""`param-pairs`: modules with `forward(*input)`, `backward(*gradwrtoutput)`, which returns the
gradient of the input, and `param()`, a list of pairs `(w, dw)` in the task's order. A loss may be a
pair of functions."""

from __future__ import annotations

from ....messages import phrase
from ..form import VALUE_AND_GRADIENT_RULES, HandForm, exercise_of
from .mlp import play

PARAM_PAIRS_FORM = HandForm(
    name="param-pairs",
    play=play,
    methods=(("forward", "backward"),),
    function_count=2,
    takes=(("gradwrtoutput",),),
    holds="self.param()[{number}][0]",
    delivers="self.param()[{number}][1]",
    sign=r"def param\(",
)
PARAM_PAIRS = exercise_of(
    PARAM_PAIRS_FORM,
    VALUE_AND_GRADIENT_RULES,
    no_gradient=phrase("return that of the input, and give each weight's as a pair in `param()`"),
)
