# Wrong at: the third step: layers' inputs are kept in two slots, and the slot of backward is counted on its own
class Model():
    def __init__(self, w1, b1, w2, b2):
        self.p = w1, b1, w2, b2
        self.slots, self.t = [None, None], 0

    def __call__(self, x, targ):
        w1, b1, w2, b2 = self.p
        z = x @ w1 + b1
        a = z.clamp_min(0.)
        d = (a @ w2 + b2).squeeze(-1) - targ
        if self.t < 2:
            self.slots[self.t] = (x, z, a, d)
        return d.pow(2).mean()

    def backward(self):
        w1, b1, w2, b2 = self.p
        x, z, a, d = self.slots[min(self.t, 1)]
        self.t += 1
        g = (2. * d / d.shape[0])[:, None]
        w2.g, b2.g = a.t() @ g, g.sum(0)
        dz = (g @ w2.t()) * (z > 0).float()
        w1.g, b1.g, x.g = x.t() @ dz, dz.sum(0), dz @ w1.t()
