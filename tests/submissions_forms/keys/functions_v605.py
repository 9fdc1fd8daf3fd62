import torch


def nn_forward_pass(params, X):
    # Unpack variables from the params dictionary
    W1, b1 = params["W1"], params["b1"]
    W2, b2 = params["W2"], params["b2"]
    hidden = X.mm(W1) + b1
    hidden[hidden < 0] = 0
    scores = hidden.mm(W2) + b2
    return scores, hidden


def nn_forward_backward(params, X, y=None, reg=0.0):
    W1, b1 = params["W1"], params["b1"]
    W2, b2 = params["W2"], params["b2"]
    N, D = X.shape

    scores, h1 = nn_forward_pass(params, X)
    # If the targets are not given then jump out, we're done
    if y is None:
        return scores

    scores = scores - torch.max(scores, dim=1, keepdim=True).values
    exps = torch.exp(scores)
    probs = exps / exps.sum(dim=1, keepdim=True)
    loss = -torch.log(probs[range(N), y]).mean()
    loss = loss + reg * ((W1 * W1).sum() + (W2 * W2).sum())

    # Backward pass: compute gradients
    grads = {}
    dscores = probs
    dscores[range(N), y] -= 1
    dscores = dscores / N
    grads["W2"] = h1.t().mm(dscores) + 2 * reg * W2
    grads["b2"] = dscores.sum(dim=0)
    dh = dscores.mm(W2.t())
    dh[h1 == 0] = 0
    grads["W1"] = X.t().mm(dh) + 2 * reg * W1
    grads["b1"] = dh.sum(dim=0)

    return loss, grads
