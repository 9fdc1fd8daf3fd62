# Dropout with a mask given, p in either convention: what is dropped or what is kept.
EXERCISE = "layer"
CALLS = ("dropout_forward", "dropout_backward")
VALUES = {"p": (0.2, 0.7)}
ACCEPTS = ("kept",)


def v510(x: Float[Tensor, "n d"], mask: Bool[Tensor, "n d"], p: float):
    return x * mask / (1 - p)


def kept(x, mask, p):
    return x * mask / p
