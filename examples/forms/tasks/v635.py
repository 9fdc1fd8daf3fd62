# Dropout, made with p = 0: what it does without chance. Its probability is dropped, not kept.
EXERCISE = "modules"
CALLS = "Dropout"
MAKES = (0.0,)


def v635(input: Float[Tensor, "n d"]):
    return input * 1.0
