# Leaky ReLU; the slope is a plain number. Where x is 0, torch takes the slope.
EXERCISE = "autograd-function"


def v922(x: Float[Tensor, "n d"], slope: float):
    return F.leaky_relu(x, slope)
