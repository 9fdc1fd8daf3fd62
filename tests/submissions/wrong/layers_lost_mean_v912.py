# verdict:
# failed = "gradient wrong-gradient @W1 w1, gradient wrong-gradient @W2 w2, gradient wrong-gradient @B2 b2, gradient wrong-gradient @B1 b1"
#: head
        n = x.shape[0]
        z = x @ self.w1 + self.b1
        h = torch.relu(z)
        off = h @ self.w2 + self.b2 - y
        loss = (off**2).sum() / n
        g = 2 * off
        off = None
        self.w2.grad = h.T @ g  # @W2
        h = None
        self.b2.grad = g.sum(0)  # @B2
        g = g @ self.w2.T
        g = g * (z > 0)
        z = None
        self.w1.grad = x.T @ g  # @W1
        self.b1.grad = g.sum(0)  # @B1
        return loss
