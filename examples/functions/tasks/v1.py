# Leaky ReLU; the slope is a plain number.
EXERCISE = "autograd-function"


def v1(x: Float[Tensor, "n d"], slope: float):
    return F.leaky_relu(x, slope)
