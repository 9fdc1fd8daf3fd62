EXERCISE = "tape"
ORDER = 2


def v941(a: Float[Tensor, "n"], b: Float[Tensor, "n"]):
    t = a + b
    return t * b
