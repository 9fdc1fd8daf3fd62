import weakref

import torch


class Lin:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, inp):
        out = inp @ self.w + self.b
        # tensors hold the layer, so the layer must not hold them
        self.refs = weakref.ref(inp), weakref.ref(out)
        out.made_by = self
        return out

    def backward(self):
        inp, out = (ref() for ref in self.refs)
        self.b.g = out.g.sum(0)
        self.w.g = inp.t() @ out.g
        inp.g = out.g @ self.w.t()
