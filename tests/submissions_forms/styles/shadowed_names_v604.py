import torch
max = torch.max


def softmax_loss_vectorized(W, X, y, reg, *, _eye={}):
    sum = torch.sum
    s = X @ W
    s = s - max(s, 1, True)[0]
    p = torch.softmax(s, 1)
    hot = (y.view(-1, 1) == torch.arange(W.shape[1]).view(1, -1)).float()
    n = float(len(y))
    return sum(hot * -p.log()) / n + reg * sum(W * W), X.T @ (p - hot) / n + 2. * reg * W
