import torch
import random


def svm_loss_vectorized(W, X, y, reg):
    """
    Structured SVM loss function, vectorized implementation.
    """
    loss = 0.0
    dW = torch.zeros_like(W)  # initialize the gradient as zero
    N = X.shape[0]

    scores = X.mm(W)
    correct = scores[torch.arange(N), y].view(-1, 1)
    margins = scores - correct + 1
    margins[torch.arange(N), y] = 0
    margins[margins < 0] = 0
    loss = margins.sum() / N
    loss += reg * torch.sum(W * W)

    mask = torch.zeros_like(margins)
    mask[margins > 0] = 1
    counts = mask.sum(dim=1)
    mask[torch.arange(N), y] = -counts
    dW = X.t().mm(mask) / N
    dW += 2 * reg * W

    return loss, dW
