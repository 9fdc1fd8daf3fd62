import torch


def svm_loss_naive(W, X, y, reg):
    """Sparse inputs: only features that are not zero add to the gradient."""
    n, c = X.shape[0], W.shape[1]
    dW = torch.zeros_like(W)
    total = X.new_zeros(())
    for i in range(n):
        used = X[i].nonzero().flatten()
        if used.numel() == 0:
            total = total + (c - 1)  # all scores are 0: every margin is 1
            continue
        scores = X[i] @ W
        margins = scores - scores[y[i]] + 1
        margins[y[i]] = 0
        violated = margins > 0
        if not violated.any():
            continue
        total = total + margins[violated].sum()
        pull = violated.to(W.dtype)
        pull[y[i]] = -pull.sum()
        for j in used:
            dW[j] += X[i, j] * pull
    total, dW = total / n, dW / n
    if reg:
        total = total + reg * (W * W).sum()
        dW = dW + 2 * reg * W
    return total, dW
