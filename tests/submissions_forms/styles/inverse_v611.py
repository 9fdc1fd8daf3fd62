import torch
from torch import Tensor
from typing import Tuple


def smoothed_loss(
    scores: Tensor, tau: Tensor, y: Tensor, eps: float
) -> Tuple[Tensor, Tensor, Tensor]:
    """
    With beta = 1 / tau the loss of a row is

        log sum_j exp(beta * s_j) - beta * ((1 - eps) * s_y + eps * mean_j s_j)

    so d loss / d beta = (expected score under p) - (expected score under the target).
    """
    N, C = scores.shape
    assert y.shape == (N,), y.shape
    beta = 1.0 / tau

    right = scores.gather(1, y.view(N, 1)).view(N)
    wanted = (1 - eps) * right + eps * scores.mean(dim=1)
    logZ = torch.logsumexp(beta * scores, dim=1)
    loss = (logZ - beta * wanted).mean()

    p = torch.exp(beta * scores - logZ.view(N, 1))
    expected = (p * scores).sum(dim=1)

    # scores: p - q, where q is eps / C everywhere and 1 - eps more at y
    diff = p - eps / C
    diff.scatter_add_(1, y.view(N, 1), diff.new_full((N, 1), eps - 1))
    dscores = beta / N * diff
    assert dscores.shape == scores.shape

    # tau: d beta / d tau = -beta ** 2
    dbeta = (expected - wanted).mean()
    dtau = -(beta**2) * dbeta
    return loss, dscores, dtau
