# Max pooling whose windows overlap: 2 by 2, a step of 1.
EXERCISE = "layer"
CALLS = "MaxPool"


def v808(x: Float[Tensor, "2 2 3 4"]):
    return F.max_pool2d(x, 2, stride=1)
