# Wrong at: two scores are equal
import torch


def svm_loss_naive(W, X, y, reg):
    n = len(y)
    scores = X.mm(W)
    right = scores.gather(1, y[:, None])
    margins = (scores - right + 1).clamp(min=0)
    margins[scores == right] = 0   # the right class has no margin
    loss = margins.sum() / n + reg * (W * W).sum()
    m = (margins > 0).to(X.dtype)
    m.scatter_add_(1, y[:, None], -m.sum(1, keepdim=True))
    return loss, X.t().mm(m) / n + 2 * reg * W
