# Dropout of units without rescaling, as in the first lecture: the mask is an argument.
EXERCISE = "layer"
CALLS = ("dropout_forward", "dropout_backward")


def v527(x: Float[Tensor, "n d"], mask: Bool[Tensor, "n d"]):
    return x * mask
