import torch

DELTA = 1.0


def svm_loss_naive(W, X, y, reg):
    n = X.size(0)
    w = W.unbind(dim=1)  # one vector a class
    classes = range(len(w))

    # score that each sample gets for its own class
    own = torch.zeros(n, dtype=X.dtype)
    for i in range(n):
        own[i] = torch.dot(X[i], W[:, y[i]])

    total = torch.zeros((), dtype=X.dtype)
    hits = []
    for c in classes:
        gap = X @ w[c] - own + DELTA
        hit = (gap > 0) & (y != c)
        total += gap[hit].sum()
        hits.append(hit.type_as(X))
    times = sum(hits)

    columns = []
    for c in classes:
        pushed = hits[c] @ X
        pulled = (times * (y == c)) @ X
        columns.append((pushed - pulled) / n + 2.0 * reg * w[c])
    penalty = sum(torch.dot(v, v) for v in w)
    return total / n + reg * penalty, torch.stack(columns, dim=1)
