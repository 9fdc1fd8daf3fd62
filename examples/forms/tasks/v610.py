# A net of three layers by a loop over them; gradients by the names dW1, db1, ... in a dict.
EXERCISE = "value-and-gradient"
CALLS = "deep_net(params, X, y)"
HOLDS = {
    "W1": 'params["W1"]', "b1": 'params["b1"]', "W2": 'params["W2"]',
    "b2": 'params["b2"]', "W3": 'params["W3"]', "b3": 'params["b3"]',
}
BELOW = {"y": "c"}


def v610(
    X: Float[Tensor, "n d"],
    y: Int[Tensor, "n"],
    *,
    W1: Float[Tensor, "d h"],
    b1: Float[Tensor, "h"],
    W2: Float[Tensor, "h k"],
    b2: Float[Tensor, "k"],
    W3: Float[Tensor, "k c"],
    b3: Float[Tensor, "c"],
):
    hidden = torch.tanh(torch.tanh(X @ W1 + b1) @ W2 + b2)
    return F.cross_entropy(hidden @ W3 + b3, y)
