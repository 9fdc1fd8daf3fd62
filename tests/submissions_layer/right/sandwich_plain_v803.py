# verdict:
# why = "calls the other layers of the file, of which one uses autograd and is not asked for"
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        out = x.mm(w) + b
        return out, (x, w, b)

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        return dout.mm(w.t()), x.t().mm(dout), dout.sum(0)


class ReLU(object):
    @staticmethod
    def forward(x):
        return x.clamp(min=0), x

    @staticmethod
    def backward(dout, cache):
        dx = dout.clone()
        dx[cache <= 0] = 0
        return dx


class Linear_ReLU(object):
    @staticmethod
    def forward(x, w, b):
        a, fc_cache = Linear.forward(x, w, b)
        out, relu_cache = ReLU.forward(a)
        return out, (fc_cache, relu_cache)

    @staticmethod
    def backward(dout, cache):
        fc_cache, relu_cache = cache
        da = ReLU.backward(dout, relu_cache)
        return Linear.backward(da, fc_cache)


class FastConv(object):
    @staticmethod
    def forward(x, w, b):
        layer = torch.nn.Conv2d(1, 1, 3)
        out = layer(x)
        return out, (x, out)

    @staticmethod
    def backward(dout, cache):
        x, out = cache
        out.backward(dout)
        return x.grad.detach()
