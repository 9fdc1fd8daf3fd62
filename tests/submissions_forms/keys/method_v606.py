import torch


def affine_backward(dout, x, w):
    return dout.mm(w.t()), x.t().mm(dout), dout.sum(0)


class TwoLayerNet(object):
    def __init__(self, input_size, hidden_size, output_size, std=1e-4):
        self.params = {}
        self.params["W1"] = std * torch.randn(input_size, hidden_size)
        self.params["b1"] = torch.zeros(hidden_size)
        self.params["W2"] = std * torch.randn(hidden_size, output_size)
        self.params["b2"] = torch.zeros(output_size)

    def loss(self, X, y=None, reg=0.0):
        W1, b1 = self.params["W1"], self.params["b1"]
        W2, b2 = self.params["W2"], self.params["b2"]
        n = X.shape[0]
        z1 = X.mm(W1) + b1
        a1 = z1.clamp(min=0)
        scores = a1.mm(W2) + b2
        if y is None:
            return scores
        shifted = scores - scores.max(1, keepdim=True)[0]
        logsum = shifted.exp().sum(1, keepdim=True).log()
        logp = shifted - logsum
        loss = -logp[torch.arange(n), y].sum() / n
        loss += 0.5 * reg * (W1.pow(2).sum() + W2.pow(2).sum())
        ds = logp.exp()
        ds[torch.arange(n), y] -= 1
        ds /= n
        grads = {}
        da1, grads["W2"], grads["b2"] = affine_backward(ds, a1, W2)
        dz1 = da1 * (z1 > 0)
        _, grads["W1"], grads["b1"] = affine_backward(dz1, X, W1)
        grads["W2"] += reg * W2
        grads["W1"] += reg * W1
        return loss, grads
