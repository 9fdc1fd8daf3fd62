# The same net with relu inside and relu at the end.
EXERCISE = "mlp"
CALLS = "MLP"
MAKES = ("d", "h", "relu", "h", "m", "relu")


def v658(
    x: Float[Tensor, "n d"],
    *,
    W1: Float[Tensor, "h d"],
    b1: Float[Tensor, "h"],
    W2: Float[Tensor, "m h"],
    b2: Float[Tensor, "m"],
):
    return ((x @ W1.t() + b1).relu() @ W2.t() + b2).relu()
