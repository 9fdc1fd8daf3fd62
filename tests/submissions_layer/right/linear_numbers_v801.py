# verdict:
# why = "a number at a time, with asserts and prints inside"
import torch
class Linear(object):
    @staticmethod
    def forward(x, w, b):
        assert x.shape[1] == w.shape[0]
        out = torch.stack([torch.stack([(x[i] * w[:, j]).sum() + b[j] for j in range(w.shape[1])]) for i in range(len(x))])
        assert torch.allclose(out, x @ w + b, atol=1e-4)
        print("forward", out.shape)
        return out, (x, w, b)
    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        dx = torch.zeros(x.shape)
        dw = torch.zeros(w.shape)
        db = torch.zeros(b.shape)
        for i, row in enumerate(dout):
            for j, g in enumerate(row):
                dx[i] += g * w[:, j]
                dw[:, j] += g * x[i]
                db[j] += g
        return dx, dw, db
