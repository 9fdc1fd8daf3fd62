# The mean of squares over all elements, a number.
EXERCISE = "layer"
CALLS = "MSELoss"
GRADIENTS = ("pred",)


def v524(pred: Float[Tensor, "n d"], target: Float[Tensor, "n d"]):
    return F.mse_loss(pred, target)
