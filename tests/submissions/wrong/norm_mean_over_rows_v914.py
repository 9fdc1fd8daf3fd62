# verdict:
# failed = "gradient wrong-gradient @GAMMA gamma, gradient wrong-gradient @BETA beta, gradient wrong-gradient @W w"
#: head
        z = x * self.w
        centred = z - z.mean(0)
        z = None
        inv = 1 / torch.sqrt((centred**2).mean(0) + 0.1)
        normal = centred * inv
        centred = None
        off = self.gamma * normal + self.beta - y
        loss = (off**2).mean()
        g = off * (2 / off.shape[0])
        off = None
        self.beta.grad = g.sum(0)  # @BETA
        self.gamma.grad = (g * normal).sum(0)  # @GAMMA
        g = g * self.gamma
        g = (g - g.mean(0) - normal * (g * normal).mean(0)) * inv
        normal = inv = None
        self.w.grad = (g * x).sum(0)  # @W
        return loss
