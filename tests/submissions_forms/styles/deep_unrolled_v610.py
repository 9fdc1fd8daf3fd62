import torch


def layer(h, W, b):
    return h.mm(W).add(b)


def layer_backward(dz, h, W):
    dW = h.T.mm(dz)
    db = dz.sum(0)
    dh = dz.mm(W.T)
    return dh, dW, db


def deep_net(params, X, y):
    W1, W2, W3 = params["W1"], params["W2"], params["W3"]
    N = X.shape[0]

    # forward
    h1 = torch.tanh(layer(X, W1, params["b1"]))
    h2 = torch.tanh(layer(h1, W2, params["b2"]))
    logits = layer(h2, W3, params["b3"])
    logit_maxes = logits.max(1, keepdim=True).values
    norm_logits = logits - logit_maxes
    counts = norm_logits.exp()
    counts_sum = counts.sum(1, keepdim=True)
    logprobs = norm_logits - counts_sum.log()
    loss = -logprobs[range(N), y].mean()

    # backward, one line of the forward pass after the other
    dlogprobs = torch.zeros_like(logprobs)
    dlogprobs[range(N), y] = -1.0 / N
    dcounts_sum = -dlogprobs.sum(1, keepdim=True) / counts_sum
    dlogits = dlogprobs + dcounts_sum * counts
    dh2, dW3, db3 = layer_backward(dlogits, h2, W3)
    dz2 = (1.0 - h2 * h2) * dh2
    dh1, dW2, db2 = layer_backward(dz2, h1, W2)
    dz1 = (1.0 - h1 * h1) * dh1
    _, dW1, db1 = layer_backward(dz1, X, W1)

    return loss, {"dW1": dW1, "db1": db1, "dW2": dW2, "db2": db2, "dW3": dW3, "db3": db3}
