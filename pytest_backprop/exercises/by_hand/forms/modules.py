"""`modules`: classes with Torch7's names, `updateOutput(input)`, `updateGradInput(input,
gradOutput)` and `accGradParameters(input, gradOutput)`, or the newer `compute_output`,
`compute_grad_input` and `update_grad_parameters`; or `forward(input)` and `backward(input,
gradOutput)` alone. Criteria get the target for `gradOutput`.

What `accGradParameters` does is added to what is there: in one run the backward methods are called
twice."""

from __future__ import annotations

from ....messages import phrase
from ..form import VALUE_AND_GRADIENT_RULES, Calling, HandForm, exercise_of


def play(call: Calling) -> None:
    """Calls the methods."""
    output, grad_input, accumulate, clear = (*call.functions, None, None)[:4]
    if clear is not None and call.is_pass:
        clear()
    call.value = output(*call.arguments)
    if not call.is_pass:
        return
    call.interlude()
    call.phase("backward")
    call.backwards = 1 if accumulate is None else call.backwards
    for _ in range(call.backwards):
        call.returned = grad_input(*call.arguments, *call.adjoint)
        if accumulate is not None:
            accumulate(*call.arguments, *call.adjoint)


MODULES_FORM = HandForm(
    name="modules",
    play=play,
    methods=(
        ("updateOutput", "updateGradInput", "accGradParameters", "zeroGradParameters"),
        ("compute_output", "compute_grad_input", "update_grad_parameters", "zero_grad"),
        ("forward", "backward", "", "zeroGradParameters"),
    ),
    optional=2,
    takes=(("*", "gradOutput"), ("*", "gradOutput")),
    holds="self.{name}",
    delivers="self.grad{Name}",
    adds_up=True,
    sign=r"updateGradInput|compute_grad_input|def backward\(self, *input, ",
)
MODULES = exercise_of(
    MODULES_FORM,
    VALUE_AND_GRADIENT_RULES,
    no_gradient=phrase(
        "return that of the input, and keep that of each parameter where the task says"
    ),
    wrong_gradient=phrase(
        "sum gradOutput times the derivative, and add it to what is there: `self.gradW += …`"
    ),
)
