# The note's aggregate, which has to be right at second order, too.
EXERCISE = "tape"
OPERATOR = "simple_variable"
ORDER = 2


def v3(a: Float[Tensor, "n"], b: Float[Tensor, "n"]):
    t = a + b
    return t * b
