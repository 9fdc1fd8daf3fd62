EXERCISE = "tape"


def v945(x: Float[Tensor, "n d"], w: Float[Tensor, "d"]):
    return (x @ w).mean()
