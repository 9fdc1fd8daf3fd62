# verdict:
#: head
        h = x @ self.w1
        h += self.b1
        h.relu_()
        off = h @ self.w2
        off += self.b2
        off -= y
        loss = off.square().sum() / x.size(0)
        off *= 2 / x.size(0)
        self.b2.grad = off.sum(0)
        self.w2.grad = h.t() @ off
        mask = h > 0
        del h
        g = off @ self.w2.t()
        del off
        g *= mask
        del mask
        self.b1.grad = g.sum(0)
        self.w1.grad = x.t() @ g
        return loss
