# A linear layer as a class made with its weights, which is called and has backward().
EXERCISE = "dot-g"
CALLS = "Lin"
MAKES = ("w", "b")


def v649(inp: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return inp @ w + b
