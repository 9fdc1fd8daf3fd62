import torch


def affine_forward(x, w, b):
    return torch.addmm(b, x, w), (x, w)


def affine_backward(dout, cache):
    x, w = cache
    return dout @ w.T, x.T @ dout, dout.sum(0)


def relu_forward(x):
    return x.clamp(min=0), x


def relu_backward(dout, x):
    return torch.where(x > 0, dout, torch.zeros_like(dout))


def softmax_loss(x, y):
    N = x.shape[0]
    logits = x - x.max(1, keepdim=True).values
    logZ = logits.exp().sum(1, keepdim=True).log()
    log_probs = logits - logZ
    loss = -log_probs.gather(1, y.view(-1, 1)).sum() / N
    dx = log_probs.exp()
    dx[torch.arange(N), y] -= 1
    dx /= N
    return loss, dx


def nn_forward_backward(params, X, y, reg):
    a1, fc1_cache = affine_forward(X, params["W1"], params["b1"])
    h1, relu_cache = relu_forward(a1)
    scores, fc2_cache = affine_forward(h1, params["W2"], params["b2"])

    loss, dscores = softmax_loss(scores, y)
    for name in ("W1", "W2"):
        loss = loss + reg * (params[name] ** 2).sum()

    grads = {}
    dh1, grads["W2"], grads["b2"] = affine_backward(dscores, fc2_cache)
    da1 = relu_backward(dh1, relu_cache)
    _, grads["W1"], grads["b1"] = affine_backward(da1, fc1_cache)
    grads["W1"] += 2 * reg * params["W1"]
    grads["W2"] += 2 * reg * params["W2"]
    return loss, grads
