EXERCISE = "accumulation"
LAST = "drop"


def v1(x: Float[Tensor, "n"], *, weight: Float[Tensor, "1"]):
    return weight * x


def loss(prediction, target):
    return F.mse_loss(prediction, target)
