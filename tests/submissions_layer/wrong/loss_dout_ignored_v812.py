# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "right if the loss is the last value, of which dout is 1"
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
        return dx / len(y)  # @X
