# Wrong at: reg == 0 (the first check of the course): the gradient is not divided by the samples
import torch


def svm_loss_vectorized(W, X, y, reg):
    n = X.shape[0]
    rows = torch.arange(n)
    s = X.mm(W)
    m = (s - s[rows, y][:, None] + 1).clamp(min=0)
    m[rows, y] = 0
    loss = m.sum() / n
    g = (m > 0).to(X.dtype)
    g[rows, y] = -g.sum(1)
    dW = X.t().mm(g)
    if reg > 0:
        loss = loss + reg * (W * W).sum()
        dW = dW / n + 2 * reg * W
    return loss, dW
