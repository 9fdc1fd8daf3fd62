# verdict:
# why = "the variance is the mean of squares less the square of the mean"
#: head
        z = x * self.w
        mean = z.mean(dim=0, keepdim=True)
        inv = ((z * z).mean(dim=0, keepdim=True) - mean**2 + 0.1) ** -0.5
        normal = (z - mean) * inv
        z = mean = None
        off = normal * self.gamma + self.beta - y
        loss = torch.mean(off**2)
        off = 2.0 / torch.numel(off) * off
        self.beta.grad = off.sum(dim=0)
        off_normal = (off * normal).sum(dim=0)
        self.gamma.grad = off_normal
        g = off - off.mean(0) - normal * off_normal / len(x)
        off = off_normal = normal = None
        self.w.grad = (g * x).sum(0) * self.gamma * inv.squeeze(0)
        return loss
