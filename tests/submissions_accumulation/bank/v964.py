EXERCISE = "accumulation"


def v964(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d h"], b: Float[Tensor, "h"]):
    return torch.sigmoid(x @ w + b)


def loss(prediction, target):
    return F.huber_loss(prediction, target)
