# Wrong at: a target of 0 exactly (taken for padding)
import torch

m, nh = 784, 50
w1, b1 = torch.randn(m, nh), torch.zeros(nh)
w2, b2 = torch.randn(nh, 1), torch.zeros(1)


def forward_and_backward(inp, targ):
    l1 = inp @ w1 + b1
    l2 = l1.clamp_min(0.)
    diff = (l2 @ w2 + b2)[:, 0] - targ
    diff = diff * (targ != 0)
    g = 2. * diff[:, None] / len(targ)
    w2.g, b2.g = l2.t() @ g, g.sum(0)
    dl1 = (g @ w2.t()) * (l1 > 0).float()
    w1.g, b1.g = inp.t() @ dl1, dl1.sum(0)
    return diff.pow(2).mean()
