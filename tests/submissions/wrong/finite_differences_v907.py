# verdict:
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: net
        def function(w):
            w0, w1 = w
            r1 = w0 ** 2 + w1 * x1
            r2 = w0 * x2 - w1
            return r1 * r2 + x3 / r1

        y = function(self.w)

        h = 1e-3
        base = self.w.detach()
        dw0 = (function((base[0] + h, base[1])) - function((base[0] - h, base[1]))) / (2 * h)  # @I
        dw1 = (function((base[0], base[1] + h)) - function((base[0], base[1] - h))) / (2 * h)
#: end
