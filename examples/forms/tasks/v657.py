# The same net with sigmoid inside and identity at the end.
EXERCISE = "mlp"
CALLS = "MLP"
MAKES = ("d", "h", "sigmoid", "h", "m", "identity")


def v657(
    x: Float[Tensor, "n d"],
    *,
    W1: Float[Tensor, "h d"],
    b1: Float[Tensor, "h"],
    W2: Float[Tensor, "m h"],
    b2: Float[Tensor, "m"],
):
    return torch.sigmoid(x @ W1.t() + b1) @ W2.t() + b2
