EXERCISE = "accumulation"


def v961(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"], b: Float[Tensor, ""]):
    return x @ w + b


def loss(prediction, target):
    return (prediction - target).square().mean()
