# A linear module whose parameters come in pairs with their gradients: a course on deep learning without autograd.
EXERCISE = "param-pairs"
CALLS = "Linear"
MAKES = ("d", "m")


def v666(x: Float[Tensor, "n d"], *, w: Float[Tensor, "m d"], b: Float[Tensor, "m"]):
    return x @ w.t() + b
