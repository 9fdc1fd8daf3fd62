# A net of two linear layers with a ReLU and a sigmoid: a course that names its functions and keeps gradients in a dict.
EXERCISE = "mlp"
CALLS = "MLP"
MAKES = ("d", "h", "relu", "h", "m", "sigmoid")


def v656(
    x: Float[Tensor, "n d"],
    *,
    W1: Float[Tensor, "h d"],
    b1: Float[Tensor, "h"],
    W2: Float[Tensor, "m h"],
    b2: Float[Tensor, "m"],
):
    return torch.sigmoid((x @ W1.t() + b1).relu() @ W2.t() + b2)
