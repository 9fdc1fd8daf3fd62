EXERCISE = "accumulation"
WEIGHTED = True
BELOW = {"target": "c"}


def v2(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d c"], b: Float[Tensor, "c"]):
    return x @ w + b


def loss(prediction, target: Int[Tensor, "n"]):
    return F.cross_entropy(prediction, target)
