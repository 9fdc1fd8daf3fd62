# Leaky ReLU as a pair of functions; the slope is the course's, 0.01.
EXERCISE = "layer"
CALLS = ("leaky_relu_forward", "leaky_relu_backward")


def v503(x: Float[Tensor, "n d"]):
    return F.leaky_relu(x, 0.01)
