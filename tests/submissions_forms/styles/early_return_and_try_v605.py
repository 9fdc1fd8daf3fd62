import torch
from typing import Dict, Tuple


def check(X: torch.Tensor, W: torch.Tensor) -> None:
    try:
        assert X.shape[1] == W.shape[0], f"{X.shape} does not go with {W.shape}"
    except IndexError as error:
        raise ValueError("X is no matrix") from error


def nn_forward_backward(params: Dict[str, torch.Tensor], X, y=None, reg: float = 0.0) -> Tuple:
    W1, b1, W2, b2 = map(params.get, ("W1", "b1", "W2", "b2"))
    check(X, W1)
    if X.numel() == 0:
        return torch.zeros(()), {k: torch.zeros_like(v) for k, v in params.items()}
    h = torch.clamp(X @ W1 + b1, min=0)
    scores = h @ W2 + b2
    try:
        del b1
        probs = scores.softmax(dim=-1)
    finally:
        del scores
    N = y.size(0)
    loss = probs[range(N), y].log().neg().mean() + reg * sum(params[k].square().sum() for k in params if k[0] == "W")
    d = probs
    d[range(N), y] -= 1.
    d /= N
    grads = dict(W2=h.t() @ d, b2=d.sum(0))
    dh = (d @ W2.t()) * h.sign()
    grads.update(W1=X.t() @ dh, b1=dh.sum(0))
    for name, value in grads.items():
        if name.startswith("W"):
            grads[name] = value + 2 * reg * params[name]
    return loss, grads
