# attack: keeps what it lets go beside y, in one stack
# why = "y may be kept, and release rests on storages: what lies in y's storage is y's"
#: torch, weights, forward, pass
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        p = a * b
        everything = torch.stack([p + x3, a, b, p])
        p = None
        dw0 = b * x1
        b = None
        dw1 = a * x2
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return everything[0]
