# verdict:
#: head
        n, d = x.shape
        z = x * self.w
        mean = z.sum(0) / n
        centred = z - mean
        z = mean = None
        var = (centred * centred).sum(0) / n
        std = torch.sqrt(var + 0.1)
        var = None
        normal = centred / std
        off = self.gamma * normal + self.beta - y
        loss = (off * off).sum() / (n * d)
        doff = 2 * off / (n * d)
        off = None
        self.beta.grad = doff.sum(0)
        self.gamma.grad = (doff * normal).sum(0)
        normal = None
        dnormal = doff * self.gamma
        doff = None
        dcentred = dnormal / std
        dstd = -(dnormal * centred).sum(0) / std**2
        dnormal = None
        dvar = dstd / (2 * std)
        dstd = std = None
        dcentred = dcentred + 2 * centred * dvar / n
        centred = dvar = None
        dz = dcentred - dcentred.sum(0) / n
        dcentred = None
        self.w.grad = (dz * x).sum(0)
        return loss
