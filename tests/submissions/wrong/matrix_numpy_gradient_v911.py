# verdict:
# failed = "integrity hidden-work @I, gradient, unused-nodes, release"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = torch.from_numpy(x.numpy().T @ g.numpy())  # @I
        self.b.grad = g.sum().reshape(1, 1)
        return loss
