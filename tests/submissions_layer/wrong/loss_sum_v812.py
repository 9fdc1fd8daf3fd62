# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "not divided by the number of rows"
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
        dx[torch.arange(len(y)), y] -= 1
        return dx * dout  # @X
