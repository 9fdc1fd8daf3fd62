# verdict:
#: net
        w0, w1 = torch.unbind(self.w)
        s = torch.add(torch.mul(w0, x1), torch.mul(w1, x2))
        inverse = torch.reciprocal(x3)
        y = torch.mul(torch.square(s), inverse)
        g = torch.mul(torch.mul(s, 2.0), inverse)
        del s, inverse
        dw0 = torch.mul(g, x1)
        dw1 = torch.mul(g, x2)
        del g
        self.w.grad = torch.stack((dw0, dw1), dim=0)
        return y
