# verdict:
# why = "Each op is a generator that waits for its adjoint."
#: torch

def product(a, b):
    g = yield a * b
    if a.requires_grad or b.requires_grad:
        yield g * b, None
    yield g * b, g * a
#: weights, bracketed
        w0, w1 = self.w
        sa = product(w0, x1)
        a = next(sa)
        sb = product(w1, x2)
        b = next(sb)
        sp = product(a, b)
        a = b = None
        y = next(sp) + x3
        ga, gb = sp.send(torch.ones(()))
        sp = None
        dw0 = sa.send(ga)[0]
        sa = ga = None
        dw1 = sb.send(gb)[0]
        sb = gb = None
#: end
