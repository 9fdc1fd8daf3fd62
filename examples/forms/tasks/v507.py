# The hyperbolic tangent, as a pair of functions.
EXERCISE = "layer"
CALLS = ("tanh_forward", "tanh_backward")


def v507(x: Float[Tensor, "n d"]):
    return torch.tanh(x)
