# A sandwich of a linear layer and ReLU: it calls the layers of the file.
EXERCISE = "layer"
CALLS = "Linear_ReLU"


def v508(x: Float[Tensor, "n 2 2"], w: Float[Tensor, "4 m"], b: Float[Tensor, "m"]):
    return torch.relu(x.flatten(1) @ w + b)
