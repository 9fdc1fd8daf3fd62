import torch


def svm_loss_vectorized(W, X, y, reg):
    """
    Multiclass SVM loss. No loop over the examples, but one over the C classes:
    C is small, N is not, and a column at a time is easy to check on paper.

    W: (D, C), X: (N, D), y: (N,)
    """
    N, C = X.shape[0], W.shape[1]
    scores = X.matmul(W)
    s_y = scores.gather(1, y.unsqueeze(1)).squeeze(1)  # (N,)

    loss = reg * W.square().sum()
    dW = 2 * reg * W
    for j in range(C):
        margin = scores[:, j] - s_y + 1.0
        # the right class never counts, and neither does a margin that is met
        bad = (margin > 0) & (y != j)
        loss = loss + margin[bad].sum() / N
        Xbad = X[bad] / N
        # d margin / d W[:, j] = x,   d margin / d W[:, y] = -x
        dW[:, j] += Xbad.sum(dim=0)
        dW.index_add_(1, y[bad], -Xbad.t())
    return loss, dW
