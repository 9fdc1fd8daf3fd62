import torch


def svm_loss_vectorized(W, X, y, reg):
    """Multiclass hinge loss; gradient by class columns with index_add_."""
    n = len(y)
    S = torch.mm(X, W)
    own = S.gather(1, y[:, None])
    hinge = torch.relu(S - own + 1.0)
    # the right class has a hinge of 1 by itself: take it off again
    data = hinge.sum() / n - 1.0
    loss = data + reg * W.pow(2).sum()

    violates = hinge.gt(0).to(X.dtype).scatter(1, y[:, None], 0.0)
    how_many = violates.sum(1)

    G = X.t().mm(violates)  # pushed up: every class that is too near
    G.index_add_(1, y, -(X * how_many[:, None]).t())  # pulled down: the right one, as often
    G.div_(n).add_(W, alpha=2 * reg)
    return loss, G
