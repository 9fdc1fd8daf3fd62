import torch

grads = {}
state = {"step": 0, "best": float("inf")}


def relu(x):
    return x * (x > 0)


def softmax(z):
    z = z - z.amax(dim=1, keepdim=True)
    e = z.exp()
    return e / e.sum(dim=1, keepdim=True)


def forward(params, X):
    z1 = X @ params["W1"] + params["b1"]
    a1 = relu(z1)
    return z1, a1, softmax(a1 @ params["W2"] + params["b2"])


def backward(params, X, y, z1, a1, probs):
    """Fills the dict of the notebook."""
    n = len(y)
    delta = probs.clone()
    delta[torch.arange(n), y] -= 1
    delta /= n
    grads["W2"] = a1.T @ delta
    grads["b2"] = delta.sum(0)
    back = (delta @ params["W2"].T) * (z1 >= 0)
    grads["W1"] = X.T @ back
    grads["b1"] = back.sum(0)


def penalty(params, reg):
    total = 0.0
    for name in ("W1", "W2"):
        total = total + reg * params[name].pow(2).sum()
        grads[name] += 2 * reg * params[name]
    return total


def nn_forward_backward(params, X, y=None, reg=0.0):
    z1, a1, probs = forward(params, X)
    loss = -probs[torch.arange(len(y)), y].log().mean()
    backward(params, X, y, z1, a1, probs)
    if reg != 0:
        loss = loss + penalty(params, reg)
    state["step"] += 1
    state["best"] = min(state["best"], loss.item())
    return loss, grads
