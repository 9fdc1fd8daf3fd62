# The logistic sigmoid.
EXERCISE = "layer"
CALLS = "Sigmoid"


def v506(x: Float[Tensor, "n d"]):
    return torch.sigmoid(x)
