"""`value-and-gradient`: one function that returns the loss and its gradients,
`svm_loss(W, X, y, reg) -> (loss, dW)`, `nn_forward_backward(params, X, y, reg) -> (loss, grads)`.

Gradients come as a tensor, one after the other, in a tuple or in a dict by name; the task's
keyword-only tensors are those that they are asked of, all float ones where there are none. Where
the task says that all are delivered elsewhere, the function returns the loss alone."""

from __future__ import annotations

from ....errors import WrongForm
from ....messages import phrase, say
from ..form import VALUE_AND_GRADIENT_RULES, Calling, HandForm, exercise_of


def play(call: Calling) -> None:
    """Calls the function. Raises WrongForm for what is not `return loss, gradient`."""
    returned = call.returned = call.functions[0](*call.arguments)
    if not call.returns_gradients:
        call.value = returned
        return
    if not isinstance(returned, tuple | list) or len(returned) < 2:
        text = type(returned).__name__
        raise WrongForm(say("it returns {told}; `return loss, gradient` is wanted", told=text))
    call.value = returned[0]
    call.results = returned[1] if len(returned) == 2 else returned[1:]


VALUE_AND_GRADIENT_FORM = HandForm(
    name="value-and-gradient",
    play=play,
    function_count=1,
    asks_arguments=False,
    is_loss=True,
    sign=r"(?m)^ *return \(?\w+, *\(?(?:d[A-Z]\w*|d[a-z]\d?\b|\w*grads?\w*\b|dict\(|\{)",
)
VALUE_AND_GRADIENT = exercise_of(
    VALUE_AND_GRADIENT_FORM,
    VALUE_AND_GRADIENT_RULES,
    value=phrase("the function"),
    no_gradient=phrase("return it after the loss: `return loss, gradient`, or by name in a dict"),
    wrong_gradient=phrase("sum its derivative over all samples, with the factor that the loss has"),
)
