# ReLU as a pair of functions.
EXERCISE = "layer"
CALLS = ("relu_forward", "relu_backward")


def v802(x: Float[Tensor, "n d"]):
    return torch.relu(x)
