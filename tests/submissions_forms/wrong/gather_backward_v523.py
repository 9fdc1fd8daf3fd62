# Rule: torch's own derivatives of gather and log_softmax
import torch


class SoftmaxLoss(object):
    @staticmethod
    def forward(x, y):
        logp = x - x.logsumexp(1, keepdim=True)
        return -logp.gather(1, y[:, None]).mean(), (logp, y)

    @staticmethod
    def backward(dout, cache):
        logp, y = cache
        g = (-dout / len(y)).expand(len(y), 1)
        dlogp = torch.ops.aten.gather_backward(g, logp, 1, y[:, None], False)
        return dlogp - logp.exp() * dlogp.sum(1, keepdim=True)
