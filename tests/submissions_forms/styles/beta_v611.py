import torch


def smooth(y, c, eps, like):
    q = like.new_full((len(y), c), eps / c)
    q.scatter_add_(1, y.view(-1, 1), like.new_full((len(y), 1), 1 - eps))
    return q


def smoothed_loss(scores, tau, y, eps):
    beta = tau.reciprocal()  # the inverse temperature
    q = smooth(y, scores.shape[1], eps, scores)

    loss, g_scores, g_beta = 0.0, [], 0.0
    for s, t in zip(scores, q):
        u = beta * s
        A = u.logsumexp(0)  # the free energy
        loss = loss + A - t @ u
        gap = (u - A).exp() - t
        g_scores.append(beta * gap)
        g_beta = g_beta + gap @ s

    n = len(q)
    dscores = torch.stack(g_scores) / n
    dtau = -beta.square() * g_beta / n
    return loss / n, dscores, dtau
