EXERCISE = "tape"


def v946(a: Float[Tensor, "n"], b: Float[Tensor, "n"], c: Float[Tensor, "n"]):
    return a * a + c
