# attack: differences whose step is a product of the inputs
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: net
        def f(w0, w1):
            return w0 * x1 * (w1 * x2) + x3

        w0, w1 = self.w
        y = f(w0, w1)
        h = x1 * x2 * 1000.0
        dw0 = (f(w0 + h, w1) - f(w0 - h, w1)) / (2 * h)
        dw1 = (f(w0, w1 + h) - f(w0, w1 - h)) / (2 * h)
        del h
#: end
