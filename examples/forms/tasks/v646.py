# A linear layer as a pair of functions that leave gradients in `.g`: courses on deep learning from the foundations.
EXERCISE = "dot-g"
CALLS = ("lin", "lin_grad")


def v646(inp: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return inp @ w + b
