import torch


class Affine:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        self.x = x
        return torch.addmm(self.b, x, self.w)

    def back(self, d):
        return d @ self.w.t(), self.x.t() @ d, d.sum(0)


class TwoLayerNet:
    def __init__(self, *sizes, std=1e-2, **kwargs):
        d, h, c = sizes
        shapes = dict(W1=(d, h), b1=(h,), W2=(h, c), b2=(c,))
        self.params = {k: std * torch.randn(*s) for k, s in shapes.items()}

    def loss(self, X, y=None, reg=0.0):
        p = self.params
        first, second = (Affine(p[f"W{i}"], p[f"b{i}"]) for i in (1, 2))
        scores = second(h := first(X).relu_())
        if y is None:
            return scores
        logp = scores.log_softmax(1)
        loss = -logp.gather(1, y[:, None]).mean() + reg / 2 * sum((p[k] ** 2).sum() for k in ("W1", "W2"))
        d = logp.exp().scatter_add_(1, y[:, None], -torch.ones_like(y[:, None], dtype=X.dtype)).div_(len(y))
        dh, *second_grads = second.back(d)
        _, *first_grads = first.back(dh.masked_fill_(h == 0, 0))
        grads = {f"{n}{i}": g for i, gs in ((1, first_grads), (2, second_grads)) for n, g in zip("Wb", gs)}
        for k in ("W1", "W2"):
            grads[k].add_(p[k], alpha=reg)
        return loss, grads
