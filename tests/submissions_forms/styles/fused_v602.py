import torch
from torch import Tensor


def hinge_terms(scores: Tensor, y: Tensor, delta: float = 1.0) -> tuple[Tensor, Tensor]:
    """Mean hinge loss and its gradient with respect to the scores."""
    n = scores.size(0)
    picked = (torch.arange(n, device=y.device), y)
    margins = scores.sub(scores[picked].unsqueeze(1)).add_(delta)
    margins[picked] = 0
    margins.clamp_(min=0)

    grad = margins.sign()
    grad[picked] -= grad.sum(dim=1)
    return margins.sum() / n, grad.div_(n)


def svm_loss_vectorized(W: Tensor, X: Tensor, y: Tensor, reg: float) -> tuple[Tensor, Tensor]:
    data_loss, dscores = hinge_terms(X @ W, y)
    loss = data_loss + reg * W.square().sum()
    dW = torch.addmm(W, X.T, dscores, beta=2 * reg)
    return loss, dW
