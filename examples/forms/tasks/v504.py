# GELU by its approximation with tanh, as courses on language models ask for it.
EXERCISE = "layer"
CALLS = "GELU"


def v504(x: Float[Tensor, "n t d"]):
    return F.gelu(x, approximate="tanh")
