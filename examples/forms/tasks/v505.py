# GELU itself, with erf, as a pair of functions.
EXERCISE = "layer"
CALLS = ("gelu", "gelu_backward")


def v505(x: Float[Tensor, "n d"]):
    return F.gelu(x)
