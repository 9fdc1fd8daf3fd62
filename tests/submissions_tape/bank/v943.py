EXERCISE = "tape"


def v943(a: Float[Tensor, "n"], b: Float[Tensor, "n"]):
    return (a - b) / b
