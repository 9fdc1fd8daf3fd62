import torch


def softmax_loss_naive(W, X, y, reg):
    loss, dW = torch.zeros(()), torch.zeros_like(W)
    n, d = X.shape
    for i in range(n):
        z = torch.zeros_like(W[0])
        for j in range(d):
            if X[i, j] != 0:
                z = z + X[i, j] * W[j]
        z = z - z.max()
        p = z.exp() / z.exp().sum()
        loss = loss - p[y[i]].log()
        p[y[i]] -= 1
        for j in range(d):
            if X[i, j] != 0:
                dW[j] += X[i, j] * p
    loss /= n
    dW /= n
    if reg != 0.0:
        loss += reg * (W ** 2).sum()
        dW += 2 * reg * W
    return loss, dW
