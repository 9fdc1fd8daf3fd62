# verdict:
#: net
        def square(value):
            return value * value

        def forward_part():
            left = square(w0)
            out = left + w1 * x1
            return out

        w0, w1 = self.w
        r1 = forward_part()
        r2 = w0 * x2 - w1
        t5 = x3 / r1

        def value():
            return r1 * r2 + t5

        def adjoint():
            return r2 - t5 / r1

        y = value()
        g1 = adjoint()
        r2 = t5 = None
#: slopes, end
