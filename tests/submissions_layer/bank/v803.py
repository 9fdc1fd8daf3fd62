# A layer of two: what it calls are other classes of the file.
EXERCISE = "layer"
CALLS = "Linear_ReLU"


def v803(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]):
    return torch.relu(x @ w + b)
