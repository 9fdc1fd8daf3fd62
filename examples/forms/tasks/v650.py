# The same layer with a base class that keeps the arguments, and bwd(out, inp) of its own.
EXERCISE = "dot-g"
CALLS = "Lin"
MAKES = ("w", "b")


def v650(inp: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return inp @ w + b
