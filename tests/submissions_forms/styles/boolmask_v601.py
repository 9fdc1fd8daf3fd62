import torch
import random


def svm_loss_naive(W, X, y, reg):
    """
    Structured SVM loss
    """
    dW = torch.zeros(W.shape, dtype=W.dtype, device=W.device)
    num_classes = W.shape[1]
    num_train = X.shape[0]
    loss = 0.0
    for i in range(num_train):
        label = y[i].item()
        scores = torch.zeros(num_classes, dtype=W.dtype)
        for j in range(num_classes):
            scores[j] = (X[i] * W[:, j]).sum()
        correct_class_score = scores[label].clone()
        margins = scores - correct_class_score + 1  # note delta = 1
        bad = margins > 0
        bad[label] = False
        how_many = int(bad.sum())
        if how_many == 0:
            continue     # nothing to do for this picture
        loss += margins[bad].sum()
        # wrong classes
        dW[:, bad] += X[i][:, None].repeat(1, how_many)
        # right class
        dW[:, label] -= how_many * X[i]

    # average
    loss = loss / num_train
    dW = dW / num_train

    # regularization
    for d in range(W.shape[0]):
        for j in range(num_classes):
            loss += reg * W[d, j] ** 2
            dW[d, j] += reg * 2 * W[d, j]
    return loss, dW
