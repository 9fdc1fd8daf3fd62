import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        print(x, x.mean())
        return x.flatten(1) @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        print("mean of dout", dout.mean(), dout.norm().item())
        return (dout @ w.T).reshape(x.shape), x.flatten(1).T @ dout, dout.sum(0)
