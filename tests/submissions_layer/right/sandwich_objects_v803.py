# verdict:
# why = "instances of the other layers, made in the constructor"
import torch


class Linear:
    def forward(self, x, w, b):
        return x @ w + b, (x, w)

    def backward(self, dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(dim=0)


class ReLU:
    def forward(self, x):
        return torch.relu(x), x

    def backward(self, dout, x):
        return dout * (x > 0)


class Linear_ReLU:
    def __init__(self):
        self.linear = Linear()
        self.relu = ReLU()

    def forward(self, x, w, b):
        out, linear_cache = self.linear.forward(x, w, b)
        out, relu_cache = self.relu.forward(out)
        return out, {"linear": linear_cache, "relu": relu_cache}

    def backward(self, dout, cache):
        dout = self.relu.backward(dout, cache["relu"])
        return self.linear.backward(dout, cache["linear"])
