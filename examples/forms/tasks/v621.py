# A fully connected layer with Torch7's names, as schools of data analysis ask for.
EXERCISE = "modules"
CALLS = "Linear"
MAKES = ("d", "m")


def v621(input: Float[Tensor, "n d"], *, W: Float[Tensor, "m d"], b: Float[Tensor, "m"]):
    return input @ W.t() + b
