# verdict:
#: head
        z = x * self.w
        var, mean = torch.var_mean(z, 0, correction=0, keepdim=True)
        inv = torch.rsqrt(var + 0.1)
        var = None
        normal = (z - mean) * inv
        z = mean = None
        off = torch.addcmul(self.beta, self.gamma, normal) - y
        loss = off.square().mean()
        off *= 2 / y.numel()
        self.beta.grad = off.sum(0)
        self.gamma.grad = torch.einsum("nd,nd->d", off, normal)
        off *= self.gamma
        off -= off.mean(0) + normal * (off * normal).mean(0)
        normal = None
        off *= inv
        inv = None
        self.w.grad = torch.einsum("nd,nd->d", off, x)
        return loss
