EXERCISE = "saved-tensor-hooks"
THRESHOLD = 1000


def v961(x: Float[Tensor, "n"], w: Float[Tensor, "n"]):
    return (x * x * w).sin().exp().sum()
