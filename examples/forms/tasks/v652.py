# The function that goes forwards and backwards, with weights that are global names of the notebook.
EXERCISE = "value-and-gradient"
CALLS = "forward_and_backward(inp, targ)"
HOLDS = {"w1": "w1", "b1": "b1", "w2": "w2", "b2": "b2"}
DELIVERS = {"w1": "w1.g", "b1": "b1.g", "w2": "w2.g", "b2": "b2.g"}


def v652(
    inp: Float[Tensor, "n d"],
    targ: Float[Tensor, "n"],
    *,
    w1: Float[Tensor, "d h"],
    b1: Float[Tensor, "h"],
    w2: Float[Tensor, "h 1"],
    b2: Float[Tensor, "1"],
):
    return ((inp @ w1 + b1).relu() @ w2 + b2).squeeze(-1).sub(targ).pow(2).mean()
