# New operators: minus, division and exp.
EXERCISE = "tape"
POSITIVE = ("b",)


def v2(a: Float[Tensor, "n"], b: Float[Tensor, "n"]):
    return (a - b).exp() / b
