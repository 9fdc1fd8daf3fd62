# verdict:
# failed = "manual-forward wrong-value 21"
# gradient = "partial 13.333333: wrong-gradient @GAMMA gamma, wrong-gradient @W w"
# why = "a column of what is normal adds up to 0 at any scale: the gradient of beta is right"
#: head
        z = x * self.w
        centred = z - z.mean(0)
        z = None
        inv = 1 / torch.sqrt((centred**2).sum(0) / (len(x) - 1) + 0.1)
        normal = centred * inv
        centred = None
        off = self.gamma * normal + self.beta - y
        loss = (off**2).mean()
        g = off * (2 / off.numel())
        off = None
        self.beta.grad = g.sum(0)
        self.gamma.grad = (g * normal).sum(0)  # @GAMMA
        g = g * self.gamma
        g = (g - g.mean(0) - normal * (g * normal).mean(0)) * inv
        normal = inv = None
        self.w.grad = (g * x).sum(0)  # @W
        return loss
