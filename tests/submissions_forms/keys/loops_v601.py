import torch


def svm_loss_naive(W, X, y, reg):
    """Structured SVM loss, with loops."""
    dW = torch.zeros_like(W)
    num_train = X.shape[0]
    num_classes = W.shape[1]
    loss = 0.0
    for i in range(num_train):
        scores = W.t().mv(X[i])
        correct = scores[y[i]]
        for j in range(num_classes):
            if j == y[i]:
                continue
            margin = scores[j] - correct + 1
            if margin > 0:
                loss += margin
                dW[:, j] += X[i]
                dW[:, y[i]] -= X[i]
    loss /= num_train
    dW /= num_train
    loss += reg * torch.sum(W * W)
    dW += 2 * reg * W
    return loss, dW
