import torch


def softmax_of(scores):
    return torch.exp(scores - torch.logsumexp(scores, dim=0))


def attention_forward(q, k, v, is_causal):
    """One query at a time: it looks at the first `seen` keys only, so there is nothing to mask."""
    batch, T, d = q.shape
    scale = d ** -0.5
    out = torch.zeros(batch, T, v.shape[2], dtype=q.dtype)
    weights = []
    for b in range(batch):
        for t in range(T):
            seen = t + 1 if is_causal else T
            a = softmax_of(k[b, :seen].mv(q[b, t]) * scale)
            out[b, t] = a @ v[b, :seen]
            weights.append(a)
    return out, (q, k, v, weights)


def attention_backward(dout, cache):
    q, k, v, weights = cache
    batch, T, d = q.shape
    scale = d ** -0.5
    grad_q, grad_k, grad_v = map(torch.zeros_like, (q, k, v))
    remaining = iter(weights)
    for b in range(batch):
        for t in range(T):
            a = next(remaining)
            seen = a.shape[0]
            grad_out = dout[b, t]
            grad_v[b, :seen] += torch.outer(a, grad_out)
            grad_a = v[b, :seen].mv(grad_out)
            jacobian = torch.diag(a) - torch.outer(a, a)
            grad_scores = jacobian.mv(grad_a) * scale
            grad_q[b, t] = grad_scores @ k[b, :seen]
            grad_k[b, :seen] += torch.outer(grad_scores, q[b, t])
    return grad_q, grad_k, grad_v
