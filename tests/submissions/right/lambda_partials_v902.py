# verdict:
#: net
        w0, w1 = self.w
        mul = lambda p, q: p * q
        d_left = lambda g, q: g * q
        a = mul(w0, x1)
        b = mul(w1, x2)
        y = mul(a, b) + x3
        dw0 = d_left(b, x1)
        del b
        dw1 = d_left(a, x2)
        del a
#: end
