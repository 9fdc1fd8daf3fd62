# verdict:
# why = "results put into what is allocated before"
import torch
class Linear(object):
    @staticmethod
    def forward(x, w, b):
        out = torch.empty(x.size(0), w.size(1))
        torch.addmm(b, x, w, out=out)
        return out, (x, w, b)
    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        dx, dw, db = torch.empty_like(x), torch.empty_like(w), torch.empty_like(b)
        torch.mm(dout, w.t(), out=dx)
        torch.mm(x.t(), dout, out=dw)
        db[:] = dout.sum(0)
        return dx, dw, db
