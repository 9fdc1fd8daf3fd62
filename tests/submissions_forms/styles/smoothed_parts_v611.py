import torch
import torch.nn.functional as F


def smoothed_loss(scores, tau, y, eps):
    N = scores.shape[0]
    C = scores.shape[1]

    logits = scores / tau
    logits = logits - logits.max(1, keepdim=True)[0]
    exps = logits.exp()
    denom = exps.sum(1, keepdim=True)
    logp = logits - denom.log()
    # the usual cross-entropy, and the one with the uniform distribution
    nll = -logp.gather(1, y.unsqueeze(1)).mean()
    uniform = -logp.mean(1).mean()
    loss = (1 - eps) * nll + eps * uniform

    probs = exps / denom
    dnll = (probs - F.one_hot(y, C)) / N
    duniform = (probs - 1.0 / C) / N
    dlogits = (1 - eps) * dnll
    dlogits += eps * duniform

    dscores = dlogits * (1 / tau)
    inv_tau_grad = torch.einsum("nc,nc->", dlogits, scores)
    dtau = inv_tau_grad * -(tau ** -2)
    return loss, dscores, dtau
