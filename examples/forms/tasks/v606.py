# A two-layer net whose method `loss(X, y, reg)` returns a dict of gradients of `self.params`: deep vision courses.
EXERCISE = "value-and-gradient"
CALLS = "TwoLayerNet.loss"
MAKES = ("d", "h", "c")
HOLDS = {
    "W1": 'self.params["W1"]',
    "b1": 'self.params["b1"]',
    "W2": 'self.params["W2"]',
    "b2": 'self.params["b2"]',
}
BELOW = {"y": "c"}


def v606(
    X: Float[Tensor, "n d"],
    y: Int[Tensor, "n"],
    reg: float,
    *,
    W1: Float[Tensor, "d h"],
    b1: Float[Tensor, "h"],
    W2: Float[Tensor, "h c"],
    b2: Float[Tensor, "c"],
):
    scores = (X @ W1 + b1).relu() @ W2 + b2
    return F.cross_entropy(scores, y) + 0.5 * reg * ((W1 * W1).sum() + (W2 * W2).sum())
