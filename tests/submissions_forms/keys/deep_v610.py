import torch


def deep_net(params, X, y):
    L = len(params) // 2
    cache = [X]
    A = X
    for l in range(1, L + 1):
        Z = A @ params["W" + str(l)] + params["b" + str(l)]
        A = torch.tanh(Z) if l < L else Z
        cache.append(A)
    m = X.shape[0]
    logp = torch.log_softmax(A, dim=1)
    loss = -logp[torch.arange(m), y].mean()

    grads = {}
    dZ = torch.exp(logp)
    dZ[torch.arange(m), y] -= 1
    dZ = dZ / m
    for l in reversed(range(1, L + 1)):
        A_prev = cache[l - 1]
        grads["dW" + str(l)] = A_prev.t() @ dZ
        grads["db" + str(l)] = dZ.sum(0)
        if l > 1:
            dA = dZ @ params["W" + str(l)].t()
            dZ = dA * (1 - A_prev ** 2)
    return loss, grads
