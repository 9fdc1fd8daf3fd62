# verdict:
# why = "gather and scatter; the shift is left out"
import torch


class SoftmaxLoss:
    @staticmethod
    def forward(x, y):
        logp = torch.log_softmax(x, 1)
        return -logp.gather(1, y[:, None]).mean(), (logp, y)

    @staticmethod
    def backward(dout, cache):
        logp, y = cache
        hot = torch.zeros_like(logp).scatter_(1, y.unsqueeze(1), 1.0)
        return (logp.exp() - hot) * (dout / y.numel())
