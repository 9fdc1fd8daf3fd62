EXERCISE = "accumulation"
LAST = "drop"


def v965(x: Float[Tensor, "n"], *, w: Float[Tensor, "1"]):
    return w * x


def loss(prediction, target):
    return F.mse_loss(prediction, target)
