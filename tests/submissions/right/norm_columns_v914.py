# verdict:
#: head
        n, d = x.shape
        loss = 0
        self.gamma.grad = torch.zeros(d)
        self.beta.grad = torch.zeros(d)
        self.w.grad = torch.zeros(d)
        for k in range(d):
            z = x[:, k] * self.w[k]
            std = (z.var(unbiased=False) + 0.1).sqrt()
            normal = (z - z.mean()) / std
            z = None
            off = self.gamma[k] * normal + self.beta[k] - y[:, k]
            loss = loss + off.dot(off) / (n * d)
            g = off * 2 / (n * d)
            off = None
            self.beta.grad[k] = g.sum()
            self.gamma.grad[k] = g.dot(normal)
            g = g * self.gamma[k] / std
            std = None
            g = g - g.mean() - normal * g.dot(normal) / n
            normal = None
            self.w.grad[k] = g.dot(x[:, k])
            g = None
        return loss
