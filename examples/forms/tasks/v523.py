# The mean cross-entropy of scores as a layer: the upstream gradient is a number.
EXERCISE = "layer"
CALLS = "SoftmaxLoss"
BELOW = {"y": "c"}


def v523(x: Float[Tensor, "n c"], y: Int[Tensor, "n"]):
    return F.cross_entropy(x, y)
