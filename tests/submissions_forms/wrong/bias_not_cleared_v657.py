# Wrong at: a second step: clear_grad_and_cache forgets the biases, which are added to

import torch


class MLP:
    def __init__(self, d, h, f, h2, m, g):
        self.f, self.g = f, g
        self.parameters = dict(W1=torch.randn(h, d), b1=torch.randn(h), W2=torch.randn(m, h2), b2=torch.randn(m))
        self.grads = {"dJd" + k: torch.zeros_like(v) for k, v in self.parameters.items()}
        self.cache = {}

    def forward(self, x):
        p, c = self.parameters, self.cache
        c["x"] = x
        c["s1"] = x @ p["W1"].t() + p["b1"]
        c["a1"] = torch.sigmoid(c["s1"])
        c["s2"] = c["a1"] @ p["W2"].t() + p["b2"]
        c["y"] = c["s2"]
        return c["y"]

    def backward(self, dJdy_hat):
        p, c = self.parameters, self.cache
        d2 = dJdy_hat
        d1 = (d2 @ p["W2"]) * c["a1"] * (1 - c["a1"])
        self.grads["dJdW2"] = d2.t() @ c["a1"]
        self.grads["dJdb2"] += d2.sum(0)
        self.grads["dJdW1"] = d1.t() @ c["x"]
        self.grads["dJdb1"] += d1.sum(0)

    def clear_grad_and_cache(self):
        self.grads["dJdW1"].zero_()
        self.grads["dJdW2"].zero_()
        self.cache = {}
