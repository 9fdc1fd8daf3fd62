import torch

_BUFFERS = {}


def counted(function):
    def inner(*args, **kwargs):
        inner.calls += 1
        return function(*args, **kwargs)
    inner.calls = 0
    return inner


@counted
def softmax_loss_vectorized(W, X, y, reg):
    num = X.shape[0]
    dW = _BUFFERS.setdefault(W.shape, torch.empty(W.shape, dtype=W.dtype))
    dW.zero_()
    scores = X.mm(W)
    scores -= scores.max(dim=1, keepdim=True).values
    P = scores.exp()
    Z = P.sum(dim=1)
    loss = (Z.log() - scores[torch.arange(num), y]).mean()
    P /= Z.view(-1, 1)
    P[torch.arange(num), y] -= 1
    dW.addmm_(X.t(), P, alpha=1 / num)
    if reg > 0:
        loss += reg * torch.sum(W * W)
        dW.add_(W, alpha=2 * reg)
    return loss, dW
