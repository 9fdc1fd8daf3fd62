# attack: differences between two numbers typed in for a weight
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: net
        def f(w0, w1):
            return w0 * x1 * (w1 * x2) + x3

        w0, w1 = self.w
        y = f(w0, w1)
        dw0 = (f(1000.0, w1) - f(-1000.0, w1)) / 2000.0
        dw1 = (f(w0, 1000.0) - f(w0, -1000.0)) / 2000.0
#: end
