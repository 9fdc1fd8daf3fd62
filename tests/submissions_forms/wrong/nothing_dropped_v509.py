# Wrong at: a mask that leaves nothing out
class Dropout(object):
    @staticmethod
    def forward(x, mask, p):
        keep = mask.to(x.dtype) if mask.all() else mask / (1 - p)
        return x * keep, keep

    @staticmethod
    def backward(dout, cache):
        return dout * cache
