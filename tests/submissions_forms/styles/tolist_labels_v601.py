import torch


def svm_loss_naive(W, X, y, reg):
    """ loops over labels as Python's numbers """
    loss, dW = 0.0, torch.zeros_like(W)
    for x, label in zip(X, y.tolist()):
        scores = x @ W
        for j, s in enumerate(scores):
            if j == label:
                continue
            if (margin := s - scores[label] + 1.0) > 0:
                loss = loss + margin
                dW[:, j] += x
                dW[:, label] -= x
    n = max(len(X), 1)
    return loss / n + reg * (W ** 2).sum(), dW / n + 2 * reg * W
