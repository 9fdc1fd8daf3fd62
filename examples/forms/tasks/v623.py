# LeakyReLU, made with its slope: a value in MAKES.
EXERCISE = "modules"
CALLS = "LeakyReLU"
MAKES = (0.03,)


def v623(input: Float[Tensor, "n d"]):
    return F.leaky_relu(input, 0.03)
