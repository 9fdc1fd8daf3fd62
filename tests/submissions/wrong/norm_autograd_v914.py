# verdict:
# failed = "integrity autograd @I, gradient, unused-nodes, release"
#: head
        z = (x * self.w).requires_grad_()
        with torch.enable_grad():
            normal = (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + 0.1)
        off = self.gamma * normal.detach() + self.beta - y
        loss = (off**2).mean()
        g = off * (2 / off.numel())
        off = None
        self.beta.grad = g.sum(0)
        self.gamma.grad = (g * normal.detach()).sum(0)
        (g,) = torch.autograd.grad(normal, z, g * self.gamma)  # @I
        normal = z = None
        self.w.grad = (g * x).sum(0)
        return loss
