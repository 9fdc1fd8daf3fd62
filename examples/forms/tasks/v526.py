# The mean of squares in each convention: over all elements, over samples, half of it, or the sum.
EXERCISE = "layer"
CALLS = "MSE"
GRADIENTS = ("pred",)
ACCEPTS = ("per_sample", "half", "total")


def v526(pred: Float[Tensor, "n d"], target: Float[Tensor, "n d"]):
    return ((pred - target) ** 2).mean()


def per_sample(pred, target):
    return ((pred - target) ** 2).sum() / len(pred)


def half(pred, target):
    return ((pred - target) ** 2).sum() / (2 * len(pred))


def total(pred, target):
    return ((pred - target) ** 2).sum()
