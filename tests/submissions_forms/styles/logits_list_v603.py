import math
import torch


def softmax_loss_naive(W, X, y, reg):
    N, D = X.shape
    C = W.shape[1]
    labels = y.tolist()

    loss = 0.0
    all_probs = []
    # ------ loss ------
    for i in range(N):
        logits = []
        for c in range(C):
            s = 0.0
            for d in range(D):
                s += X[i, d] * W[d, c]
            logits.append(s)
        biggest = max(logits)
        exps = [torch.exp(s - biggest) for s in logits]
        Z = sum(exps)
        probs = [e / Z for e in exps]
        loss += -torch.log(probs[labels[i]])
        all_probs.append(probs)
    loss /= N
    loss += reg * torch.sum(torch.square(W))

    # ------ gradient ------
    dW = torch.zeros_like(W)
    for i in range(N):
        for c in range(C):
            indicator = 1 if labels[i] == c else 0
            diff = all_probs[i][c] - indicator
            for d in range(D):
                dW[d, c] += diff * X[i, d] / N
    dW += 2 * reg * W
    return loss, dW
