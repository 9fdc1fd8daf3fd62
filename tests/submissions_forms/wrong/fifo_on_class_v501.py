# Wrong at: two layers: forward(a), forward(b), backward of b gets a's tensors
class Linear(object):
    queue = []

    @classmethod
    def forward(cls, x, w, b):
        cls.queue.append((x, w))
        return x.flatten(1) @ w + b, None

    @classmethod
    def backward(cls, dout, cache):
        x, w = cls.queue.pop(0)
        dx = (dout @ w.t()).view_as(x)
        return dx, x.flatten(1).t() @ dout, dout.sum(0)
