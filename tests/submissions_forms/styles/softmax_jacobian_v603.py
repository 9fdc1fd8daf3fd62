import torch


def softmax_loss_naive(W, X, y, reg):
    """
    Inputs and outputs as in the skeleton. I do not use the shortcut p - 1{y}, I multiply out

        dL/dW = dL/dp * dp/ds * ds/dW

    with the full (C, C) matrix dp/ds.
    """
    N, D = X.shape
    C = W.shape[1]
    loss = torch.zeros((), dtype=W.dtype)
    dW = torch.zeros(D, C, dtype=W.dtype)

    for i in range(N):
        s = torch.mv(W.t(), X[i])
        s = s - torch.max(s)
        p = torch.exp(s) / torch.sum(torch.exp(s))
        loss = loss - torch.log(p[y[i]])

        dL_dp = torch.zeros(C, dtype=W.dtype)
        dL_dp[y[i]] = -1 / p[y[i]]

        dp_ds = torch.zeros(C, C, dtype=W.dtype)
        for a in range(C):
            for b in range(C):
                if a == b:
                    dp_ds[a, b] = p[a] * (1 - p[a])
                else:
                    dp_ds[a, b] = -p[a] * p[b]

        dL_ds = dL_dp @ dp_ds
        for c in range(C):
            dW[:, c] += dL_ds[c] * X[i]

    loss /= N
    dW /= N
    # regularization
    loss += reg * torch.sum(W ** 2)
    dW += 2 * reg * W
    return loss, dW
