# The hinge loss of a linear classifier without loops, called as svm_loss_vectorized(W, X, y, reg): deep vision courses.
EXERCISE = "value-and-gradient"
CALLS = "svm_loss_vectorized(W, X, y, reg)"
BELOW = {"y": "c"}


def v602(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], reg: float, *, W: Float[Tensor, "d c"]):
    scores = X @ W
    margins = (scores - scores.gather(1, y[:, None]) + 1).clamp(min=0)
    return (margins.sum() - len(y)) / len(y) + reg * (W * W).sum()
