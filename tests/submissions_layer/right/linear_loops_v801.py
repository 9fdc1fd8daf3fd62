# verdict:
# why = "a loop over rows, gradients added up"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        out = torch.zeros(x.shape[0], w.shape[1], dtype=x.dtype)
        for i in range(x.shape[0]):
            out[i] = x[i] @ w + b
        return out, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dx = torch.zeros_like(x)
        dw = torch.zeros_like(w)
        db = torch.zeros(w.shape[1], dtype=w.dtype)
        for i in range(x.shape[0]):
            dx[i] = w @ dout[i]
            dw += torch.outer(x[i], dout[i])
            db += dout[i]
        return dx, dw, db
