# verdict:
# why = "the line of the course: one less at the label"
import torch


class SoftmaxLoss:
    @staticmethod
    def forward(x, y):
        shifted = x - x.max(dim=1, keepdim=True).values
        Z = shifted.exp().sum(dim=1, keepdim=True)
        log_probs = shifted - Z.log()
        n = x.shape[0]
        loss = (-1.0 / n) * log_probs[torch.arange(n), y].sum()
        return loss, (log_probs.exp(), y)

    @staticmethod
    def backward(dout, cache):
        probs, y = cache
        n = probs.shape[0]
        dx = probs.clone()
        dx[torch.arange(n), y] -= 1
        dx /= n
        return dx * dout
