import torch


def dense(a, W, b):
    return torch.einsum("ni,ij->nj", a, W) + b


def d_tanh(z):
    t = torch.tanh(z)
    return 1 - t * t


def deep_net(params, X, y):
    # ---- forward: (input, pre-activation) of every hidden layer goes on the stack
    stack = []
    z1 = dense(X, params["W1"], params["b1"])
    stack.append((X, z1))
    a1 = torch.tanh(z1)
    z2 = dense(a1, params["W2"], params["b2"])
    stack.append((a1, z2))
    a2 = torch.tanh(z2)
    scores = dense(a2, params["W3"], params["b3"])

    # ---- cross-entropy
    N, C = scores.shape
    lse = torch.logsumexp(scores, dim=1)
    right = scores.gather(1, y.unsqueeze(1)).squeeze(1)
    loss = (lse - right).sum() / N
    target = torch.zeros_like(scores)
    target.scatter_(1, y.unsqueeze(1), 1.0)
    probs = torch.exp(scores - lse.unsqueeze(1))
    delta = (probs - target) / N

    # ---- backward: output layer first, then pop the stack
    grads = {}
    grads["dW3"] = torch.einsum("ni,nj->ij", a2, delta)
    grads["db3"] = delta.sum(dim=0)
    above = params["W3"]
    layer = 2
    while stack:
        a_in, z = stack.pop()
        delta = torch.einsum("nj,ij->ni", delta, above) * d_tanh(z)
        grads[f"dW{layer}"] = torch.einsum("ni,nj->ij", a_in, delta)
        grads[f"db{layer}"] = delta.sum(dim=0)
        above = params[f"W{layer}"]
        layer -= 1
    return loss, grads
