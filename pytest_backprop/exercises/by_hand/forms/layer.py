"""`layer`: a class, or a pair of functions, `forward(x, w, b) -> (out, cache)` and
`backward(dout, cache) -> (dx, dw, db)`, as courses on deep vision ask for; with several outputs
`forward(x, …) -> (h, c, cache)` and `backward(dh, dc, cache)`.

Arguments come in the order of the task's parameters, and gradients in the order of its float
tensors."""

from __future__ import annotations

from typing import Any

from ....errors import WrongForm
from ....messages import phrase, say
from ....model import CheckRules
from ..form import Calling, HandForm, exercise_of, numbered


def play(call: Calling) -> None:
    """Calls the pair. Raises WrongForm for what does not come back as `return out, cache`."""
    forward, backward = call.functions
    call.value, cache = _with_cache(forward(*call.arguments), len(call.adjoint))
    if call.is_pass:
        call.interlude()
        call.phase("backward")
        call.returned = backward(*call.adjoint, cache)


def _with_cache(returned: Any, count: int) -> tuple[Any, Any]:
    """The value, of several outputs a tuple, and what backward needs."""
    if isinstance(returned, tuple | list) and len(returned) == count + 1:
        *outputs, cache = returned
        return (tuple(outputs) if count > 1 else outputs[0]), cache
    is_one = not isinstance(returned, tuple | list)
    text = type(returned).__name__ if is_one else say("{count} results", count=len(returned))
    wanted = f"return {', '.join(numbered('out', count))}, cache"
    raise WrongForm(say("forward returns {told}; `{wanted}` is wanted", told=text, wanted=wanted))


LAYER_FORM = HandForm(
    name="layer",
    play=play,
    methods=(("forward", "backward"),),
    function_count=2,
    takes=(("dout", "cache"),),
    always_adjoint=True,
    sign=r"return [^\n]*\bcache\b|\bcache\) *:|@staticmethod",
)
LAYER = exercise_of(
    LAYER_FORM,
    {
        "forward": CheckRules(points=30),
        "gradient": CheckRules(points=60, credit="share"),
        "unused-nodes": CheckRules(points=10, credit="per-finding", penalty=0.1),
    },
    raises=phrase(
        "call `out, cache = forward({inputs})` and `backward(torch.rand_like(out), cache)` and "
        "read the traceback from the bottom"
    ),
    no_gradient=phrase(
        "return a gradient for each float tensor, in the order of forward's arguments"
    ),
    wrong_gradient=phrase("sum dout times the derivative over all elements of the value"),
)
