# A linear layer with a bias.
EXERCISE = "layer"
CALLS = "Linear"


def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return x @ w + b
