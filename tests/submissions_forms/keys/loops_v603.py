import torch


def softmax_loss_naive(W, X, y, reg):
    """
    Softmax loss function, naive implementation (with loops).
    """
    loss = 0.0
    dW = torch.zeros_like(W)
    num_train = X.shape[0]
    num_class = W.shape[1]

    for i in range(num_train):
        f = X[i].matmul(W)
        f = f - f.max()  # numeric stability
        exps = f.exp()
        total = exps.sum()
        loss += total.log() - f[y[i]]
        for j in range(num_class):
            p = exps[j] / total
            if j == y[i]:
                dW[:, j] += (p - 1) * X[i]
            else:
                dW[:, j] += p * X[i]

    loss = loss / num_train + reg * (W * W).sum()
    dW = dW / num_train + 2 * reg * W
    return loss, dW
