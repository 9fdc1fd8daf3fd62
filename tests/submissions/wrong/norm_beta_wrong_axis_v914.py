# verdict:
# failed = "manual-forward raises @R, gradient raises @R, unused-nodes, release"
#: head
        z = x * self.w
        centred = z - z.mean(0)
        z = None
        inv = 1 / torch.sqrt((centred**2).mean(0) + 0.1)
        normal = centred * inv
        centred = None
        off = self.gamma * normal + self.beta - y
        loss = (off**2).mean()
        g = off * (2 / off.numel())
        off = None
        self.beta.grad = g.sum(1)  # @R
        self.gamma.grad = (g * normal).sum(0)
        g = g * self.gamma
        g = (g - g.mean(0) - normal * (g * normal).mean(0)) * inv
        normal = inv = None
        self.w.grad = (g * x).sum(0)
        return loss
