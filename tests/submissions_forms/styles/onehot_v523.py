import torch
import torch.nn.functional as F


class SoftmaxLoss:
    @staticmethod
    def forward(logits, target):
        n, c = logits.shape
        t = F.one_hot(target, num_classes=c).to(logits.dtype)
        lse = torch.logsumexp(logits, dim=1)
        picked = (logits * t).sum(dim=1)
        residual = F.softmax(logits, dim=1) - t
        return (lse - picked).mean(), residual

    @staticmethod
    def backward(upstream, residual):
        return residual * (upstream / residual.size(0))
