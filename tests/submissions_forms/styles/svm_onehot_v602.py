import torch
import torch.nn.functional as F


def svm_loss_vectorized(W, X, y, reg):
    n, C = X.size(0), W.size(1)
    Y = F.one_hot(y, C).to(X.dtype)
    f = torch.einsum("nd,dc->nc", X, W)
    f_y = torch.sum(f * Y, dim=1, keepdim=True)
    raw = f - f_y + (1 - Y)
    loss = torch.clamp(raw, min=0).sum().div(n)
    loss = loss + reg * torch.sum(W ** 2)

    # backward
    ind = torch.where(raw > 0, 1.0, 0.0)
    ind = ind * (1 - Y)
    df = ind - Y * ind.sum(1, keepdim=True)
    df /= n
    dW = torch.einsum("nd,nc->dc", X, df)
    dW += reg * 2.0 * W
    return loss, dW
