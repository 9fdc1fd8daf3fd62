# verdict:
# why = "autograd and differences stand beside, to check the layer, and are not called by it"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.t(), x.t() @ dout, dout.sum(0)


def numeric_gradient(f, x, dout, h=1e-5):
    grad = torch.zeros_like(x)
    flat, gflat = x.view(-1), grad.view(-1)
    for i in range(flat.numel()):
        old = flat[i].item()
        flat[i] = old + h
        up = f(x).clone()
        flat[i] = old - h
        down = f(x).clone()
        flat[i] = old
        gflat[i] = ((up - down) * dout).sum() / (2 * h)
    return grad


x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
w = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
b = torch.randn(2, dtype=torch.float64, requires_grad=True)
out, cache = Linear.forward(x, w, b)
dout = torch.ones_like(out)
out.backward(dout)
for mine, theirs in zip(Linear.backward(dout, cache), (x, w, b)):
    print((mine - theirs.grad).abs().max())
