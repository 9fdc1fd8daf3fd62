# Leaky ReLU; the slope is a plain number.
EXERCISE = "layer"
CALLS = "LeakyReLU"


def v810(x: Float[Tensor, "n d"], slope: float):
    return F.leaky_relu(x, slope)
