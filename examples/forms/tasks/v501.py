# A linear layer that takes inputs of any shape as rows, as courses on deep vision ask for it.
EXERCISE = "layer"
CALLS = "Linear"


def v501(x: Float[Tensor, "n 2 3"], w: Float[Tensor, "6 m"], b: Float[Tensor, "m"]):
    return x.flatten(1) @ w + b
