import math

import torch


def softmax_loss_vectorized(W, X, y, reg):
    loss, dW = 0.0, torch.zeros_like(W)
    scores = X.matmul(W)
    print("scores", scores)
    scores -= torch.max(scores, dim=1, keepdim=True)[0]
    P = torch.exp(scores)
    P.div_(P.sum(dim=1).unsqueeze(1))
    num_train = X.shape[0]
    loss -= torch.log(P[torch.arange(num_train), y]).sum()
    if torch.isnan(loss).any() or not math.isfinite(loss):
        print(f"warning: {loss:.3f}")
    loss /= num_train
    loss += reg * torch.norm(W) ** 2
    P[torch.arange(num_train), y] -= 1
    dW += X.t().mm(P)
    dW /= num_train
    dW += reg * 2 * W
    return loss, dW
