# A two-layer net: the loss and a dict of gradients of a dict of parameters: deep vision courses.
EXERCISE = "value-and-gradient"
CALLS = "nn_forward_backward(params, X, y, reg)"
HOLDS = {"W1": 'params["W1"]', "b1": 'params["b1"]', "W2": 'params["W2"]', "b2": 'params["b2"]'}
BELOW = {"y": "c"}


def v605(
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
    return F.cross_entropy(scores, y) + reg * ((W1 * W1).sum() + (W2 * W2).sum())
