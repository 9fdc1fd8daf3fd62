from collections import defaultdict

import torch


def softmax_of_one(s: torch.Tensor) -> torch.Tensor:
    e = torch.exp(s - s.max())
    return e / e.sum()


def nn_forward_backward(params, X, y=None, reg: float = 0.0):
    """One picture at a time, as in the lecture: x -> z -> a -> s -> loss_i."""
    W1, W2 = params["W1"], params["W2"]
    b1, b2 = params["b1"], params["b2"]
    N = len(X)

    if y is None:
        return torch.stack([torch.relu(x @ W1 + b1) @ W2 + b2 for x in X])

    grads = defaultdict(int)
    losses = []
    for x, label in zip(X, y):
        # forward
        z = x @ W1 + b1
        alive = z > 0
        a = torch.where(alive, z, 0.0)
        p = softmax_of_one(a @ W2 + b2)
        losses.append(-p[label].log())
        # backward
        delta2 = p.clone()
        delta2[label] -= 1.0
        delta1 = torch.where(alive, W2 @ delta2, 0.0)
        grads["W2"] += torch.outer(a, delta2)
        grads["b2"] += delta2
        grads["W1"] += torch.outer(x, delta1)
        grads["b1"] += delta1

    loss = sum(losses) / N + reg * sum(params[k].pow(2).sum() for k in ("W1", "W2"))
    grads = {name: total / N for name, total in grads.items()}
    for k in ("W1", "W2"):
        grads[k] = grads[k] + 2 * reg * params[k]
    return loss, grads
