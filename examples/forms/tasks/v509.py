# Dropout in training, its mask an argument (ones for what is kept), p the share that is dropped.
EXERCISE = "layer"
CALLS = "Dropout"
BELOW = {"mask": 2}


def v509(x: Float[Tensor, "n d"], mask: Int[Tensor, "n d"], p: float):
    return x * mask / (1 - p)
