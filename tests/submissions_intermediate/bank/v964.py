# Attention of one query: scores, their softmax, and what is put together by it.
EXERCISE = "intermediate-gradients"
GRADIENTS = ("scores", "weights", "mixed")


def v964(x: Float[Tensor, "n d"], t: Float[Tensor, "k"], *, q: Float[Tensor, "d"], v: Float[Tensor, "d k"]):
    scores = x @ q
    weights = torch.softmax(scores, dim=0)
    mixed = weights @ (x @ v)
    return ((mixed - t) ** 2).sum()
