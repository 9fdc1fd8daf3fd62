# The expression of the note, with gradients of gradients.
EXERCISE = "tape"
ORDER = 2


def v1(a: Float[Tensor, "n"], b: Float[Tensor, "n"]):
    t = a + b
    return t * b
