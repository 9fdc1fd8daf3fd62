# ELU, made with its alpha.
EXERCISE = "modules"
CALLS = "ELU"
MAKES = {"alpha": 0.7}


def v628(input: Float[Tensor, "n d"]):
    return F.elu(input, 0.7)
