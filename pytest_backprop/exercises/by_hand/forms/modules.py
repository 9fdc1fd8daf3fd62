"""`modules`: classes with Torch7's names, `updateOutput(input)`, `updateGradInput(input,
gradOutput)` and `accGradParameters(input, gradOutput)`, or the newer `compute_output`,
`compute_grad_input` and `update_grad_parameters`. Criteria get the target for `gradOutput`.

Gradients of parameters are added to, where a method of their own has them: there is a run in which
the backward methods are called twice.
"""

from __future__ import annotations

from ....messages import phrase
from ..form import VALUE_AND_GRADIENT_RULES, Calling, HandForm, exercise_of


def play(call: Calling) -> None:
    """Calls the methods."""
    output, grad_input, *of_parameters = call.functions
    call.value = output(*call.arguments)
    if not call.is_pass:
        return
    for clear in of_parameters[1:]:
        clear()
    call.phase("backward")
    for _ in range(call.backwards):
        call.returned = grad_input(*call.arguments, *call.adjoint)
        for accumulate in of_parameters[:1]:
            accumulate(*call.arguments, *call.adjoint)


MODULES_FORM = HandForm(
    name="modules",
    play=play,
    methods=(
        ("updateOutput", "updateGradInput", "accGradParameters", "zeroGradParameters"),
        ("compute_output", "compute_grad_input", "update_grad_parameters", "zero_grad"),
    ),
    optional=2,
    takes=(("*", "gradOutput"), ("*", "gradOutput")),
    holds="self.{name}",
    delivers="self.grad{Name}",
    adds_up=True,
)
MODULES = exercise_of(
    MODULES_FORM,
    VALUE_AND_GRADIENT_RULES,
    no_gradient=phrase("return `self.gradInput`, and keep the gradient of each parameter"),
    wrong_gradient=phrase(
        "sum gradOutput times the derivative, and add it to what is there: `self.gradW += …`"
    ),
)
