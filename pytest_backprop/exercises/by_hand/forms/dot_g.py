"""`dot-g`: gradients are attributes of the tensors, `inp.g`, `w.g`, `b.g`. A pair of functions,
`lin(inp, w, b)` and `lin_grad(inp, out, w, b)`, which reads `out.g`, or the attribute that the
task's DELIVERS has; or a class that is called, made with its weights where the task says so
(`MAKES`), and has `backward()`."""

from __future__ import annotations

from typing import Any

from ....messages import phrase
from ..form import VALUE_AND_GRADIENT_RULES, Calling, HandForm, exercise_of


def play(call: Calling) -> None:
    """Calls the pair. The value has its adjoint as `.g`, if it has one, or as what gradients are
    called; the second function gets the value behind the first argument then, or where CALLS has a
    name of its own."""
    forward, backward = call.functions
    value: Any = forward(*call.arguments)
    call.value = value
    if not call.is_pass:
        return
    call.interlude()
    call.phase("backward")
    for adjoint in call.adjoint:
        setattr(value, call.attribute, adjoint)
    if call.is_object:
        backward()
        return
    call.adjoint = (value,) if call.adjoint else ()
    first, *others = call.arguments
    backward(first, *call.adjoint, *others)


DOT_G_FORM = HandForm(
    name="dot-g",
    play=play,
    methods=(("__call__", "backward"), ("__call__", "bwd")),
    function_count=2,
    delivers="{name}.g",
    argument_delivers="{name}.g",
    sign=r"\w\.g\b *[+*-]?=(?!=)",
)
DOT_G = exercise_of(
    DOT_G_FORM,
    VALUE_AND_GRADIENT_RULES,
    no_gradient=phrase("set it: `{name}.g = …`"),
    wrong_gradient=phrase("sum `out.g` times the derivative over all elements of `out`"),
)
