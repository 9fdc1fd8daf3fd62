# verdict:
#: head
        s = x @ self.w + self.b
        assert s.shape == (x.shape[0], self.b.shape[0])
        loss = F.cross_entropy(s, y)
        s = s.exp_()
        s /= s.sum(1, keepdim=True)
        s -= F.one_hot(y, s.shape[1])
        s *= 1 / len(y)
        self.w.grad = x.T @ s
        self.b.grad = s.sum(0)
        return loss
