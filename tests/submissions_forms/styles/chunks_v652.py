import torch

n_in, n_hid = 784, 50
bs = 2  # size of a micro batch: my GPU is small

w1 = torch.randn(n_in, n_hid) * (2 / n_in) ** 0.5
b1 = torch.zeros(n_hid)
w2 = torch.randn(n_hid, 1) / n_hid ** 0.5
b2 = torch.zeros(1)


def zero_grad():
    for p in (w1, b1, w2, b2): p.g = torch.zeros_like(p)


def forward_and_backward(inp, targ):
    zero_grad()
    n = len(targ)
    loss = 0.
    # gradient accumulation: each micro batch adds its share of the mean
    for xb, yb in zip(inp.split(bs), targ.split(bs)):
        # forward
        l1 = xb @ w1 + b1
        l2 = torch.relu(l1)
        err = (l2 @ w2 + b2).squeeze(1) - yb
        loss = loss + err @ err / n

        # backward
        err_g = err.mul(2 / n)
        w2.g += (err_g @ l2).unsqueeze(1)
        b2.g += err_g.sum()
        l1_g = torch.outer(err_g, w2.squeeze(1)).masked_fill(l1 <= 0, 0.)
        w1.g += xb.T @ l1_g
        b1.g += l1_g.sum(0)
    return loss
