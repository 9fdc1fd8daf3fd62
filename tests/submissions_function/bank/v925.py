# A linear layer with a bias.
EXERCISE = "autograd-function"


def v925(x: Float[Tensor, "n d"], w: Float[Tensor, "c d"], b: Float[Tensor, "c"]):
    return x @ w.T + b
