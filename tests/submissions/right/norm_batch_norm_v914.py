# verdict:
#: head
        z = x * self.w
        mean, var = z.mean(0), z.var(0, unbiased=False)
        pred = (z - mean) / (var + 0.1).sqrt() * self.gamma + self.beta
        loss = (pred - y).pow(2).mean()
        pred = (pred - y) * (2 / y.numel())
        self.beta.grad = pred.sum(0)
        std = var.add_(0.1).sqrt_()
        var = None
        z = z.sub_(mean).div_(std)
        mean = None
        self.gamma.grad = (pred * z).sum(0)
        pred = pred.mul_(self.gamma)
        pred = (pred - pred.mean(0) - z * (pred * z).mean(0)) / std
        z = std = None
        self.w.grad = (pred * x).sum(0)
        return loss
