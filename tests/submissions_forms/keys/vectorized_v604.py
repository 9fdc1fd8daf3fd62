import torch


def softmax_loss_vectorized(W, X, y, reg):
    num_train = X.shape[0]
    rows = torch.arange(num_train)

    scores = X @ W
    scores = scores - scores.max(dim=1, keepdim=True)[0]
    probs = torch.exp(scores)
    probs = probs / probs.sum(dim=1, keepdim=True)
    loss = -torch.log(probs[rows, y]).sum() / num_train
    loss = loss + reg * torch.sum(W * W)

    dscores = probs.clone()
    dscores[rows, y] -= 1
    dscores = dscores / num_train
    dW = X.t() @ dscores
    dW = dW + 2 * reg * W
    return loss, dW
