# Half the sum of squares, divided by the number of samples.
EXERCISE = "layer"
CALLS = ("mse_forward", "mse_backward")


def v525(pred: Float[Tensor, "n d"], target: Float[Tensor, "n d"]):
    return ((pred - target) ** 2).sum() / (2 * len(pred))
