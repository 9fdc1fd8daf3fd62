# Wrong at: two scores are equal: the loss is off by one margin for each
import torch


def svm_loss_naive(W, X, y, reg):
    scores = X.mm(W)
    n = len(y)
    rows = torch.arange(n)
    right = scores[rows, y][:, None]
    margins = (scores - right + 1).clamp(min=0)
    margins[margins == 1] = 0   # the right class's own
    loss = margins.sum() / n + reg * (W * W).sum()
    m = (margins > 0).to(X.dtype)
    m[rows, y] = -m.sum(1)
    return loss, X.t().mm(m) / n + 2 * reg * W
