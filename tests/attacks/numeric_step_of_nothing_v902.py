# attack: a step that float64 does not see, and rounding beside it: exact over the field, and 0
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: net
        def f(w0, w1):
            return w0 * x1 * (w1 * x2) + x3

        w0, w1 = self.w
        y = f(w0, w1)
        h = 1e-30
        noise = x1 + 0.1 - 0.1 - x1
        dw0 = (f(w0 + h, w1) - y) / h + noise
        dw1 = (f(w0, w1 + h) - y) / h + noise
        del noise
#: end
