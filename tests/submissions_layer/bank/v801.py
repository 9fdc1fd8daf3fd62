# A linear layer, as courses on deep vision ask for it.
EXERCISE = "layer"
CALLS = "Linear"


def v801(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return x @ w + b
