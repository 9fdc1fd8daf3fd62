# Wrong at: more rows than columns
class MSE(object):
    @staticmethod
    def forward(pred, target):
        diff = pred - target
        n = min(pred.shape)
        return (diff ** 2).sum() / n, (diff, n)

    @staticmethod
    def backward(dout, cache):
        diff, n = cache
        return dout * 2 * diff / n
