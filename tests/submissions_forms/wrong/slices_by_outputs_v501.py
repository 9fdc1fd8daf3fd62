# Wrong at: more rows than outputs
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        rows = x.reshape(x.shape[0], -1)
        return rows.mm(w) + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        rows = x.reshape(x.shape[0], -1)
        dx = dout.mm(w.t()).reshape(x.shape)
        dw = torch.zeros_like(w)
        for i in range(w.shape[1]):
            dw += rows[i:i + 1].t().mm(dout[i:i + 1])
        db = dout.sum(0)
        return dx, dw, db
