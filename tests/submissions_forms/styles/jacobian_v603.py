import torch


def softmax_loss_naive(W, X, y, reg):
    """dL/dW = sum over samples of dL/dp . dp/ds . ds/dW, each factor written down."""
    D, C = W.shape
    N = len(X)
    I = torch.eye(C, dtype=W.dtype)
    dLdW = torch.zeros_like(W)
    L = torch.zeros((), dtype=W.dtype)

    for k in range(N):
        x_k, t = X[k], y[k]
        s = x_k @ W
        e = torch.exp(s - s.amax())
        p = e / e.sum()
        L -= p[t].log() / N

        dLdp = -I[t] / (N * p[t])
        dpds = p[:, None] * (I - p[None, :])
        dLds = dLdp @ dpds
        for d in range(D):
            dLdW[d] += x_k[d] * dLds

    L = L + reg * (W ** 2).sum()
    dLdW.add_(W, alpha=2 * reg)
    return L, dLdW
