# verdict:
#: net
        w0, w1 = self.w.detach()
        z = w0 * x1 - w1 * x2
        m = z > 0
        y = torch.masked_select(z, m).sum()
        del z
        g = torch.stack([x1, -x2])
        g[~m.expand(2)] = 0
        del m
        self.w.grad = g
        return y
