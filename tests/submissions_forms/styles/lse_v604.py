import torch


def softmax_loss_vectorized(W, X, y, reg):
    m = X.shape[0]
    classes = torch.arange(W.shape[1], device=y.device)
    Y = (y[:, None] == classes).to(X.dtype)

    Z = X.matmul(W)
    logZ = torch.logsumexp(Z, dim=1, keepdim=True)
    A = torch.exp(Z - logZ)

    cost = (logZ.sum() - (Y * Z).sum()) / m
    penalty = reg * W.flatten().dot(W.flatten())
    J = cost + penalty

    # <A, X W> and <Y, X W> differentiate to X'A and X'Y
    dJdW = 2 * reg * W + (X.T.matmul(A) - X.T.matmul(Y)) / m
    return J, dJdW
