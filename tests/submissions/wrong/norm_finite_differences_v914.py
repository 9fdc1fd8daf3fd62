# verdict:
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: head
        loss = self.loss(x, y)
        for p in (self.gamma, self.beta, self.w):
            grad = torch.empty_like(p)
            for k in range(len(p)):
                p.data[k] += 1e-3
                grad[k] = (self.loss(x, y) - loss) / 1e-3  # @I
                p.data[k] -= 1e-3
            p.grad = grad
        return loss

    def loss(self, x, y):
        z = x * self.w
        normal = (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + 0.1)
        return ((self.gamma * normal + self.beta - y) ** 2).mean()
