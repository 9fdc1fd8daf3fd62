import torch


def svm_loss_naive(W, X, y, reg):
    """
    Inputs: W (D, C), X (N, D), y (N,), reg: regularisation strength
    Returns: loss, gradient of the loss with respect to W
    """
    N, D = X.shape
    C = W.shape[1]
    data_loss = torch.zeros((), dtype=X.dtype, device=X.device)
    dW = torch.zeros(D, C, dtype=X.dtype, device=X.device)

    for n in range(N):
        x_n, t = X[n], int(y[n])
        s = x_n @ W
        hinge = torch.relu(s - s[t] + 1.0)
        hinge[t] = 0.0
        data_loss = data_loss + hinge.sum()

        # every class that violates the margin pushes x_n away, the right one pulls it
        violates = (hinge > 0).to(X.dtype)
        coeff = violates.clone()
        coeff[t] = -violates.sum()
        dW += torch.outer(x_n, coeff)

    loss = data_loss / N + reg * W.pow(2).sum()
    return loss, dW / N + W * (2 * reg)
