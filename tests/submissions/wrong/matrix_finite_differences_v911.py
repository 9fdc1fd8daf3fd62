# verdict:
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: head
        h = 1e-3
        for p in (self.w, self.b):
            grad = torch.zeros_like(p)
            for i in range(p.shape[0]):
                p.data[i, 0] += h
                more = self.loss(x, y)
                p.data[i, 0] -= 2 * h
                less = self.loss(x, y)
                p.data[i, 0] += h
                grad[i, 0] = (more - less) / (2 * h)  # @I
                more = less = None
            p.grad = grad
        return self.loss(x, y)

    def loss(self, x, y):
        return ((x @ self.w + self.b - y) ** 2).mean()
