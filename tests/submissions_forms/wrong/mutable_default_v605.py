# Wrong at: a second call: a default list keeps the first
import torch


def nn_forward_backward(params, X, y, reg=0.0, grads={}):
    W1, b1, W2, b2 = (params[k] for k in ("W1", "b1", "W2", "b2"))
    h = (X @ W1 + b1).clamp(min=0)
    scores = h @ W2 + b2
    logp = scores.log_softmax(1)
    n = len(y)
    loss = -logp[torch.arange(n), y].mean() + reg * ((W1 * W1).sum() + (W2 * W2).sum())
    d = logp.exp()
    d[torch.arange(n), y] -= 1
    d = d / n
    dh = (d @ W2.t()) * (h > 0)
    new = {"W1": X.t() @ dh + 2 * reg * W1, "b1": dh.sum(0), "W2": h.t() @ d + 2 * reg * W2, "b2": d.sum(0)}
    for k in new:
        same = k in grads and grads[k].shape == new[k].shape
        grads[k] = grads[k] + new[k] if same else new[k]
    return loss, grads
