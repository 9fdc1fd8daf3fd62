# verdict:
#: head
        n = x.shape[0]
        centring = torch.eye(n) - torch.ones(n, n) / n
        c = centring @ (x * self.w)
        inv = (c.pow(2).sum(0) / n + 0.1).rsqrt()
        c = c * inv
        off = c * self.gamma + self.beta - y
        loss = off.pow(2).sum() / off.numel()
        off = off * 2 / off.numel()
        self.beta.grad = torch.ones(n) @ off
        along = (off * c).sum(0)
        self.gamma.grad = along
        g = (off - c * (along / n)) * (self.gamma * inv)
        off = c = inv = along = None
        self.w.grad = (centring @ g * x).sum(0)
        return loss
