# verdict:
#: net
        w0, w1 = self.w.unbind()
        r1 = torch.pow(w0, 2).add(w1.mul(x1))
        r2 = torch.sub(w0.mul(x2), w1)
        inv = r1.pow(-1)
        y = torch.addcmul(x3.mul(inv), r1, r2)
        g1 = torch.neg(x3).mul(inv.square()).add(r2)
        del inv, r2
        dw0 = g1.mul(w0).mul(2).add(r1.mul(x2))
        dw1 = g1.mul(x1).sub(r1)
        del g1, r1
#: end
