import torch


def _log_probs(row):
    shifted = row - torch.max(row)
    return shifted - torch.log(torch.sum(torch.exp(shifted)))


def softmax_loss_naive(W, X, y, reg):
    losses = []
    dscores = []
    for x_i, y_i in zip(X, y):
        logp = _log_probs(torch.mv(W.t(), x_i))
        losses.append(-logp[y_i])
        d = torch.exp(logp)
        d[y_i] -= 1.0
        dscores.append(d)

    N = len(losses)
    loss = torch.stack(losses).mean()
    loss += reg * torch.sum(W * W)

    dW = 2.0 * reg * W
    for x_i, d in zip(X, dscores):
        dW += x_i.view(-1, 1) * d.view(1, -1) / N
    return loss, dW
