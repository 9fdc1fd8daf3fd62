# verdict:
# failed = "gradient wrong-gradient @W w, gradient wrong-gradient @B b"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = off / x.shape[0]
        off = None
        self.w.grad = x.T @ g  # @W
        self.b.grad = g.sum().reshape(1, 1)  # @B
        return loss
