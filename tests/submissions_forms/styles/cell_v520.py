import torch


class Gate:
    """A squashing function that remembers what it gave."""

    def __init__(self, kind):
        self.kind = kind

    def __call__(self, a):
        self.y = torch.tanh(a) if self.kind == "tanh" else torch.sigmoid(a)
        return self.y

    def back(self, y_bar):
        if self.kind == "tanh":
            return y_bar - y_bar * self.y ** 2
        return y_bar * (self.y - self.y ** 2)


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    gates = [Gate(k) for k in ("sigmoid", "sigmoid", "sigmoid", "tanh")]
    N, H = prev_h.shape
    pre = torch.addmm(torch.addmm(b, x, Wx), prev_h, Wh).view(N, 4, H)
    I, F, O, G = (gate(part) for gate, part in zip(gates, pre.unbind(1)))
    next_c = torch.addcmul(F * prev_c, I, G)
    squash = Gate("tanh")
    next_h = O * squash(next_c)
    return next_h, next_c, (gates, squash, x, prev_h, prev_c, Wx, Wh)


def lstm_step_backward(h_bar, c_bar, cache):
    gates, squash, x, prev_h, prev_c, Wx, Wh = cache
    I, F, O, G = [gate.y for gate in gates]

    c_bar = c_bar + squash.back(h_bar * O)
    ups = (c_bar * G, c_bar * prev_c, h_bar * squash.y, c_bar * I)
    pre_bar = torch.stack([gate.back(up) for gate, up in zip(gates, ups)], dim=1).flatten(1)

    x_bar = pre_bar @ Wx.T
    prev_h_bar = pre_bar @ Wh.T
    prev_c_bar = c_bar * F
    Wx_bar = x.T @ pre_bar
    Wh_bar = prev_h.T @ pre_bar
    b_bar = pre_bar.sum(0)
    return x_bar, prev_h_bar, prev_c_bar, Wx_bar, Wh_bar, b_bar
