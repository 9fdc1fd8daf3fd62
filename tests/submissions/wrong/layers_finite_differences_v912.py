# verdict:
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: head
        step = 1e-3
        for p in self.parameters():
            p.grad = torch.zeros_like(p)
            flat, grad = p.data.view(-1), p.grad.view(-1)
            for i in range(flat.numel()):
                old = flat[i].clone()
                flat[i] = old + step
                more = self.loss(x, y)
                flat[i] = old - step
                less = self.loss(x, y)
                flat[i] = old
                old = None
                grad[i] = (more - less) / (2 * step)  # @I
                more = less = None
        return self.loss(x, y)

    def loss(self, x, y):
        h = torch.relu(x @ self.w1 + self.b1)
        return ((h @ self.w2 + self.b2 - y) ** 2).sum() / x.shape[0]
