import torch

# initial weights of the notebook
n_in, n_hid = 28 * 28, 50
w1 = torch.randn(n_in, n_hid) * (2 / n_in) ** 0.5
b1 = torch.zeros(n_hid)
w2 = torch.randn(n_hid, 1) / n_hid ** 0.5
b2 = torch.zeros(1)


def forward_and_backward(inp, targ):
    n = len(targ)
    hpre = inp @ w1 + b1
    h = torch.max(hpre, torch.zeros_like(hpre))
    out = h @ w2 + b2
    diff = out - targ[:, None]
    sq = diff ** 2
    loss = sq.sum() / n

    # now the same lines, from the last to the first
    dsq = torch.ones_like(sq) / n
    ddiff = 2 * diff * dsq
    dout = ddiff
    dh = dout @ w2.T
    w2.g = h.T @ dout
    b2.g = dout.sum(0)
    dhpre = dh.clone()
    dhpre[hpre < 0] = 0
    w1.g = inp.T @ dhpre
    b1.g = dhpre.sum(0)
    return loss
