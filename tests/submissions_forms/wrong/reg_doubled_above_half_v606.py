# Wrong at: reg > 0.3
import torch


class TwoLayerNet(object):
    def __init__(self, input_size, hidden_size, output_size, std=1e-4):
        self.params = {}
        self.params["W1"] = std * torch.randn(input_size, hidden_size)
        self.params["b1"] = torch.zeros(hidden_size)
        self.params["W2"] = std * torch.randn(hidden_size, output_size)
        self.params["b2"] = torch.zeros(output_size)
        self.grads = {k: torch.zeros_like(v) for k, v in self.params.items()}

    def loss(self, X, y=None, reg=0.0):
        W1, b1, W2, b2 = (self.params[k] for k in ("W1", "b1", "W2", "b2"))
        reg = min(reg, 0.3)
        n = X.shape[0]
        z1 = X.mm(W1) + b1
        a1 = z1.clamp(min=0)
        scores = a1.mm(W2) + b2
        logp = scores - scores.logsumexp(1, keepdim=True)
        loss = -logp[torch.arange(n), y].sum() / n
        loss = loss + 0.5 * reg * (W1.pow(2).sum() + W2.pow(2).sum())
        ds = logp.exp()
        ds[torch.arange(n), y] -= 1
        ds = ds / n
        dz1 = ds.mm(W2.t()) * (z1 > 0)
        grads = self.grads
        grads["W2"] = a1.t().mm(ds) + reg * W2
        grads["b2"] = ds.sum(0)
        grads["W1"] = X.t().mm(dz1) + reg * W1
        grads["b1"] = dz1.sum(0)
        return loss, grads
