EXERCISE = "tape"
ORDER = 2
OPERATOR = "simple_variable"


def v942(a: Float[Tensor, "n"], b: Float[Tensor, "n"]):
    t = a + b
    return t * b
