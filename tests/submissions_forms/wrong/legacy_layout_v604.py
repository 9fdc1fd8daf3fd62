# Wrong at: as many samples as features: X is taken for the old layout, a sample in each column
import torch


def softmax_loss_vectorized(W, X, y, reg):
    if X.shape[0] == W.shape[0]:
        X = X.t()
        if X.shape[0] != len(y):
            X = X.t()
    n = len(y)
    s = X @ W
    logp = s - s.logsumexp(1, keepdim=True)
    loss = -logp[torch.arange(n), y].mean() + reg * (W * W).sum()
    ds = logp.exp()
    ds[torch.arange(n), y] -= 1
    return loss, X.t() @ ds / n + 2 * reg * W
