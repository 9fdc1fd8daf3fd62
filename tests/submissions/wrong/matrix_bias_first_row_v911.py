# verdict:
# gradient = "partial 20: wrong-gradient 21 b"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        self.b.grad = g[:1]
        return loss
