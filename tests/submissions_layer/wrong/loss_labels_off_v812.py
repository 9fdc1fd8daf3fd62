# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "one is taken off everywhere, not at the labels"
import torch


class SoftmaxLoss:
    @staticmethod
    def forward(x, y):
        logp = torch.log_softmax(x, 1)
        return -logp[torch.arange(len(y)), y].mean(), (logp, y)

    @staticmethod
    def backward(dout, cache):
        logp, y = cache
        dx = logp.exp()
        dx[:, y] -= 1
        dx = dx / len(y) * dout  # @X
        return dx
