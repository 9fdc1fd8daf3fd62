# The softmax loss of a linear classifier with L2, by loops over the samples: deep vision courses.
EXERCISE = "value-and-gradient"
CALLS = "softmax_loss_naive(W, X, y, reg)"
BELOW = {"y": "c"}


def v603(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], reg: float, *, W: Float[Tensor, "d c"]):
    return F.cross_entropy(X @ W, y) + reg * (W * W).sum()
