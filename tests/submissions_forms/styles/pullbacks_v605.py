import torch


def affine(x, w, b):
    def pullback(ct):
        return torch.matmul(ct, w.mT), torch.matmul(x.mT, ct), torch.sum(ct, 0)

    return torch.matmul(x, w) + b, pullback


def rectify(x):
    on = torch.gt(x, 0)
    return x * on, lambda ct: ct * on


def cross_entropy(logits, labels):
    n, c = logits.shape
    log_z = torch.logsumexp(logits, 1, keepdim=True)
    hot = torch.nn.functional.one_hot(labels, c).to(logits.dtype)
    value = torch.sum(hot * (log_z - logits)) / n

    def pullback(ct):
        return (torch.exp(logits - log_z) - hot) * (ct / n)

    return value, pullback


def ridge(w, strength):
    return strength * torch.sum(w.square()), lambda ct: (2 * strength * ct) * w


def nn_forward_backward(params, X, y, reg):
    pre, affine1_vjp = affine(X, params["W1"], params["b1"])
    hid, relu_vjp = rectify(pre)
    scores, affine2_vjp = affine(hid, params["W2"], params["b2"])
    data, ce_vjp = cross_entropy(scores, y)
    pen1, ridge1_vjp = ridge(params["W1"], reg)
    pen2, ridge2_vjp = ridge(params["W2"], reg)

    ct_scores = ce_vjp(1.0)
    ct_hid, ct_W2, ct_b2 = affine2_vjp(ct_scores)
    ct_pre = relu_vjp(ct_hid)
    _, ct_W1, ct_b1 = affine1_vjp(ct_pre)
    grads = dict(W1=ct_W1 + ridge1_vjp(1.0), b1=ct_b1, W2=ct_W2 + ridge2_vjp(1.0), b2=ct_b2)
    return data + pen1 + pen2, grads
