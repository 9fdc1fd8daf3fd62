# verdict:
#: net, values, g1
        grad = torch.zeros(2)
        grad[0] += g1 * 2 * w0
        grad[1] += g1 * x1
        g1 = None
        grad[0] += r1 * x2
        grad[1] -= r1
        g1 = r1 = None
        self.w.grad = grad
        return y
