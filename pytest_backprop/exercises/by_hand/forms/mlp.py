"""`mlp`: a class made with sizes and names of functions (`MAKES`), `forward(x)` and
`backward(dJdy_hat)`, which leaves its gradients in a dict of the object: `self.grads["dJdW1"]`."""

from __future__ import annotations

from ....messages import phrase
from ..form import VALUE_AND_GRADIENT_RULES, Calling, HandForm, exercise_of


def play(call: Calling) -> None:
    """Calls the methods. A loss has no adjoint: its backward gets what its forward got."""
    forward, backward = call.functions
    call.value = forward(*call.arguments)
    if call.is_pass:
        call.interlude()
        call.phase("backward")
        call.returned = backward(*call.sent_back)


MLP_FORM = HandForm(
    name="mlp",
    play=play,
    methods=(("forward", "backward"),),
    takes=(("dJdy_hat",),),
    holds='self.parameters["{name}"]',
    delivers='self.grads["dJd{name}"]',
    asks_arguments=False,
    always_adjoint=True,
    sign=r"self\.grads\b",
)
MLP = exercise_of(
    MLP_FORM,
    VALUE_AND_GRADIENT_RULES,
    no_gradient=phrase('keep it under its name: `self.grads["dJd{name}"] = …`'),
)
